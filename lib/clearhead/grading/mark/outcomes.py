"""The outcomes of answers in the grader: arguments are sent as data, and results are judged here."""

import contextlib
from dataclasses import replace

import numpy as np

from clearhead.checks import verdicts
from clearhead.checks.plain_data import plain
from clearhead.checks.running import Outcome, changed, error_text, run
from clearhead.sandbox import protocol
from clearhead.sandbox.sandbox import SubmissionEnded

from ..collect.untrusted_text import clean


def size(value):
    """Return the number of entries in a value, in which each number, string or function counts as one."""
    if isinstance(value, dict | list | tuple):
        return sum(map(size, value.values() if isinstance(value, dict) else value))
    return value.size if isinstance(value, np.ndarray) else 1


def size_in_bytes(value):
    """Return roughly how many bytes plain data takes, with 64 bytes for each item besides its contents."""
    if isinstance(value, dict | list | tuple):
        return 64 + sum(map(size_in_bytes, value.values() if isinstance(value, dict) else value))
    if isinstance(value, np.ndarray):
        return 64 + value.nbytes
    return 64 + (len(value) if isinstance(value, str | bytes) else 0)


def _with_facts(exercise, case, outcome):
    """Return an outcome whose output is replaced by facts, computed here, where no answer can forge them."""
    if exercise.facts is None or outcome.error or outcome.returned or outcome.output is None:
        return outcome
    try:
        return replace(outcome, output=plain(exercise.facts(outcome.output, *case.arguments)))
    except Exception as error:
        return Outcome(error=error_text(error), changed=outcome.changed)


def judge_outcome(exercise, case, outcome):
    """Return the judged case; it fails if its output cannot be compared although the right one can."""
    try:
        return verdicts.judge(exercise, case, _with_facts(exercise, case, outcome))
    except Exception:
        right = verdicts.judge(exercise, case, run(exercise, exercise.reference, case.arguments))
        if not right.passed:
            raise
        return verdicts.CaseResult(
            case, Outcome(returned="?"), "wrong", "Your result cannot be compared with the expected one."
        )


def for_protocol(value, callbacks):
    """Return an argument as data, in which functions are replaced by numbers and added to `callbacks`."""
    if isinstance(value, list | tuple):
        return type(value)(for_protocol(item, callbacks) for item in value)
    if isinstance(value, dict):
        return {key: for_protocol(item, callbacks) for key, item in value.items()}
    if callable(value):
        callbacks[str(len(callbacks))] = value
        return protocol.Callback(len(callbacks) - 1)
    return value


def read_outcome(head, value, exercise, arguments_given):
    """Return the Outcome in a message of any content, with the arguments that were found changed.

    `arguments_given` are those with which the answer was called. If a driver calls the answer with arguments
    of its own, only the student process knows which of them were changed.
    """
    if head.get("type") != "outcome":
        raise SubmissionEnded("crashed", "broke the connection")
    keys = ("error", "meaning", "line", "returned", "caught_error")
    texts = {key: clean(head.get(key), 500) for key in keys}
    try:
        value = plain(value)
    except TypeError as error:
        texts["returned"] = texts["returned"] or str(error)
    written_to = () if texts["error"] else _written_to(exercise, arguments_given, head.get("given"))
    if exercise.driver is not None and not texts["error"]:
        written_to = _names(head.get("changed")) or written_to
    return Outcome(value, **texts, changed=written_to)


def _names(told):
    """Return the strings in a list from the sandbox that can be names of arguments."""
    told = told[:20] if isinstance(told, list) else []
    return tuple(name for name in told if isinstance(name, str) and name.isidentifier() and len(name) < 60)


def _as_sent(argument):
    """Return an argument as it comes back if it was not changed."""
    argument = plain(argument)
    is_array = isinstance(argument, np.ndarray) and argument.dtype.kind != "U"
    return argument if is_array else protocol.unpack(protocol.pack({}, argument)[8:])[1]


def _written_to(exercise, arguments_given, arguments_after):
    """Return the names of the arguments that came back from the sandbox with other contents."""
    if not isinstance(arguments_after, list) or len(arguments_after) != len(arguments_given):
        raise SubmissionEnded("crashed", "broke the connection")
    sent, received = list(arguments_given), list(arguments_given)
    for index, argument in enumerate(arguments_given):
        with contextlib.suppress(TypeError):  # a function does not come back
            sent[index], received[index] = _as_sent(argument), arguments_after[index]
    return changed(exercise, sent, received)
