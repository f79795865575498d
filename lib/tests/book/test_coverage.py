"""Each item of the sources has a place in the book, each place is there, and speaks of the item."""

import re
import tomllib
from functools import cache

import pytest
from docutils.nodes import make_id

import build
from support.notebooks import read
from support.places import ROOT

SUBJECTS = tomllib.loads((ROOT / "book" / "coverage.toml").read_text(encoding="utf-8"))["subject"]
ITEMS = [item for subject in SUBJECTS for item in subject["items"]]
COMMON = 6  # a word that stands in more than a sixth of all sections proves nothing
NEARBY = 8  # nor one that stands in more than an eighth of the other sections of its own page


@cache
def places(page):
    """Return the ids of a built page."""
    return set(re.findall(r'id="([^"]+)"', (build.HTML / f"{page}.html").read_text(encoding="utf-8")))


def pieces(page):
    """Return the cells of a notebook, or a page of Markdown as one: each as (its text, is it Markdown?)."""
    if (path := ROOT / f"{page}.ipynb").exists():
        return [(cell.source, cell.cell_type == "markdown") for cell in read(path).cells]
    return [((ROOT / f"{page}.md").read_text(encoding="utf-8"), True)]


@cache
def sections(page):
    """Return the text of each section of a page, its parts below included, under the section's anchor."""
    found, running = {}, []
    for text, prose in pieces(page):
        fenced = False
        for line in text.splitlines():
            fenced ^= line.startswith("```")
            heading = re.match("(#+) (.*)", line) if prose and not fenced else None
            if heading:
                depth = len(heading[1])
                running = [(above, lines) for above, lines in running if above < depth]
                lines = found.setdefault(make_id(re.sub("[`*]", "", heading[2])), [])
                running.append((depth, lines))
            for _, lines in running:
                lines.append(line)
    return {anchor: "\n".join(lines) for anchor, lines in found.items()}


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject["title"])
def test_every_item_has_a_place_that_exists(subject):
    lost = []
    for what, source, place, _ in subject["items"]:
        page, _, anchor = place.partition("#")
        assert what
        assert re.fullmatch(r"00[0-4](, 00[0-4])*", source), f"{what}: the source is one of 000 to 004"
        lost += [f"{what}: {place}"] if anchor not in places(page) else []
    assert lost == []


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject["title"])
def test_every_place_speaks_of_its_item(subject):
    silent = []
    for what, _, place, word in subject["items"]:
        page, _, anchor = place.partition("#")
        silent += [f"{what}: no {word!r} in {place}"] if word not in sections(page)[anchor] else []
    assert silent == []


def test_a_word_that_proves_an_item_does_not_stand_everywhere():
    every = [
        text
        for page in {place.partition("#")[0] for *_, place, _ in ITEMS}
        for text in sections(page).values()
    ]
    common = {word for *_, word in ITEMS if sum(word in text for text in every) > len(every) / COMMON}
    assert common == set(), "such a word would be found in a wrong section, too"


def test_anchor_moved_to_another_section_is_noticed():
    """An anchor that slips to another section of its page is noticed."""
    loose = []
    for what, _, place, word in ITEMS:
        page, _, anchor = place.partition("#")
        own = sections(page)[anchor]
        others = [text for text in sections(page).values() if text not in own and own not in text]
        loose += [what] if sum(word in text for text in others) > len(others) / NEARBY else []
    assert loose == []


def test_a_section_ends_where_the_next_one_begins():
    found = sections("book/errata")
    assert "E36" in found["e36-new-innovations"]
    assert "E37" not in found["e36-new-innovations"]
    assert "E36" in found["before-attention"]
    assert "E37" not in found["before-attention"]


def test_no_item_stands_twice():
    assert len({what for what, *_ in ITEMS}) == len(ITEMS)


def _read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_errata_are_all_there():
    numbers = [int(n) for n in re.findall(r"^### E(\d+) ", _read("book/errata.md"), flags=re.M)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1)), "numbered without a gap, none twice"
    assert len(numbers) >= 41, "one of the slips that were found is lost"


def test_each_chapter_ends_with_departures_from_lectures():
    """One folded box, with the errata whose entries name this chapter; nothing else accuses in the flow."""
    entries = re.findall(r"^### (E\d+) (.*?)(?=^##|\Z)", _read("book/errata.md"), re.M | re.S)
    named = {
        (number, page) for number, text in entries for page in re.findall(r"chapters/(\w+)\.ipynb", text)
    }
    withdrawn = {"E25", "E34", "E35"}
    listed, elsewhere = set(), []
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        texts = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
        boxes = [text for text in texts if text.startswith("## If you come from the lectures")]
        assert len(boxes) <= 1
        assert boxes in ([], texts[-1:]), "it stands at the end"
        listed |= {(number, path.stem) for box in boxes for number in re.findall(r"\*\*(E\d+)\*\*", box)}
        elsewhere += [
            text for text in texts if re.search(r"\bErrata\b|\bE\d\d\b", text) and text not in boxes
        ]
    assert listed == {(number, page) for number, page in named if number not in withdrawn}
    assert elsewhere == []
