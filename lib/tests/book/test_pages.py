"""The built pages work from disk, outside requests blocked: calm, mathematics shown, all of it for everybody.

Each page is opened once, and asked everything. Figures come first: within two screens each chapter shows one,
and asks one question beside it.
"""

import gzip
import re
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest

from support.axe import wrong
from support.pages import HTML, PAGES, TWO_FRAMES, UNFOLD, WAKE, Visit

pytestmark = pytest.mark.pages

RAW_MATHS = """all => all.filter(e => !e.querySelector('math'))
    .map(e => e.textContent)"""
PROSE = """() => {
    const copy = document.querySelector('article')?.cloneNode(true);
    copy?.querySelectorAll('pre, code, script, style, math').forEach(e => e.remove());
    return copy?.textContent ?? '';
}"""
MADE_BY_NUMPY = "all => all.map(e => e.textContent).filter(said => /np\\.(float|int)\\d+\\(/.test(said))"
WORDS = "all => all.map(e => e.getAttribute('alt') ?? e.getAttribute('aria-label') ?? 'MISSING')"
FILE_NAME = re.compile(r"MISSING|[\w-]+\.(png|svg|jpe?g|gif)$|_images/")
SHIFT = """
    self.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) self.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
ARRIVED = "performance.now() > performance.getEntriesByType('navigation')[0].loadEventEnd + 1500"
# On a busy machine what was due long ago may not be drawn yet.
DRAWN = f"() => ({TWO_FRAMES})().then(() => new Promise((done) => setTimeout(() => done(self.shift), 100)))"
MOST_SHIFT, MOST_BYTES = 0.03, 900_000
TO_THE_END = f"""async () => {{
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {{
        scrollTo({{ top, behavior: "instant" }});
        await ({TWO_FRAMES})();
    }}
}}"""
# A fault: the figures that wait to be touched start as soon as the reader scrolls.
STARTS_BY_ITSELF = f"addEventListener('scroll', {WAKE}, {{ once: true }})"
BEGINS = """new MutationObserver(() => {
    if (document.querySelector('article')) self.begins ??= document.documentElement.dataset.theme;
}).observe(document, { childList: true, subtree: true });"""
AHEAD = 3  # this page and the next two
# Sheets are of one form, as are the pages of the library: all arrive at a desk, every fourth on a phone.
ALIKE = [page for page in PAGES if page.startswith(("exercises/", "book/api_"))]
ON_PHONES = [page for page in PAGES if page not in ALIKE or page in ALIKE[::4]]
AT_ONCE = 6  # pages that arrive on phones at once: their seconds of waiting are the same seconds
TOO_WIDE = """all => all.filter((pre) => pre.checkVisibility() && pre.scrollWidth > pre.clientWidth + 1)
    .map((pre) => pre.textContent.slice(0, 80))"""
TOO_SMALL = """(all, least) => all.filter((text) => {
    const { a, b, c, d } = text.getScreenCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
    return text.textContent.trim() && text.checkVisibility() && size < least - 0.1;
}).map((text) => text.textContent)"""
# Powers of ten are parts of a word, in `tspan` or beside it: matplotlib writes them smaller.
IN_PICTURES = "article .ch-static text:not(:has(tspan)):not([id] + [id])"
SMALLEST = {1280: 13, 390: 11}  # pixels of a letter
# Also what waits for a guess.
SHOW = """() => document.querySelectorAll('.ch-awaits-guess')
    .forEach((each) => each.classList.remove('ch-awaits-guess'))"""
NOTES = """() => [...document.querySelectorAll('.ch-note')].filter((e) => e.checkVisibility()).map((note) => {
    const [at, beside] = [note, note.previousElementSibling].map((each) => each.getBoundingClientRect());
    return { left: at.left, right: at.right, top: at.top + scrollY, bottom: at.bottom + scrollY,
             edge: note.closest('article').getBoundingClientRect().right,
             first: beside.top + scrollY, last: beside.bottom + scrollY };
})"""
# The words near the mark of checked code that it covers. Lines of a formula are higher than what they hold.
COVERED = """(all) => all.filter((mark) => mark.checkVisibility()).flatMap((mark) => {
    const box = mark.getBoundingClientRect(), cell = mark.closest('.ch-live-cell') ?? mark.closest('.cell');
    const texts = [cell, cell.nextElementSibling].filter(Boolean).flatMap((part) => {
        const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT), found = [];
        while (walk.nextNode()) found.push(walk.currentNode);
        return found;
    });
    const seen = (text) => text.textContent.trim() && !mark.contains(text)
        && text.parentElement.checkVisibility()
        && !text.parentElement.closest('math, script, style, details:not([open]) > :not(summary)');
    const range = document.createRange();
    return texts.filter(seen).filter((text) => {
        range.selectNodeContents(text);
        return [...range.getClientRects()].some((r) => r.width && r.left < box.right - 1
            && r.right > box.left + 1 && r.top < box.bottom - 3 && r.bottom > box.top + 3);
    }).map((text) => text.textContent.trim());
})"""
MARKS = "details.ch-chip-checked:not([open]) > summary"
CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
SCREENS = [(1280, 800), (390, 844)]
MOST = 2  # screens above the first figure
HIGHEST_STRIP = 96  # pixels
# Where the first line of a chapter's text ends, and how high the strip above it is.
FIRST_LINE = """() => {
    const text = (e) => e.checkVisibility() && !e.closest('figure, .admonition, .ch-figure');
    const first = [...document.querySelectorAll('article p')].find(text);
    const { lineHeight } = getComputedStyle(first);
    return { bottom: first.getBoundingClientRect().top + scrollY + parseFloat(lineHeight),
             strip: document.querySelector('article .ch-strip svg')?.getBoundingClientRect().height ?? 0 };
}"""
# The strip opens every chapter and asks nothing, and a question is no picture.
FIRST = """() => {
    const shown = (e) => e.checkVisibility() && e.getBoundingClientRect().height > 60;
    const figures = document.querySelectorAll(
        'article :is(.ch-figure:not(.ch-quiz), figure.ch-close-up, svg.ch-picture)');
    const first = [...figures].find(shown);
    if (!first) return null;
    const { top, bottom } = first.getBoundingClientRect();
    const asks = (e) => e.textContent.includes('?') && e.getBoundingClientRect().top < bottom;
    const questions = [...document.querySelectorAll('article p strong')].filter(asks).length;
    return { top: top + scrollY, questions };
}"""


@pytest.fixture(scope="module")
def opened(browser):
    """The pages that are open, by name: the next ones arrive, and may move, while one is asked."""
    pages = {}
    yield pages
    for visit in pages.values():
        visit.close()


@pytest.fixture(scope="module", params=PAGES)
def visit(browser, opened, request):
    at = PAGES.index(request.param)
    for name in PAGES[at : at + AHEAD]:
        opened[name] = opened.get(name) or Visit(browser, name, script=SHIFT)
    with opened.pop(request.param) as visit:
        yield visit


def test_page_needs_no_network_and_raises_no_error(visit):
    """The page asks nothing of the network and raises no error."""
    assert visit.outside == []
    assert visit.complaints == []


def test_nothing_moves_while_the_page_arrives(visit):
    assert shift(visit.page) <= MOST_SHIFT


def test_all_that_the_page_loads_is_light(browser, visit):
    """The figures of this visit were touched: a page that is heavy now is visited again and only read."""
    assert loaded(visit) < MOST_BYTES or loaded_untouched(browser, visit.name) < MOST_BYTES


@pytest.mark.parametrize("width", [1280, 390])
def test_the_mark_of_checked_code_covers_no_words(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 900})
    assert visit.page.eval_on_selector_all(MARKS, COVERED) == []


def test_a_mark_that_covers_words_is_found(browser):
    """The proof can fail."""
    with Visit(browser, next(page for page in CHAPTERS if "05" in page)) as visit:
        visit.page.add_style_tag(content=".bd-article .cell > details.ch-chip-checked { margin-top: -5rem; }")
        assert visit.page.eval_on_selector_all(MARKS, COVERED) != []


def test_mathematics_is_rendered(visit):
    raw = visit.page.eval_on_selector_all(".math", RAW_MATHS)
    assert raw == []
    assert not re.search(r"\\\(|\\\[|\$\$", visit.page.evaluate(PROSE))


def test_an_output_is_what_a_reader_reads(visit):
    """No name of a NumPy kind around a number; no legend whose ground stays light in the dark."""
    assert visit.page.eval_on_selector_all(".cell_output pre", MADE_BY_NUMPY) == []
    assert "fill: #ffffff; opacity: 0.8" not in (HTML / visit.name).read_text("utf-8")


def test_no_image_has_a_file_name_as_words(visit):
    words = visit.page.eval_on_selector_all("img, svg[role=img]", WORDS)
    assert [each for each in words if FILE_NAME.search(each)] == []


def test_a_figure_with_one_question_stands_within_two_screens(visit):
    for screen in SCREENS if visit.name in CHAPTERS else ():
        top, questions = first_figure(visit, *screen)
        assert top <= MOST, f"{top:.2f} screens down at {screen}"
        assert questions == 1


def test_a_chapter_begins_on_its_first_screen(visit):
    for width, height in SCREENS if visit.name in CHAPTERS else ():
        visit.page.set_viewport_size({"width": width, "height": height})
        found = visit.page.evaluate(FIRST_LINE)
        assert found["bottom"] < height, f"the first sentence is at {found} on {width} by {height}"
        assert found["strip"] <= HIGHEST_STRIP
        assert bool(found["strip"]) == bool(re.match(r"chapters/\d", visit.name))  # an appendix has none


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_and_can_be_read(visit, width):
    visit.look(width, "light", moment=250)
    visit.page.evaluate(UNFOLD)
    visit.page.evaluate(SHOW)
    assert visit.width_needed <= width
    if width == 1280:
        assert visit.page.eval_on_selector_all("article pre", TOO_WIDE) == []  # no code scrolls at a desk
    if least := SMALLEST.get(width):
        assert visit.page.eval_on_selector_all(IN_PICTURES, TOO_SMALL, least) == []
    assert not astray(visit.page.evaluate(NOTES), width)


def test_notes_stand_in_the_margin_of_a_wide_screen_too(visit):
    if visit.page.locator(".ch-note").count():
        visit.look(1600, "light", moment=250)
        assert not astray(visit.page.evaluate(NOTES), 1600)


def astray(notes, width):
    """Return the margin notes that are not beside their paragraph, on a phone not after it, or on another."""
    if width < 500:
        return [note for note in notes if note["right"] > width or note["top"] < note["last"]]
    apart = [note for note in notes if abs(note["top"] - note["first"]) >= 12]
    outside = [note for note in notes if not note["edge"] < note["left"] < note["right"] <= width]
    return apart + outside + [below for above, below in pairwise(notes) if above["bottom"] >= below["top"]]


def test_a_note_that_stands_elsewhere_is_found():
    beside = {"left": 910, "right": 1200, "top": 105, "bottom": 180, "edge": 900, "first": 100, "last": 300}
    below = beside | {"top": 400, "bottom": 450, "first": 400, "last": 500}
    assert not astray([beside, below], 1280)
    for moved in ({"top": 130}, {"left": 880}, {"right": 1300}, {"bottom": 420}):
        assert astray([beside | moved, below], 1280)
    after = beside | {"right": 380, "top": 310, "bottom": 350}
    assert not astray([after], 390)
    assert astray([after | {"right": 400}], 390)
    assert astray([after | {"top": 290}], 390)


def test_the_page_is_accessible(visit):
    assert wrong(visit) == []  # this is the last that is asked: little of the page is left


def first_figure(visit, width, height):
    """Return where the first figure begins, in screens, and how many questions stand before its end."""
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.wait_for_timeout(300)  # figures draw themselves anew
    found = visit.page.evaluate(FIRST)
    return (found["top"] / height, found["questions"]) if found else (float("inf"), 0)


def shift(page):
    """Return how much of a page moves until a second and a half after it came, as browsers count it."""
    page.wait_for_function(ARRIVED)
    page.bring_to_front()
    return page.evaluate(DRAWN)


class SlowIndex(SimpleHTTPRequestHandler):
    """A server that pauses before the first entries and columns of the index, as a busy machine may."""

    def do_GET(self):
        if not self.path.endswith("genindex.html"):
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        for piece in re.split(r"(?=<li>|<td)", (HTML / "genindex.html").read_text(), maxsplit=60):
            self.wfile.write(piece.encode())
            self.wfile.flush()
            time.sleep(0.03)

    def log_message(self, *_):
        pass


@contextmanager
def arriving_slowly(browser, width):
    """Open the index at this width as it arrives piece by piece."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SlowIndex, directory=str(HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser.new_context(viewport={"width": width, "height": 900}) as context:
        context.add_init_script(SHIFT)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/genindex.html")
        yield page
    server.shutdown()


