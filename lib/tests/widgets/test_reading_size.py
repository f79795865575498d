"""Words in a live figure can be read: 11 pixels on a phone, 13 on a desk, in the form that it has there."""

import pytest

from clearhead import widgets
from support.live_figures import FIGURES, drawn

PHONE, DESK = (390, 358, 11), (1280, 688, 13)  # the window, the column of text in it, the smallest letters
OTHERS = [
    ("BugHunt", {"test": 5, "tests": [5]}),
    ("Families", {"family": 0, "chosen": 0}),
    ("InductionHead", {"text": "abcdefghijklmnopabcdefgh", "moment": 3}),
    ("SparsePattern", {"length": 32}),
    ("HeadSplit", {"num_heads": 4, "step": 3}),
    ("Scaling", {"num_keys": 13}),
]
SMALL = """
    const size = (text) => {
      const { a, b, c, d } = text.getScreenCTM();
      return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
    };
    return [...el.querySelectorAll("svg text")]
      .filter((text) => text.textContent.trim() && text.getBoundingClientRect().width)
      .filter((text) => size(text) < LEAST - 0.05)
      .map((text) => `${text.textContent}: ${size(text).toFixed(1)}`);
"""


def small(page, figure, place, **state):
    """Return the words of a figure that are smaller than they may be, with their size in pixels."""
    window, column, least = place
    page.set_viewport_size({"width": window, "height": 900})
    page.evaluate("wide => Object.assign(document.body.style, { margin: 0, width: `${wide}px` })", column)
    return drawn(page, figure, SMALL.replace("LEAST", str(least)), **state)


@pytest.mark.parametrize("place", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize(("name", "state"), [*((name, {}) for name in FIGURES), *OTHERS])
def test_words_in_a_live_figure_can_be_read(page, name, state, place):
    assert small(page, getattr(widgets, name)(), place, **state) == []


def test_small_words_are_found(page):
    """The proof can fail: the phone's form of a figure is too small for a desk."""
    window, _, least = DESK
    assert small(page, widgets.RealHeads(), (390, 358, 13)) != []
    assert small(page, widgets.MemoryCalculator(), (window, 160, least)) != []


def test_figure_is_redrawn_for_narrow_window(page):
    """A figure is drawn anew when the window becomes a phone."""
    page.set_viewport_size({"width": 1280, "height": 900})
    wide = drawn(page, widgets.ImageCaptions(), "return el.querySelector('svg').getAttribute('viewBox');")
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_timeout(100)
    assert page.evaluate("document.querySelector('svg').getAttribute('viewBox')") != wide
