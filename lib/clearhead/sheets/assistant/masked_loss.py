"""Cases of 18.masked_loss."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, V = int(rng.integers(7, 10)), int(rng.integers(11, 15))
    ids, logits = rng.integers(0, V, size=T), 3 * rng.normal(size=(T, V))
    ids[0], ids[-1] = 0, 1  # the ends differ
    answer = np.arange(T) >= T - 3
    two = np.isin(np.arange(T), (2, 3, T - 1))
    last = np.arange(T) == T - 1
    hand = np.log(np.array([[1.0, 1, 2], [1, 1, 6], [3, 1, 4]]))
    return [
        Case(
            "three tokens, by hand",
            (hand, np.array([0, 1, 2]), np.array([False, False, True])),
            "Only the last token counts. The row before it gives it the probability 6/8, so the loss "
            "is ln(8/6).",
            expected=np.log(8 / 6),
        ),
        Case("a question and its answer", (logits, ids, answer), "Row t of the logits predicts token t + 1."),
        Case(
            "two answers in one text",
            (logits, ids, two),
            "The mask belongs to the targets, so loss_mask[t + 1] belongs to row t of the logits.",
        ),
        Case(
            "only the last token",
            (logits, ids, last),
            "Only one token counts, and its surprisal is the loss.",
        ),
        Case(
            "a mask that is True everywhere",
            (logits, ids, np.ones(T, dtype=bool)),
            "T tokens have T - 1 targets, because no row predicts the first token.",
        ),
        Case(
            "logits far from 0",
            (500 * logits, ids, answer),
            "A probability can be rounded to 0 here. Take the logarithm of the softmax in one step, "
            "with `log_softmax`.",
            properties=(("the loss is finite", lambda loss, *_: np.isfinite(loss).all()),),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
