"""Every solution runs and passes its checks; in an exercise sheet the checks fail, and nothing else."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from clearhead.checks import registry
from support.places import ROOT

NAMES = sorted(path.name for path in (ROOT / "solutions").glob("*.ipynb"))
CHECK = re.compile(r"^\s*check\(", re.M)


@pytest.fixture(scope="module")
def solved(request, tmp_path_factory):
    """What nbval says of each cell of the solutions asked for: "" where it passes. Each has its kernel."""
    folder = tmp_path_factory.mktemp("solutions")
    wanted = [item.callspec.params["name"] for item in request.session.items if "solved" in item.fixturenames]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    command += ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=60"]
    command += [f"--rootdir={ROOT}", f"--junitxml={folder / 'results.xml'}"]
    done = subprocess.run(
        [*command, *(str(ROOT / "solutions" / name) for name in wanted)],
        env=os.environ | {"CLEARHEAD_STRICT": "1", "CLEARHEAD_STATE": str(folder)},
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert (folder / "results.xml").exists(), done.stdout[-2000:] + done.stderr[-2000:]
    said = {name: [] for name in wanted}
    for case in ElementTree.parse(folder / "results.xml").iter("testcase"):
        said[".".join(case.get("classname").split(".")[-2:])].append(
            "".join(case[0].itertext()) if len(case) else ""
        )
    return said


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
def test_every_cell_of_a_solution_passes(name, solved):
    assert solved[name] == [""] * len(code_cells(ROOT / "solutions" / name))


IN_ONE_PROCESS = """
import json, pathlib, sys
from IPython.core.interactiveshell import InteractiveShell
shell, failed = InteractiveShell.instance(), {}
for path in sorted(pathlib.Path("exercises").glob("*.ipynb")):
    shell.reset()
    ran = [shell.run_cell(source) for source in json.loads(sys.argv[1])[path.name]]
    failed[path.name] = [None if done.success else repr(done.error_in_exec) for done in ran]
print(json.dumps(failed), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """What each cell of each exercise sheet raised, None for nothing: one process, and nothing kept between.

    Their own kernels the sheets get as solutions; what they import is the same.
    """
    sources = {name: code_cells(ROOT / "exercises" / name) for name in NAMES}
    environment = {"CLEARHEAD_STRICT": "1", "CLEARHEAD_STATE": str(tmp_path_factory.mktemp("state"))}
    done = subprocess.run(
        [sys.executable, "-c", IN_ONE_PROCESS, json.dumps(sources)],
        env=os.environ | environment | {"MPLBACKEND": "agg"},
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.parametrize("name", NAMES)
def test_in_an_exercise_sheet_the_checks_fail_and_nothing_else(name, untouched):
    sources, raised = code_cells(ROOT / "exercises" / name), untouched[name]
    checks = {i for i, source in enumerate(sources) if CHECK.search(source)}
    assert checks
    found = {i: why for i, why in enumerate(raised) if why}
    assert set(found) == checks, {
        i: (sources[i][:80], why[:300]) for i, why in found.items() if i not in checks
    }
    assert all("not attempted yet" in why for why in found.values())
