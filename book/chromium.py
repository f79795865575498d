"""One headless Chromium, for the tests that need a page and for the printed book."""

import shutil

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


def found():
    """Return the path of the Chromium, Chrome or Edge of this machine, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright, path):
    """Return a running browser that asks nothing of any network."""
    return playwright.chromium.launch(executable_path=path, args=list(QUIET))
