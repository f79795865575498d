"""Measure how soon each live figure reacts, from the event to the new layout, at its slowest control."""

from compare import Row
from playwright.sync_api import sync_playwright

import chromium
from clearhead import widgets
from support.live_figures import FIGURES, drawn

LIMIT = 50  # milliseconds
# Each control is used ten times, and the quickest counts: what is slow by itself is never quick.
TIMES = """
    const controls = [...el.querySelectorAll("input, button")].filter((each) => each.checkVisibility());
    const other = ({ name }) => controls.find((each) => each.name === name && !each.checked);
    const use = (control, n) => {
      if (control.type !== "range") return control.click();
      control.value = n % 2 ? control.min : control.max;
      control.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const found = [];
    for (const control of controls) {
      const quickest = [Infinity, Infinity];  // at each end of a slider; of a button, both are the same
      for (let n = 0; n < 10 && !control.disabled; n++) {
        if (control.type === "radio" && control.checked) other(control)?.click();
        await wait(0);
        const begun = performance.now();
        use(control, n);
        el.getBoundingClientRect();
        quickest[n % 2] = Math.min(quickest[n % 2], performance.now() - begun);
      }
      const name = control.labels?.[0]?.textContent || control.textContent || control.ariaLabel;
      const slowest = Math.max(...quickest.filter(Number.isFinite), 0);
      if (slowest) found.push([slowest, name]);
    }
    return found.sort((a, b) => b[0] - a[0]);
"""


def rows(_full, _options):
    """Yield one row per figure with controls: the time of its slowest control, the best of several runs."""
    with sync_playwright() as playwright:
        page = chromium.launch(playwright, chromium.found()).new_page()
        for name in FIGURES:
            for slowest, control in drawn(page, getattr(widgets, name)(), TIMES)[:1]:
                note = f"at {control!r:.40}"
                yield Row("figures", name, slowest, LIMIT, "ms", "a fixed goal", 1.0, note)
