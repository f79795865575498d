"""The drawn machine: every link leads to a chapter, every chapter has its part, the drawings can be read."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest
from docutils import nodes

from clearhead.maths.attention import scaled_dot_product_attention
from support.places import ROOT

sys.path += [str(ROOT / "book" / "diagrams"), str(ROOT / "book" / "_ext")]

import machine
from drawn import numbers
from drawn.narrow import narrow
from drawn.parts import CHAPTERS, PARTS
from drawn.wide import wide

machine_directive = pytest.importorskip("machine_directive")

CONTENTS = (ROOT / "_toc.yml").read_text("utf-8")
PAGES = {number: page for page, number in re.findall(r"file: chapters/((\d\d)_\w+)", CONTENTS)}
SHEET = machine.STYLE.read_text("utf-8")
LAYOUTS = {"wide": lambda address: wide(None, address), "narrow": narrow}
DRAWINGS = machine.files()
WIDTHS = {"wide": (688, 13), "narrow": (358, 11)}  # the column on a desk and on a phone, the smallest letters
SVG = "{http://www.w3.org/2000/svg}"


def address(chapter):
    return f"{PAGES[chapter]}.html"


def links(drawing):
    return list(ElementTree.fromstring(drawing).iter(f"{SVG}a"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_map_reaches_every_chapter_and_nothing_else(layout):
    """Every chapter of the book is reached and no other page."""
    reached = {each.get("href") for each in links(LAYOUTS[layout](address))}
    assert reached == {f"{page}.html" for page in PAGES.values()}
    assert set(CHAPTERS) == set(PAGES)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_has_its_part_in_colour(chapter):
    every = links(wide(chapter, address))
    marked = [each for each in every if "m-here" in each.get("class").split()]
    own = [each for each in every if each.get("aria-current") == "page"]
    assert 0 < len(marked) < len(every)
    assert {each.get("href") for each in own} == {address(chapter)}
    assert [each for each in own if each in marked]


def test_without_a_chapter_nothing_is_marked():
    assert "m-here" not in wide() + narrow()
    assert "m-today" not in wide() + narrow()


def test_what_a_chapter_lights_up_is_drawn():
    keys = {*PARTS, "addition", "memory"}
    for today in CHAPTERS.values():
        assert set(today.parts.split()) <= keys


def test_a_keyboard_stops_once_at_each_chapter():
    stops = [each.get("href") for each in links(wide("05", address)) if each.get("tabindex") is None]
    assert len(stops) == len(set(stops)) == len(PAGES)


def test_a_part_without_a_page_is_no_link():
    assert links(wide()) == []


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawing_is_xml_with_readable_text(name):
    """A drawing is xml with words and letters that can be read."""
    root = ElementTree.fromstring(DRAWINGS[name])
    title, words = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert len(words.text) > 100
    assert root.get("aria-label") == title.text != ""
    assert root.get("aria-describedby") == words.get("id")
    kind = "narrow" if name.endswith("_narrow") else "wide"
    column, smallest = WIDTHS[kind]
    _, _, width, _ = map(float, root.get("viewBox").split())
    assert letters(kind) * column / width >= smallest
    assert 'font-size="' not in DRAWINGS[name]


def letters(kind):
    """Return the size of the letters in one layout, in the drawing's own unit."""
    sizes = dict(
        re.findall(r":where\((\.m-wide, \.m-narrow|\.m-narrow)\) text \{[^}]*font-size: (\d+)px", SHEET)
    )
    assert SHEET.count("font-size") == len(sizes) == 2
    return int(sizes[".m-narrow" if kind == "narrow" else ".m-wide, .m-narrow"])


@pytest.mark.parametrize("name", DRAWINGS)
def test_what_is_drawn_stays_on_its_sheet(name):
    root = ElementTree.fromstring(DRAWINGS[name])
    left, top, width, height = map(float, root.get("viewBox").split())
    for box in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(box.get(side)) for side in ("x", "y", "width", "height"))
        assert left <= x <= x + w <= left + width, ElementTree.tostring(box)
        assert top <= y <= y + h <= top + height, ElementTree.tostring(box)


def test_no_id_stands_in_two_drawings():
    ids = [found for drawing in DRAWINGS.values() for found in re.findall(r'\bid="([^"]+)"', drawing)]
    assert len(ids) == len(set(ids)) == len(DRAWINGS)


