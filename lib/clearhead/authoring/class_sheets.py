"""The sheets of a class edition, whose checks contain recorded outcomes instead of answers.

The modules of a sheet contain its cases and no answers, so they are handed out unchanged. The statements,
hints and messages are handed out, too, but right and wrong answers stay with the instructor.
"""

import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np

from clearhead import sheets
from clearhead.checks import exercise_text, recorded, registry
from clearhead.checks.running import run
from clearhead.files import write_whole

from .build_exercises import STUB, without_answers

FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def class_files(folder=None, tick=lambda number: None):
    """Return a dict from the names of the files in `clearhead/sheets` to their contents in a class edition.

    The files are cached in `folder`, if it is given. `tick` is called with the number of each sheet before
    its answers are recorded.
    """
    if folder is None:
        return _made(registry.numbers(), tick)
    path = Path(folder) / f"sheets-{_digest()}.zip"
    if not path.exists():
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            for name, content in _made(registry.numbers(), tick).items():
                archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), content, zipfile.ZIP_DEFLATED)
        write_whole(path, made.getvalue())
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _digest():
    """Return a hash of everything on which the files of a class edition depend."""
    package = Path(__file__).resolve().parents[1]
    folders = (package, *registry.own_folders())
    sources = [(folder, p) for folder in folders for p in sorted(folder.rglob("*"))]
    total = hashlib.sha256(f"{np.__version__} {recorded.DRAWS}".encode())
    for folder, path in sources:
        if path.suffix in (".py", ".md", ".npz", ".json"):
            total.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _made(numbers, tick):
    """Return a dict from the names of the files of some sheets to their contents."""
    folder = Path(sheets.__file__).parent
    files = {f"clearhead/sheets/{path.name}": path.read_bytes() for path in folder.glob("*.py")}
    for number in numbers:
        tick(number)
        files |= sheet_files(number)
    return dict(sorted(files.items()))


def sheet_files(number):
    """Return a dict with the files of one sheet: its modules, its texts without answers, and outcomes."""
    package = registry.packages()[number]
    folder = Path(package.__file__).parent
    files = {path.name: path.read_bytes() for path in folder.glob("*.py")}
    files["sheet.md"] = (folder / "sheet.md").read_bytes()
    for exercise in registry.sheet(number).exercises:
        stem = exercise.cases.__module__.rpartition(".")[2]
        files[f"{stem}.json"] = json.dumps(outcomes(exercise)).encode()
        files[f"{stem}.md"] = text_without_answers((folder / f"{stem}.md").read_text("utf-8")).encode()
    return {f"clearhead/sheets/{folder.name}/{name}": files[name] for name in sorted(files)}


def text_without_answers(text):
    """Return the Markdown of an exercise without its right and wrong answers, but with messages."""
    parts = exercise_text.parse(text)
    head = text[: text.index("---\n", 3) + 4]
    lines = [head]
    for kind, source in parts.cells:
        if kind == "code":
            stub = without_answers(source, parts.answer_name)
            stub = re.sub(rf"^( *)({re.escape(STUB)})$", r"\1# answer\n\1\2", stub, flags=re.M)
            source = f"```python\n{stub}\n```"
        lines.append(f"{source}\n\n")
    lines += ["## Hints\n\n", *(f"{number}. {hint}\n" for number, hint in enumerate(parts.hints, 1))]
    lines += ["\n## Wrong answers\n\n```messages\n"]
    return "".join([*lines, *(f"{each.name}:\n    {each.message}\n" for each in parts.wrong), "```\n"])


def outcomes(exercise):
    """Return the outcomes of right and wrong answers in each case, for each seed of a class edition."""
    return [[_outcome(exercise, case) for case in _drawn(exercise, seed)] for seed in range(recorded.DRAWS)]


def _drawn(exercise, seed):
    """Return the cases drawn with a seed."""
    return exercise.cases(np.random.default_rng(seed))


def _outcome(exercise, case):
    """Return the outcomes of right and wrong answers in one case, with the case's name and a checksum."""
    right = run(exercise, exercise.reference, case.arguments)
    wrong = {mistake.name: run(exercise, mistake.answer, case.arguments) for mistake in exercise.mistakes}
    known = {"case": case.name, "arguments": recorded.arguments_checksum(case.arguments)}
    return known | recorded.outcomes(right, wrong)
