"""11.greedy_translate: Translate, and stop."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, OneOf

from .drivers import run_greedy
from .greedy_translate_wrong import MISTAKES, _greedy


def greedy_translate(step, source, start, stop, longest):
    """Return the new tokens, without start and stop; step(source, target) gives logits (T, V)."""
    target = [start]
    for _ in range(longest):
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def _ended(words):
    return {"words": words, "asks step": "until the stop"}


def _left_out(words):
    """Return what is seen where the start token was written, and left out of the result."""
    return {"words": words, "asks step": "on and on, after the stop"}


def _written(table, source, words):
    """Return a table in which each of these words is followed by the next."""
    made = table.copy()
    places = np.cumsum((np.arange(len(words)) + 1) * (np.array(words) + 3)) + 7 * int(source.sum())
    for place, word in zip(places % len(table), words[1:], strict=False):
        made[place, word] = 30
    return made


def _greedy_cases(rng):
    V, M = int(rng.integers(6, 10)), 97
    source = rng.integers(3, V, size=int(rng.integers(4, 8)))
    table = rng.normal(size=(M, V))
    never, soon = table.copy(), table.copy()
    never[:, 2], never[:, 1] = -20, -20
    soon[:, 1] = -20
    first, second, stop = (int(token) for token in rng.permutation(np.arange(3, V))[:3])
    ends = _written(never, source, (1, first, second, stop))
    again = _written(never, source, (1, first, 1, second, stop))
    hand = np.tile([0.0, 0, 0, 1], (M, 1))
    hand[(4 + 7 * 5) % M] = [5, 0, 0, 0]  # behind the start: token 0
    hand[(4 + 2 * 3 + 7 * 5) % M] = [0, 0, 0, 9]  # then token 3
    hand[(4 + 2 * 3 + 3 * 6 + 7 * 5) % M] = [0, 0, 7, 0]  # then the stop, 2
    short = ("neither start nor stop is in the result", lambda out, table, source, start, stop, longest:
             start not in list(out["words"]) and stop not in list(out["words"]))  # fmt: skip
    return [
        Case("two words and a stop, by hand", (hand, np.array([2, 3]), 1, 2, 9), "It writes 0, then 3, then "
             "the stop, which ends the sentence.", expected=_ended([0, 3])),
        Case("no stop comes", (never, source, 1, 2, 6), "Then the longest length ends it.",
             properties=(short,)),
        Case("a stop at once", (np.tile([0.0, 0, 9, 0], (M, 1)), source, 1, 2, 5), "Then there is nothing to "
             "say: an empty list.", expected=_ended([])),
        Case("a short source, a long target", (never, source[:2], 1, 2, 15), "Only `longest` limits the "
             "target, not the source.", properties=(short,)),
        Case("another start token", (never, source, 50, 2, 6), "The start token is an argument."),
        Case("a stop after some words", (ends, source, 1, stop, 12), "The stop token ends the sentence, "
             "and is not part of it.", properties=(short,)),
        Case("the start token as a word", (again, source, 1, stop, 12), "Any token may be written, the start "
             "token, too. Only the stop token ends the sentence.",
             expected=OneOf((_ended([first, 1, second]), _left_out([first, second])))),
        Case("another sentence", (never[::-1].copy(), source[::-1].copy() + 1, 1, 2, 8), "Is the whole "
             "target shown to step, start token first?", properties=(short,)),
        Case("any table", (soon, source, 1, 2, 7), "Read the last row of the logits.", properties=(short,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.greedy_translate",
    title="Translate, and stop",
    reference=greedy_translate,
    cases=_greedy_cases,
    hints=(
        "Begin with the start token alone. In each round ask step, choose a word, append it.",
        "step gives a row for each target token. The last row says what comes next. Its largest logit wins.",
        "target = [start]; in each round: token = int(np.argmax(step(source, target)[-1])); if token == stop "
        "break, else target.append(token). Return target[1:].",
    ),
    mistakes=MISTAKES,
    alternatives=(_greedy(),),
    ids=True,
    stars=2,
    minutes=15,
    driver=run_greedy,
    given="`step` reads its rows from table",
)
