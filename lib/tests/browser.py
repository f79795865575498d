"""One headless Chromium for the tests that need a page; loud when there is none."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def launch(playwright):
    """Return a running Chromium, or skip; with CLEARHEAD_REQUIRE_BROWSER=1 a missing one is a failure."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None and os.environ.get("CLEARHEAD_REQUIRE_BROWSER") == "1":
        pytest.fail(
            "CLEARHEAD_REQUIRE_BROWSER=1, but there is no Chromium or Chrome on the path: install one."
        )
    if path is None:
        pytest.skip("PAGES ARE NOT TESTED: there is no Chromium or Chrome on the path.")
    return playwright.chromium.launch(executable_path=path, args=list(QUIET))
