"""One headless Chromium for the tests that need a page; loud when there is none."""

import os

import pytest

import chromium


def launch(playwright):
    """Return a running Chromium, or skip; with CLEARHEAD_REQUIRE_BROWSER=1 a missing one is a failure."""
    path = chromium.found()
    if path is None and os.environ.get("CLEARHEAD_REQUIRE_BROWSER") == "1":
        pytest.fail(
            "CLEARHEAD_REQUIRE_BROWSER=1, but there is no Chromium or Chrome on the path: install one."
        )
    if path is None:
        pytest.skip("PAGES ARE NOT TESTED: there is no Chromium or Chrome on the path.")
    return chromium.launch(playwright, path)
