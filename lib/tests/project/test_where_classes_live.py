"""Image, Binder and cluster name only what is there; their steps need a network, and are not run here."""

import re
import tomllib

import pytest

from support.places import ROOT

PROJECT = tomllib.loads((ROOT / "lib" / "pyproject.toml").read_text())["project"]


def missing_of_image(text):
    """Return what a Dockerfile copies or installs, and the repository has not."""
    steps = re.sub(r"\\\n\s*", " ", text)
    copied = re.findall(r"^COPY (\S+) (\S+)$", steps, re.M)
    missing = [source for source, _ in copied if not (ROOT / source).exists()]
    inside = {target if not target.endswith("/") else target + source for source, target in copied}
    (library, extras, constraints), = re.findall(r'"(/\S+?)\[([\w,]+)\]" -c (\S+)', steps)  # fmt: skip
    missing += [path for path in (library, constraints) if path not in inside]
    return missing + [each for each in extras.split(",") if each not in PROJECT["optional-dependencies"]]


def test_the_image_copies_and_installs_what_is_there():
    text = (ROOT / "book" / "classes" / "grader.Dockerfile").read_text()
    assert missing_of_image(text) == []
    assert missing_of_image(text.replace("COPY lib /opt", "COPY library /opt")) == ["library"]
    assert missing_of_image(text.replace("[grading,", "[marking,")) == ["marking"]


def missing_of_binder(folder):
    """Return what the folder names, and is not where repo2docker's pip looks for it.

    It runs `pip install -r .binder/requirements.txt` in the root of the repository: files after -r and -c are
    looked for beside the file that names them, a library after -e from the root.
    """
    missing, waiting = [], [folder / "requirements.txt"]
    for path in waiting:
        for option, named in re.findall(r"^-([rce]) ([^\s\[]+)", path.read_text(), re.M):
            place = (ROOT if option == "e" else path.parent) / named
            if not place.exists():
                missing.append(named)
            elif option == "r":
                waiting.append(place)
    return missing


def test_binder_finds_its_files_from_where_it_looks(tmp_path):
    assert missing_of_binder(ROOT / ".binder") == []
    (tmp_path / "requirements.txt").write_text("-c ../nowhere.txt\n-e ./library[all]\n")
    assert missing_of_binder(tmp_path) == ["../nowhere.txt", "./library"]
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
