"""What a tag starts: the notes of a release come from the changelog, and no wrong version is published."""

import runpy

import pytest
import yaml

from support.places import ROOT

notes = runpy.run_path(str(ROOT / ".ci" / "release_notes.py"))["notes"]
CHANGELOG = """# Changelog

## [Unreleased]

- Later.

## [0.2.0] - 2027-01-05

### The book

- A new chapter.

## [0.1.0] - 2026-12-01
- First.
## [0.0.9] - 2026-11-01
"""


def test_notes_are_the_section_of_the_version():
    assert notes("v0.2.0", "0.2.0", CHANGELOG) == "### The book\n\n- A new chapter.\n"
    assert notes("v0.1.0", "0.1.0", CHANGELOG) == "- First.\n"


@pytest.mark.parametrize(
    ("tag", "version", "said"),
    [
        ("v0.3.0", "0.2.0", "states version 0.2.0"),
        ("0.2.0", "0.2.0", "Tag v0.2.0"),
        ("v0.3.0", "0.3.0", "no section"),
        ("v0.0.9", "0.0.9", "no section"),
        ("v0.1", "0.1", "no section"),
    ],
)
def test_release_stops_for_another_version_or_without_notes(tag, version, said):
    with pytest.raises(ValueError, match=said):
        notes(tag, version, CHANGELOG)


def test_package_is_published_without_a_secret():
    """Trusted publishing needs the right to an identity token in one job only, and no password."""
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert "secrets." not in text
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    assert "permissions" not in jobs["build"]
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
