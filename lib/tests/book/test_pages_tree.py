"""Ten pages as a screen reader gets them: headings, landmarks, names of controls, order of the focus."""

import pytest

from support.pages import PAGES, Visit
from support.tree import Tree, ambiguous, out_of_order, skipped_levels, tab_stops

pytestmark = pytest.mark.pages

READ = [
    "book/index.html", "book/how_to_read.html", "book/es/how_to_read.html", "book/accessibility.html",
    "book/glossary.html", "book/for_instructors.html", "book/talk.html", "chapters/05_attention.html",
    "exercises/05_attention.html", "search.html",
]  # fmt: skip


@pytest.fixture(scope="module", params=[name for name in READ if name in PAGES])
def read(browser, request):
    """Return a visit and the accessibility tree of its page."""
    with Visit(browser, request.param) as visit:
        yield visit, Tree(visit.page)


def test_ten_pages_are_read():
    assert len(set(READ) & set(PAGES)) == len(READ) == 10


def test_headings_have_one_title_and_no_gap(read):
    headings = read[1].headings()
    assert [level for level, _ in headings].count(1) == 1
    assert [name for _, name in headings if not name] == []
    title = [level for level, _ in headings].index(1)
    assert {level for level, _ in headings[:title]} <= {2}  # the parts of the book, in the side bar
    assert skipped_levels(headings[title:]) == []


def test_landmarks_can_be_told_apart(read):
    landmarks = read[1].landmarks()
    assert [role for role, _ in landmarks].count("main") == 1
    assert ("navigation", "") not in landmarks
    assert ambiguous(landmarks) == []


def test_every_control_has_a_name(read):
    assert read[1].nameless() == []


def test_focus_follows_the_order_of_reading_and_ends(read):
    visit, tree = read
    reading, stops = tree.focusable(), tab_stops(visit.page)
    named = {each["element"]: each["name"] for each in tree.nodes}
    assert "Skip" in named.get(stops[0], "")
    assert [named.get(each) for each in out_of_order(stops, reading)] == []


def test_a_translation_is_marked_with_its_language(browser):
    with Visit(browser, "book/es/how_to_read.html") as visit:
        assert visit.page.locator("article h1").evaluate("e => e.closest('[lang]').lang") == "es"
        visit.page.get_by_role("navigation", name="Language").get_by_role("link").click()
        assert visit.page.url.endswith("book/how_to_read.html")
        visit.page.get_by_role("navigation", name="Language").get_by_role("link").click()
        assert visit.page.url.endswith("book/es/how_to_read.html")


FAULTS = """<main><h1>Another title</h1><h4>Too deep</h4><h2></h2></main><nav></nav>
<nav aria-label="Twice"><a href="#">one</a></nav><nav aria-label="Twice"><a href="#">two</a></nav>
<button></button><input type="range"><p tabindex="0">late</p><p tabindex="1">early</p>"""


def test_faults_of_a_page_are_found(browser):
    """The proof can fail: each kind of fault is put into a page and found."""
    page = browser.new_page()
    page.set_content(f"<!doctype html><html lang=en><title>t</title><a href='#'>Skip</a>{FAULTS}")
    tree = Tree(page)
    assert skipped_levels(tree.headings()) == ["Too deep"]
    assert "" in [name for _, name in tree.headings()]
    assert ("navigation", "") in tree.landmarks()
    assert ambiguous(tree.landmarks()) == [("navigation", "Twice")]
    assert sorted(tree.nameless()) == ["button", "slider"]
    assert out_of_order(tab_stops(page), tree.focusable()) != []
    assert "heading1: Another title" in tree.heard()
    page.close()
