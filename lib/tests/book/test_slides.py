"""The lecture of one chapter: cut from its page, driven by its keys; nothing is cut off."""

import re

import pytest
from bs4 import BeautifulSoup

import slides
from decks import cells
from decks.cutting import cut, state_of
from decks.sentences import one_sentence
from support.pages import HTML, Visit
from support.places import ROOT

NAME = "05_attention"
SLIDES = "const slides = [...document.querySelectorAll('section.deck-slide')];"
SHOWN = "slide => slide.matches('.present') && slide.parentElement.matches('.present')"
CURRENT_SLIDE = f"() => {{ {SLIDES} return slides.findIndex({SHOWN}); }}"
CUT_OFF = f"""() => {{
  {SLIDES} const slide = slides.find({SHOWN}), fit = slide.querySelector('.deck-fit');
  const box = (part) => part.getBoundingClientRect(), room = box(slide.querySelector('.deck-content'));
  const right = [...fit.querySelectorAll('pre, table, svg, .ch-figure')].map((part) => box(part).right);
  return box(fit).bottom > room.bottom + 2 || Math.max(0, ...right) > room.right + 2;
}}"""
ZOOM = "slide => Number(slide.dataset.zoom)"
READABLE = 0.68  # of the size that words and figures have where there is room; 0.70 was measured
PAGE = re.compile(rb"/Type\s*/Page\b")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of all decks, and the decks."""
    place = tmp_path_factory.mktemp("slides")
    return place, slides.make(HTML, place)


@pytest.fixture(scope="module")
def folder(made):
    return made[0]


@pytest.mark.parametrize(("rows", "words", "slides"), [(14, 1, 1), (15, 1, 2), (8, 30, 2), (0, 1, 1)])
def test_a_long_table_is_divided_among_slides(rows, words, slides):
    """Each part has the head of the table, and together the parts have every row once, in order."""
    cells_of = [f"<tr><td>{n}</td><td>{'word ' * words}</td></tr>" for n in range(rows)]
    head = "<thead><tr><th>part</th><th>what it costs</th></tr></thead>"
    table = f"<div><table>{head}<tbody>{''.join(cells_of)}</tbody></table></div>"
    parts = cells.divided(BeautifulSoup(table, "html.parser").div)
    assert len(parts) == slides
    assert all(part.select_one("th").get_text() == "part" for part in parts)
    shown = [row.td.get_text() for part in parts for row in part.select("tbody > tr")]
    assert shown == [str(n) for n in range(rows)]


def paragraph(text):
    return BeautifulSoup(f"<p>{text}</p>", "html.parser").p


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("First it is said. Then more.", "First it is said."),
        ("Something else.\nThis introduces <em>it</em>:", "This introduces it:"),
        ("<strong>Compare.</strong> The dot product says it. More.", "Compare. The dot product says it."),
        ("It has <code>K.mT</code> in it, e.g. <code>x</code>. More.", "It has K.mT in it, e.g. x."),
    ],
)
def test_one_sentence_stands_on_a_slide(text, said):
    assert one_sentence(paragraph(text)).get_text().strip() == said


def test_no_slide_cells_and_proofs_stay_in_page():
    """A cell tagged no slide and a proof stay in the page."""
    cell = '<div class="ch-live-cell"><div class="cell {}"><div class="cell_input">{}</div></div></div>'
    body = cell.format("", "<pre>shown()</pre>") + cell.format("tag_no-slide", "<pre>hidden()</pre>")
    body += cell.format("", '<details class="ch-chip ch-chip-checked"><pre>assert it</pre></details>')
    html = f"<article><section><h1>T</h1><section><h2>S</h2><p>Look.</p>{body}</section></section></article>"
    deck = cut("x", BeautifulSoup(html, "html.parser"), {"state": {}})
    shown = [each.get_text() for slide in deck.slides for each in slide.shown]
    assert shown == ["shown()"]
    assert [note.get_text() for note in deck.slides[1].notes] == ["Look."]


def test_lecture_shows_code_that_page_collapses():
    """A lecture shows the code that the page collapses before its exercise."""
    body = '<p class="ch-try-first">Try it first</p>'
    body += '<details class="ch-chip ch-chip-try"><summary>Show</summary>'
    cell = f'<div class="cell"><div class="cell_input">{body}<pre>def f(): ...</pre></details></div></div>'
    place = BeautifulSoup(f'<div class="ch-live-cell">{cell}</div>', "html.parser").div
    assert cells.on_slide(place).get_text() == "def f(): ..."


def test_long_code_and_output_are_split_into_slides():
    """Long code and its long output are two slides and short ones are one."""
    cell = '<div class="cell"><div class="cell_input"><pre>{}</pre></div>{}</div>'
    cell = f'<div class="ch-live-cell">{cell}</div>'
    output = '<div class="cell_output"><pre>{}</pre></div>'
    lines = [f"line {n}" for n in range(cells.LINES)]
    long = cell.format("\n".join(lines[:5]), output.format("\n".join([*lines[5:], "told"])))
    short = cell.format("\n".join(lines[:5]), output.format("\n".join(lines[5:])))
    for body, texts in ((long, ["line 0", "line 5"]), (short, ["line 0"])):
        html = (
            f"<article><section><h1>T</h1><section><h2>S</h2><p>Look.</p>{body}</section></section></article>"
        )
        _, stack = cut("x", BeautifulSoup(html, "html.parser"), {"state": {}}).stacks
        assert [slide.shown[0].get_text().splitlines()[0] for slide in stack.slides] == texts
        assert [slide.title for slide in stack.slides] == ["S"] * len(texts)


TABLE = "<table><caption>A</caption><thead>{}</thead></table>"
ROW = "<tr><td>1</td></tr>"


@pytest.mark.parametrize(
    ("classes", "output", "slides_made"),
    [
        ("", f'<div class="ch-tables">{TABLE.format(ROW * 12)}</div>', 2),
        ("", TABLE.format(ROW * 12), 2),  # a table that pandas writes
        ("", f"<pre>told</pre><pre>more</pre>{TABLE.format(ROW * 9)}", 2),  # text and table add up
        ("", f'<div class="ch-tables">{TABLE.format(ROW * 3)}</div>', 1),
        ("", f'<div class="ch-tables">{TABLE.format(ROW * 6) * 3}</div>', 1),  # three, side by side
        ("", f'<div class="ch-fallback">{TABLE.format(ROW * 12)}</div>', 1),  # hidden behind its figure
        ("deck-beside", f'<div class="ch-tables">{TABLE.format(ROW * 12)}</div>', 1),  # beside its code
        ("deck-beside", f'<div class="ch-tables">{TABLE.format(ROW * 24)}</div>', 2),
    ],
)
def test_rows_of_tables_count_as_lines_of_a_slide(classes, output, slides_made):
    code = "\n".join(f"line {n}" for n in range(cells.LINES - 10))
    inputs = f'<div class="cell_input"><pre>{code}</pre></div>'
    html = f'<div class="cell {classes}">{inputs}<div class="cell_output">{output}</div></div>'
    assert len(cells.apart(BeautifulSoup(html, "html.parser").div)) == slides_made


def test_all_prose_of_the_chapter_is_said_or_noted(folder):
    page = BeautifulSoup((HTML / f"chapters/{NAME}.html").read_text("utf-8"), "html.parser")
    deck = BeautifulSoup((folder / f"{NAME}.html").read_text("utf-8"), "html.parser").get_text()
    told = " ".join(deck.split())
    for each in page.select("article section > p"):
        assert " ".join(each.get_text().split()) in told


def test_lecture_plan_is_complete_and_instructors_know_length():
    """The plan of a lecture has every slide and the page for instructors its length."""
    page = BeautifulSoup((HTML / f"chapters/{NAME}.html").read_text("utf-8"), "html.parser")
    deck = cut(NAME, page, state_of(page))
    parts = [*deck.plan]
    assert [first for _, first, _, _ in parts] == [1, *(last + 1 for _, _, last, _ in parts[:-1])]
    assert parts[-1][2:] == (len(deck.slides), deck.minutes)
    assert sum(stack.count("guess") for stack, *_ in parts) == 3
    told = f"about {5 * round(len(deck.slides) / 5)} slides and {5 * round(deck.minutes / 5)} minutes"
    text = (ROOT / "book" / "for_instructors.md").read_text("utf-8")
    assert told in text
    said = re.findall(
        r"^\| \d+ \| (.*?) \|", text.partition("Chapter 5 in 90")[2].partition("Late at")[0], re.M
    )
    titles = [BeautifulSoup(stack.title, "html.parser").get_text() for stack in deck.stacks]
    for name in re.findall(r"\*(.+?)\*", " ".join(said)):
        assert any(title.startswith(name) for title in titles), name


def test_a_changed_file_of_others_is_refused(tmp_path, monkeypatch):
    (tmp_path / "reveal").mkdir()
    (tmp_path / "reveal/checksums.txt").write_text("0000  reveal.js\n")
    (tmp_path / "reveal/reveal.js").write_text("changed")
    monkeypatch.setattr(slides, "DECKS", tmp_path)
    with pytest.raises(ValueError, match="checksums"):
        slides._copy(tmp_path, tmp_path, [])


def test_the_lecture_goes_from_beginning_to_end(browser, folder):
    with Visit(browser, f"{NAME}.html", folder.as_uri()) as visit:
        page = visit.page
        page.set_viewport_size({"width": 1280, "height": 720})
        page.wait_for_selector("html[data-deck=ready]", state="attached")
        count, seen, presses = page.locator("section.deck-slide").count(), {0}, 0
        while len(seen) < count and presses < 4 * count:
            assert not page.evaluate(CUT_OFF), page.evaluate(CURRENT_SLIDE) + 1
            page.keyboard.press("ArrowRight")
            presses, seen = presses + 1, seen | {page.evaluate(CURRENT_SLIDE)}
        assert seen == set(range(count))
        page.keyboard.press("Escape")
        assert page.locator(".reveal.overview").count() == 1
        page.keyboard.press("Escape")
        figure = page.locator(".deck-moving .ch-live input[type=range]").first
        said = page.locator(".deck-moving:has(input[type=range]) .ch-live").first
        before = said.inner_text()
        figure.evaluate(
            "bar => { bar.value = bar.min; bar.dispatchEvent(new Event('input', { bubbles: true })); }"
        )
        assert said.inner_text() != before
        assert visit.complaints == visit.outside == []


def test_every_slide_is_readable_in_lecture_hall(browser, made):
    """At 1280 by 720; the page's own order alone left 13 slides under 0.7, the smallest at 0.29."""
    (folder, decks), small = made, []
    for deck in decks:
        with Visit(browser, f"{deck.name}.html", folder.as_uri()) as visit:
            visit.page.set_viewport_size({"width": 1280, "height": 720})
            visit.page.wait_for_selector("html[data-deck=ready]", state="attached")
            zooms = visit.page.evaluate(f"() => {{ {SLIDES} return slides.map({ZOOM}); }}")
        assert len(zooms) == len(deck.slides)
        small += [f"{deck.name}/{place} {zoom}" for place, zoom in enumerate(zooms, 1) if zoom < READABLE]
    assert not small


def test_paper_has_a_page_for_each_slide(browser, folder):
    with Visit(browser, f"{NAME}.html?print-pdf", folder.as_uri()) as visit:
        visit.page.wait_for_selector("html[data-deck=ready]", state="attached")
        visit.page.wait_for_selector(".pdf-page")
        count = visit.page.locator("section.deck-slide").count()
        assert len(PAGE.findall(visit.page.pdf(prefer_css_page_size=True))) == count
        assert visit.complaints == []
