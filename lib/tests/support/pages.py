"""A visit to a built page: what it asks for, what it complains about, how it looks."""

import os
import re
import weakref
from pathlib import Path

import pytest

from support.places import ROOT

HTML = Path(os.environ.get("CLEARHEAD_HTML", ROOT / "_build" / "html"))
PAGES = sorted(
    str(path.relative_to(HTML))
    for path in HTML.rglob("*.html")
    if "_static" not in path.parts
    and path.name != "404.html"  # a page without the theme
    and 'http-equiv="Refresh"' not in path.read_text("utf-8")[:400]
)
WITH_FIGURES = [page for page in PAGES if 'class="ch-widget' in (HTML / page).read_text("utf-8")]
CHAPTERS = [page for page in PAGES if page.startswith("chapters/")]
# Widths and themes do not meet: what is wide is wide in both themes, and colours are the same at any width.
# So two of the four are enough; a few pages are looked at in the other two as well.
LOOKS, OTHER_LOOKS = [(1280, "light"), (390, "dark")], [(1280, "dark"), (390, "light")]

if not PAGES and os.environ.get("CLEARHEAD_REQUIRE_BROWSER") == "1":
    pytest.fail(
        "CLEARHEAD_REQUIRE_BROWSER=1, but there is no _build/html: run `make book` first.", pytrace=False
    )
if not PAGES:
    pytest.skip("PAGES ARE NOT TESTED: no _build/html; run `make book` first.", allow_module_level=True)

#: Wait until the page has been drawn twice, at most 10 seconds: a page that is not in front may never be
#: drawn, and `evaluate` would wait for ever.
TWO_FRAMES = """() => new Promise(done => {
    requestAnimationFrame(() => requestAnimationFrame(done));
    setTimeout(done, 10000);
})"""
TO_THEME = f"""theme => {{
    const still = document.createElement("style");  // colours change at once
    still.textContent = "* {{ transition: none !important }}";
    document.head.append(still);
    Object.assign(document.documentElement.dataset, {{ theme, mode: theme }});
    return ({TWO_FRAMES})();
}}"""
WAKE = """() => document.querySelectorAll(".ch-on-demand").forEach((each) =>
    each.dispatchEvent(new PointerEvent("pointerover", { pointerType: "mouse", bubbles: true })))"""
UNFOLD = "() => document.querySelectorAll('details.ch-collapsible').forEach(fold => { fold.open = true })"


_shared = weakref.WeakKeyDictionary()


def shared(browser, **options):
    """Return the context of most visits. One page of the book stays open in it.

    So a browser has a process for these pages, and starts none for each: that was half of a visit's time.
    """
    contexts = _shared.setdefault(browser, {})
    if str(options) not in contexts:
        contexts[str(options)] = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        contexts[str(options)].new_page().goto(f"{HTML.as_uri()}/{PAGES[0]}")
    return contexts[str(options)]


class Visit:
    """A page of the book that remembers nothing, with what it asked for and what it complained about."""

    def __init__(self, browser, name, address=None, script=None, unfold=True, wake=True, **context):
        self.name, self.complaints, self.outside, self.inner = name, [], [], set()
        self.untouched = set()  # what the page asked for before any figure was touched
        self.unfold = unfold  # what is optional is tested like the rest
        self.wake = wake  # and so is a figure that waits to be touched
        desk = {"width": 1280, "height": 900}
        self.own = browser.new_context(viewport=desk, **context) if context else None
        self.page = (self.own or shared(browser)).new_page()
        self.page.route("**/*", self._local_only)
        if script:  # runs before the page's own
            self.page.add_init_script(script)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("console", self._console)
        self.inside = (address or HTML.as_uri()) + "/"
        self.load()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Forget what a reader did here, and go."""
        self.page.evaluate("localStorage.clear()")
        (self.own or self.page).close()

    def load(self):
        self.page.goto(self.inside + self.name)
        if self.unfold:
            self.page.eval_on_selector_all(
                "details.ch-optional", "all => all.forEach((e) => { e.open = true; })"
            )
        if self.page.locator(".ch-widget").count():
            self.page.wait_for_selector("html[data-ch-live=ready]", state="attached")
            self.untouched = set(self.inner)
            if self.wake:
                self.page.evaluate(WAKE)
                self.page.wait_for_function("!document.querySelector('.ch-on-demand')")

    def _local_only(self, route):
        if route.request.url.startswith((self.inside, "data:", "blob:")):
            self.inner.add(route.request.url)
            return route.continue_()
        self.outside.append(route.request.url)
        return route.abort()

    def _console(self, message):
        if message.type == "error":
            self.complaints.append(f"console: {message.text} {message.location.get('url', '')}")

    def look(self, width, theme, moment=500):
        """Show the page in a width and a theme; a moment later wide code can be reached by keyboard."""
        if self.page.viewport_size["width"] != width:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.wait_for_timeout(moment)
        self.page.evaluate(TO_THEME, theme)

    @property
    def width_needed(self):
        """How many pixels the page would like to be wide."""
        return self.page.evaluate("document.documentElement.scrollWidth")


def pages_with(text):
    """Return the first page that holds a text, as a list for parametrize."""
    return [page for page in PAGES if re.search(text, (HTML / page).read_text("utf-8"))][:1]
