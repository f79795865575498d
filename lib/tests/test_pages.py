"""The built pages work from disk, outside requests blocked: mathematics shows, nothing sticks out."""

import re

import pytest

from pages import PAGES, UNFOLD, Visit

pytestmark = pytest.mark.pages

RAW_MATHS = """all => all.filter(e => !e.querySelector('math'))
    .map(e => e.textContent)"""
PROSE = """() => {
    const copy = document.querySelector('article')?.cloneNode(true);
    copy?.querySelectorAll('pre, code, script, style, math').forEach(e => e.remove());
    return copy?.textContent ?? '';
}"""
WORDS = "all => all.map(e => e.getAttribute('alt') ?? e.getAttribute('aria-label') ?? 'MISSING')"
FILE_NAME = re.compile(r"MISSING|[\w-]+\.(png|svg|jpe?g|gif)$|_images/")


@pytest.fixture(scope="module", params=PAGES)
def visit(browser, request):
    with Visit(browser, request.param) as visit:
        yield visit


def test_the_page_asks_nothing_of_the_network_and_raises_no_error(visit):
    assert visit.outside == []
    assert visit.complaints == []


def test_mathematics_is_rendered(visit):
    raw = visit.page.eval_on_selector_all(".math", RAW_MATHS)
    assert raw == []
    assert not re.search(r"\\\(|\\\[|\$\$", visit.page.evaluate(PROSE))


def test_no_image_has_a_file_name_as_words(visit):
    words = visit.page.eval_on_selector_all("img, svg[role=img]", WORDS)
    assert [each for each in words if FILE_NAME.search(each)] == []


@pytest.mark.parametrize("width", [1280, 640, 390])  # 640: 1280 at double zoom
def test_the_page_fits(visit, width):
    visit.look(width, "light")
    visit.page.evaluate(UNFOLD)
    assert visit.width_needed <= width
