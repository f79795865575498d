"""Firefox for the tests of Python in the page, driven by puppeteer-core: see in_page_firefox.mjs."""

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def opened(address):
    """Give a function that runs code in a page, in Firefox."""
    driver = Path(__file__).with_name("in_page_firefox.mjs")
    with subprocess.Popen(
        ["node", str(driver), address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as firefox:

        def run(code, limit=30):
            firefox.stdin.write(json.dumps({"code": code, "limit": limit}) + "\n")
            firefox.stdin.flush()
            return json.loads(firefox.stdout.readline())

        yield run
        firefox.stdin.close()
