"""The built pages work from disk, outside requests blocked: figures move, mathematics shows, axe agrees."""

import os
import re
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from browser import launch

ROOT = Path(__file__).resolve().parents[2]
HTML = Path(os.environ.get("CLEARHEAD_HTML", ROOT / "_build" / "html"))
SHOTS = os.environ.get("CLEARHEAD_SCREENSHOTS")  # a folder for pictures of every figure, to be looked at
PAGES = sorted(
    str(path.relative_to(HTML))
    for path in HTML.rglob("*.html")
    if "_static" not in path.parts and 'http-equiv="Refresh"' not in path.read_text("utf-8")[:400]
)
WITH_FIGURES = [page for page in PAGES if 'class="ch-widget' in (HTML / page).read_text("utf-8")]
# Widths and themes do not meet: what is wide is wide in both themes, and colours are the same at any width.
# So two of the four are enough; a few pages are looked at in the other two as well.
LOOKS, OTHER_LOOKS = [(1280, "light"), (390, "dark")], [(1280, "dark"), (390, "light")]
SETTLE = 200  # milliseconds; the text line waits 120 while a control moves

pytestmark = pytest.mark.pages
if not PAGES and os.environ.get("CLEARHEAD_REQUIRE_BROWSER") == "1":
    pytest.fail(
        "CLEARHEAD_REQUIRE_BROWSER=1, but there is no _build/html: run `make book` first.", pytrace=False
    )
if not PAGES:
    pytest.skip("PAGES ARE NOT TESTED: no _build/html; run `make book` first.", allow_module_level=True)

# What the tests ask of a page, in the page's own language.
TO_THEME = "theme => { Object.assign(document.documentElement.dataset, { theme, mode: theme }) }"
UNFOLD = "() => document.querySelectorAll('details.ch-fold').forEach(fold => { fold.open = true })"
# Contrast is slow, and thousands of words and formulas look alike: remove what looks like one before it.
THIN_OUT = """() => {
    const seen = new Set();
    const looks = e => `${e.localName} ${e.getAttribute('class')} ${e.getAttribute('style')}`;
    const words = 'article :not(.ch-figure *, svg *, mjx-container *), nav *';
    for (const e of document.querySelectorAll(words)) {
        if (e.childElementCount && e.localName !== 'mjx-container') continue;
        const line = [];
        for (let up = e; up; up = up.parentElement) line.push(looks(up));
        if (seen.has(line.join()) && e.textContent.trim()) e.remove();
        seen.add(line.join());
    }
}"""
RAW_MATHS = """all => all.filter(e => !e.querySelector('mjx-container') || e.querySelector('mjx-merror'))
    .map(e => e.textContent)"""
CUT_OFF = """(all, width) => all.filter(e => {
    const box = e.getBoundingClientRect();
    const outside = e.checkVisibility() && box.width && (box.left < 0 || box.right > width);
    return outside && !e.closest('.ch-scroll, [tabindex="0"][role=region]');
}).map(e => e.outerHTML.slice(0, 200))"""
PROSE = """() => {
    const copy = document.querySelector('article')?.cloneNode(true);
    copy?.querySelectorAll('pre, code, script, style, mjx-container').forEach(e => e.remove());
    return copy?.textContent ?? '';
}"""
WORDS = "all => all.map(e => e.getAttribute('alt') ?? e.getAttribute('aria-label') ?? 'MISSING')"
FILE_NAME = re.compile(r"MISSING|[\w-]+\.(png|svg|jpe?g|gif)$|_images/")


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        chromium = launch(running)
        yield chromium
        chromium.close()


class Visit:
    """A page of the book in a context of its own, with what it asked for and what it complained about."""

    def __init__(self, browser, name, address=None, **context):
        self.name, self.complaints, self.outside = name, [], []
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **context)
        self.context.route("**/*", self._local_only)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("console", self._console)
        self.inside = (address or HTML.as_uri()) + "/"
        self.load()

    def load(self):
        self.page.goto(self.inside + self.name)
        if self.page.locator(".ch-widget").count():
            self.page.wait_for_selector("html[data-ch-live=ready]", state="attached")
        if self.page.locator(".math").count():
            self.page.wait_for_selector("mjx-container", state="attached")

    def _local_only(self, route):
        if route.request.url.startswith((self.inside, "data:", "blob:")):
            return route.continue_()
        self.outside.append(route.request.url)
        return route.abort()

    def _console(self, message):
        if message.type == "error":
            self.complaints.append(f"console: {message.text} {message.location.get('url', '')}")

    def look(self, width, theme):
        if self.page.viewport_size["width"] != width:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.wait_for_timeout(500)  # the theme makes wide code reachable by keyboard after a moment
        self.page.evaluate(TO_THEME, theme)
        self.page.wait_for_timeout(300)  # colours change over a moment


