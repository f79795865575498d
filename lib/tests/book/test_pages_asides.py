"""The contents make room for a margin note; what is optional opens."""

import pytest

from support.pages import HTML, Visit

pytestmark = pytest.mark.pages

WITH_NOTES = [page for page in HTML.glob("chapters/*.html") if "ch-note" in page.read_text("utf-8")]
WITH_OPTIONS = [page for page in HTML.glob("chapters/*.html") if "ch-optional" in page.read_text("utf-8")]


def test_the_contents_close_while_a_note_is_in_view(browser):
    with Visit(browser, f"chapters/{WITH_NOTES[0].name}") as visit:
        contents = visit.page.locator(".bd-sidebar-secondary nav.page-toc")
        assert contents.evaluate("e => getComputedStyle(e).opacity") == "1"
        visit.page.locator(".ch-note >> visible=true").first.evaluate(
            "e => e.scrollIntoView({ block: 'center' })"
        )
        visit.page.wait_for_function(
            "getComputedStyle(document.querySelector('.bd-sidebar-secondary nav.page-toc')).opacity == 0"
        )


@pytest.mark.parametrize("path", WITH_OPTIONS, ids=lambda path: path.stem)
def test_link_into_optional_section_opens_it(browser, path):
    """An optional part is closed and a link into it opens it."""
    with Visit(browser, f"chapters/{path.name}", unfold=False) as visit:
        part = visit.page.locator("details.ch-optional").first
        assert not part.evaluate("part => part.open")
        part.evaluate("part => { location.hash = part.parentElement.id }")
        visit.page.wait_for_function("document.querySelector('details.ch-optional').open")
        part.evaluate("part => { part.open = false }")
        assert part.locator("summary").first.inner_text().startswith("Optional")
        part.evaluate("part => { part.querySelector('p').id = 'there'; location.hash = 'there' }")
        visit.page.wait_for_function("document.querySelector('details.ch-optional').open")
        part.evaluate("part => { part.open = false; dispatchEvent(new Event('beforeprint')); }")
        assert part.evaluate("part => part.open")
        assert visit.page.evaluate("document.getElementById('there').getBoundingClientRect().top") < 900