@pytest.mark.parametrize("width", [1280, 390])
def test_columns_of_the_index_stay_while_later_ones_arrive(browser, width):
    with arriving_slowly(browser, width) as page:
        assert page.locator(".indextable td").count() > 8
        assert shift(page) <= MOST_SHIFT


def moving(browser, names, width, script=""):
    """Return those pages of which more moves than may while they arrive, beside each other."""
    with browser.new_context(viewport={"width": width, "height": 900}, is_mobile=width < 500) as context:
        context.add_init_script(SHIFT + script)
        opened = {name: context.new_page() for name in names}
        for name, page in opened.items():
            page.goto(f"{HTML.as_uri()}/{name}")
        return [name for name, page in opened.items() if shift(page) > MOST_SHIFT]


@pytest.mark.parametrize(
    "names", [ON_PHONES[i : i + AT_ONCE] for i in range(0, len(ON_PHONES), AT_ONCE)], ids=",".join
)
def test_nothing_moves_while_a_page_arrives_on_a_phone(browser, names):
    assert moving(browser, names, 390) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_part_that_arrives_late_is_found(browser, width):
    """The proof can fail, also where several pages arrive at once."""
    late = "setTimeout(() => document.querySelector('article h1').insertAdjacentHTML("
    late += "'afterend', '<div style=\"height: 200px\">late</div>'), 600)"
    script = f"addEventListener('load', () => {{ {late} }})"
    assert moving(browser, PAGES[:3], width, script) == PAGES[:3]


