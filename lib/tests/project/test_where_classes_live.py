"""Images, Binder and cluster name only what is there; their steps need a network, and are not run here."""

import json
import re
import shlex
import tomllib

import pytest

from support.places import ROOT

PROJECT = tomllib.loads((ROOT / "lib" / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LEARNER, GRADER = ROOT / ".devcontainer" / "Dockerfile", ROOT / "book" / "classes" / "grader.Dockerfile"
IMAGES = pytest.mark.parametrize("path", [LEARNER, GRADER], ids=["learner", "grader"])
#: What `pip install` of the library reads.
LIBRARY = {"lib/pyproject.toml", "lib/clearhead", f"lib/{PROJECT['readme']}", "lib/LICENSE"}


def steps(text):
    """Return the instructions of a Dockerfile: pairs of its word and its arguments."""
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.M).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def faults_of_image(text, ignored):
    """Return what an image copies or installs and the repository lacks, its ignored files being given."""
    found = [shlex.split(rest) for word, rest in steps(text) if word == "COPY"]
    sources = {source for each in found for source in each[:-1] if not source.startswith("--")}
    faults = [f"{source} does not exist" for source in sources if not (ROOT / source).exists()]
    faults += [
        f"{source} is ignored"
        for source in sources
        if any(source == each or source.startswith(f"{each}/") for each in ignored)
    ]
    faults += [f"{source} is not copied" for source in {*LIBRARY, "constraints.txt"} - sources]
    arguments = dict(rest.split("=", 1) for word, rest in steps(text) if word == "ARG")
    (extras,) = re.findall(r"/lib\[([$\w,]+)\]", text)
    names = [arguments[each[1:]] if each.startswith("$") else each for each in extras.split(",")]
    return sorted(faults + [f"there is no extra {each}" for each in names if each not in EXTRAS])


@IMAGES
def test_an_image_copies_and_installs_what_is_there(path):
    text = path.read_text("utf-8")
    ignored = path.with_name(f"{path.name}.dockerignore").read_text("utf-8").split("\n")
    assert faults_of_image(text, ignored) == []
    assert faults_of_image(text.replace("COPY lib/clearhead ", "COPY lib/library "), ignored) == [
        "lib/clearhead is not copied",
        "lib/library does not exist",
    ]
    assert faults_of_image(text, [*ignored, "lib"]) == sorted(f"{each} is ignored" for each in LIBRARY)
    assert faults_of_image(text.replace("[grading,", "[no,").replace("=chapters", "=no"), ignored) == [
        "there is no extra no"
    ]


def test_the_learner_is_not_root():
    found = steps(LEARNER.read_text("utf-8"))
    assert [rest for word, rest in found if word == "USER"] == ["1000"]
    assert any("--uid 1000" in rest for word, rest in found if word == "RUN")
    assert found[-1][0] == "CMD"
    described = json.loads((LEARNER.parent / "devcontainer.json").read_text("utf-8"))
    assert described["remoteUser"] == "learner"
    assert (LEARNER.parent / described["build"]["dockerfile"]) == LEARNER


def missing_of_binder(folder):
    """Return what the folder names, and is not where repo2docker's pip looks for it.

    It runs `pip install -r .binder/requirements.txt` in the root of the repository: files after -r and -c are
    looked for beside the file that names them, a library that is installed from the root.
    """
    missing, waiting = [], [folder / "requirements.txt"]
    for path in waiting:
        for option, named in re.findall(r"^(-[rc] |)([^-\s\[][^\s\[]*)", path.read_text(), re.M):
            place = (path.parent if option else ROOT) / named
            if not place.exists():
                missing.append(named)
            elif option == "-r ":
                waiting.append(place)
    return missing


def test_binder_finds_its_files_from_where_it_looks(tmp_path):
    assert missing_of_binder(ROOT / ".binder") == []
    (tmp_path / "requirements.txt").write_text("-c ../nowhere.txt\n./library[all]\n")
    assert missing_of_binder(tmp_path) == ["../nowhere.txt", "./library"]
    assert "[chapters]" in (ROOT / ".binder" / "requirements.txt").read_text()  # and no tests of the book
    found = re.fullmatch(r"python-3\.(\d+)\n", (ROOT / ".binder" / "runtime.txt").read_text())
    assert int(found[1]) >= int(re.fullmatch(r">=3\.(\d+)", PROJECT["requires-python"])[1])


@pytest.mark.parametrize("name", ["grade.slurm", "gather.sh"])
def test_the_jobs_of_a_cluster_use_options_that_exist(name):
    from clearhead.grading.cli import main

    known = {option for each in main.commands["grade"].params for option in each.opts}
    text = (ROOT / "book" / "classes" / name).read_text()
    said = re.findall(r"^\s*(?:clearhead grade|--).*$", text, re.M)
    options = set(re.findall(r"\s(--[a-z-]+)", " " + " ".join(said)))
    assert {"--out", "--sheet", "--resume"} <= options <= known
