"""The built pages are accessible: axe judges each as the reader sees it, whole, and finds nothing."""

import pytest

from pages import LOOKS, OTHER_LOOKS, PAGES, UNFOLD, WITH_FIGURES, Visit

pytestmark = pytest.mark.pages

# Contrast is slow, and thousands of words and formulas look alike: of those whose whole line of ancestors has
# the same classes and styles, axe judges the first, where it stands. A figure is judged whole.
CHOOSE = """() => {
    const seen = new Set();
    const looks = e => `${e.localName} ${e.getAttribute('class')} ${e.getAttribute('style')}`;
    const speaks = e => e.matches('math, .ch-figure') ||
        [...e.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const e of document.querySelectorAll('body *:not(.ch-figure *, svg *, math *)')) {
        const line = [];
        for (let up = e; up; up = up.parentElement) line.push(looks(up));
        if (!speaks(e) || (seen.has(line.join()) && !e.matches('.ch-figure'))) continue;
        seen.add(line.join());
        e.toggleAttribute('data-chosen', true);
    }
}"""


@pytest.fixture(scope="module", params=PAGES)
def visit(browser, request):
    with Visit(browser, request.param) as visit:
        yield visit


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_page_is_accessible(visit, width, theme):
    visit.look(width, theme)
    visit.page.evaluate(UNFOLD)
    if (width, theme) == LOOKS[0]:  # names, roles, orders: not of colours, and hardly of the width
        assert nameless(visit) == []
    assert faint(visit) == []


@pytest.mark.parametrize("name", WITH_FIGURES[::6])
def test_some_pages_are_accessible_in_the_other_looks_and_to_the_last_word(browser, name):
    with Visit(browser, name) as visit:
        for width, theme in OTHER_LOOKS:
            visit.look(width, theme)
            visit.page.evaluate(UNFOLD)
            assert nameless(visit) == []
            assert faint(visit) == []
        assert violations(visit, runOnly=["color-contrast"]) == []  # the last word, too


def test_faint_words_and_a_field_without_a_name_are_found(browser):
    """The proof can fail, also where axe judges only the first of what looks alike."""
    with Visit(browser, WITH_FIGURES[0]) as visit:
        visit.page.evaluate(
            "document.querySelector('article p').insertAdjacentHTML("
            "'afterend', '<p><em style=\"color: #ccc\">faint</em></p><input>')"
        )
        assert [line.partition(":")[0] for line in faint(visit)] == ["color-contrast"]
        assert any(line.startswith("label:") for line in nameless(visit))


def nameless(visit):
    """Return what axe finds wrong beside colours."""
    return violations(visit, rules={"color-contrast": {"enabled": False}})


def faint(visit):
    """Return the words that axe cannot tell from their ground."""
    visit.page.evaluate(CHOOSE)
    return violations(visit, include="[data-chosen]", runOnly=["color-contrast"])


def violations(visit, include="html", **options):
    """Return what axe finds wrong in a part of the page, a line each."""
    from axe_playwright_python.base import AXE_SCRIPT

    options |= {"preload": False, "resultTypes": ["violations"]}
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE_SCRIPT)
    run = "([include, options]) => axe.run(include, options).then((found) => found.violations)"
    found = visit.page.evaluate(run, [include, options])
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
