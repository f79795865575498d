"""Some built pages are accessible in every look, to the last word; `test_pages.py` asks each in two."""

import pytest

from support.axe import OF_COLOURS, faint, show, thin, violations, without_name_of_function, wrong
from support.pages import LOOKS, OTHER_LOOKS, WITH_FIGURES, Visit

pytestmark = pytest.mark.pages


@pytest.mark.parametrize("name", WITH_FIGURES[::12])
def test_sample_pages_are_accessible_in_all_looks(browser, name):
    """Some pages are accessible in the other looks and to the last word."""
    with Visit(browser, name) as visit:
        for look in OTHER_LOOKS:
            show(visit, *look)
            assert without_name_of_function(visit) == []
            assert faint(visit) == []
        assert violations(visit, runOnly=OF_COLOURS) == []  # the last word, too


def test_faint_words_and_a_field_without_a_name_are_found(browser):
    """The proof can fail, also where axe judges only the first of what looks alike."""
    with Visit(browser, WITH_FIGURES[0]) as visit:
        visit.page.evaluate(
            "document.querySelector('article p').insertAdjacentHTML("
            "'afterend', '<p><em style=\"color: #ccc\">faint</em></p><input>')"
        )
        assert [line.partition(":")[0] for line in faint(visit)] == ["color-contrast"]
        assert any(line.startswith("label:") for line in without_name_of_function(visit))


def test_pruned_page_still_shows_accessibility_faults(browser):
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
        assert [line[:13] for line in without_name_of_function(visit)] == ["svg-img-alt: "]


def test_pruned_page_keeps_new_content(browser):
    """The proof can fail: also what is faint at one look alone, and a link that only its colour tells."""
    with Visit(browser, "book/for_instructors.html") as visit:
        wrong(visit)
    faults = """<style>.pale { color: #ccc } @media (max-width: 400px) { .late { color: #444 } }
        .plain a { color: #333 !important; text-decoration: none !important }</style>
        <div><p class=pale>at the desk, by day</p><p class=late>on a phone, by night</p>
        <p class=plain>It is told only by its colour that this <a href="#">is a link</a> of them.</p></div>"""
    with Visit(browser, "book/for_instructors.html") as visit:
        before = visit.page.evaluate("document.querySelectorAll('article *').length")
        visit.page.locator("article").evaluate("(e, all) => e.insertAdjacentHTML('beforeend', all)", faults)
        found = wrong(visit)
        assert visit.page.evaluate("document.querySelectorAll('article *').length") < before / 4
    told = [line.partition(":")[0] for line in found]
    assert sorted(set(told)) == ["color-contrast", "link-in-text-block"]
    assert any("pale" in line for line in found)
    assert any("late" in line for line in found)


def test_contrast_is_checked_again_in_each_context(browser):
    """The proof can fail: names and classes were seen before, and a rule for one place changes the look."""
    with Visit(browser, "book/for_instructors.html") as visit:
        wrong(visit)
    faults = """<style>#first { color: #ccc } #second { opacity: 0.3 } #third { background: #555 }</style>
        <div id=first><p>grey on white</p></div><div id=second><p>half gone</p></div>
        <div id=third><p>dark on dark</p></div>"""
    with Visit(browser, "book/for_instructors.html") as visit:
        visit.page.locator("article").evaluate("(e, all) => e.insertAdjacentHTML('beforeend', all)", faults)
        show(visit, *LOOKS[0])
        assert len(faint(visit)) == 1  # axe names a rule once, and its places under it
        assert visit.page.locator("#first p[data-new]").count() == 1
        assert visit.page.locator("#second p[data-new]").count() == 1
        assert visit.page.locator("#third p[data-new]").count() == 1
