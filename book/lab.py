"""A copy of the chapters and exercises for your own work, in the folder `my`, opened in JupyterLab.

Git ignores the folder. A file that you have changed there is never overwritten: a newer version is put beside
it, as NAME.new.ipynb. A notebook that you have only run is replaced by the newer version, without results.

python book/lab.py            fill `my`, and open JupyterLab on it with any further options
python book/lab.py --copy     only fill `my`, for another editor
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "book" / "_ext"))

import solves  # noqa: E402

COPIED = ("chapters/*.ipynb", "exercises/*.ipynb", "book/*.ipynb", "book/*.md", "benchmarks/results/*.json")
FIRST = "chapters/00_start_here.ipynb"
BOX = re.compile(r"^:::\{admonition\} (?P<title>.+)\n(?:^:\w+:.*\n)*(?P<text>(?:.*\n)*?):::$", re.M)


def fill(my, root=ROOT):
    """Update the copy in the folder `my`, and return a line for each file that the reader has changed."""
    record = my / ".copied.json"  # hashes of the last copies; the reader changed files with other hashes
    copied, messages = json.loads(record.read_text("utf-8")) if record.exists() else {}, []
    for source in sorted(
        path for pattern in COPIED for path in root.glob(pattern) if ".new" not in path.stem
    ):
        name, new = source.relative_to(root).as_posix(), _readable(source)
        before, copied[name] = copied.get(name), _hash(new)
        target = my / name
        if target.exists() and before == copied[name]:
            continue  # it is up to date
        if target.exists() and _hash(target.read_bytes()) not in (before, copied[name]):
            target = _beside(target)
            messages.append(f"You worked on {name}: it stays as it is, and the new version is {target.name}.")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(new)
    record.write_text(json.dumps(copied, indent=1), encoding="utf-8")
    return messages


def _readable(source):
    """Return the bytes of a file, in which a notebook is adapted to JupyterLab.

    Boxes become quotations, which every editor can show, and code that solves an exercise is collapsed.
    """
    data = source.read_bytes()
    try:
        notebook = json.loads(data) if source.suffix == ".ipynb" else None
    except ValueError:
        notebook = None
    if notebook is None:
        return data
    if source.parent.name == "chapters":
        notebook = solves.with_collapsed_solutions(notebook, source.stem)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = without_boxes("".join(cell["source"])).splitlines(keepends=True)
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def without_boxes(text):
    """Return Markdown in which each box is replaced by a quotation that begins with its title."""

    def quotation(box):
        lines = [f"**{box['title']}**", "", *box["text"].strip("\n").splitlines()]
        return "\n".join(f"> {line}".rstrip() for line in lines)

    return BOX.sub(quotation, text)


def _hash(data):
    """Return the SHA-256 of a file, or of the sources of a notebook's cells without their results."""
    try:
        cells = json.loads(data)["cells"]
        data = json.dumps(["".join(cell["source"]) for cell in cells]).encode()
    except (ValueError, KeyError, TypeError):  # not a notebook
        pass
    return hashlib.sha256(data).hexdigest()


def _beside(target):
    """Return the first unused name beside a file: NAME.new.ipynb, NAME.new2.ipynb, ..."""
    names = (
        target.with_name(f"{target.stem}.new{number}{target.suffix}") for number in ["", *range(2, 1000)]
    )
    return next(name for name in names if not name.exists())


def command(my, *more):
    """Return the command that starts JupyterLab on the folder `my` and opens chapter 0."""
    options = [f"--ServerApp.root_dir={my}", f"--LabApp.default_url=/lab/tree/{FIRST}"]
    return [sys.executable, "-m", "jupyterlab", *options, *more]


if __name__ == "__main__":
    for line in fill(ROOT / "my"):
        print(line)
    if sys.argv[1:] == ["--copy"]:
        sys.exit()
    sys.exit(subprocess.call(command(ROOT / "my", *sys.argv[1:])))
