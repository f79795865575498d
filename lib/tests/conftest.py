"""What every test shares: one thread, the same examples in every run, one browser for each file of pages."""

import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from browser import launch

settings.register_profile("book", max_examples=25, deadline=None, derandomize=True, database=None)
settings.load_profile("book")


@pytest.fixture(scope="module")
def browser():
    """A running Chromium."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        chromium = launch(running)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def page(browser):
    """An empty page, in which any error of JavaScript fails the test."""
    page = browser.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"error in the page: {error}"))
    return page


@pytest.fixture(scope="module", autouse=True)
def _rooms_end_with_their_file():
    """Stop the sandboxes that grading in this process left open: the next file counts what is left behind."""
    yield
    if worker := sys.modules.get("clearhead.grading.worker"):
        worker.drop_sandboxes()


#: Files that take a minute or more beside those of pages and Lab, the longest first.
LONG = ["grading_hostile", "grading_users", "mistakes", "checks", "sheets_run", "smollm"]


def pytest_collection_modifyitems(items):
    """Begin with the longest files, pages and Lab before all: a worker that got one last works alone."""

    def place(item):
        name = item.path.stem.removeprefix("test_")
        return not {"pages", "lab"} & set(item.keywords), LONG.index(name) if name in LONG else len(LONG)

    items.sort(key=place)
