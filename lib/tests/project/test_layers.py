"""Imports point down, never up and in no circle; and the lower layers live with NumPy alone."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.places import LIBRARY, ROOT

PACKAGE = LIBRARY / "clearhead"
WITHOUT_TORCH = [
    "maths",
    "text",
    "figures",
    "widgets",
    "checks",
    "sheets",
    "authoring",
    "sandbox",
    "verify",
    "grading",
]
WITH_NUMPY_ALONE = ["maths", "text"]
REFUSE = """
import sys
class Refuse:
    def find_spec(name, *rest):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "clearhead"}:
            raise ImportError(f"{name} is more than NumPy")
sys.meta_path.insert(0, Refuse)
"""


def lint_imports(folder):
    """Return what import-linter says of the package in a folder, by the contracts in its pyproject.toml."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_imports_point_down():
    done = lint_imports(LIBRARY)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("place", "line", "broken"),
    [
        ("maths/attention.py", "def f():\n    from clearhead.nets import attention", "Imports point down"),
        (
            "grading/run/batch.py",
            "from clearhead.grading.write import feedback",
            "A hand-in passes through the folders of grading in one direction",
        ),
        ("pretrained/hub.py", "from .convert import to_arrays", "No circle in any package"),
        ("text/grammar.py", "def f():\n    import torch.nn", "What is computed needs NumPy alone"),
        ("nets/models.py", "import matplotlib.pyplot", "A model computes: it draws and asks nothing"),
    ],
)
def test_an_import_that_is_not_allowed_is_found(tmp_path, place, line, broken):
    shutil.copy(LIBRARY / "pyproject.toml", tmp_path)
    shutil.copytree(PACKAGE, tmp_path / "clearhead", ignore=shutil.ignore_patterns("*.npz", "__pycache__"))
    with open(tmp_path / "clearhead" / place, "a") as file:
        file.write(f"\n{line}\n")
    done = lint_imports(tmp_path)
    assert f"{broken} BROKEN" in done.stdout
    assert done.returncode == 1


def import_all(package):
    """Return the code that imports every module of a package."""
    paths = [path.relative_to(LIBRARY) for path in sorted((PACKAGE / package).rglob("*.py"))]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return "import " + ", ".join(names)


def imported(path):
    """Return the modules that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    return names


def circle(folder):
    """Return the modules of a folder that import each other, directly or through others."""
    below = {path.stem: imported(path) for path in folder.glob("*.py")}
    below = {name: names & set(below) for name, names in below.items()}
    while free := [name for name, names in below.items() if not names & set(below)]:
        for name in free:
            del below[name]
    return sorted(below)


@pytest.mark.parametrize("folder", ["benchmarks", "recipes"])
def test_no_circle_outside_the_library(folder):
    assert circle(ROOT / folder) == []


def test_a_circle_through_a_function_is_found(tmp_path):
    (tmp_path / "choose.py").write_text("def target():\n    from training import nanogpt\n")
    (tmp_path / "training.py").write_text("from choose import unfinished\nimport recipe\n")
    (tmp_path / "recipe.py").write_text("import numpy\n")
    assert circle(tmp_path) == ["choose", "training"]


@pytest.mark.parametrize("package", WITHOUT_TORCH)
def test_lives_without_torch(package):
    """Every module of the package imports where PyTorch is not installed."""
    code = f"import sys; sys.modules['torch'] = None; {import_all(package)}"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("package", WITH_NUMPY_ALONE)
def test_lives_with_numpy_alone(package):
    """Every module of the package imports where nothing is installed but NumPy."""
    subprocess.run([sys.executable, "-c", f"{REFUSE}\n{import_all(package)}"], check=True)
