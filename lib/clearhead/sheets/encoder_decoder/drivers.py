"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""

import numpy as np


def run_translator(answer, source, target, parameters, num_heads, real):
    """Return the logits for a target, and for the same target with a different last token."""
    other = np.append(target[:-1], (target[-1] + 1) % len(parameters["tokens"]))
    given = parameters, num_heads, real
    logits = answer(source, target, *given)
    return (
        logits
        if logits is None
        else {"logits": logits, "with another last token": answer(source, other, *given)}
    )


def run_greedy(answer, what_step_gives, source, start, stop, max_length):
    """Return the text of the answer, and whether it ended there, for a table (M, V) of logits.

    The source and what is written choose a row of the table.
    """
    said = []

    def step(source, target):
        target = np.asarray(target, dtype=int)
        places = np.cumsum((np.arange(len(target)) + 1) * (target + 3)) + 7 * int(np.sum(source))
        logits = what_step_gives[places % len(what_step_gives)].copy()
        said.extend(int(word) for word in logits[-1:].argmax(axis=1))
        return logits

    words = answer(step, source, start, stop, max_length)
    if not hasattr(words, "__len__"):
        return words
    return {"words": words, "asks step": _asks(said, len(words), stop, max_length)}


def _asks(said, written, stop, max_length):
    """Describe how often the logits were requested; `said` holds the most probable token of each request."""
    if len(said) <= written + 1:
        return "no more often than needed"
    if stop in said[:-1]:
        return "again after the stop token"
    on = len(said) > max_length + 1
    return "again after `max_length` words" if on else "more often than words are returned"
