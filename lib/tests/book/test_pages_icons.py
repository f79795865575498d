"""Every icon of the built pages is drawn: its pixels are neither empty nor the box of a missing letter."""

import io
import re
from itertools import islice
from pathlib import Path

import pytest

from support.pages import HTML, PAGES, Visit

pytestmark = pytest.mark.pages

ICON = re.compile(r'class="([^"]*\bfa-[^"]*)"')
LOOKS = [(390, "light"), (1280, "dark"), (1280, "auto")]
OPEN = """() => {
    document.querySelectorAll('.dropdown-menu').forEach(menu => menu.classList.add('show'));
    document.head.insertAdjacentHTML('beforeend', `<style>
        #pst-back-to-top { display: block !important; visibility: visible !important }
        [data-try=nothing]::before { content: "" !important }
        [data-try=unknown]::before { content: "\\uf8fe" !important }
        [data-try=fontless]::before { font-family: sans-serif !important }
    </style>`);
}"""
FRAME = """e => {
    e.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = e.getBoundingClientRect();
    const seen = e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return seen && { x: x - 2, y: y - 2, width: width + 4, height: height + 4 };
}"""
TRY = "(e, what) => { e.dataset.try = what }"


def icons():
    """Return {page: names}: each icon's class names stand with the first page that has it."""
    found = {}
    for page in PAGES:
        for classes in ICON.findall((HTML / page).read_text("utf-8")):
            found.setdefault("".join(f".{name}" for name in classes.split() if name.startswith("fa-")), page)
    return {page: [name for name in found if found[name] == page] for page in dict.fromkeys(found.values())}


def looks_of(icon, page):
    """Return the pixels of an icon: itself, empty, as a letter unknown to its font, and without its font."""
    frame = icon.evaluate(FRAME)
    if not frame:
        return []
    shots = []
    for what in ("itself", "nothing", "unknown", "fontless"):
        icon.evaluate(TRY, what)
        shots.append(page.screenshot(clip=frame, animations="disabled"))
    icon.evaluate(TRY, "itself")
    return shots


def not_drawn(visit, names):
    """Return which icons are seen at no width and in no theme, or are seen as nothing or as a box."""
    seen, wrong = set(), set()
    visit.page.evaluate(OPEN)
    visit.page.evaluate("document.fonts.ready")
    for look in LOOKS:
        visit.look(*look)
        for name in names:
            tried = (looks_of(icon, visit.page) for icon in visit.page.query_selector_all(name))
            for itself, *missing in islice(filter(None, tried), 3):
                seen.add(name)
                wrong |= {name} if itself in missing else set()
    return sorted(wrong | set(names) - seen)


@pytest.mark.parametrize(("page", "names"), icons().items(), ids=icons())
def test_every_icon_is_drawn(browser, page, names):
    with Visit(browser, page) as visit:
        assert not_drawn(visit, names) == []


def font_without(letter):
    """Return the theme's icon font without one glyph."""
    import pydata_sphinx_theme
    from fontTools.ttLib import TTFont

    theme = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
    font, written = TTFont(theme / "vendor/fontawesome/webfonts/fa-solid-900.ttf"), io.BytesIO()
    for table in font["cmap"].tables:
        table.cmap.pop(ord(letter), None)
    font.save(written)
    return written.getvalue()


@pytest.mark.parametrize("body", [lambda: font_without("\uf0c9"), lambda: b""], ids=["one glyph", "the font"])
def test_an_icon_that_its_font_lacks_is_found(browser, body):
    """The proof can fail: without the glyph, without the font, for a name that the style does not know."""
    with Visit(browser, PAGES[0]) as visit:
        visit.page.route("**/fa-solid-900.ttf", lambda route: route.fulfill(body=body()))
        visit.load()
        bar = visit.page.locator(".fa-bars").first
        bar.evaluate("e => e.insertAdjacentHTML('afterend', '<span class=\"fa-solid fa-unheard-of\">')")
        names = [".fa-bars", ".fa-unheard-of"]
        assert not_drawn(visit, names) == names


@pytest.mark.parametrize("name", ["search.html", PAGES[0]])
def test_the_icon_of_the_search_field_stands_before_its_words(browser, name):
    with Visit(browser, name) as visit:
        visit.page.keyboard.press("Control+k")
        field = visit.page.locator("form.bd-search:visible").first
        icon, words = (
            field.locator(".fa-magnifying-glass").bounding_box(),
            field.locator("input").bounding_box(),
        )
        assert icon["width"] > 8
        assert icon["x"] + icon["width"] <= words["x"] + 1
