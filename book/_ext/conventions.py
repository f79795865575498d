"""The conventions that several steps share: paths, and how to recognise pages and cells."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "lib" / "clearhead"
#: The page of a numbered chapter; the page of a chapter or of its exercises; a call that checks an exercise.
CHAPTER = re.compile(r"chapters/(\d\d)_")
SUBJECT = re.compile(r"(?:chapters|exercises)/(\d\d)_")
CHECK = re.compile(r"""check\(\s*["']([\w.]+)["']""")
#: Under this key a node of a code cell keeps what the page must know in order to run it.
LIVE_CELL = "clearhead_live_cell"


def text_of(cell):
    """Return a cell's source as one string."""
    return "".join(cell["source"])
