"""Every solution runs and passes its checks; in an exercise sheet the checks fail, and nothing else."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(path.name for path in (ROOT / "solutions").glob("*.ipynb"))
CHECK = re.compile(r"^\s*check\(", re.M)


def run_cells(path, folder):
    """Return how many code cells nbval ran in one kernel, and a dict from the failed ones to why."""
    results = folder / "results.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval-lax",
        "--nbval-current-env",
        "--nbval-cell-timeout=60",
    ]
    command += [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"--rootdir={ROOT}",
        f"--junitxml={results}",
    ]
    environment = os.environ | {"CLEARHEAD_STRICT": "1", "CLEARHEAD_STATE": str(folder)}
    done = subprocess.run(
        [*command, str(path)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert results.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    cases = list(ElementTree.parse(results).iter("testcase"))
    failed = {i: "".join(case[0].itertext()) for i, case in enumerate(cases) if len(case)}
    return len(cases), failed


def code_cells(path):
    """Return the sources of the code cells of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


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
