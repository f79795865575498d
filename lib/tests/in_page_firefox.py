"""Firefox for the tests of pages, driven by puppeteer-core: see in_page_firefox.mjs."""

import json
import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path


def missing():
    """Return what is missing to drive Firefox, in words; "" where nothing is."""
    if not (shutil.which("firefox-esr") or shutil.which("firefox")) or not shutil.which("node"):
        return "there is no Firefox, or no node, on the path"
    if not Path(os.environ.get("PUPPETEER", ""), "node_modules", "puppeteer-core").is_dir():
        return "PUPPETEER names no folder in which `npm install puppeteer-core` ran"
    return ""


@contextmanager
def asked(address):
    """Give a function that sends the driver one question, named as in in_page_firefox.mjs."""
    driver = Path(__file__).with_name("in_page_firefox.mjs")
    with subprocess.Popen(
        ["node", str(driver), address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as firefox:

        def ask(**question):
            firefox.stdin.write(json.dumps(question) + "\n")
            firefox.stdin.flush()
            return json.loads(firefox.stdout.readline())

        try:
            yield ask
        finally:
            firefox.stdin.close()


@contextmanager
def opened(address):
    """Give a function that runs Python in a page, in Firefox."""
    with asked(address) as ask:
        yield lambda code, limit=30: ask(code=code, limit=limit)
