"""The filter that keeps the answer to an exercise, and each piece of its code, out of what the tutor says.

Statements, hints and messages were written for a reader who may turn a page. An assistant may ask a thousand
times, and put the pieces together. So each sentence that contains a piece of a right answer is left out,
unless the statement itself shows this piece.
"""

import ast
import io
import re
import tokenize
from functools import cache

from clearhead.authoring.build_exercises import without_answers
from clearhead.checks import registry

#: A comparison, an index or a call is a piece of an answer; a single name or number is not.
PIECES = (
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.DictComp,
    ast.GeneratorExp,
    ast.IfExp,
    ast.Lambda,
    ast.List,
    ast.ListComp,
    ast.SetComp,
    ast.Subscript,
    ast.Tuple,
)
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Assert)
_IGNORED = {
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.COMMENT,
}
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_WORD = re.compile(r"\w")
#: The characters that may separate two tokens of a piece of code in a sentence.
_GAP = r"[\s`]*"


def statement(exercise):
    """Return the cells of the statement, pairs of a kind and a text, with the stub in place of the answer."""
    return [(kind, without_answers(text, exercise.id)) for kind, text in exercise.text.cells]


def without_answer(exercise, text):
    """Return a text without the sentences that contain a piece of a right answer, or "" if none is left.

    Parameters
    ----------
    exercise : Exercise
    text : str
        The text, whose line breaks are kept, except those of lines of which nothing is left.
    """
    lines = (_without_answer(exercise.id, line) for line in text.splitlines())
    return "\n".join(line for line in lines if line is not None).strip("\n")


def _without_answer(id, line):
    """Return a line without its withheld sentences, or None if there is nothing else in it."""
    if not line.strip():
        return line
    kept = [sentence for sentence in _SENTENCE.split(line) if not contains_answer(id, sentence)]
    return " ".join(kept) or None


def contains_answer(id, text):
    """Return True if a text contains a piece of a right answer that the statement does not show."""
    return any(pattern.search(text) for pattern in _patterns(id))


@cache
def _patterns(id):
    """Return regular expressions that find the pieces of an answer, and whole lines of other answers."""
    exercise = registry.exercise(id)
    shown = "\n".join(text for _, text in statement(exercise))
    found = pieces(exercise)
    for other in registry.sheet(id[:2]).exercises:
        found |= whole_lines(other)
    patterns = {_pattern(piece) for piece in found} - {""}
    hidden = [pattern for pattern in sorted(patterns) if not re.search(pattern, shown)]
    return [re.compile("|".join(hidden[start : start + 100])) for start in range(0, len(hidden), 100)]


def right_answers(exercise):
    """Return the source of each right answer, and of the helper functions that they call."""
    text = exercise.text
    return [text.answer, text.steps, text.names, *(source for _, source in text.others)]


def pieces(exercise):
    """Return the pieces of code in all right answers, and those that the edits of wrong answers replace."""
    found = whole_lines(exercise)
    for source in right_answers(exercise):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, PIECES) and _is_telling(node):
                found |= {ast.unparse(node), ast.get_source_segment(source, node)}
            elif isinstance(node, ast.keyword) and node.arg:
                found.add(ast.unparse(node))
    replaced = {old for edit in exercise.text.wrong for old, _ in edit.changes}
    return found | {old.strip() for old in replaced if len(_signs(old)) > 2 or len("".join(old.split())) > 7}


def whole_lines(exercise):
    """Return the simple statements in right answers that compute something, and their values."""
    found = set()
    for source in right_answers(exercise):
        for node in ast.walk(ast.parse(source)):
            value = getattr(node, "value", None)
            if isinstance(node, SIMPLE) and any(isinstance(each, PIECES) for each in ast.walk(node)):
                found |= {ast.unparse(node), ast.get_source_segment(source, node)}
                if isinstance(value, PIECES) and len(_signs(ast.unparse(value))) > 6:
                    found |= {ast.unparse(value), ast.get_source_segment(source, value)}
    return found


def _is_telling(node):
    """Return True for a node with at least two leaves, such as `X @ W`, and for `x.f()`, but not `f()`."""
    if isinstance(node, ast.Tuple | ast.List):
        return len(node.elts) > 1 and not all(isinstance(each, ast.Constant) for each in node.elts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return True
    leaves = [each for each in ast.walk(node) if isinstance(each, ast.Name | ast.Constant)]
    return len(leaves) > 1


def _signs(code):
    """Return the tokens of a piece of Python, which need not be complete."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type not in _IGNORED and token.string.strip():
                found.append(token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):  # a bracket that is closed later
        return found or re.findall(r"\w+|[^\w\s]", code)
    return found


def _pattern(code):
    """Return a regular expression that finds a piece of code with any spacing, or "" for a single token."""
    signs = _signs(code)
    if len(signs) < 2:
        return ""
    begin = r"(?<![\w.])" if _WORD.match(signs[0]) else ""
    end = r"(?!\w)" if _WORD.match(signs[-1][-1]) else ""
    return begin + _GAP.join(map(re.escape, signs)) + end
