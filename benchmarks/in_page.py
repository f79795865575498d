"""Measure Python in the page: the time to the first check and of later ones, memory, and its growth.

Chromium, from disk; needs no built book. Each start is cold: a new browser with an empty profile. Memory is
what the page's own processes hold (proportional set size, Linux), with the page, Python, NumPy, the library
and the editor.
"""

import statistics
import tempfile
import time
from pathlib import Path

from compare import Row
from playwright.sync_api import sync_playwright

import chromium
from support import in_page_site

CHECKS = 50
ANSWER = "def attention_weights(Q, K):\n    return softmax(Q @ K.T / np.sqrt(K.shape[-1]))\n"
EXERCISE = "05.attention_weights"


def megabytes(browser):
    """Return the memory of the browser's processes in MB, which includes the heap of Python."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    held = 0
    for number in (process["id"] for process in processes if process["type"] == "renderer"):
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
        held += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return held * 1.024 / 1000  # the system counts in KiB


def written(page):
    """Open the editor of the exercise and write the right answer."""
    place = page.locator(f'[data-exercise="{EXERCISE}"]')
    place.get_by_role("button", name="Edit").click()
    place.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(ANSWER)
    return place


def check(page, place):
    """Press *Check*, and return the seconds until the verdict appears, which must be "right"."""
    place.locator(".ch-result").evaluate("element => element.replaceChildren()")
    begun = time.perf_counter()
    place.get_by_role("button", name="Check").click()
    place.locator(".ch-result pre", has_text="✓").wait_for(timeout=120_000)
    return time.perf_counter() - begun


def start(playwright, address, checks):
    """Return the seconds of each check, the first one cold, and the memory after the fifth and last."""
    browser = chromium.launch(playwright, chromium.found())
    page = browser.new_page()
    page.goto(address)
    place = written(page)
    seconds, held = [], []
    for number in range(checks):
        seconds.append(check(page, place))
        if number in (min(4, checks - 1), checks - 1):
            held.append(megabytes(browser))
    browser.close()
    return seconds, held


def rows(full, _options):
    """Yield the rows of this subject."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        address = in_page_site.write_site(Path(folder))
        cold = [start(playwright, address, 1)[0][0] for _ in range(5 if full else 2)]
        seconds, held = start(playwright, address, CHECKS if full else 10)
    promise = "a fixed goal", 1.0
    for what, ours, most, unit in (
        ("Python from cold to the first check, read from disk", statistics.median(cold), 5, "s"),
        ("a check", statistics.median(seconds[1:]), 0.3, "s"),
        ("memory with all of it", held[-1], 400, "MB"),
    ):
        yield Row("in the page", what, ours, most, unit, *promise)
    what = f"memory after {len(seconds)} checks"
    yield Row("in the page", what, held[-1], held[0], "MB", "after five", 1.1)
