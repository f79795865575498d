'''The Markdown file of an exercise: its statement, answer, hints, other right answers, and wrong answers.

The file is what a teacher edits. It has a head between two lines `---`, the statement, the answer as a block
of Python with the line `# answer`, and then sections, of which only *Hints* and *Wrong answers* are required:

    ---
    title: The mean of each row
    stars: 1
    minutes: 5
    ---
    Return one number for each row: its mean.

    ```python
    def row_means(X):
        """Return the means (T,) of the rows of X (T, D)."""
        # answer
        return X.mean(axis=1)
    ```

    ## Hints
    1. Which axis disappears?
    2. ...
    3. ...

    ## Names
    (Python: imports and helper functions that the code below needs; `np` is always there)

    ## Steps
    (Python: the answer written in steps, to which the edits apply instead of to the answer itself)

    ## Other right answers
    (Python: functions, each of which is a right answer)

    ## Wrong answers
    (a block `edits`, see `clearhead.checks.edits`)

The example does not occur in any sheet, because students of a class edition get this module, too. A line
`builds_on: row_means` in the head names the answers to earlier exercises of the sheet that this answer may
call. Further blocks of Python before the one with the answer become cells of their own, and the answers in
the file may use what they define.
'''

import ast
import re
from dataclasses import dataclass, field

from ..errors import UserError
from . import edits

SECTIONS = ("Hints", "Names", "Steps", "Other right answers", "Wrong answers")
MARK = re.compile(r"^\s+# answer\s*$", re.M)
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$\n?", re.M | re.S)
_HEAD = re.compile(r"\A---\n(.*?)^---\n", re.M | re.S)
_KEYS = ("title", "stars", "minutes")


@dataclass(frozen=True)
class ExerciseText:
    """The contents of the Markdown file of an exercise.

    Attributes
    ----------
    answer_name : str
        The name of the function or class that the student writes.
    title : str
    stars, minutes : int
    builds_on : tuple of str
        The names of earlier answers that the answer calls.
    cells : tuple of (str, str)
        Statement and answer, as pairs of a kind, "markdown" or "code", and a text.
    hints : tuple of str
    names : str
        Python that runs before every answer of this file.
    steps : str
        The answer to which the edits apply.
    others : tuple of (str, str)
        Other right answers: the name of each function, and its source.
    wrong : tuple of Edit
    """

    answer_name: str
    title: str
    stars: int
    minutes: int
    builds_on: tuple
    cells: tuple
    hints: tuple
    names: str
    steps: str
    others: tuple
    wrong: tuple = field(repr=False)

    @property
    def rating(self):
        """Return the difficulty as filled stars out of three, such as "★★☆"."""
        return "★" * self.stars + "☆" * (3 - self.stars)

    @property
    def answer(self):
        """Return the source of the cell that holds the answer, as the solution shows it."""
        return next(text for kind, text in self.cells if kind == "code" and MARK.search(text))

    @property
    def given(self):
        """Return the sources of the code cells that the statement contains in addition to the answer."""
        return tuple(text for kind, text in self.cells if kind == "code" and not MARK.search(text))


def parse(text, place="the exercise"):
    """Return the ExerciseText of a Markdown file, which error messages call `place`.

    Raises
    ------
    UserError
        If a part is missing, occurs twice, or is not valid Python.
    """
    keys, rest = head(text, _KEYS, place)
    before, parts = _sections(rest, place)
    cells = tuple(markdown_cells(before))
    answers = [text for kind, text in cells if kind == "code" and MARK.search(text)]
    if len(answers) != 1:
        raise UserError(f"{place}: before the sections there must be one block of Python with `# answer`.")
    definitions = _definitions(answers[0], f"{place}, answer")
    if not definitions:
        raise UserError(f"{place}: the answer must be a function or a class.")
    steps = _code(parts.get("Steps", ""), f"{place}, Steps") or answers[0] + "\n"
    others = _code(parts.get("Other right answers", ""), f"{place}, Other right answers")
    return ExerciseText(
        answer_name=definitions[-1][0],
        title=keys["title"],
        stars=int(keys["stars"]),
        minutes=int(keys["minutes"]),
        builds_on=tuple(re.findall(r"\w+", keys.get("builds_on", ""))),
        cells=cells,
        hints=tuple(_numbered(parts["Hints"])),
        names=_code(parts.get("Names", ""), f"{place}, Names"),
        steps=steps,
        others=tuple(_definitions(others, place, only=True)),
        wrong=tuple(_wrong_answers(parts["Wrong answers"], steps, place)),
    )


