"""The figures of the built pages move, their controls fit, and without JavaScript they are pictures."""

import os
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from support import in_page_firefox
from support.pages import CHAPTERS, HTML, LOOKS, WITH_FIGURES, Visit, pages_with, shared

pytestmark = pytest.mark.pages

LARGE = [name for name in CHAPTERS if '"size": 4' in (HTML / name).read_text("utf-8")]  # a whole model
SHOTS = os.environ.get("CLEARHEAD_SCREENSHOTS")  # a folder for pictures of every figure, to be looked at
SETTLE = 200  # milliseconds; the text line waits 120 while a control moves
CUT_OFF = """(all, width) => all.filter(e => {
    const box = e.getBoundingClientRect();
    const outside = e.checkVisibility() && box.width && (box.left < 0 || box.right > width);
    return outside && !e.closest('.ch-scroll, [tabindex="0"][role=region]');
}).map(e => e.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module", params=WITH_FIGURES)
def visit(browser, request):
    with Visit(browser, request.param) as visit:
        yield visit


def test_every_figure_is_drawn_and_says_what_it_shows(visit):
    places = visit.page.locator(".ch-widget")
    for place in places.all():
        assert place.locator(".ch-live .ch-figure").count() == 1
        assert place.locator(".ch-fallback").is_hidden()
    for line in visit.page.locator(".ch-figure:not(.ch-quiz) .ch-line").all():
        assert len(line.text_content()) > 20
    for width, theme in LOOKS if SHOTS else ():
        visit.look(width, theme)
        shoot(visit, width, theme)


def test_chapter_weighs_at_most_900_kB_before_interaction(visit):
    """Fonts, the theme's scripts and styles, which all pages share, are not counted."""
    if visit.name in CHAPTERS:
        assert loaded_for_figures(visit, visit.untouched) < MOST
    if visit.name in LARGE:  # the proof can fail: here all figures were touched
        assert loaded_for_figures(visit) > MOST


def test_every_chapter_has_a_figure():
    assert set(CHAPTERS) <= set(WITH_FIGURES)


