"""The book was built from what stands here, every chapter ran, and the build scripts keep their promises."""

import json
import runpy
import shutil
import sys

import nbformat
import psutil
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import build
import chromium
import execute
import quote
from support.notebooks import CHAPTERS, LOOKED_UP, TAUGHT, name, read
from support.places import ROOT


@pytest.fixture
def last():
    record = build.record()
    if record.get("fingerprint") != build.fingerprint():
        pytest.fail(
            "the pages in _build are older than their sources: run `make book` (or `make test`) first"
        )
    return record


def test_the_book_was_built_without_a_warning(last):
    assert last["status"] == 0, "`make book` stopped: its first message says which file and why"
    assert (build.HTML / "index.html").exists()


@pytest.mark.parametrize("path", [*TAUGHT, *LOOKED_UP], ids=name)
def test_every_chapter_ran(path):
    cache = execute.get_cache(execute.CACHE)
    executed = cache.match_cache_notebook(read(path))
    keys = json.loads((execute.CACHE / "keys.json").read_text())
    assert keys[path.name] == execute.key(read(path)), "the library changed since: run `make book`"
    assert executed.data["execution_seconds"] > 0
    assert executed.data["cpu_seconds"] > 0
    assert (build.HTML / path.parent.name / f"{path.stem}.html").exists()


def notebook(*sources):
    cells = [new_markdown_cell("# A title"), *map(new_code_cell, sources)]
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """Return a folder with the build scripts' places moved into it."""
    monkeypatch.setattr(execute, "ROOT", tmp_path)
    monkeypatch.setattr(execute, "CACHE", tmp_path / "cache")
    package = tmp_path / "lib" / "clearhead"
    for folder in ("maths", "figures"):
        (package / folder).mkdir(parents=True)
        (package / folder / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "figures" / "map.py").write_text("from clearhead.maths import softmax\n")
    for needed in ("requirements.txt", "constraints.txt"):
        (tmp_path / needed).write_text("")
    monkeypatch.setattr(execute, "PACKAGE", package)
    return tmp_path


def test_failing_chapter_is_named_with_cell_and_error(workshop, capsys):
    """A chapter that raises is named with its cell and error."""
    path = workshop / "broken.ipynb"
    nbformat.write(notebook("x = 1", "print('seen')\n1 / 0", "x"), path)
    (failure,) = execute.execute([path], workers=1)
    assert "broken.ipynb, code cell 2 of 3" in failure
    assert "ZeroDivisionError: division by zero" in failure
    assert "1 / 0" in failure
    assert "FAILED" in capsys.readouterr().out


def test_prose_does_not_execute_again_but_code_and_library_do(workshop, capsys):
    path = workshop / "chapter.ipynb"

    def executions(changed):
        nbformat.write(changed, path)
        assert execute.execute([path], workers=1) == []
        return "executing 1 of 1" in capsys.readouterr().out

    chapter = notebook("from time import sleep", "2 + 2")
    assert executions(chapter)
    assert not executions(chapter)
    chapter.cells[0].source = "# Another title"
    assert not executions(chapter)
    chapter.cells[2].source = "2 + 3"
    assert executions(chapter)
    requirements = workshop / "requirements.txt"
    requirements.write_text("numpy==2.0\n")
    assert executions(chapter)


PATHS = "import os, sys"
TOLD = """ours = {"numpy", "torch", "clearhead", "execute"} & set(sys.modules)
print(sorted(ours), os.getcwd(), os.getpid(), sep="|")"""
ONE_SECOND = """import time
end = time.process_time() + 1
while time.process_time() < end: pass"""


