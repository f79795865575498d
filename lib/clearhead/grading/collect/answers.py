"""Extraction of a student's answers from a notebook as text, without running it or parsing it as Python."""

import re

from . import scripts
from .cell_locator import CellLocator, with_present_functions
from .untrusted_text import clean

MOST = 8000  # characters of one answer
_DOCSTRING = re.compile(r'(?:"""|\'\'\').*?(?:"""|\'\'\')', re.S)


def answers_of(raw, answer_names):
    """Return the source of the last definition of each answer in a notebook, without docstring and comments.

    Parameters
    ----------
    raw : bytes
        A notebook.
    answer_names : iterable of str
        The names of the functions that a sheet asks for.

    Returns
    -------
    dict
        From name to source, without the answers that were not attempted.
    """
    found = {}
    code = [text for kind, text in CellLocator(raw).cells if kind == "code"]
    for answer_name in answer_names:
        begins = re.compile(rf"^def {re.escape(answer_name)}\(.*?(?=^\S(?<![)\]}}#])|\Z)", re.M | re.S)
        for match in (match for text in code for match in begins.finditer(text)):
            if (answer := _own(match[0])) is not None:
                found[answer_name] = answer
    return found


def sources_of(raw, answer_names):
    """Return the text of each answer as the student wrote it in the notebook, for people to read.

    A cell that defines answers, by `def`, `class` or an assignment, is divided among them, so that nothing in
    it is left out: each part reaches from the definition to that of the next answer, and the first part
    begins with the cell. Of several definitions the last one is taken.

    Parameters
    ----------
    raw : bytes
        A notebook.
    answer_names : iterable of str
        The names of the functions that a sheet asks for.

    Returns
    -------
    dict
        From name to text, of at most MOST characters.
    """
    names = "|".join(map(re.escape, answer_names))
    begins = re.compile(rf"^(?:async +)?(?:(?:def|class) +({names})\b|({names}) *(?::[^=\n]*)?=(?!=))", re.M)
    found = {}
    for kind, text in CellLocator(raw).cells:
        name, start = None, 0
        for match in begins.finditer(text) if kind == "code" else ():  # there may be hundreds of thousands
            if name:
                end = _with_decorators(text, match.start())
                found[name], start = _shown(text[start:end]), end
            name = match[1] or match[2]
        if name:
            found[name] = _shown(text[start:])
    return found


def _with_decorators(text, start):
    """Return the position at which the decorators and comments directly above a definition begin."""
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text.startswith(("@", "#"), above):
            break
        start = above
    return start


def _shown(text):
    """Return the text of an answer for display, cut after MOST characters with a comment that says so."""
    text = text.strip("\n")
    lines = text[:MOST].expandtabs(4).rstrip().split("\n")
    shown = clean("\n".join(line.rstrip() for line in lines), MOST)
    return shown + f"\n# only the first {MOST} letters are shown" * (len(text.rstrip()) > MOST)


def _own(text):
    """Return a definition without docstring and comments, or None if the student wrote nothing in it."""
    lines = [_without_comment(line) for line in _DOCSTRING.sub("", text, count=1).split("\n")]
    lines = [line for line in lines if line]
    if all(_is_empty(line.strip()) for line in lines[1:]):
        return None
    return clean("\n".join(lines), MOST)


def _without_comment(line):
    """Return a line without the comment and the spaces at its end.

    A `#` is taken for the beginning of a comment if a space or the beginning of the line precedes it and no
    quotation mark follows it, because it may otherwise belong to a string. Each character is examined a fixed
    number of times, so that no line takes long.
    """
    if line.lstrip().startswith("#"):
        return ""
    quote = max(line.rfind("'"), line.rfind('"'))
    signs = (line.find(f"{space}#", quote + 1) for space in (" ", "\t"))
    end = min((sign for sign in signs if sign >= 0), default=len(line))
    return line[:end].rstrip()


def _is_empty(line):
    """Return True if a line is blank or has no effect: `pass`, `...`, or raising NotImplementedError."""
    return line in ("", "pass", "...") or line.startswith("raise NotImplementedError")


def answers_of_submission(submission, number, answer_names, alone):
    """Return the answers to one sheet in a submission, or {} if its notebook is missing or unreadable."""
    if not submission.copies_for(number, alone):
        return {}
    try:
        file = submission.notebook_for(number, alone)
        raw = file.read()
        is_notebook = file.path.lower().endswith(".ipynb")
        raw = raw if is_notebook else scripts.as_notebook(raw)
        return answers_of(with_present_functions(raw, number), answer_names)
    except Exception:  # the file is untrusted, and the page of the class can do without its answers
        return {}
