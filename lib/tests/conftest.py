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


def pytest_collection_modifyitems(items):
    """Begin with the pages and Lab: their files take longest, and a worker that got one last works alone."""
    items.sort(key=lambda item: not {"pages", "lab"} & set(item.keywords))
