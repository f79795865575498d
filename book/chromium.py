"""A headless Chromium, which tests of pages and the printed book use."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (  # of browsers on macOS and Windows, which do not add them to the path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
)
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
    """Return the path of the Chromium, Chrome or Edge browser on this machine, or None if there is none."""
    on_the_path = (path for name in NAMES if (path := shutil.which(name)))
    elsewhere = (path for place in PLACES if Path(path := os.path.expandvars(place)).is_file())
    return next(on_the_path, None) or next(elsewhere, None)


def launch(playwright, path):
    """Launch a browser that makes no network requests of its own, and return it."""
    return playwright.chromium.launch(executable_path=path, args=list(QUIET))