def loaded(visit):
    """Return the bytes, packed, of all that a page has loaded so far."""
    files = {Path(url2pathname(urlparse(url).path)) for url in visit.inner if url.startswith("file:")}
    found = [path.read_bytes() for path in files if path.is_file()]
    return sum(min(len(raw), len(gzip.compress(raw))) for raw in found)


def loaded_untouched(browser, name, script=None):
    """Return the bytes that a page loads for a reader who scrolls to its end and touches no figure."""
    with Visit(browser, name, script=script, wake=False) as visit:
        visit.page.wait_for_function(ARRIVED)
        visit.page.evaluate(TO_THE_END)
        visit.page.wait_for_timeout(500)
        return loaded(visit)


def test_a_page_that_is_heavy_before_a_touch_is_found(browser):
    """The proof can fail: the same chapter is light until its figures start by themselves."""
    name = "chapters/10_decoding.html"
    assert loaded_untouched(browser, name) < MOST_BYTES
    assert loaded_untouched(browser, name, STARTS_BY_ITSELF) > MOST_BYTES


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_page_begins_in_the_colours_of_the_readers_machine(browser, theme):
    with browser.new_context(color_scheme=theme) as context:
        page = context.new_page()
        page.add_init_script(BEGINS)
        page.goto(f"{HTML.as_uri()}/{PAGES[0]}")
        assert page.evaluate("self.begins") == theme