def test_at_double_zoom_no_figure_is_cut_off(visit):
    visit.page.set_viewport_size({"width": 1280 // 2, "height": 450})  # 1280 x 900 at 200 %
    visit.page.wait_for_timeout(100)  # figures draw themselves anew
    assert cut_off(visit, 1280 // 2) == []
    assert visit.width_needed <= 1280 // 2  # nor anything else


def test_a_button_that_is_cut_off_is_found(browser):
    """The proof can fail."""
    visit = Visit(browser, WITH_FIGURES[0])
    visit.page.evaluate(
        "document.querySelector('.ch-controls').insertAdjacentHTML("
        "'beforeend', '<button style=\"position: fixed; left: 1200px; width: 200px\">half of it</button>')"
    )
    assert ["half of it" in part for part in cut_off(visit, 1280)] == [True]
    visit.close()


def cut_off(visit, width):
    """Return the controls and lines of figures outside the page, where no scrolling brings them in."""
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
        for control in figure.locator("input:visible, button:visible").all():  # not a way that is closed now
            bring_out(control, figure)
            told, kind, stays = control.evaluate(CONTROL)
            if stays:
                continue  # the preset that is shown, nothing to start again: others are pressed first
            if kind == "range":
                visit.page.wait_for_timeout(SETTLE)  # the line tells what the control before this one did
            before = shown(figure)
            use(control, kind)
            assert changed(figure, before, 2 if kind == "range" else 1), told
    assert visit.complaints == []


CONTROL = """e => [e.outerHTML + e.labels?.[0]?.textContent, e.type,
    e.getAttribute("aria-pressed") === "true" || e.disabled]"""
SHOWN = """e => [e.querySelector(".ch-stage").innerHTML + e.querySelector(".ch-controls")?.innerText,
    e.querySelector(".ch-line").textContent]"""


def shown(figure):
    """Return the picture of a figure with all words of its controls, and the line of text under it."""
    return figure.evaluate(SHOWN)


def changed(figure, before, parts):
    """Return whether so many parts of what is shown differ from before: now, or a moment later."""
    end = time.monotonic() + 2  # where the machine is busy
    while True:
        now = shown(figure)
        same = any(each == then for each, then in zip(now[:parts], before, strict=False))
        if time.monotonic() > end or not (same or "is loading" in now[0]):
            return not same
        figure.page.wait_for_timeout(20)


def bring_out(control, figure):
    """Choose among the figure's views until a control is shown that another view hides."""
    for choice in figure.locator("input[type=radio]").all():
        if control.is_visible():
            return
        if choice.is_visible():
            choice.check()
    assert control.is_visible(), control.evaluate("e => e.outerHTML + e.labels?.[0]?.textContent")


def use(control, kind):
    """Move a control from the keyboard: sliders and handles one step, anything else by the space bar."""
    control.focus()
    press = control.page.keyboard.press
    if kind == "range":
        before = control.input_value()
        press("ArrowRight")
        if control.input_value() == before:
            press("ArrowLeft")
    elif "ch-handle" in (control.get_attribute("class") or ""):
        press("ArrowUp")
    elif kind == "radio" and control.is_checked():
        press("ArrowRight")
    else:
        press("Space")


TOLD = """() => [...document.querySelectorAll(
    '.tag_reveal .cell_output, .tag_reveal .ch-chip-checked, .tag_reveal .ch-chip-reveal')]
    .filter((each) => each.checkVisibility()).length"""
WITH_RESULTS = [page for page in WITH_FIGURES if "tag_reveal" in (HTML / page).read_text("utf-8")]


def test_neither_result_nor_assert_is_in_view_before_the_guess(visit):
    if visit.name in WITH_RESULTS:
        assert visit.page.evaluate(TOLD) == 0
        visit.page.locator(".ch-all-code").click()  # a reader who opens all code does not see them, either
        assert visit.page.evaluate(TOLD) == 0
        visit.page.locator(".ch-all-code").click()  # the switch is remembered: other tests expect folded code


def test_questions_answer_and_remember(visit):
    for question in visit.page.locator(".ch-quiz .ch-question, .ch-quiz.ch-question").all():
        verdict = question.locator(".ch-verdict")
        question.locator("input[type=radio]").first.focus()
        visit.page.keyboard.press("Space")
        question.locator("button").press("Enter")
        assert len(verdict.text_content()) > 10
    visit.page.wait_for_timeout(SETTLE)
    assert visit.page.locator(".ch-awaits-guess").count() == 0
    assert visit.page.evaluate(TOLD) > 0 or visit.name not in WITH_RESULTS  # all were guessed
    count = visit.page.locator(".ch-verdict:not(:empty)").count()
    for _ in range(3 if count else 0):  # a busy browser may hand out a moment later what was written
        visit.page.wait_for_timeout(500)
        visit.load()
        if visit.page.locator(".ch-verdict:not(:empty)").count() == count:
            break
    assert visit.page.locator(".ch-verdict:not(:empty)").count() == count
    assert visit.complaints == []


def guess(question):
    """Choose the first answer of a question from the keyboard."""
    question.locator("input[type=radio]").first.focus()
    question.page.keyboard.press("Space")
    question.locator("button").press("Enter")


@pytest.mark.parametrize("name", [page for page in WITH_RESULTS if "/10_" in page])
def test_questions_side_by_side_wait_for_one_another(browser, name):
    for order in ((0, 1), (1, 0)):
        with Visit(browser, name, offline=True) as visit:  # a context of its own, which remembers no guess
            first, second = (visit.page.locator(".ch-quiz.ch-question").nth(each) for each in order)
            guess(first)
            assert visit.page.evaluate(TOLD) == 0
            guess(second)
            assert visit.page.evaluate(TOLD) > 0


@pytest.mark.parametrize("name", pages_with("data-exercises="))
def test_solved_exercise_opens_its_code(browser, name):
    """Code that an exercise asks for opens when it was solved."""
    solve = """cells => { const { version } = JSON.parse(document.getElementById("ch-sheets").textContent);
        const sheet = location.pathname.match(/(\\d\\d_\\w+)\\.html$/)[1];
        const copy = new URL(document.documentElement.dataset.content_root, location).pathname;
        for (const cell of cells) localStorage[`clearhead ${version} ${copy} exercises/${sheet} ${cell}`] =
            JSON.stringify({ text: "", passed: true }); }"""
    with Visit(browser, name) as visit:
        fold = visit.page.locator("details[data-exercises]").first
        assert not fold.evaluate("fold => fold.open")
        visit.page.evaluate(solve, fold.get_attribute("data-exercises").split())
        visit.load()
        assert fold.evaluate("fold => fold.open")


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_without_javascript_every_figure_is_a_picture(browser, name):
    page = shared(browser, java_script_enabled=False).new_page()
    page.goto(f"{HTML.as_uri()}/{name}")
    for summary in page.locator("details.ch-optional > summary").all():
        summary.click()
    assert page.locator(".ch-fallback:visible").count() == page.locator(".ch-widget").count() > 0
    assert page.locator(".ch-awaits-guess").count() == 0
    page.close()


@pytest.mark.parametrize("wake", [True, False])
@pytest.mark.parametrize("name", [*WITH_FIGURES[:1], *LARGE[:1]])
def test_print_gets_the_pictures(browser, name, wake):
    visit = Visit(browser, name, wake=wake)
    visit.page.emulate_media(media="print")
    assert visit.page.locator(".ch-live:visible").count() == 0
    assert visit.page.locator(".ch-fallback:visible").count() == visit.page.locator(".ch-widget").count()
    visit.close()


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
    visit.close()
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
    touch = visit.page.context.new_cdp_session(visit.page)
    for kind, dx in (("touchStart", 0), ("touchMove", 15), ("touchMove", 40), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y + dx / 2}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


MOST = 900_000  # bytes of a chapter's page and of what its figures load before one is touched


def loaded_for_figures(visit, asked=None):
    """Return the bytes of a page and of the scripts of figures that it asked for: so far, or as given."""
    asked = visit.inner if asked is None else asked
    asked = [address for address in asked if "/_static/figures/" in address]
    files = [HTML / visit.name, *(HTML / address.removeprefix(visit.inside) for address in asked)]
    return sum(file.stat().st_size for file in files)


@pytest.mark.parametrize("name", LARGE)
def test_large_figure_is_picture_until_started(browser, name):
    """A large figure is a picture until its button is pressed."""
    with Visit(browser, name, wake=False) as visit:
        waiting = visit.page.locator(".ch-widget:has(.ch-on-demand)").first
        assert waiting.locator(".ch-fallback > svg, .ch-fallback > p").first.is_visible()
        assert waiting.get_by_role("status").text_content().startswith("It loads 4.")
        before = loaded_for_figures(visit)
        waiting.get_by_role("button", name="Start this figure").focus()
        figure = waiting.element_handle()
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_function("figure => figure.querySelector('.ch-live .ch-figure')", arg=figure)
        assert figure.evaluate("figure => figure.contains(document.activeElement)")
        assert figure.evaluate("figure => !figure.querySelector('.ch-on-demand')")
        assert loaded_for_figures(visit) > before + 4_000_000
        assert visit.complaints == []


@pytest.mark.parametrize("name", LARGE)
def test_large_figure_reports_missing_file_and_retries(browser, name):
    """A large figure whose file is missing says so and tries again."""
    with Visit(browser, name, wake=False) as visit:
        waiting, data = visit.page.locator(".ch-widget:has(.ch-on-demand)").first, "**/figures/data-*.js"
        visit.page.route(data, lambda route: route.abort())
        waiting.hover()
        said = waiting.get_by_text("could not be loaded")
        said.wait_for()
        assert waiting.locator(".ch-fallback").is_visible()
        visit.page.unroute(data)
        figure = waiting.element_handle()
        waiting.get_by_role("button", name="Start this figure").click()
        visit.page.wait_for_function("figure => figure.querySelector('.ch-live .ch-figure')", arg=figure)


@pytest.mark.parametrize("name", LARGE)
def test_link_to_state_starts_large_figure(browser, name):
    """A link to a state of a large figure starts it."""
    with Visit(browser, name, wake=False) as visit:
        place = visit.page.evaluate(
            "[...document.querySelectorAll('.ch-widget')]"
            ".findIndex((each) => each.querySelector('.ch-on-demand'))"
        )
        visit.page.evaluate("place => { location.hash = `figure-${place}={}`; }", place)
        visit.page.wait_for_function(
            "place => document.querySelectorAll('.ch-widget')[place].querySelector('.ch-live .ch-figure')",
            arg=place,
        )


@pytest.mark.parametrize("name", pages_with("ch-of-twomodels"))
def test_small_model_loads_when_reader_types(browser, name):
    """The small model of the first page comes when a reader types."""
    with Visit(browser, name) as visit:
        before, field = loaded_for_figures(visit), visit.page.get_by_label("Or your own text")
        field.focus()
        visit.page.keyboard.type("Once", delay=20)
        own = visit.page.locator(".ch-live:has(.ch-two-models) > div .ch-figure")
        own.wait_for()
        assert before < MOST
        assert loaded_for_figures(visit) > before + 4_000_000
        assert own.locator("input[type=text]").first.input_value() == "Once"
        assert visit.complaints == []


@pytest.mark.parametrize("name", pages_with("ch-of-twomodels"))
def test_small_model_reports_failed_load_and_retries(browser, name):
    """A small model that does not come is reported and comes the next time."""
    with Visit(browser, name) as visit:
        weights = "**/figures/data-*.js"
        visit.page.route(weights, lambda route: route.abort())
        visit.page.get_by_label("Or your own text").press_sequentially("O")
        visit.page.get_by_text("The small model could not be loaded").wait_for()
        visit.page.unroute(weights)
        visit.page.get_by_label("Or your own text").press_sequentially("n")
        visit.page.locator(".ch-live:has(.ch-two-models) > div .ch-figure").wait_for()


UNTIL = """new Promise((done) => {
    const look = () => ((CONDITION) ? done(true) : setTimeout(look, 50));
    look();
})"""


@pytest.mark.parametrize("name", LARGE[:1])
def test_a_large_figure_starts_in_firefox_from_disk(tmp_path, name):
    in_page_firefox.need()
    with in_page_firefox.running(tmp_path) as firefox:
        firefox.goto(f"{HTML.as_uri()}/{name}")
        ready = "document.documentElement.dataset.chLive === 'ready'"
        firefox.evaluate(UNTIL.replace("CONDITION", ready))
        assert firefox.evaluate("document.querySelectorAll('.ch-live .ch-figure').length") > 1
        firefox.evaluate("document.querySelector('.ch-on-demand').closest('.ch-widget').id = 'large'")
        firefox.evaluate("document.querySelector('.ch-on-demand button').click()")
        firefox.evaluate(UNTIL.replace("CONDITION", "document.querySelector('#large .ch-live .ch-figure')"))
        assert firefox.evaluate("document.querySelector('#large .ch-line').textContent.length") > 50
