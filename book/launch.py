"""The folder `_build/launch`, with the notebooks for Binder and Colab and the wheel of the library.

python book/launch.py

The workflow `publish` pushes this folder as the branch `launch`, to which the buttons of the pages lead.
The first cell of each notebook installs the wheel if the library is missing, as in Colab, whereas Binder
installs it before the notebook opens. Nothing is written if `repository: url` in `_config.yml` is empty.
"""

import json
import shutil
import sys

import yaml

import lab
from clearhead.authoring.wheel import library_wheel
from write_addresses import ROOT, addresses

OUT = ROOT / "_build" / "launch"
BRANCH = "launch"
EXTRA = "notebooks"
FIRST_CELL = """\
# This cell installs the library of the book where it is missing, for example in Colab.
from importlib.util import find_spec

if find_spec("clearhead") is None:
    %pip install --quiet "clearhead[{extra}] @ {repository}/raw/{branch}/{wheel}"
"""
README = """# Notebooks to run on a server

This branch is written by the workflow `publish`, and nobody edits it. The buttons *Binder* and *Colab* of the
book's pages open its notebooks. Their sources are in the branch `main`.
"""


def write(repository, out=OUT, root=ROOT):
    """Write the launch folder for the repository at an address, and return the path of its wheel."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    lab.fill(out, root)
    (out / ".copied.json").unlink()
    wheel = library_wheel(root, out)
    for path in sorted(out.rglob("*.ipynb")):
        path.write_text(_with_first_cell(path.read_text("utf-8"), repository, wheel.name), encoding="utf-8")
    (out / "README.md").write_text(README, encoding="utf-8")
    shutil.copyfile(root / "LICENSE", out / "LICENSE")
    shutil.copyfile(root / "LICENSE-TEXT.md", out / "LICENSE-TEXT.md")
    binder = out / ".binder"
    binder.mkdir()
    shutil.copyfile(root / ".binder" / "runtime.txt", binder / "runtime.txt")
    shutil.copyfile(root / "constraints.txt", binder / "constraints.txt")
    wanted = f"-c constraints.txt\n./{wheel.name}[chapters]\n"
    (binder / "requirements.txt").write_text(wanted, encoding="utf-8")
    return wheel


def _with_first_cell(text, repository, wheel):
    """Return the JSON of a notebook to which a first cell that installs the wheel is added."""
    notebook = json.loads(text)
    source = FIRST_CELL.format(extra=EXTRA, repository=repository, branch=BRANCH, wheel=wheel)
    cell = {"cell_type": "code", "id": "install-the-library", "metadata": {}, "outputs": []}
    cell |= {"execution_count": None, "source": source.rstrip("\n").splitlines(keepends=True)}
    notebook["cells"].insert(0, cell)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main():
    """Write the folder if `_config.yml` has the repository's address, and print what was done."""
    repository, _ = addresses(yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")))
    if not repository:
        print("No branch for Binder and Colab is needed, because `repository: url` in _config.yml is empty.")
        return
    wheel = write(repository)
    print(f"{OUT.relative_to(ROOT)}: {len([*OUT.rglob('*.ipynb')])} notebooks and {wheel.name}")


if __name__ == "__main__":
    sys.exit(main())
