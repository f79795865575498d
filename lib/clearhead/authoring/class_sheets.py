"""Make the sheets of a class edition: their checks hold no answers, but what answers did with drawn inputs.

Of each module stays what its cases need. Right answers and wrong ones stay with the teacher.
"""

import ast
import dataclasses
import hashlib
import inspect
import io
import json
import re
import symtable
import zipfile
from pathlib import Path

import numpy as np

from clearhead import sheets
from clearhead.checks import exercise_text, recorded, registry
from clearhead.checks.exercise import Exercise
from clearhead.checks.running import run
from clearhead.errors import UserError
from clearhead.files import write_whole

from .build_exercises import STUB, without_answers

KEPT = ("cases", "driver", "facts")  # what of an exercise is code, and stays
LEFT_OUT = ("reference", "mistakes", "alternatives", "recorded", "feed")  # only the grader feeds an answer
FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def class_files(folder=None, tick=lambda number: None):
    """Return the files of `clearhead/sheets` for a class edition, by name; `folder` keeps them.

    `tick` is called with the number of each sheet before its answers are recorded.
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
    """Return a hash of all that the files are made from."""
    package = Path(__file__).resolve().parents[1]
    places = (package, *registry.own_folders())
    sources = [(place, p) for place in places for p in sorted(place.rglob("*"))]
    total = hashlib.sha256(f"{np.__version__} {recorded.DRAWS}".encode())
    for place, path in sources:
        if path.suffix in (".py", ".md", ".npz", ".json"):
            total.update(path.relative_to(place).as_posix().encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _made(numbers, tick):
    """Return the files of these sheets, by name."""
    folder = Path(sheets.__file__).parent
    files = {f"clearhead/sheets/{path.name}": path.read_bytes() for path in folder.glob("*.py")}
    for number in numbers:
        tick(number)
        files |= sheet_files(number)
    return dict(sorted(files.items()))


def sheet_files(number):
    """Return the files of one sheet: its modules without answers, and what answers did."""
    package = registry.packages()[number]
    folder, files = Path(package.__file__).parent, {}
    modules = {path.stem: Module(path) for path in sorted(folder.glob("*.py"))}
    wanted = {"__init__": set(modules["__init__"].defined)}
    for exercise in registry.sheet(number).exercises:
        stem = _stem(exercise)
        module = modules[stem]
        wanted[stem] = module.reached(module.needed())
        files[f"{stem}.py"] = None
        files[f"{stem}.json"] = json.dumps(outcomes(exercise)).encode()
        if exercise.text:
            files[f"{stem}.md"] = text_without_answers((folder / f"{stem}.md").read_text("utf-8")).encode()
    if (folder / "sheet.md").exists():
        files["sheet.md"] = (folder / "sheet.md").read_bytes()
    _reach_across(modules, wanted)
    for stem in wanted:
        module = modules[stem]
        exercise = next((e for e in registry.sheet(number).exercises if _stem(e) == stem), None)
        files[f"{stem}.py"] = module.without_answers(wanted[stem], exercise).encode()
    return {f"clearhead/sheets/{folder.name}/{name}": content for name, content in files.items()}


def text_without_answers(text):
    """Return the Markdown of an exercise with names and messages, but no answer, right or wrong."""
    parts = exercise_text.parse(text)
    head = text[: text.index("---\n", 3) + 4]
    lines = [head]
    for kind, source in parts.cells:
        if kind == "code":
            stub = without_answers(source, parts.entry)
            stub = re.sub(rf"^( *)({re.escape(STUB)})$", r"\1# answer\n\1\2", stub, flags=re.M)
            source = f"```python\n{stub}\n```"
        lines.append(f"{source}\n\n")
    lines += ["## Hints\n\n", *(f"{number}. {hint}\n" for number, hint in enumerate(parts.hints, 1))]
    lines += ["\n## Wrong answers\n\n```messages\n"]
    return "".join([*lines, *(f"{each.name}:\n    {each.says}\n" for each in parts.wrong), "```\n"])


def _stem(exercise):
    """Return the name of the module that holds an exercise."""
    return exercise.cases.__module__.rpartition(".")[2]


def _reach_across(modules, wanted):
    """Add to what is wanted of each module what the others take from it, until nothing is new."""
    before = None
    while before != (before := {stem: len(names) for stem, names in wanted.items()}):
        for stem in list(wanted):
            for name in wanted[stem]:
                source = modules[stem].taken_from(name)
                if source in modules:
                    wanted[source] = modules[source].reached(wanted.get(source, set()) | {name})


class Module:
    """One module of a sheet, as its statements and the names that they make."""

    def __init__(self, path):
        self.path, self.tree = path, ast.parse(path.read_text("utf-8"))
        self.defined = {name: part for part in self.tree.body for name in _names_made(part)}

    def exercise(self):
        """Return the parts of the call that makes the exercise, by name."""
        call = self.defined["EXERCISE"].value
        if ast.unparse(call.func) == "exercise_from_text":
            return {"cases": call.args[1]} | {part.arg: part.value for part in call.keywords}
        positional = zip((field.name for field in dataclasses.fields(Exercise)), call.args, strict=False)
        return dict(positional) | {part.arg: part.value for part in call.keywords}

    def needed(self):
        """Return the names that the cases of the exercise need, and the code around its answer."""
        parts = self.exercise()
        kept = (value for name, value in parts.items() if name in KEPT or (self.is_text and name != "feed"))
        return set().union(*map(_names_used, kept)) | ({"exercise_from_text"} if self.is_text else set())

    @property
    def is_text(self):
        """Return whether the exercise's answers are in a Markdown file."""
        return "exercise_from_text" in self.defined

    def reached(self, names):
        """Return the names of this module that these names need, themselves with them."""
        found, open_ = set(), list(names)
        while open_:
            name = open_.pop()
            if name in self.defined and name not in found:
                found.add(name)
                open_ += _names_used(self.defined[name])
        return found

    def taken_from(self, name):
        """Return the module beside this one that a name is imported from, or None."""
        part = self.defined.get(name)
        return part.module if isinstance(part, ast.ImportFrom) and part.level == 1 else None

    def without_answers(self, kept, exercise):
        """Return the module's source with what is kept alone, and its exercise without answers."""
        body = [_only(part, kept) for part in self.tree.body]
        lines = [ast.unparse(part) for part in body if part is not None]
        if exercise is not None and exercise.text:
            more = [
                f"{name}={ast.unparse(value)}" for name, value in self.exercise().items() if name != "feed"
            ]
            lines.append(f"EXERCISE = exercise_from_text(__file__, {', '.join(more)})")
        elif exercise is not None:
            reference = getattr(exercise.reference, "__name__", "")
            self._refuse(reference, kept, exercise)
            lines = [lines[0], "from clearhead.checks import exercise as made, recorded", *lines[1:]]
            lines += [self._made_again(exercise)]
        return "\n\n".join(lines) + "\n"

    def _refuse(self, reference, kept, exercise):
        """Raise UserError where the right answer would stay."""
        if isinstance(self.defined.get(reference), ast.FunctionDef) and reference in kept:
            raise UserError(f"the cases of {exercise.id} need its answer, {reference}.")

    def _made_again(self, exercise):
        """Return the source of the exercise: what is data as it is, what is an answer kept back."""
        parts = self.exercise()
        names = [field.name for field in dataclasses.fields(Exercise) if field.name not in (*KEPT, *LEFT_OUT)]
        said = [f"{name}={getattr(exercise, name)!r}" for name in names]
        said += [f"{name}={ast.unparse(parts[name])}" for name in KEPT if name in parts]
        mistakes = "".join(
            f"made.Mistake({mistake.name!r}, recorded.kept_back, {mistake.says!r}), "
            for mistake in exercise.mistakes
        )
        signature = "(*arguments)" if exercise.driver else str(inspect.signature(exercise.reference))
        said += ["reference=answer", f"mistakes=({mistakes})", "alternatives=()"]
        said += ["recorded=recorded.Recorded(__file__.removesuffix('c').removesuffix('.py') + '.json')"]
        answer = f"def answer{signature}:\n    return recorded.kept_back()"
        return f"{answer}\n\nEXERCISE = made.Exercise({', '.join(said)})"


