"""A small site for the tests of Python in the page: the runtime, the scripts, a sheet made without Sphinx."""

import html
import json
import shutil
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from support.places import ROOT

sys.path.append(str(ROOT / "book" / "_ext"))

import browser_runtime
import exercise_pages
import python_in_page
from conventions import text_of

STYLE = """:root { --pst-color-border: #888; --pst-color-surface: #fff; --pst-color-text-base: #000;
--pst-color-text-muted: #555; --pst-font-family-monospace: monospace; }
.cell pre { white-space: pre-wrap; }"""

#: A side bar and two maps, as the book's pages have them.
SIDE_BAR = """<nav class="bd-sidebar-primary"><a href="chapters/05_attention.html">5 Attention</a>
<a href="exercises/05_attention.html">Exercises</a> <a href="chapters/06_multi_head.html">6 Heads</a>
<svg width="300" height="60" role="group" aria-label="maps">
<a href="chapters/05_attention.html"><title>5</title>
<rect class="m-box" x="2" y="8" width="90" height="26" fill="none" stroke="#555"/><text x="9" y="25">
<tspan class="m-number">5</tspan></text></a><a href="chapters/05_attention.html"><title>five</title>
<circle cx="150" cy="20" r="8" fill="none" stroke="#555"/></a></svg></nav>"""


def write_site(folder, sheet="05_attention"):
    """Write the scripts and one sheet into a folder, and return the address of the sheet's page."""
    python = folder / "_static" / "python"
    shutil.copytree(ROOT / "book" / "static" / "python", python)
    browser_runtime.write_runtime(python / "runtime", browser_runtime.parts())
    browser_runtime.write_sheets(ROOT / "exercises", python / "sheets")
    return write_page(folder, sheet)


def write_page(folder, sheet):
    """Write a sheet into a folder that has the scripts, and return the address of its page."""
    (folder / f"{sheet}.html").write_text(page(sheet), "utf-8")
    return (folder / f"{sheet}.html").as_uri()


def page(sheet):
    """Return the HTML of a sheet: each code cell as a place, with its three hints folded after it."""
    from clearhead.checks import registry

    cells = json.loads((ROOT / "exercises" / f"{sheet}.ipynb").read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    body = ""
    for cell, following in zip(code, [*code[1:], None], strict=True):
        page_data = python_in_page.live_cell_data(cell, following, registry.exercise)
        data = "".join(f' data-{name}="{html.escape(each)}"' for name, each in page_data.items() if each)
        hints = registry.exercise(page_data["exercise"]).hints if "exercise" in page_data else ()
        folds = exercise_pages.nested_hints([html.escape(hint) for hint in hints], "the solution")
        shown = html.escape(text_of(cell))
        cell = f'<div class="cell"><div class="cell_input"><div><pre>{shown}</pre></div></div></div>'
        body += f'<section><div class="ch-live-cell"{data}>{cell}</div>{folds}</section>'
    page_data = {
        "page": f"exercises/{sheet}",
        "sheet": sheet,
        "version": "test",
        "megabytes": browser_runtime.megabytes(browser_runtime.parts()),
        "renamed": python_in_page.renamed_answers(f"exercises/{sheet}"),
    }
    scripts = "".join(
        f'<script defer src="_static/python/{name}"></script>'
        for name in (*python_in_page.SCRIPTS, "ticks.js")
    )
    bar = exercise_pages.BAR.format(
        exercises=sum('data-part="answer"' in part for part in body.split("<section>"))
    )
    ticks = json.dumps({"version": "test", "sheets": python_in_page.sheets()})
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>A sheet</title>'
        f'<style>{STYLE}</style><link rel="stylesheet" href="_static/python/python.css">{scripts}'
        f"{SIDE_BAR}<main><article><h1>A sheet</h1>{bar}{body}</article></main>"
        f'<script type="application/json" id="ch-python">{json.dumps(page_data)}</script>'
        f'<script type="application/json" id="ch-sheets">{ticks}</script></html>'
    )


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder under a Content-Security-Policy, and says nothing."""

    def __init__(self, *arguments, policy, **named):
        self.policy = policy
        super().__init__(*arguments, **named)

    def end_headers(self):
        """End the headers with the policy."""
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, *arguments):
        """Say nothing."""


@contextmanager
def under_policy(folder, policy):
    """Give the address of a server that shows a folder under a Content-Security-Policy."""
    handler = partial(Handler, directory=str(folder), policy=policy)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def running_site(browser, folder, skip_unavailable=False):
    """Give a function that runs code in a page of the site, from disk, in Chromium or in Firefox.

    With `skip_unavailable`, as the page runs a chapter's cell: without imports of what it lacks.
    """
    address = write_site(folder)
    if browser == "firefox":
        from support import in_page_firefox

        (folder / "profile").mkdir()
        with in_page_firefox.running(folder / "profile") as firefox:
            firefox.goto(address)
            yield lambda code, limit=30, cell="cell": firefox.run(code, limit, skip_unavailable, cell)
        return
    from playwright.sync_api import sync_playwright

    import chromium

    with sync_playwright() as playwright:
        running = chromium.launch(playwright, chromium.found())
        page = running.new_page()
        page.goto(address)
        yield lambda code, limit=30, cell="cell": page.evaluate(
            "([code, limit, skipUnavailable, cell]) => clearhead.run(code, {limit, skipUnavailable, cell})",
            [code, limit, skip_unavailable, cell],
        )
        running.close()
