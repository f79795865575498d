"""Conventions that several steps share: paths, and patterns that recognise pages and cells."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "lib" / "clearhead"
#: Patterns of a chapter's page, of the page of a chapter or of its exercises, and of a call of `check`.
CHAPTER = re.compile(r"chapters/(\d\d)_")
SUBJECT = re.compile(r"(?:chapters|exercises)/(\d\d)_")
CHECK = re.compile(r"""check\(\s*["']([\w.]+)["']""")
#: The key under which the node of a code cell stores what the page must know in order to run the cell.
LIVE_CELL = "clearhead_live_cell"


def text_of(cell):
    """Return a cell's source as one string."""
    return "".join(cell["source"])
