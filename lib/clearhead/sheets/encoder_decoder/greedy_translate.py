"""Cases of 11.greedy_translate."""

import numpy as np

from clearhead.checks.exercise import Case, OneOf
from clearhead.checks.from_text import exercise_from_text

from .drivers import run_greedy


def _ended(words):
    return {"words": words, "asks step": "no more often than needed"}


def _left_out(words):
    """Return the observation of an answer that asks for more logits than it returns words."""
    return {"words": words, "asks step": "more often than words are returned"}


def _written(table, source, words):
    """Return a table of logits in which each of these tokens is followed by the next."""
    made = table.copy()
    places = np.cumsum((np.arange(len(words)) + 1) * (np.array(words) + 3)) + 7 * int(source.sum())
    for place, word in zip(places % len(table), words[1:], strict=False):
        made[place, word] = 30
    return made


def cases(rng):
    V, M = int(rng.integers(6, 10)), 499
    source = rng.integers(3, V, size=int(rng.integers(4, 8)))
    table = rng.normal(size=(M, V))
    never, soon = table.copy(), table.copy()
    never[:, 2], never[:, 1] = -20, -20
    soon[:, 1] = -20
    first, second, stop = (int(token) for token in rng.permutation(np.arange(3, V))[:3])
    ends = _written(never, source, (1, first, first, 2, first, second, second, stop))
    again = _written(never, source, (1, first, 1, second, stop))
    hand = np.tile([0.0, 0, 0, 1], (97, 1))
    hand[4 + 7 * 5] = [5, 0, 0, 0]  # behind the start: token 0
    hand[4 + 2 * 3 + 7 * 5] = [0, 0, 0, 9]  # then token 3
    hand[4 + 2 * 3 + 3 * 6 + 7 * 5] = [0, 0, 7, 0]  # then the stop, 2
    short = (
        "neither start nor stop is in the result",
        lambda out, table, source, start, stop, max_length: (
            start not in list(out["words"]) and stop not in list(out["words"])
        ),
    )
    return [
        Case(
            "two words and a stop token, by hand",
            (hand, np.array([2, 3]), 1, 2, 9),
            "After the start token the model predicts 0, then 3, and then the stop token, which ends "
            "the sentence.",
            expected=_ended([0, 3]),
        ),
        Case(
            "no stop token",
            (never, source, 1, 2, 3),
            "No stop token is predicted, so `max_length` ends the sentence.",
            properties=(short,),
        ),
        Case(
            "a stop token at once",
            (np.tile([0.0, 0, 9, 0], (89, 1)), source, 1, 2, 5),
            "The first word predicted is the stop token, so the result is an empty list.",
            expected=_ended([]),
        ),
        Case(
            "a short source and a long target",
            (never, source[:2], 1, 2, 15),
            "Only `max_length` limits the target; the length of the source does not.",
            properties=(short,),
        ),
        Case("another start token", (never, source, 50, 2, 6), "The start token is an argument."),
        Case(
            "a stop token after some words",
            (ends, source, 1, stop, 12),
            "The stop token ends the sentence, and is not part of it. Any other word may occur, even twice.",
            properties=(short,),
        ),
        Case(
            "the start token as a word",
            (again, source, 1, stop, 12),
            "Any token may be predicted, even the start token. Only the stop token ends the sentence.",
            expected=OneOf((_ended([first, 1, second]), _left_out([first, second]))),
        ),
        Case(
            "another source",
            (never[::-1].copy(), source[::-1].copy() + 1, 1, 2, 8),
            "step needs the whole target so far, beginning with the start token.",
            properties=(short,),
        ),
        Case(
            "a random table", (soon, source, 1, 2, 7), "Read the last row of the logits.", properties=(short,)
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_greedy,
    given={"what_step_gives": "a `step` that returns rows of a table {}"},
    ids=True,
    returns={"words": "the tokens that you return", "asks step": "how often you call `step`"},
)