@pytest.fixture(scope="module", params=PAGES)
def visit(browser, request):
    visit = Visit(browser, request.param)
    yield visit
    visit.context.close()


def test_the_page_asks_nothing_of_the_network_and_raises_no_error(visit):
    assert visit.outside == []
    assert visit.complaints == []


def test_mathematics_is_rendered(visit):
    raw = visit.page.eval_on_selector_all(".math", RAW_MATHS)
    assert raw == []
    assert not re.search(r"\\\(|\\\[|\$\$", visit.page.evaluate(PROSE))


def test_every_figure_is_drawn_and_says_what_it_shows(visit):
    places = visit.page.locator(".ch-widget")
    for place in places.all():
        assert place.locator(".ch-live .ch-figure").count() == 1
        assert place.locator(".ch-fallback").is_hidden()
    for line in visit.page.locator(".ch-figure:not(.ch-quiz) .ch-line").all():
        assert len(line.text_content()) > 20


def test_no_image_has_a_file_name_as_words(visit):
    words = visit.page.eval_on_selector_all("img, svg[role=img]", WORDS)
    assert [each for each in words if FILE_NAME.search(each)] == []


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_page_is_accessible_and_fits(visit, width, theme):
    visit.look(width, theme)
    visit.page.evaluate(UNFOLD)
    if SHOTS:
        shoot(visit, width, theme)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(visit, rules={"color-contrast": {"enabled": False}}) == []


@pytest.mark.parametrize("name", WITH_FIGURES[::6])
def test_some_pages_are_accessible_in_the_other_looks_and_not_thinned(browser, name):
    visit = Visit(browser, name)
    for width, theme in OTHER_LOOKS:
        visit.look(width, theme)
        visit.page.evaluate(UNFOLD)
        assert violations(visit) == []
    visit.context.close()


def test_faint_words_and_a_field_without_a_name_are_found(browser):
    """The proof can fail, also after all that looks alike was removed."""
    visit = Visit(browser, WITH_FIGURES[0])
    visit.page.evaluate(
        "document.querySelector('article p').insertAdjacentHTML("
        "'afterend', '<p><em style=\"color: #ccc\">faint</em></p><input>')"
    )
    visit.page.evaluate(THIN_OUT)
    assert [line.split(":")[0] for line in violations(visit, runOnly=["color-contrast"])] == [
        "color-contrast"
    ]
    assert any(line.startswith("label:") for line in violations(visit))
    visit.context.close()