def test_colours_are_the_books_own():
    colour = re.compile(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(")
    kit = (ROOT / "lib/clearhead/widgets/kit/kit.css").read_text("utf-8")
    assert set(colour.findall(SHEET)) <= {*colour.findall(kit), "#fff", "#111"}
    assert [name for name, drawing in DRAWINGS.items() if colour.search(drawing)] == []
    used = {each for drawing in DRAWINGS.values() for each in re.findall(r"\bm-[a-z-]+", drawing)}
    unknown = {each for each in used if f".{each}" not in SHEET}
    assert unknown <= {"m-part"}, unknown


def test_the_same_parts_give_the_same_bytes():
    assert machine.files() == DRAWINGS


def test_numbers_of_the_close_ups_are_those_of_the_library():
    one = numbers.X, numbers.W_Q, numbers.W_K, numbers.W_V
    for rows, *matrices in (one, *((numbers.X_4, *head) for head in numbers.HEADS)):
        Z, A = scaled_dot_product_attention(*(np.array(rows) @ np.array(matrix) for matrix in matrices))
        *_, weights, mixed = numbers.attention(rows, *matrices)
        assert np.allclose(A, weights)
        assert np.allclose(Z, mixed)
    drawn = machine.close_up("05")
    for weight in numbers.attention(*one)[3][3]:
        assert f"{weight:.2f}" in drawn.split("<desc")[1].split("</desc>")[0]


@pytest.mark.parametrize(("chapter", "rows"), [("05", numbers.X), ("06", numbers.X_4)])
def test_the_chapters_type_the_same_rows(chapter, rows):
    text = (ROOT / "chapters" / f"{PAGES[chapter]}.ipynb").read_text("utf-8")
    typed = re.findall(r"\[([-\d, ]+)\],  # (?:To|date|the|cleverest)", text)[:4]
    assert [[int(number) for number in row.split(",")] for row in typed] == rows


def opened(name):
    """Return what the extension makes of a chapter with a title, a paragraph and a box."""
    section = nodes.section("", nodes.title(text="T"), nodes.paragraph(text="p"), nodes.tip())
    app = SimpleNamespace(env=SimpleNamespace(docname=name, note_dependency=lambda path: None))
    document = nodes.container("", section)
    machine_directive.open_chapter(app, document)
    return [each.get("form") or type(each).__name__ for each in section]


def test_a_chapter_opens_with_a_strip_and_its_close_up():
    assert opened("chapters/05_attention") == ["title", "strip", "paragraph", "close-up", "tip"]
    assert opened("chapters/09_masking_and_training") == ["title", "strip", "paragraph", "tip"]
    assert opened("exercises/05_attention") == ["title", "paragraph", "tip"]
    assert opened("chapters/99_unknown") == ["title", "paragraph", "tip"]


def written(form, chapter=None, missing=()):
    """Return a drawing as it is written on the page of chapter 5, in a book that lacks some chapters."""
    names = {f"chapters/{page}" for page in PAGES.values()} - set(missing)
    builder = SimpleNamespace(
        env=SimpleNamespace(found_docs=names),
        config=SimpleNamespace(root_doc="index"),
        current_docname="chapters/05_attention",
        get_relative_uri=lambda here, there: "" if here == there else there.split("/")[-1] + ".html",
    )
    page = SimpleNamespace(builder=builder, body=[])
    with pytest.raises(nodes.SkipNode):
        machine_directive.write(page, machine_directive.Drawing("", chapter=chapter, form=form))
    return page.body[0]


@pytest.mark.parametrize("missing", [(), ("chapters/13_vision",)])
def test_a_page_links_to_the_chapters_that_the_book_has(missing):
    whole = written("whole", missing=missing)
    assert ('href="13_vision.html"' in whole) is not bool(missing)
    assert whole.count("<svg") == 2


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_strip_fills_its_part_and_holds_no_words(chapter):
    """The thumbnail holds no words, so that a search of the page finds only the caption."""
    strip = written("strip", chapter)
    drawing = re.search(r"<svg.*</svg>", strip, re.DOTALL)[0]
    assert "m-here" in drawing
    assert "".join(ElementTree.fromstring(drawing).itertext()).strip() == ""
    assert links(drawing) == []
    assert 'href="index.html#map"' in strip
    assert CHAPTERS[chapter].words in unescape(strip)


def test_the_strip_leads_to_the_map_of_the_first_page():
    first = (ROOT / "book" / "index.md").read_text("utf-8")
    assert "\n## Map\n" in first
    assert "```{machine}" in first
