"""Follow an answer through one check: which files does it pass, and how often does it come back to one?

python lib/tests/support/walk.py prints the files and the returns, for three answers and three ways to follow.

A reader of the code walks as the answer does: from a function into one that it calls, which may be in another
file, and back. A return is a move to a file that was already left.
"""

import contextlib
import inspect
import io
import os
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

import numpy as np

import clearhead
from clearhead.checks import check

PACKAGE = Path(clearhead.__file__).parent
#: What becomes of an answer on its way to the words.
KINDS = {"Outcome", "CaseResult", "Verdict"}


def right(Q, K):
    """Return the attention weights."""
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def named(Q, K):
    """Return the weights of a known mistake, without the scale."""
    return right(Q * np.sqrt(Q.shape[-1]), K)


def unknown(Q, K):
    """Return what no known mistake gives."""
    return right(Q, K) ** 1.01


def calls(answer, seed=1):
    """Return what library functions do in one check: (code, arguments) for a call, None for its end."""
    events = []

    def notice(frame, event, _):
        code = frame.f_code
        if event in ("call", "return") and Path(code.co_filename).is_relative_to(PACKAGE):
            count = code.co_argcount + code.co_kwonlyargcount
            count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
            given = [frame.f_locals.get(name) for name in code.co_varnames[:count]]
            events.append((code, given) if event == "call" else None)

    with (
        tempfile.TemporaryDirectory() as state,
        patch.dict(os.environ, CLEARHEAD_STATE=state),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        check("05.attention_weights", answer, seed=seed + 1)  # what happens only once is not followed
        sys.setprofile(notice)
        try:
            check("05.attention_weights", answer, seed=seed)
        finally:
            sys.setprofile(None)
    return events


def following(answer):
    """Return the files of the functions that are handed the answer itself, in the order of the walk."""
    return _walk(calls(answer), lambda code, given: any(value is answer for value in _each(given)), False)


def handed_on(answer):
    """Return the files of the functions that are handed the answer or what became of it, each read once."""

    def counts(code, given):
        return any(value is answer or type(value).__name__ in KINDS for value in _each(given))

    return _walk(calls(answer), counts, True)


def everything(answer):
    """Return the files of all functions that run, each read once, where it is called first."""
    return _walk(calls(answer), lambda code, given: True, True)


def returns(files):
    """Return how many moves of a walk lead to a file that was already left."""
    return len(files) - len(set(files))


def _each(given):
    """Yield the arguments, and what is in those that are lists and tuples."""
    for value in given:
        yield value
        if isinstance(value, list | tuple):
            yield from value


def _walk(events, counts, once):
    """Return the files of a walk; with `once`, what was read is not read again, nor what it calls."""
    walked, stack, read = [], [], set()  # on the stack: True where followed, None where it was read before
    for event in events:
        if event is None:
            if stack.pop()[1] and (outer := next((file for file, on in reversed(stack) if on), None)):
                walked.append(outer)
            continue
        code, given = event
        file = str(Path(code.co_filename).relative_to(PACKAGE))
        on = counts(code, given) and not (once and (code in read or not _reading(stack)))
        if on:
            read.add(code)
            walked.append(file)
        stack.append((file, on if on or not counts(code, given) else None))
    return [file for file, _ in groupby(walked)]


def _reading(stack):
    """Return whether nothing that is being called stands in a function that was read before."""
    return all(on is not None for _, on in stack)


if __name__ == "__main__":
    for follow in (following, handed_on, everything):
        for answer in (right, named, unknown):
            files = follow(answer)
            row = f"{len(set(files)):3} files, {returns(files):3} returns"
            print(f"{follow.__name__:12} {answer.__name__:8} {row}: {', '.join(dict.fromkeys(files))}")
