"""Run the library's own tests in the page's Python, by pytest itself: another Python, the oldest NumPy.

python lib/tests/support/in_page_maths.py [chromium|firefox]      about four minutes; needs no built book

What needs PyTorch is skipped, and counted.
"""

import ast
import base64
import importlib
import io
import json
import sys
import tempfile
import zipfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(TESTS.parent),
    str(TESTS),
    *(str(TESTS.parents[1] / name) for name in ("book", "book/_ext")),
]
PACKAGES = "pytest _pytest pluggy iniconfig packaging docutils pygments"
PYGMENTS = ("__init__.py", "_mapping.py", "python.py", "diff.py")  # of 250 lexers
SUBJECTS = ("clearhead.maths", "clearhead.text", "clearhead.contracts", "support.discovery")
#: What a test of the page's own Python cannot have: a browser, a book, a sandbox, other processes.
ELSEWHERE = (
    "playwright",
    "support.in_page_hypothesis",
    "support.browser",
    "subprocess",
    "sphinx",
    "nbformat",
    "support.notebooks",
    "support.pages",
    "support.places",
    "quote",
    "machine",
)
ELSEWHERE += ("support.in_page_site", "click", "clearhead.grading", "clearhead.sandbox")
ELSEWHERE += ("clearhead.authoring", "clearhead.verify", "clearhead.widgets", "clearhead.figures", "scipy")
#: What is about PyTorch alone.
IN_TORCH = ("against_pytorch", "arrays", "edge_cases_in_torch", "convert", "smollm", "talk_page", "twins")
PIECE = 400_000  # letters of base64 in one run

#: Run there: pytest with a stand-in for PyTorch. Whatever asks it for a number is skipped.
THERE = """
import importlib.util, json, os, platform, sys, types
import numpy as np
os.makedirs("/tests", exist_ok=True)
sys.path[:0] = ["/packages.zip", "/tests"]
import zipfile
zipfile.ZipFile("/packages.zip").extractall("/packages")
zipfile.ZipFile("/tests.zip").extractall("/tests")
sys.path[0] = "/packages"
import pytest

class Torch(types.ModuleType):
    running = False
    def __getattr__(self, name):
        if name.startswith("__") and name not in ("__getitem__", "__call__"):
            raise AttributeError(name)
        if Torch.running:
            raise ModuleNotFoundError("needs PyTorch", name="torch")
        return self
    def __call__(self, *arguments, **named):
        return self.asked
    __getitem__ = __or__ = __matmul__ = __sub__ = __rsub__ = __lt__ = __enter__ = __exit__ = __call__
    def __iter__(self):
        return iter(())
    def __mro_entries__(self, bases):
        return (Absent,)

class Absent:
    def __init__(self, *arguments, **named):
        raise ModuleNotFoundError("needs PyTorch", name="torch")

class Finder:
    GONE = ("torch", "clearhead.nets", "clearhead.training", "clearhead.pretrained")
    GONE += ("transformers", "sklearn", "safetensors")
    GONE += ("train_", "extract_")  # recipes, which need PyTorch
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.startswith(cls.GONE):
            return importlib.util.spec_from_loader(name, cls, is_package=True)
    @staticmethod
    def create_module(spec):
        return Torch(spec.name)
    @staticmethod
    def exec_module(module):
        pass

for name in ("sklearn", "sklearn.datasets"):  # the page's own stand-in has its data alone
    sys.modules.pop(name, None)
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name.startswith("torch") else found(name, *rest)
sys.meta_path.insert(0, Finder)

class Told:
    def __init__(self):
        self.counts, self.failed = {}, []
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self):
        Torch.running = True
        try:
            return (yield)
        finally:
            Torch.running = False
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        error = call.excinfo and call.excinfo.value
        if isinstance(error, ModuleNotFoundError) and error.name in ("torch", "pydoc_data"):
            try:
                pytest.skip(f"needs {error.name}")
            except pytest.skip.Exception:
                call.excinfo = pytest.ExceptionInfo.from_current()
        report = yield
        if report.when == "call" or report.outcome != "passed":
            self.counts[report.outcome] = self.counts.get(report.outcome, 0) + 1
            if report.outcome == "failed":
                self.failed.append(f"{item.nodeid}: {call.excinfo.exconly()[:2000]}")
        return report
    def pytest_collectreport(self, report):
        if report.outcome == "failed":
            self.failed.append(f"{report.nodeid}: {str(report.longrepr)[-2000:]}")

def tried(names):
    told = Told()
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--rootdir=/tests",
                 "-c", "/tests/pytest.ini", "--tb=no", "--capture=sys", "-k", "not pytorch", *names],
                plugins=[told])
    return json.dumps({"python": platform.python_version(), "numpy": np.__version__,
                       "counts": told.counts, "failed": told.failed})
"""


