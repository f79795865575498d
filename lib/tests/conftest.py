"""What every test shares: one thread, the same examples in every run, one browser for each file of pages."""

import gc
import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from support.browser import launch

settings.register_profile("book", max_examples=25, deadline=None, derandomize=True, database=None)
settings.load_profile("book")


#: What `make test-fast` leaves out, by what is then not proved.
LEFT_OUT = {
    "the build of the book, and its pages, figures and slides in browsers": [
        "addresses", "book", "bug_hunt", "coverage", "in_page", "in_page_firefox", "in_page_maths",
        "live_transformer", "pages", "pages_accessible", "pages_asides", "pages_figures", "pages_icons",
        "pages_policy", "pages_tree", "reading_size", "slides", "talk_page", "two_models",
    ],
    "JupyterLab": ["lab"],
    "the wrong answers of all exercises, and the sheets in kernels": [
        "audit", "checks", "explaining", "mistakes", "sheets_run",
    ],
    "the class edition, and an instructor's own sheets": ["class_sheets", "grading_release", "own_sheets"],
    "the class grader with whole classes, and its sandbox under attack": [
        "follow_through", "grading", "grading_class", "grading_hostile", "grading_insight", "grading_pools",
        "feedback_messages", "grading_unearned", "grading_users", "regrade", "student_cells",
        "gradebook_of_weeks", "multiple_submissions", "tutor_attacks",
    ],
    "models of full size, and attention over several processes": ["real_model", "ring_attention", "smollm"],
}  # fmt: skip
FAST = os.environ.get("CLEARHEAD_FAST") == "1"
FILES = {path.stem.removeprefix("test_"): path for path in Path(__file__).parent.rglob("test_*.py")}
collect_ignore = [str(FILES[name]) for names in LEFT_OUT.values() for name in names if FAST]


def pytest_terminal_summary(terminalreporter):
    """Say what a fast run has left out."""
    if FAST:
        left = ", ".join(f"{subject} ({len(names)} files)" for subject, names in LEFT_OUT.items())
        terminalreporter.write_line(
            f"{len(FILES) - len(collect_ignore)} of {len(FILES)} files of tests ran. Left out: {left}. "
            "`make test` runs everything."
        )


def pytest_collection_finish(session):
    """Keep all that was imported out of the garbage collector's sight: it took half a second each time."""
    gc.collect()
    gc.freeze()


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


#: The module that keeps sandboxes open between submissions.
WORKER = "clearhead.grading.mark.worker"


@pytest.fixture(scope="module", autouse=True)
def _sandboxes_end_with_their_file():
    """Stop the sandboxes that grading in this process left open: the next file counts what is left behind."""
    yield
    if worker := sys.modules.get(WORKER):
        worker.drop_sandboxes()


#: Seconds of processor time of the files that take longest: their order matters, and not the exact value.
SECONDS = {
    "pages": 235, "pages_figures": 180, "in_page": 170, "lab": 105, "grading_hostile": 105, "slides": 65,
    "mistakes": 60, "talk_page": 55, "grading_users": 50, "grading": 45, "live_transformer": 45,
    "follow_through": 40, "checks": 40, "sheets_run": 35, "in_page_maths": 30, "grading_unearned": 25,
    "pages_accessible": 25, "class_sheets": 25, "smollm": 20, "two_models": 20, "widgets": 20,
    "explaining": 15, "bug_hunt": 15, "grading_class": 15, "grading_release": 15, "audit": 10,
    "tutor_attacks": 95,
}  # fmt: skip


def pytest_collection_modifyitems(items):
    """Begin with the longest files: a worker that got one last would work alone."""
    items.sort(key=lambda item: -SECONDS.get(item.path.stem.removeprefix("test_"), 0))
