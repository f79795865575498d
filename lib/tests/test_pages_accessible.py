"""Some built pages are accessible in every look, to the last word; `test_pages.py` asks each in two."""

import pytest

from axe import faint, nameless, violations
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
