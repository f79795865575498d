"""Each item of the sources has a place in the book, and each place is there."""

import re
import tomllib
from functools import cache

import pytest

import build
from notebooks import ROOT

SUBJECTS = tomllib.loads((ROOT / "book" / "coverage.toml").read_text(encoding="utf-8"))["subject"]
ITEMS = [item for subject in SUBJECTS for item in subject["items"]]


@cache
def places(page):
    """Return the ids of a built page."""
    return set(re.findall(r'id="([^"]+)"', (build.HTML / f"{page}.html").read_text(encoding="utf-8")))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject["title"])
def test_every_item_has_a_place_that_exists(subject):
    lost = []
    for what, source, place in subject["items"]:
        page, _, anchor = place.partition("#")
        assert what
        assert re.fullmatch(r"00[0-4](, 00[0-4])*", source), f"{what}: the source is one of 000 to 004"
        lost += [f"{what}: {place}"] if anchor not in places(page) else []
    assert lost == []


def test_no_item_stands_twice():
    assert len({what for what, _, _ in ITEMS}) == len(ITEMS)


def test_the_errata_are_all_there():
    said = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
    numbers = [int(n) for n in re.findall(r"^### E(\d+) ", said, flags=re.M)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1)), "numbered without a gap, none twice"
    assert len(numbers) >= 35, "one of the slips that were found is lost"
