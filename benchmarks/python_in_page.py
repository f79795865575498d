"""Measure Python in the page: the way to the first check, a check, memory, and whether it grows.

python benchmarks/python_in_page.py [RUNS]      about two minutes; Chromium, from disk; needs no built book

Each start is cold: a new browser with an empty profile. Memory is what the page's own processes hold
(proportional set size, Linux), with the page, Python, NumPy, the library and the editor.
"""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / name) for name in ("lib", "lib/tests", "book", "book/_ext")]

from playwright.sync_api import sync_playwright  # noqa: E402

import chromium  # noqa: E402
import in_page_site  # noqa: E402

GOALS = {"first check, s": 5, "a check, s": 0.3, "memory, MB": 400, "growth in 50 runs, %": 10}
STARTS, CHECKS = 5, 50
ANSWER = "def attention_weights(Q, K):\n    return softmax(Q @ K.T / np.sqrt(K.shape[-1]))\n"
EXERCISE = "05.attention_weights"


def megabytes(browser):
    """Return what the processes of the pages hold: the heap of Python is in them."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    held = 0
    for number in (process["id"] for process in processes if process["type"] == "renderer"):
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
        held += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return held / 1000


def written(page):
    """Open the exercise's editor and write the right answer."""
    place = page.locator(f'[data-exercise="{EXERCISE}"]')
    place.get_by_role("button", name="Write").click()
    place.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(ANSWER)
    return place


def check(page, place):
    """Return the seconds from a press on Check to its words, which must be right."""
    place.locator(".ch-result").evaluate("element => element.replaceChildren()")
    begun = time.perf_counter()
    place.get_by_role("button", name="Check").click()
    place.locator(".ch-result pre", has_text="✓").wait_for(timeout=120_000)
    return time.perf_counter() - begun


def start(playwright, address, checks):
    """Return the seconds of each check, the first from cold, and the memory after the fifth and the last."""
    browser = chromium.launch(playwright, chromium.found())
    page = browser.new_page()
    begun = time.perf_counter()
    page.goto(address)
    place = written(page)
    opened = time.perf_counter() - begun
    seconds, held = [], []
    for number in range(checks):
        seconds.append(check(page, place))
        if number in (min(4, checks - 1), checks - 1):
            held.append(megabytes(browser))
    browser.close()
    return opened, seconds, held


def measured(starts=STARTS, checks=CHECKS):
    """Return the numbers: medians of some starts, the checks and memory of a longer one."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        address = in_page_site.write_site(Path(folder))
        cold = [start(playwright, address, 1)[1][0] for _ in range(starts)]
        _, seconds, held = start(playwright, address, checks)
    return {
        "first check, s": statistics.median(cold),
        "first check, s, slowest": max(cold),
        "a check, s": statistics.median(seconds[1:]),
        "a check, s, slowest": max(seconds[1:]),
        "memory, MB": held[-1],
        "growth in 50 runs, %": 100 * (held[-1] / held[0] - 1),
    }


if __name__ == "__main__":
    found = measured(int(sys.argv[1]) if len(sys.argv) > 1 else STARTS)
    print(json.dumps({name: round(value, 3) for name, value in found.items()}, indent=1))
    short = [name for name, goal in GOALS.items() if found[name] > goal]
    print(f"Falls short: {', '.join(short)}" if short else "All goals hold.")
    sys.exit(bool(short))
