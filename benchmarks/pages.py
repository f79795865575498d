"""Measure the pages: the cost of building them, their size before a figure is touched, and the first check.

The execution cache must be filled (`make book`). The chapters themselves are not executed here: `build`
measures a cold build whole. It takes about three minutes, most of them to make the pages from nothing in a
copy of the repository. Chromium opens the pages from disk, as a reader without a network does.

Counted as the weight of a page are its HTML and each script of `_static/figures` that it loads by itself.
Fonts, and the theme's and the book's own scripts and styles, are the same files for all pages; they have a
row of their own.
"""

import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import in_page
from compare import Row, cost
from playwright.sync_api import sync_playwright

import chromium
from support import in_page_site

ROOT = Path(__file__).parents[1]
SUBJECT = "pages"
STEP = ["book/sphinx_step.py", "build", ".", "-n", "-W", "--keep-going", "-q"]
CHAPTER = "chapters/05_attention.ipynb"
#: What the same things needed at commit b394c6a, on an AMD EPYC with AVX-512 and two idle cores.
BEFORE = "commit b394c6a, 27 November 2026"
DAY = {"pages": 56.8, "again": 12.7, "heaviest": 5423.1}  # CPU seconds; kB
MOST = 900  # kB
READY = "() => clearhead.state === 'ready'"


def made():
    """Yield the CPU seconds of building all pages from scratch, and of rebuilding after an added sentence."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "book")
        left_out = shutil.ignore_patterns("_build", ".venv*", ".git", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=left_out)
        paths = {"PYTHONPATH": str(copy / "lib"), "CLEARHEAD_JOBS": str(os.cpu_count())}
        cost([sys.executable, "book/execute.py"], copy, **paths)  # from the cache
        pages, _ = cost([sys.executable, *STEP], copy, **paths)
        cost([sys.executable, "book/build.py"], copy, **paths)  # the record of a build that passed
        add_a_sentence(copy / CHAPTER)
        again, seconds = cost([sys.executable, "book/build.py"], copy, **paths)
    yield Row(
        SUBJECT, "making all pages, the chapters executed, CPU", pages, DAY["pages"], "s", BEFORE, 1 / 3
    )
    yield Row(SUBJECT, "make book after one more sentence, CPU", again, DAY["again"], "s", BEFORE, 1.0)
    yield Row(SUBJECT, "make book after one more sentence", seconds, 20, "s", "a fixed goal", 1.0)


def add_a_sentence(path):
    """Add a sentence to the first Markdown cell of a notebook."""
    notebook = json.loads(path.read_text("utf-8"))
    text = next(cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    text["source"] = [*text["source"], "\n\nThis sentence is new."]
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


def weights(playwright):
    """Return the size in kB of each chapter before a figure is touched, and of what all pages share."""
    html, weighed, common = ROOT / "_build" / "html", {}, 0.0
    browser = chromium.launch(playwright, chromium.found())
    for path in sorted((html / "chapters").glob("*.html")):
        page, asked = browser.new_page(), []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ch-live=ready]", state="attached")
        files = [Path(each.removeprefix("file://").partition("?")[0]) for each in asked]
        sizes = {file: file.stat().st_size / 1000 for file in files if file.is_file()}
        own = sum(size for file, size in sizes.items() if file == path or file.parent.name == "figures")
        weighed[path.stem], common = own, max(common, sum(sizes.values()) - own)
        page.close()
    browser.close()
    return weighed, common


def check_while_warm(playwright, address):
    """Return the seconds of the first check if Python has started while the answer was typed."""
    browser = chromium.launch(playwright, chromium.found())
    page = browser.new_page()
    page.goto(address)
    place = in_page.written(page)
    page.wait_for_function(READY, timeout=60_000)
    page.wait_for_timeout(1000)  # the checks of the sheet are read, too
    seconds = in_page.check(page, place)
    browser.close()
    return seconds


def rows(full, _options):
    """Yield the rows of this subject."""
    yield from made()
    rounds = 5 if full else 3
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        weighed, common = weights(playwright)
        address = in_page_site.write_site(Path(folder))
        warm = [check_while_warm(playwright, address) for _ in range(rounds)]
        cold = [in_page.start(playwright, address, 1)[0][0] for _ in range(rounds)]
    heaviest = max(weighed, key=weighed.get)
    before = "the heaviest chapter at " + BEFORE
    yield Row(SUBJECT, "the heaviest chapter", weighed[heaviest], MOST, "kB", "a fixed goal", 1.0, heaviest)
    yield Row(SUBJECT, "the heaviest chapter", weighed[heaviest], DAY["heaviest"], "kB", before, 0.2)
    for name, size in weighed.items():
        yield Row(SUBJECT, f"the page of chapter {name}", size, MOST, "kB", "a fixed goal", 1.0)
    yield Row(SUBJECT, "fonts, scripts and styles of all pages", common, 1500, "kB", "a fixed goal", 1.0)
    for what, seconds, most in (
        ("the first check, after the answer was written", warm, 2),
        ("the first check, pressed at once", cold, 5),
    ):
        yield Row(SUBJECT, what, statistics.median(seconds), most, "s", "a fixed goal", 1.0)
