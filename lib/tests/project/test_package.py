"""The wheel and the sdist: what a stranger installs, what is in them, and what their metadata say."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from packaging.metadata import Metadata

import clearhead
from clearhead.authoring.wheel import library_wheel
from clearhead.checks import registry
from support.places import ROOT

LIB = ROOT / "lib"
README = (LIB / "README.md").read_text("utf-8")
#: Runs in an isolated Python, which sees the standard library, the wheel and NumPy.
ALONE = "import sys; sys.path += sys.argv[1:]; exec(sys.stdin.read())"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel of the library."""
    return library_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return folders for the path of Python that hold the files of the wheel, and NumPy alone."""
    place, packages = tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("packages")
    zipfile.ZipFile(wheel).extractall(place)
    for folder in Path(np.__file__).parents[1].glob("numpy*"):
        (packages / folder.name).symlink_to(folder)
    return [str(place), str(packages)]


def blocks(language, text=README):
    """Return the code blocks of a language in a Markdown text."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def test_the_readme_of_the_wheel_keeps_its_promise(installed, tmp_path):
    """In an environment with NumPy only, the example prints what the README shows below it."""
    (program,), (shown,) = blocks("python"), blocks("text")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE, *installed],
        input=program, capture_output=True, text=True, cwd=tmp_path, encoding="utf-8",
        env=os.environ | {"CLEARHEAD_STATE": str(tmp_path), "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(shown)


def test_the_readme_counts_the_exercises():
    count = sum(len(sheet.exercises) for sheet in registry.sheets())
    (said,) = re.findall(r"more than (\d+) exercises", README)
    assert int(said) < count < int(said) + 30


def test_the_readme_names_packages_and_extras_that_exist():
    table = re.findall(r"`clearhead\.(\w+)`", README)
    assert {name for name in table if not (LIB / "clearhead" / name).is_dir()} == set()
    extras = tomllib.loads((LIB / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(re.findall(r'"clearhead\[(\w+)\]"', README)) <= set(extras)


def metadata(wheel):
    """Return the metadata of a wheel, after the validation that package indexes apply."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Metadata.from_email(archive.read(name), validate=True)


def test_the_metadata_say_what_an_index_shows(wheel):
    said = metadata(wheel)
    assert said.description.strip() == README.strip()
    assert said.description_content_type == "text/markdown"
    assert said.author == "The authors of Transformers with a Clear Head"
    assert said.license_expression == "MIT AND CC-BY-4.0 AND Apache-2.0"
    assert "Intended Audience :: Education" in said.classifiers
    assert not [each for each in said.classifiers if each.startswith("License ::")]  # an index refuses both


def test_the_version_has_a_single_source(wheel):
    """The library states it; the wheel derives from it, and the citation agrees."""
    assert str(metadata(wheel).version) == clearhead.__version__
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == clearhead.__version__


def test_the_wheel_brings_the_licences_that_it_names(wheel):
    said = metadata(wheel)
    with zipfile.ZipFile(wheel) as archive:
        names = {name.split(".dist-info/licenses/")[-1]: name for name in archive.namelist()}
        texts = {each: archive.read(names[each]).decode() for each in said.license_files}
    assert texts["LICENSE"] == (ROOT / "LICENSE").read_text("utf-8")
    assert any("Apache License" in text for text in texts.values())


def only_for_the_book(package, readers):
    """Return the modules of a package that neither another module of it nor any of the readers names."""
    files = [path for path in package.rglob("*.py") if path.name != "__init__.py"]
    others = [*package.rglob("*.py"), *readers]
    texts = {path: set(re.findall(r"\w+", path.read_text("utf-8"))) for path in others}
    return sorted(
        path.relative_to(package).as_posix()
        for path in files
        if not any(path.stem in words for other, words in texts.items() if other != path)
    )


def test_no_module_serves_the_build_of_the_book_only(tmp_path):
    """A module of the library is used by it, by a notebook, or by a figure; one only for `book` is there."""
    package = tmp_path / "package"
    package.mkdir()
    for name, text in {"a.py": "import b", "b.py": "", "c.py": ""}.items():
        (package / name).write_text(text)
    (tmp_path / "reader.ipynb").write_text('"import a"')
    assert only_for_the_book(package, [tmp_path / "reader.ipynb"]) == ["c.py"]
    notebooks = [path for part in ("chapters", "solutions", "book") for path in (ROOT / part).glob("*.ipynb")]
    assert [
        name
        for name in only_for_the_book(LIB / "clearhead", notebooks)
        if not name.startswith(("sheets/", "widgets/", "verify/pytest_plugin"))  # they are loaded by name
    ] == []


def test_the_wheel_holds_the_library_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    there = {
        path.relative_to(LIB).as_posix()
        for path in (LIB / "clearhead").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert there - names == {
        "clearhead/sheets/README.md",  # for those who write sheets in the repository
        "clearhead/pretrained/LICENSE-APACHE-2.0.txt",  # among the licences of the metadata
    }
    assert names - there == set()
    assert "clearhead/py.typed" in names


def test_the_sdist_builds_the_same_wheel(wheel, tmp_path):
    copy = shutil.copytree(
        LIB, tmp_path / "lib", ignore=shutil.ignore_patterns("tests", "build", "*.egg-info", "__pycache__")
    )
    code = f"from setuptools.build_meta import build_sdist; build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path / "sdist", filter="data")
    (source,) = (tmp_path / "sdist").iterdir()
    code = f"from setuptools.build_meta import build_wheel; build_wheel({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)

    def content(path):
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}

    assert content(next(tmp_path.glob("*.whl"))) == content(wheel)


#: Runs `python -m clearhead` like `ALONE`, with the two folders of `installed` before the arguments.
MODULE = (
    "import runpy, sys; sys.path += sys.argv[1:3]; del sys.argv[1:3]; runpy._run_module_as_main('clearhead')"
)


def run_module(installed, tmp_path, *arguments):
    """Return what `python -m clearhead` did with the wheel and NumPy alone."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", MODULE, *installed, *arguments],
        capture_output=True, text=True, cwd=tmp_path, encoding="utf-8", env=os.environ | {"PYTHONUTF8": "1"},
    )  # fmt: skip


def test_the_wheel_alone_writes_the_sheets_and_keeps_work(installed, tmp_path):
    done = run_module(installed, tmp_path, "exercises")
    assert done.returncode == 0, done.stderr
    ours = {path.name: path.read_bytes() for path in (ROOT / "exercises").glob("[0-9]*.ipynb")}
    ours = {name: text for name, text in ours.items() if ".new" not in name}
    assert {path.name: path.read_bytes() for path in (tmp_path / "exercises").iterdir()} == ours
    first = tmp_path / "exercises" / "00_start_here.ipynb"
    first.write_bytes(first.read_bytes().replace(b"your turn", b"my work"))
    worked_on = first.read_bytes()
    said = run_module(installed, tmp_path, "exercises").stdout
    assert first.read_bytes() == worked_on
    assert "00_start_here.ipynb was worked on and stays as it is" in said
    (tmp_path / "exercises" / "00_start_here.new.ipynb").replace(first)
    assert "up to date" in run_module(installed, tmp_path, "exercises").stdout


@pytest.mark.parametrize(
    ("arguments", "status"), [([], 2), (["--help"], 0), (["a", "b"], 2), (["/dev/null/x"], 1)]
)
def test_module_says_how_it_is_used(installed, tmp_path, arguments, status):
    done = run_module(installed, tmp_path, *arguments)
    assert done.returncode == status, done.stderr
    assert "notebooks" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