def test_warm_kernel_shares_only_preloaded_packages(workshop, capsys):
    """Three chapters get forks of one process: in each PyTorch waits, and none knows a name of another."""
    paths = [workshop / f"{name}.ipynb" for name in ("one", "two", "three")]
    for path in paths:
        nbformat.write(notebook(PATHS, f"assert 'mark' not in dir(); mark = {path.stem!r}", TOLD), path)
    assert execute.execute(paths, workers=2) == []
    cache = execute.get_cache(execute.CACHE)
    records = [cache.match_cache_notebook(read(path)) for path in paths]
    told = [cache.get_cache_bundle(record.pk).nb.cells[-1].outputs[0].text for record in records]
    packages, folders, numbers = zip(*(line.split("|") for line in told), strict=True)
    assert set(packages) == {"['numpy', 'torch']" if sys.platform == "linux" else "[]"}
    assert set(folders) == {str(workshop)}
    assert len(set(numbers)) == 3


@pytest.mark.parametrize("how_many", [1, 3])
def test_cpu_time_of_chapter_includes_child_processes(how_many, workshop):
    """Cold or warm: a second in the kernel and a second in a process that it started are two."""
    asked = notebook(
        ONE_SECOND, f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {ONE_SECOND!r}])"
    )
    with execute.kernel_managers(how_many) as manager:
        times = execute.run(workshop / "chapter.ipynb", asked, manager)
    assert 2 <= times["cpu_seconds"] < 6
    assert times["execution_seconds"] >= 2


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")
def test_kernels_end_with_the_warm_process_that_forked_them(workshop):
    """So none is left where a build is killed: the pipe closes, the warm process ends, and kernels see it."""
    with execute.kernel_managers(3) as manager:
        where = {"metadata": {"path": str(workshop)}}
        client = NotebookClient(notebook("1"), kernel_manager_class=manager, resources=where)
        with client.setup_kernel():
            kernel = psutil.Process(client.km.provisioner.pid)
            kernel.parent().kill()
            kernel.wait(timeout=30)


def test_the_key_follows_imports_through_the_library(workshop):
    reads_figures = notebook("from clearhead.figures import map")
    reads_nothing = notebook("import math")
    before = execute.key(reads_figures), execute.key(reads_nothing)
    (workshop / "lib" / "clearhead" / "maths" / "softmax.py").write_text("changed = True\n")
    assert execute.key(reads_figures) != before[0]
    assert execute.key(reads_nothing) == before[1]
    assert execute.subpackages_needed("from clearhead.figures import map") == {"figures", "maths"}


def test_stale_quotation_and_wrong_collapsing_are_fixed(tmp_path):
    """A stale quotation and a wrong fold are found and repaired."""
    source = shutil.copy(
        next(path for path in CHAPTERS if any(map(quote.builds, read(path).cells))), tmp_path
    )
    changed = read(source)
    cell = next(filter(quote.builds, changed.cells))
    cell.source = cell.source.replace("return ", "return 2 * ", 1)
    cell.metadata["jupyter"] = {"source_hidden": True}  # its tags say nothing of folding
    del next(other for other in changed.cells if "jupyter" in other.metadata and other is not cell).metadata[
        "jupyter"
    ]
    nbformat.write(changed, source)
    assert len(quote.stale(tmp_path / source.split("/")[-1])) == 3
    assert quote.stale(tmp_path / source.split("/")[-1], fix=True)
    assert quote.stale(tmp_path / source.split("/")[-1]) == []


def test_the_map_shows_the_chapters_that_are_open():
    drawn = runpy.run_path(str(ROOT / "book" / "diagrams" / "map.py"))["draw"]()
    assert (ROOT / "book" / "diagrams" / "map.svg").read_text("utf-8") == drawn, "run book/diagrams/map.py"
    for path in CHAPTERS:
        assert f"chapters/{path.stem}.html" in drawn


def test_browser_is_found_on_path_and_in_standard_places(tmp_path, monkeypatch):
    """A browser is found on the path and where other systems put it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("ProgramFiles", str(tmp_path))
    monkeypatch.setattr(chromium, "PLACES", (str(tmp_path / "no"), "${ProgramFiles}/chrome.exe"))
    assert chromium.found() is None
    (tmp_path / "chrome.exe").touch()
    assert chromium.found() == str(tmp_path / "chrome.exe")
    (tmp_path / "chromium").touch(0o755)
    assert chromium.found() == str(tmp_path / "chromium")
