"""Descriptions of positions in a notebook as the student sees it, because Jupyter does not number cells."""

import re
from functools import cached_property, lru_cache

from clearhead.checks.former_ids import renamed_functions
from clearhead.errors import UserError
from clearhead.sandbox import reading
from clearhead.sandbox.syntax import lines_of

from .untrusted_text import clean

MOST = 8 << 20  # bytes of a notebook that is examined here, because its cells take twenty times as many
SHOWN = 1 << 16  # characters of a cell that are divided into lines
_WORDS = re.compile(r'""".*?"""|#[^\n]*', re.S)  # docstrings and comments
_OURS = re.compile(r"\s*(check|hint|ready|score|report)\(")
_LINE = re.compile(r" ?\(<[^>]*>, line (\d+)\)$")


class CellLocator:
    """The cells of a notebook, for messages about them; nothing in it is run or parsed as Python."""

    def __init__(self, raw):
        self.cells = _cells(raw)

    def label(self, number):
        """Return a description of cell `number`, counted from 1, by the heading above it and a line of it."""
        if not 1 <= number <= len(self.cells) or not (lines := self._lines(number)):
            return f"cell {number}"
        begins = next((line for line in lines if re.match(r"(def|class) ", line)), lines[0])
        head = self._headings[number - 1]
        under = f"under “{clean(head, 60)}”, " if head is not None else ""
        return f"{under}the cell `{clean(begins, 60)}`"

    def error(self, number, message):
        """Return the message on an error in a cell, which quotes the line of a syntax error."""
        found = _LINE.search(message)
        if not found:
            return message.rstrip(".")
        line_number = int(found[1])
        line = ([*self._cut(number)[line_number - 1 : line_number], ""])[0].strip()
        return f"{message[: found.start()]}, in line {line_number}" + (
            f": `{clean(line, 100)}`" if line else ""
        )

    def is_given(self, number):
        """Return True if a cell begins with a call of the sheet's own, such as `check`, `hint` or `score`."""
        return 1 <= number <= len(self.cells) and bool(_OURS.match(self.cells[number - 1][1]))

    def defines(self, number, answer_name):
        """Return True if a cell contains the definition of an answer, even one with a syntax error."""
        return bool(_definition(answer_name).search(self._start(number)))

    def called(self, answer_name, others):
        """Return those of the names `others` that the last definition of an answer calls."""
        found = [
            (text, begun.end())
            for kind, text in self.cells
            if kind == "code"
            for begun in _definition(answer_name).finditer(text)
        ]
        body = _WORDS.sub("", _body(*found[-1])) if found else ""
        return [other for other in others if re.search(rf"(?<![\w.]){re.escape(other)}\(", body)]

    @cached_property
    def _headings(self):
        """The last heading in or above each cell, or None if there is no heading."""
        found, head = [], None
        for kind, text in self.cells:
            if kind == "markdown":
                last = max(text.rfind("\n#"), 0 if text.startswith("#") else -1)
                head = head if last < 0 else text[last:].lstrip("\n").partition("\n")[0].strip("# \r")
            found.append(head)
        return found

    def _start(self, number):
        """Return the first characters of a cell, at most SHOWN, or "" if there is no such cell."""
        return self.cells[number - 1][1][:SHOWN] if 1 <= number <= len(self.cells) else ""

    @cached_property
    def _cut(self):
        """A function from the number of a cell to its first lines, which are extracted once."""
        return lru_cache(maxsize=None)(lambda number: lines_of(self._start(number)))

    def _lines(self, number):
        return [line.strip() for line in self._cut(number) if line.strip()]


def _definition(answer_name):
    """Return a regular expression that matches the first line of a definition of a name."""
    return re.compile(rf"^(?:async )?(?:def|class) +{re.escape(answer_name)}\b.*", re.M)


def _body(text, begin):
    """Return the lines after the first one of a definition, up to the next line that is not indented."""
    following = re.compile(r"\n[^\s#)]").search(text, begin)
    return text[begin : following.start() if following else len(text)]


def _cells(raw):
    """Return the kind and the text of each cell, or [] for a notebook that is too large or cannot be read."""
    try:
        return reading.cells(raw) if raw is not None and len(raw) <= MOST else []
    except UserError:
        return []


def with_present_functions(raw, number):
    """Return a notebook in which functions that were renamed since have their present names.

    If a notebook is too large to be examined here, the renaming is left to the sandbox.
    """
    looked_into = raw is not None and len(raw) <= MOST
    return reading.with_present_names(raw, renamed_functions(number)) if looked_into else raw
