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


def test_contents_leave_out_the_box_for_readers_of_the_lectures(browser):
    with Visit(browser, "chapters/05_attention.html") as visit:
        entries = visit.page.locator(".bd-sidebar-secondary .page-toc a")
        shown = [entry.inner_text() for entry in entries.all() if entry.is_visible()]
        assert "What you can now do" in shown
        assert "If you come from the lectures" not in shown
        assert visit.page.locator("#if-you-come-from-the-lectures").count() == 1


def test_folded_code_has_no_button_to_run_it(browser):
    """Each fold that is opened shows its own button Run again; cells that draw a picture are folded whole."""
    with Visit(browser, "chapters/05_attention.html", unfold=False) as visit:
        folded = ".ch-live-cell:has(> .cell > .cell_input > details:first-child"
        visit.page.wait_for_function("document.documentElement.dataset.chPython === 'ready'")
        closed = visit.page.locator(f"{folded}:not([open])) > .ch-corner .ch-run-button")
        assert closed.count() > 5
        assert not any(button.is_visible() for button in closed.all())
        drawn = ".ch-live-cell:has(> .cell > details.above-input:not([open])) > .ch-corner .ch-run-button"
        assert not any(button.is_visible() for button in visit.page.locator(drawn).all())
        fold = visit.page.locator(f"{folded}:not([open])):has(> .ch-corner .ch-run-button)").first
        fold.evaluate("cell => { cell.querySelector('details').open = true; cell.dataset.tried = '' }")
        assert visit.page.locator("[data-tried] > .ch-corner .ch-run-button").is_visible()


@pytest.mark.parametrize(
    "page", ["exercises/05_attention.html", "chapters/05_attention.html", "book/index.html"]
)
def test_main_controls_are_44_pixels_high_on_touch_screens(browser, page):
    with Visit(browser, page, has_touch=True, is_mobile=True) as visit:
        visit.page.set_viewport_size({"width": 390, "height": 844})
        visit.page.wait_for_timeout(500)
        low = visit.page.evaluate(
            """() => [...document.querySelectorAll(
                ".ch-tools:not(.ch-corner) button, .ch-button, .ch-figure input[type=text], .ch-option")]
                .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height)
                .map((each) => [each.textContent, each.getBoundingClientRect().height])
                .filter(([, height]) => height < 44)"""
        )
        assert low == []


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
