"""Cases of 11.cross_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

#: Scores of thousands, whole numbers; for the first row two of them have the gap 1.
LARGE = np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]])


def cases(rng):
    T, S, D, d, e = (int(n) for n in rng.permutation(np.arange(5, 10))[:5])
    d, e = (e, d) if d == 4 else (d, e)  # so that the root of d is never 2, as it is on the page
    both = (max(T, S), min(T, S)) if rng.random() < 0.5 else (T, S)

    def texts(T, S):
        W_q, W_k, W_v = (rng.normal(size=(D, n)) for n in (d, d, e))
        return rng.normal(size=(T, D)), rng.normal(size=(S, D)), W_q, W_k, W_v

    rows = ("each row of A sums to 1", lambda out, *given: np.allclose(np.sum(out[1], axis=1), 1))
    hand = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]])
    e1, e2 = np.exp(2.0), np.exp(-2.0)
    a = np.array([e1, e2, 1]) / (e1 + e2 + 1)
    Xs, W_v = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 0, 2], [0, 1, 1]])
    return [
        Case(
            "la casa roja and two target rows, by hand",
            (np.array([[2.0, -2], [0, 0]]), Xs, hand, hand, W_v),
            "The scores of the first target row are 2, -2 and 0. Those of the second are all 0, so its three "
            "weights are equal.",
            expected=[
                np.array([a @ Xs @ W_v, np.full(3, 1 / 3) @ Xs @ W_v]),
                np.array([a, np.full(3, 1 / 3)]),
            ],
        ),
        Case("a longer source", texts(min(both), max(both) + 3), "A has one row for each target token "
             "and one column for each source token.", properties=(rows,)),
        Case("a longer target", texts(max(both) + 2, min(both)),
             "The queries come from the target, and the keys and values from the source.",
             properties=(rows,)),
        Case("one target token and one source token", texts(1, 1),
             "The only weight is 1. Z still has the shape (1, e), and A (1, 1).",
             properties=(rows,)),
        Case("large scores", (LARGE[:2], LARGE, np.eye(4), np.eye(4), np.arange(1.0, 13).reshape(4, 3)),
             "Exponentials of large scores overflow. Use softmax; two of the scores are close "
             "together.", properties=(rows,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