def violations(visit, **options):
    """Return what axe finds wrong, a line each."""
    from axe_playwright_python.sync_playwright import Axe

    options |= {"preload": False, "resultTypes": ["violations"]}
    found = Axe().run(visit.page, options=options).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def test_at_double_zoom_no_figure_is_cut_off(visit):
    visit.page.set_viewport_size({"width": 1280 // 2, "height": 450})  # 1280 x 900 at 200 %
    visit.page.wait_for_timeout(100)  # figures draw themselves anew
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 1280 // 2
    assert cut_off(visit, 1280 // 2) == []


def test_a_button_that_is_cut_off_is_found(browser):
    """The proof can fail."""
    visit = Visit(browser, WITH_FIGURES[0])
    visit.page.evaluate(
        "document.querySelector('.ch-controls').insertAdjacentHTML("
        "'beforeend', '<button style=\"position: fixed; left: 1200px; width: 200px\">half of it</button>')"
    )
    assert ["half of it" in part for part in cut_off(visit, 1280)] == [True]
    visit.context.close()


def cut_off(visit, width):
    """Return what of the figures stands outside the page, where no scrolling brings it in."""
    parts = ".ch-figure :is(input, button, select, textarea, .ch-line)"
    return visit.page.eval_on_selector_all(parts, CUT_OFF, width)


def shoot(visit, width, theme):
    """Keep a picture of every figure."""
    for number, figure in enumerate(visit.page.locator(".ch-figure").all(), 1):
        stem = visit.name.removesuffix(".html").replace("/", "-")
        figure.screenshot(path=f"{SHOTS}/{stem}-{number}-{width}-{theme}.png")


def test_every_control_moves_something(visit):
    visit.look(1280, "light")
    visit.page.mouse.move(0, 0)
    for figure in visit.page.locator(".ch-figure:not(.ch-quiz)").all():
        for control in figure.locator("input, button").all():
            bring_out(control, figure)
            if control.get_attribute("aria-pressed") == "true":
                continue  # the preset that is shown: another one is pressed before or after it
            told = control.evaluate("e => e.outerHTML + e.labels?.[0]?.textContent")
            before, line = stage(figure), told_by(figure)
            use(control)
            visit.page.wait_for_timeout(SETTLE)
            assert changed(stage, figure, before), told
            if control.get_attribute("type") == "range":
                assert changed(told_by, figure, line), told
    assert visit.complaints == []


def changed(what, figure, before):
    """Return whether `what(figure)` differs from before: now, or a moment later where the machine is busy."""
    end = time.monotonic() + 2
    while what(figure) == before and time.monotonic() < end:
        figure.page.wait_for_timeout(20)
    return what(figure) != before


def bring_out(control, figure):
    """Choose among the figure's views until a control is shown that another view hides."""
    for choice in figure.locator("input[type=radio]").all():
        if control.is_visible():
            return
        if choice.is_visible():
            choice.check()
    assert control.is_visible(), control.evaluate("e => e.outerHTML + e.labels?.[0]?.textContent")


def stage(figure):
    """Return everything that the picture of a figure holds."""
    return figure.locator(".ch-stage").inner_html() + figure.locator(".ch-controls").inner_text()


def told_by(figure):
    """Return the line of text under a figure."""
    return figure.locator(".ch-line").text_content()


def use(control):
    """Move a control from the keyboard: sliders and handles one step, anything else by the space bar."""
    control.focus()
    press = control.page.keyboard.press
    if control.get_attribute("type") == "range":
        before = control.input_value()
        press("ArrowRight")
        if control.input_value() == before:
            press("ArrowLeft")
    elif "ch-handle" in (control.get_attribute("class") or ""):
        press("ArrowUp")
    elif control.get_attribute("type") == "radio" and control.is_checked():
        press("ArrowRight")
    else:
        press("Space")


def test_questions_answer_and_remember(visit):
    for question in visit.page.locator(".ch-quiz .ch-question, .ch-quiz.ch-question").all():
        verdict = question.locator(".ch-verdict")
        question.locator("input[type=radio]").first.focus()
        visit.page.keyboard.press("Space")
        question.locator("button").press("Enter")
        assert len(verdict.text_content()) > 10
    visit.page.wait_for_timeout(SETTLE)
    assert visit.page.locator(".ch-folded").count() == 0
    count = visit.page.locator(".ch-verdict:not(:empty)").count()
    for _ in range(3 if count else 0):  # a busy browser may hand out a moment later what was written
        visit.page.wait_for_timeout(500)
        visit.load()
        if visit.page.locator(".ch-verdict:not(:empty)").count() == count:
            break
    assert visit.page.locator(".ch-verdict:not(:empty)").count() == count
    assert visit.complaints == []


def test_all_words_can_be_told_from_what_is_behind_them(visit):
    """The last test of a visit, because what is removed stays away."""
    visit.page.evaluate(UNFOLD)
    visit.page.evaluate(THIN_OUT)
    for width, theme in LOOKS:
        visit.look(width, theme)
        assert violations(visit, runOnly=["color-contrast"]) == []


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_without_javascript_every_figure_is_a_picture(browser, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{HTML.as_uri()}/{name}")
    assert page.locator(".ch-fallback:visible").count() == page.locator(".ch-widget").count() > 0
    assert page.locator(".ch-folded").count() == 0
    context.close()


@pytest.mark.parametrize("name", WITH_FIGURES[:1])
def test_print_gets_the_pictures(browser, name):
    visit = Visit(browser, name)
    visit.page.emulate_media(media="print")
    assert visit.page.locator(".ch-live:visible").count() == 0
    assert visit.page.locator(".ch-fallback:visible").count() == visit.page.locator(".ch-widget").count()
    visit.context.close()


def pages_with(text):
    """Return the first page that holds a text, as a list for parametrize."""
    return [page for page in PAGES if text in (HTML / page).read_text("utf-8")][:1]


@pytest.mark.parametrize("name", pages_with("Soft dictionary: drag the query"))
def test_the_query_follows_mouse_and_finger_over_http(browser, name):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    visit = Visit(browser, name, f"http://127.0.0.1:{server.server_port}", has_touch=True)
    figure = visit.page.locator(".ch-figure:has(.ch-handle)").first
    handle, line = figure.locator(".ch-handle"), figure.locator(".ch-line")
    for drag in (drag_by_mouse, drag_by_finger):
        before = line.text_content()
        drag(visit, handle)
        visit.page.wait_for_timeout(SETTLE)
        assert line.text_content() != before, drag.__name__
    assert visit.complaints == []
    assert visit.outside == []
    visit.context.close()
    server.shutdown()


def middle(handle):
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_by_mouse(visit, handle):
    x, y = middle(handle)
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x - 40, y - 30, steps=4)
    visit.page.mouse.up()


def drag_by_finger(visit, handle):
    x, y = middle(handle)
    touch = visit.context.new_cdp_session(visit.page)
    for kind, dx in (("touchStart", 0), ("touchMove", 15), ("touchMove", 40), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y + dx / 2}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
