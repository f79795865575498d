"""Every solution runs and passes its checks; in an exercise sheet the checks fail, and nothing else."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from clearhead.checks import registry

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(path.name for path in (ROOT / "solutions").glob("*.ipynb"))
CHECK = re.compile(r"^\s*check\(", re.M)


def code_cells(path):
    """Return the sources of the code cells of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


NUMPY_ALONE = """
import json, pathlib, sys
from importlib.metadata import packages_distributions
for name in packages_distributions():
    if name.partition(".")[0] not in ("numpy", "threadpoolctl", "clearhead", "setuptools", "_distutils_hack"):
        sys.modules[name] = None
from clearhead.checks import progress
stopped = []
for path in sorted(pathlib.Path("solutions").glob("*.ipynb")):
    cells, names = json.loads(path.read_text("utf-8"))["cells"], {}
    for cell in cells:
        source = "".join(cell["source"])
        if source.startswith("## Plug it in"):
            break
        try:
            exec(source if cell["cell_type"] == "code" else "", names)
        except (ImportError, NameError) as error:
            stopped.append(str(error))
passed = [id for id, record in progress.records().items() if record["passed"]]
print(json.dumps([stopped, sorted(passed)]), file=sys.stderr)
"""


def test_with_numpy_alone_every_exercise_passes_but_those_of_pytorch(tmp_path):
    environment = os.environ | {"CLEARHEAD_STATE": str(tmp_path), "CLEARHEAD_STRICT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", NUMPY_ALONE], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    stopped, passed = json.loads(done.stderr)
    exercises = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
    asks_pytorch = {exercise.id for exercise in exercises if "torch" in exercise.needs}
    assert passed == sorted({exercise.id for exercise in exercises} - asks_pytorch)
    assert len(stopped) == 2 * len(asks_pytorch)  # its cell, and the check of what it did not define


PACKAGES = {"torch": "PyTorch", "sklearn": "scikit-learn", "transformers": "transformers"}


@pytest.mark.parametrize("name", NAMES)
def test_the_text_says_which_package_a_cell_needs(name):
    cells = json.loads((ROOT / "exercises" / name).read_text(encoding="utf-8"))["cells"]
    said = ""
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            said += source
            continue
        for package in re.findall(r"^\s*(?:import|from) (\w+)", source, re.M):
            if package in PACKAGES:
                assert f"needs {PACKAGES[package]}: `pip install " in said, package


EACH_FROM_THE_SAME_START = """
import json, os, sys
import sklearn, torch  # it takes seconds, so once; a sheet that does not import it has no name for it
from IPython.core.interactiveshell import InteractiveShell
for name, sources in json.loads(sys.argv[1]).items():
    if not (child := os.fork()):
        os.environ["CLEARHEAD_STATE"] = os.path.join(sys.argv[2], name)
        shell = InteractiveShell.instance()
        ran = [shell.run_cell(source) for source in sources]
        errors = [done.error_before_exec or done.error_in_exec for done in ran]
        with open(os.path.join(sys.argv[2], name + ".json"), "w") as file:
            json.dump([error and repr(error) for error in errors], file)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


def raised_in(kind, folder):
    """Return what each cell of each notebook raised, None for nothing: a process and a state for each."""
    sources = {name: code_cells(ROOT / kind / name) for name in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", EACH_FROM_THE_SAME_START, json.dumps(sources), str(folder)],
        env=os.environ | {"CLEARHEAD_STRICT": "1", "MPLBACKEND": "agg"},
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return {name: json.loads((folder / f"{name}.json").read_text()) for name in NAMES}


@pytest.fixture(scope="module")
def raised(tmp_path_factory):
    """Return what the cells of the solutions and of the sheets raised, by the name of the folder."""
    return {kind: raised_in(kind, tmp_path_factory.mktemp(kind)) for kind in ("solutions", "exercises")}


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_a_solution_passes(name, raised):
    assert raised["solutions"][name] == [None] * len(code_cells(ROOT / "solutions" / name))


@pytest.mark.parametrize("name", NAMES)
def test_in_an_exercise_sheet_the_checks_fail_and_nothing_else(name, raised):
    sources = code_cells(ROOT / "exercises" / name)
    checks = {i for i, source in enumerate(sources) if CHECK.search(source)}
    assert checks
    found = {i: why for i, why in enumerate(raised["exercises"][name]) if why}
    assert set(found) == checks, {
        i: (sources[i][:80], why[:300]) for i, why in found.items() if i not in checks
    }
    assert all("not done yet" in why for why in found.values())