def head(text, needed, place):
    """Return the front matter of a Markdown file as a dict, and the text that follows it.

    Raises
    ------
    UserError
        If there is no head, or it lacks one of the needed keys.
    """
    found = _HEAD.match(text)
    if not found:
        raise UserError(f"{place}: the file must begin with a head between two lines `---`.")
    keys = dict(line.split(": ", 1) for line in found[1].splitlines() if ": " in line)
    if missing := [key for key in needed if not keys.get(key, "").strip()]:
        raise UserError(f"{place}: the head lacks {' and '.join(missing)}.")
    return keys, text[found.end() :]


def markdown_cells(text):
    """Yield the cells of a piece of Markdown as pairs (kind, text), with each block of Python as code.

    Everything between the blocks is Markdown, in which a line `+++` separates two cells.
    """
    end = 0
    for match in [*_FENCE.finditer(text), None]:
        if match and match[1] != "python":
            continue
        between = text[end : match.start() if match else len(text)]
        yield from (
            ("markdown", part.strip()) for part in re.split(r"^\+\+\+$", between, flags=re.M) if part.strip()
        )
        if match:
            yield "code", match[2].rstrip("\n")
            end = match.end()


def _wrong_answers(text, steps, place):
    """Yield the wrong answers (Edit) that the blocks of a section contain."""
    for kind, body in _FENCE.findall(text):
        if kind in ("edits", "messages"):
            try:
                yield from edits.parse(body, steps if kind == "edits" else "")
            except UserError as error:
                raise UserError(f"{place}, wrong answers: {error}") from None


def _sections(text, place):
    """Return the text before the first section, and a dict from the title of each section to its text."""
    fenced = [match.span() for match in _FENCE.finditer(text)]
    titles = [
        match
        for match in re.finditer(r"^## (.+)$", text, re.M)
        if not any(start <= match.start() < end for start, end in fenced)
    ]
    names = [match[1] for match in titles]
    if unknown := [name for name in names if name not in SECTIONS]:
        raise UserError(
            f"{place}: there is no section {unknown[0]!r}; the sections are {', '.join(SECTIONS)}."
        )
    if len(set(names)) < len(names):
        raise UserError(f"{place}: a section occurs twice.")
    if missing := [name for name in ("Hints", "Wrong answers") if name not in names]:
        raise UserError(f"{place}: the section {missing[0]!r} is missing.")
    ends = [match.start() for match in titles[1:]] + [len(text)]
    parts = {match[1]: text[match.end() : end] for match, end in zip(titles, ends, strict=True)}
    return text[: titles[0].start()], parts


def _numbered(text):
    """Return the items of a numbered list, each as one line."""
    items = re.split(r"^\d+\. ", text.strip(), flags=re.M)[1:]
    return [" ".join(item.split()) for item in items]


def _code(text, place):
    """Return the Python blocks of a section as one program, or "" if there are none."""
    code = "\n".join(body for kind, body in _FENCE.findall(text) if kind == "python")
    _tree(code, place)
    return code


def _tree(code, place):
    """Return the syntax tree of Python code, or raise UserError with the number of the invalid line."""
    try:
        return ast.parse(code)
    except SyntaxError as error:
        raise UserError(f"{place}: line {error.lineno} is not Python ({error.msg}).") from None


def _definitions(code, place, only=False):
    """Return a pair (name, source) for each function and class at the top level of Python code."""
    tree = _tree(code, place)
    found = [
        (node.name, ast.get_source_segment(code, node))
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    if only and len(found) < len(tree.body):
        raise UserError(f"{place}: only functions and classes may be here; imports belong to Names.")
    return found
