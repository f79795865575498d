"""The built pages are calm and can be read: nothing jumps, no code scrolls, no word is too small."""

import gzip

import pytest

from pages import HTML, PAGES, UNFOLD, WITH_FIGURES, Visit

pytestmark = pytest.mark.pages

SHIFT = """
    self.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) self.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT, MOST_BYTES = 0.03, 900_000
LIVE_MODEL = 1_000_000  # a page that carries a model's weights is larger than this before it is packed
TOO_WIDE = """all => all.filter((pre) => pre.checkVisibility() && pre.scrollWidth > pre.clientWidth + 1)
    .map((pre) => pre.textContent.slice(0, 80))"""
TOO_SMALL = """(all, least) => all.filter((text) => {
    const { a, b, c, d } = text.getScreenCTM();
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
    return text.textContent.trim() && text.checkVisibility() && size < least - 0.1;
}).map((text) => text.textContent)"""
PICTURES = [page for page in PAGES if 'class="ch-static' in (HTML / page).read_text("utf-8")]


@pytest.fixture(scope="module", params=PAGES)
def visit(browser, request):
    with Visit(browser, request.param) as visit:
        yield visit


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_moves_while_a_page_arrives(browser, name, width):
    assert shift(browser, name, width) <= MOST_SHIFT


def test_a_part_that_arrives_late_is_found(browser):
    """The proof can fail."""
    late = "setTimeout(() => document.querySelector('article h1').insertAdjacentHTML("
    late += "'afterend', '<div style=\"height: 200px\">late</div>'), 600)"
    assert shift(browser, PAGES[0], 1280, f"addEventListener('load', () => {{ {late} }})") > MOST_SHIFT


def shift(browser, name, width, script=""):
    """Return how much of a page moves in its first second and a half, as browsers count it."""
    context = browser.new_context(viewport={"width": width, "height": 900}, is_mobile=width < 500)
    page = context.new_page()
    page.add_init_script(SHIFT + script)
    page.goto(f"{HTML.as_uri()}/{name}")
    page.wait_for_timeout(1500)
    found = page.evaluate("self.shift")
    context.close()
    return found


def test_no_code_scrolls_sideways_at_a_desk(visit):
    visit.look(1280, "light")
    visit.page.evaluate(UNFOLD)
    assert visit.page.eval_on_selector_all("article pre", TOO_WIDE) == []


@pytest.mark.parametrize(("width", "least"), [(1280, 13), (390, 11)])
def test_words_in_pictures_can_be_read(visit, width, least):
    if visit.name not in PICTURES:
        return
    visit.look(width, "light")
    visit.page.evaluate(UNFOLD)
    # Powers of ten are parts of a word, in `tspan` or beside it: matplotlib writes them smaller.
    words = "article .ch-static text:not(:has(tspan)):not([id] + [id])"
    assert visit.page.eval_on_selector_all(words, TOO_SMALL, least) == []


@pytest.mark.parametrize("name", [page for page in PAGES if page not in WITH_FIGURES])
def test_a_page_without_figures_is_light(name):
    assert len(gzip.compress((HTML / name).read_bytes())) < MOST_BYTES
