"""Figures first: within two screens each chapter shows a figure, and asks one question beside it."""

import pytest

from pages import HTML, PAGES, Visit

pytestmark = pytest.mark.pages

CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
SCREENS = [(1280, 800), (390, 844)]
MOST = 2  # screens above the first figure
# The map of the machine opens every chapter and asks nothing, and a question is no picture.
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


def first_figure(visit, width, height):
    """Return where the first figure begins, in screens, and how many questions stand before its end."""
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.wait_for_timeout(300)  # figures draw themselves anew
    found = visit.page.evaluate(FIRST)
    return (found["top"] / height, found["questions"]) if found else (float("inf"), 0)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_figure_with_one_question_stands_within_two_screens(browser, name):
    with Visit(browser, name) as visit:
        for screen in SCREENS:
            top, questions = first_figure(visit, *screen)
            assert top <= MOST, f"{name}: {top:.2f} screens down at {screen}"
            assert questions == 1, name


def test_a_figure_that_stands_too_low_is_found(browser):
    """The proof can fail."""
    with Visit(browser, CHAPTERS[0]) as visit:
        visit.page.evaluate("document.querySelector('article h1').style.marginBottom = '1700px'")
        assert all(first_figure(visit, *screen)[0] > MOST for screen in SCREENS)


def test_every_chapter_is_measured():
    assert len(CHAPTERS) == len(list((HTML / "chapters").glob("*.html"))) >= 19