def names_imported(path):
    """Return what a module imports at its top, in full."""
    found = set()
    for part in ast.parse(path.read_text("utf-8")).body:
        if isinstance(part, ast.Import):
            found |= {alias.name for alias in part.names}
        if isinstance(part, ast.ImportFrom):
            found |= {f"{part.module}.{alias.name}" for alias in part.names}
    return found


def test_files():
    """Return the test files of what runs with NumPy alone, found by what they import."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        imported = names_imported(path)
        if (
            path.stem.removeprefix("test_") not in IN_TORCH
            and any(name.startswith(SUBJECTS) for name in imported)
            and not any(name.startswith(ELSEWHERE) for name in imported)
        ):
            found.append(path)
    return found


def packed(files):
    """Return a zip of files, given by name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def packages():
    """Return the Python files of pytest and of what it and the tests need."""
    files = {"py.py": Path(importlib.import_module("py").__file__).read_bytes()}
    for name in PACKAGES.split():
        place = Path(importlib.import_module(name).__file__).parent
        kept = (
            path for path in sorted(place.rglob("*")) if path.is_file() and "__pycache__" not in path.parts
        )
        files |= {
            f"{name}/{path.relative_to(place)}": path.read_bytes()
            for path in kept
            if path.suffix in (".py", ".txt", ".json")
            and (path.parent.name != "lexers" or path.name in PYGMENTS)
        }
    return files


def send(run, name, content):
    """Write a file into the page's Python, piece by piece."""
    text = base64.b64encode(content).decode()
    for start in range(0, len(text), PIECE):
        mode = "wb" if start == 0 else "ab"
        piece = text[start : start + PIECE]
        code = (
            f"import base64\nwith open({name!r}, {mode!r}) as f:\n    f.write(base64.b64decode({piece!r}))\n"
        )
        result = run(code, 60)
        assert result["error"] is None, result["error"]


def prepare(run, files):
    """Put pytest and the tests into the page's Python."""
    helpers = TESTS.glob("support/*.py")
    sent = {path.relative_to(TESTS).as_posix(): path.read_bytes() for path in (*helpers, *files)}
    sent["pytest.ini"] = b"[pytest]\nmarkers =\n    pages: a browser\n    lab: a Lab\n"
    sent["conftest.py"] = b"from support import in_page_hypothesis\nin_page_hypothesis.install()\n"
    send(run, "/packages.zip", packed(packages()))
    send(run, "/tests.zip", packed(sent))
    begun = run(THERE, 60)
    assert begun["error"] is None, begun["text"]


def tried(run, path, test=""):
    """Return what a file's tests, or that one, said there: versions, counts by outcome, the failures."""
    result = run(f"print(tried([{f'/tests/{path.relative_to(TESTS).as_posix()}{test}'!r}]))", 300)
    last = (result["text"].strip().splitlines() or [""])[-1]
    if result["error"] or not last.startswith("{"):
        return {"counts": {}, "failed": [f"{path.name}: {result['text'][-2000:]} {result['error']}"]}
    told = json.loads(last)
    told["failed"] += [] if told["counts"] else [f"{path.name}: no test ran"]
    print(path.name, told["counts"], f"{result['seconds']:.0f} s", *told["failed"], sep="\n    ", flush=True)
    return told


if __name__ == "__main__":
    from support.in_page_site import running_site

    browser = "firefox" if "firefox" in sys.argv else "chromium"
    with tempfile.TemporaryDirectory() as folder, running_site(browser, Path(folder)) as run:
        prepare(run, test_files())
        told = [tried(run, path) for path in test_files()]
    print(told[0].get("python"), told[0].get("numpy"), *[each for one in told for each in one["failed"]])
    sys.exit(any(one["failed"] for one in told))
