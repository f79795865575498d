"""The parser of wrong answers, which are written as edits of the right answer.

    no_scaling: / np.sqrt(d) =>
        The scale is missing: divide the scores by the square root of d before the softmax.
    queries_and_keys_swapped: Q @ K.T => K @ Q.T
        return A => return A.T
        Your rows are keys and your columns are queries.
    of_ones_only:
        | def attention_weights(Q, K):
        |     return np.ones((len(Q), len(K)))
        You returned ones. Compute the scores first.

A line at the margin begins a wrong answer with its name, a colon, and its first edit, `old => new`. The
indented lines below it are further edits, the lines of a whole function (each after a `|`), or the message,
which may run over several lines. An edit replaces every occurrence of `old`, and `old` must occur. In both
texts, `\\n` is a line break and `\\\\` a backslash. Backticks around a text keep the spaces at its ends. An
old text that begins with `|` needs backticks, too, because a line that begins with `|` is a line of a whole
function.
"""

import re
from dataclasses import dataclass

from ..errors import UserError

_NAME = re.compile(r"^([A-Za-z_]\w*):(?: (.*))?$", re.M)
_ARROW = re.compile(r" =>(?: |$)")
_ESCAPE = re.compile(r"\\([n\\])")


@dataclass(frozen=True)
class Edit:
    """A wrong answer: its name, its source code, and the message about it.

    Attributes
    ----------
    name : str
    source : str
        The source code of the whole wrong answer, after its edits.
    message : str
        The message for a student who gives this answer.
    changes : tuple of (str, str)
        The pairs of old and new text that make the source, or () if the source is written out in full.
    """

    name: str
    source: str
    message: str
    changes: tuple = ()


def parse(text, right):
    """Return the list of wrong answers (Edit) that a block of edits makes from a right answer.

    Parameters
    ----------
    text : str
        The block.
    right : str
        The source of the right answer. If it is empty, as in a class edition, the block holds only names and
        messages.

    Raises
    ------
    UserError
        If the block does not begin with a name, an edit does not occur in the answer or changes nothing, a
        message is missing, or two wrong answers have the same name.
    """
    starts = [match.start() for match in _NAME.finditer(text)]
    if text.strip() and (not starts or text[: starts[0]].strip()):
        raise UserError(f"{text.strip().splitlines()[0]!r} stands before the first name.")
    found = [
        _wrong(text[start:end], right) for start, end in zip(starts, [*starts[1:], len(text)], strict=False)
    ]
    names = [edit.name for edit in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"{twice[0]}: two wrong answers have this name.")
    return found


def _wrong(block, right):
    """Return the Edit that one entry of a block describes."""
    first, *lines = block.splitlines()
    name, edit = _NAME.match(first).groups()
    source, program, message, changes = right, [], [], []
    for line in [edit or "", *lines]:
        line = line.strip()
        if line.startswith("|"):
            program.append(line[2:])
        elif _ARROW.search(line) and not message:
            changes.append(tuple(_side(side) for side in _ARROW.split(line, maxsplit=1)))
            source = _edited(source, *changes[-1], name)
        elif line:
            message.append(line)
    if program:
        source, changes = "\n".join(program) + "\n", []
    if not message:
        raise UserError(f"{name}: it has no message.")
    if right and source == right:
        raise UserError(f"{name}: it changes nothing in the answer.")
    return Edit(name, source, " ".join(message), tuple(changes))


def _edited(source, old, new, name):
    """Return the source after one edit, or raise UserError if the old text does not occur in it."""
    if not old or old not in source:
        raise UserError(
            f"{name}: {old!r} does not occur in the answer, or no longer after the edits before it."
        )
    return source.replace(old, new)


def _side(text):
    """Return one side of an edit, with its escapes resolved and the backticks around it removed."""
    if len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1]
    return _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else "\\", text)
