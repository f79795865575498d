"""What README, Makefile and the fast run of the tests promise, and where the tests are."""

import os
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import conftest
from support.places import LIBRARY, ROOT, TESTS

DEFINITION = re.compile(r"^\s*(?:async )?def test_(\w+)", re.M)


def misplaced(tests, packages):
    """Return what is wrong with the places of the test files: one line for each fault."""
    files = sorted(tests.rglob("test_*.py"))
    lost = [path.name for path in files if path.parent.name not in {*packages, "book", "project"}]
    twice = [name for name, count in Counter(path.name for path in files).items() if count > 1]
    faults = [f"{name} is in no folder named like a package" for name in lost]
    return faults + [f"two files are called {name}" for name in twice]


def test_each_test_file_has_right_folder_and_unique_name():
    """A name of its own, since pytest imports a file by its name, and a report names it so."""
    packages = {path.parent.name for path in LIBRARY.glob("clearhead/*/__init__.py")}
    assert misplaced(TESTS, packages) == []


def test_misplaced_and_duplicate_test_files_are_found(tmp_path):
    """A test in the wrong place and a second name are found."""
    for name in ("test_a.py", "maths/test_b.py", "nets/test_b.py", "support/test_c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert misplaced(tmp_path, {"maths", "nets"}) == [
        "test_c.py is in no folder named like a package",
        "test_a.py is in no folder named like a package",
        "two files are called test_b.py",
    ]


def long_names(tests):
    """Return the names of tests that have more than ten words: the rest belongs into a docstring."""
    texts = (path.read_text("utf-8") for path in sorted(tests.rglob("test_*.py")))
    return [name for text in texts for name in DEFINITION.findall(text) if len(name.split("_")) > 10]


def test_names_of_tests_have_at_most_ten_words(tmp_path):
    (tmp_path / "test_a.py").write_text(
        "def test_one():\n    pass\ndef test_a_b_c_d_e_f_g_h_i_j():\n    pass\n"
        "def test_a_b_c_d_e_f_g_h_i_j_k(x):\n    pass\n"
    )
    assert long_names(tmp_path) == ["a_b_c_d_e_f_g_h_i_j_k"]
    assert long_names(TESTS) == []


def test_readme_and_help_name_the_two_commands():
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 80
    assert "make book" in readme
    assert "make test" in readme
    listed = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True).stdout
    for target in ("book", "test", "lab", "quote", "exercises", "lint", "clean"):
        assert f"make {target}" in listed


#: A file with a test that needs a browser.
BROWSER = re.compile(r"^pytestmark = pytest.mark.pages|^@pytest.mark.(pages|lab)", re.M)


def test_fast_run_skips_browser_tests_and_says_so():
    """A fast run leaves out what needs a browser and says so."""
    left_out = {name for names in conftest.LEFT_OUT.values() for name in names}
    assert left_out | set(conftest.SECONDS) <= set(conftest.FILES)
    marked = {name for name, path in conftest.FILES.items() if BROWSER.search(path.read_text("utf-8"))}
    assert marked <= left_out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(conftest.FILES["alphabet"])],
        env=os.environ | {"CLEARHEAD_FAST": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    ran = len(conftest.FILES) - len(left_out)
    assert f"{ran} of {len(conftest.FILES)} files of tests ran. Left out: the build" in done.stdout


@pytest.mark.parametrize(("built", "tested"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_make_test_fails_where_the_book_or_a_test_fails(tmp_path, built, tested):
    python, ready = tmp_path / "python", tmp_path / "ready"
    python.write_text(
        f'#!/bin/sh\ncase "$1" in book/*) exit {built};; *) echo tests ran; exit {tested};; esac\n'
    )
    python.chmod(0o755)
    ready.touch()
    done = subprocess.run(
        ["make", "-s", "test", f"BIN={tmp_path}", f"READY={ready}"], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode == 0) == (built == tested == 0)
    assert done.stdout == "tests ran\n"  # also after a failed build: they tell more


IN_CODE = {"scikit-learn": "sklearn", "pytest-xdist": "--dist loadfile", "import-linter": "lint_imports"}


def test_every_required_package_is_used():
    required = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(), re.M)
    files = [path for part in ("lib/**/*.py", "book/**/*.py", "chapters/*.ipynb") for path in ROOT.glob(part)]
    text = "\n".join(path.read_text("utf-8") for path in {*files, ROOT / "Makefile"} - {Path(__file__)})
    assert len(required) > 20
    for package in required:
        called = {package, package.replace("-", "_"), IN_CODE.get(package, package)}
        assert any(name in text for name in called), f"{package} is required and not used"


def test_sandboxes_left_open_by_tests_are_found():
    """The fixture that ends them asks for a module by its name: a module that moved would be passed over."""
    assert callable(import_module(conftest.WORKER).drop_sandboxes)