def _names_made(part):
    """Return the names that a statement at the top of a module makes."""
    if isinstance(part, ast.FunctionDef | ast.ClassDef):
        return {part.name}
    if isinstance(part, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in part.names}
    if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
        return set()
    if not isinstance(part, ast.Assign | ast.AnnAssign):
        raise UserError(f"a sheet's module may hold definitions alone, and this is none: {ast.unparse(part)}")
    return {
        node.id for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _names_used(part):
    """Return the names of its module that a piece of code uses."""
    tables, found = [symtable.symtable(ast.unparse(part), "part", "exec")], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        top = table.get_type() == "module"
        found |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global())}
    return found


def _only(part, kept):
    """Return a statement, an import with those names alone that are kept, or None where nothing of it is."""
    made = _names_made(part)
    if not made:
        return part
    if isinstance(part, ast.Import | ast.ImportFrom):
        names = [alias for alias in part.names if (alias.asname or alias.name).split(".")[0] in kept]
        fields = {"names": names} | (
            {"module": part.module, "level": part.level} if hasattr(part, "level") else {}
        )
        return type(part)(**fields) if names else None
    return part if made & kept and "EXERCISE" not in made else None


def outcomes(exercise):
    """Return, for each seed of a class edition, what right and wrong answers did in each case."""
    return [[_outcome(exercise, case) for case in _drawn(exercise, seed)] for seed in range(recorded.DRAWS)]


def _drawn(exercise, seed):
    """Return the cases that a seed draws."""
    return exercise.cases(np.random.default_rng(seed))


def _outcome(exercise, case):
    """Return what right and wrong answers did in one case, with what knows the case again."""
    right = run(exercise, exercise.reference, case.arguments)
    wrong = {mistake.name: run(exercise, mistake.answer, case.arguments) for mistake in exercise.mistakes}
    known = {"case": case.name, "weight": recorded.weight(case.arguments)}
    return known | recorded.outcomes(right, wrong)
