"""Some built pages are accessible in every look, to the last word; `test_pages.py` asks each in two."""

import pytest

from axe import faint, nameless, thin, violations
from pages import OTHER_LOOKS, UNFOLD, WITH_FIGURES, Visit

pytestmark = pytest.mark.pages


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


def test_faint_words_in_code_and_a_picture_without_words_are_found_in_a_page_that_is_thinned(browser):
    """The proof can fail: of words that look alike one stays, and of a picture its title."""
    with Visit(browser, WITH_FIGURES[0]) as visit:
        visit.page.evaluate(
            "document.querySelector('article p').insertAdjacentHTML('afterend', '<style>.pale { color: #ccc }"
            "</style><pre>x <span class=pale>faint</span> <span class=pale>too</span></pre>"
            "<svg role=img><path></path></svg><svg role=img><title>told</title><path></path></svg>')"
        )
        thin(visit)
        assert visit.page.locator(".pale").count() == 1
        assert visit.page.locator("article p + style ~ svg[role=img] *").count() == 1
        assert [line.partition(":")[0] for line in faint(visit)] == ["color-contrast"]
        assert [line[:13] for line in nameless(visit)] == ["svg-img-alt: "]
