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


def run_cells(path, folder):
    """Return how many code cells ran in one kernel, and a dict from the number of a failed one to why."""
    import nbformat  # not where the fast tests run with NumPy alone
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=60, allow_errors=True, resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute(env=os.environ | {"CLEARHEAD_STRICT": "1", "CLEARHEAD_STATE": str(folder)})
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    errors = {i: [o for o in cell.outputs if o.output_type == "error"] for i, cell in enumerate(cells)}
    failed = {i: "\n".join([found[0].evalue, *found[0].traceback]) for i, found in errors.items() if found}
    return sum(cell.execution_count is not None for cell in cells), failed


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


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_a_solution_passes(name, tmp_path):
    path = ROOT / "solutions" / name
    count, failed = run_cells(path, tmp_path)
    assert count == len(code_cells(path))
    assert not failed


@pytest.mark.parametrize("name", NAMES)
def test_in_an_exercise_sheet_the_checks_fail_and_nothing_else(name, tmp_path):
    path = ROOT / "exercises" / name
    count, failed = run_cells(path, tmp_path)
    sources = code_cells(path)
    assert count == len(sources)
    checks = {i for i, source in enumerate(sources) if CHECK.search(source)}
    assert checks
    assert set(failed) == checks, {
        i: (sources[i][:80], why[:300]) for i, why in failed.items() if i not in checks
    }
    assert all("not done yet" in why for why in failed.values())