def test_a_figure_that_stands_too_low_is_found(browser):
    """The proof can fail."""
    with Visit(browser, CHAPTERS[0]) as visit:
        visit.page.evaluate("document.querySelector('article h1').style.marginBottom = '1700px'")
        assert all(first_figure(visit, *screen)[0] > MOST for screen in SCREENS)


@pytest.mark.parametrize(
    ("words", "chapter"),
    [
        ("temperature", "10_decoding"),
        ("attention", "05_attention"),
        ("mask", "09_masking_and_training"),
        ("LoRA", "18_assistant"),
        ("KV cache", "10_decoding"),
    ],
)
def test_a_search_finds_first_the_chapter_that_teaches_the_words(browser, words, chapter):
    with Visit(browser, f"search.html?q={words}") as visit:
        visit.page.wait_for_selector("#search-results li a")
        visit.page.wait_for_selector(".search-summary:not(:empty)")
        assert (
            visit.page.locator("#search-results li a")
            .first.get_attribute("href")
            .startswith(f"chapters/{chapter}.html")
        )


EXCERPTS = """async () => {
    const items = [...document.querySelectorAll('#search-results li')].slice(0, 4);
    return Promise.all(items.map(async (item) => {
        const said = item.querySelector('p.context')?.textContent, { href } = item.querySelector('a');
        const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html');
        const blocks = [...page.querySelectorAll('article :is(p, li, dd)')];
        const texts = blocks.map((block) => block.textContent.replace(/\\s+/g, ' '));
        return { said, prose: Boolean(said) && texts.some((text) => text.includes(said)) };
    }));
}"""


@pytest.mark.parametrize("words", ["KV cache", "softmax", "LoRA"])
def test_a_search_shows_a_sentence_of_prose(browser, words):
    """Pages that a server sends can be read by the search, which then shows sentences and no headings."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SlowIndex, directory=str(HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/search.html?q={words}")
    page.wait_for_selector("#search-results li:nth-child(4) p.context", state="attached")
    excerpts = page.evaluate(EXCERPTS)
    page.close()
    server.shutdown()
    assert all(each["prose"] for each in excerpts), excerpts
    assert any(word in excerpts[0]["said"].lower() for word in words.lower().split())


def test_the_page_for_unknown_addresses_is_accessible(browser):
    with Visit(browser, "404.html") as visit:
        assert wrong(visit) == []


class Lost(SimpleHTTPRequestHandler):
    """A server that shows the book's own page for an unknown address, as GitHub Pages does."""

    def send_error(self, *_):
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((HTML / "404.html").read_bytes())

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("address", ["chapters/12_kv_cache.html", "kv-cache.html"])
def test_an_unknown_address_leads_to_a_search(browser, address):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Lost, directory=str(HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}/"
    page = browser.new_page()
    page.goto(root + address)
    assert page.locator("a").first.get_attribute("href") == "/index.html"
    page.click("button")
    page.wait_for_selector("#search-results li a")
    assert page.url == root + "search.html?q=kv+cache"
    page.close()
    server.shutdown()


def test_every_chapter_is_measured():
    assert len(CHAPTERS) == len(list((HTML / "chapters").glob("*.html"))) >= 19
