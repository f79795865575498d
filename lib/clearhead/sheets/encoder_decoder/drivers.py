"""Run beside the student's answer: no right answer stands here, or may be imported."""

import numpy as np


def run_translator(answer, source, target, parameters, num_heads, real):
    """Return the logits of a target, and those of the same target with another last token."""
    other = np.append(target[:-1], (target[-1] + 1) % len(parameters["tokens"]))
    given = parameters, num_heads, real
    logits = answer(source, target, *given)
    return (
        logits
        if logits is None
        else {"logits": logits, "with another last token": answer(source, other, *given)}
    )


def run_greedy(answer, table, source, start, stop, longest):
    """Return what the answer writes, and whether it ended then, for a table (M, V) of logits.

    The source and what is written choose a row of the table.
    """
    asked = 0

    def step(source, target):
        nonlocal asked
        asked += 1
        target = np.asarray(target, dtype=int)
        places = np.cumsum((np.arange(len(target)) + 1) * (target + 3)) + 7 * int(np.sum(source))
        return table[places % len(table)].copy()

    words = answer(step, source, start, stop, longest)
    if not hasattr(words, "__len__"):
        return words
    late = asked > len(words) + 1
    return {"words": words, "asks step": "on and on, after the stop" if late else "until the stop"}
