"""Cases of 12.chunked_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import FEW, run_chunked


def cases(rng):
    T, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    S = int(rng.choice([10, 11, 13, 14]))  # divisible by neither 3 nor 4
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    few = [rng.normal(size=(n, width)) for n, width in ((8, 1), (16_384, 1), (16_384, 1))]
    long, longer = (
        [rng.normal(size=(n, width)) for n, width in ((192, 2), (S, 2), (S, 3))] for S in (4096, 32768)
    )
    far = 60 * (np.abs(Q) + 0.5) * (-1) ** np.arange(T)[:, None], 60 * (np.abs(K) + 0.5)
    return [
        Case(
            "one query, four keys, by hand",
            (np.array([[1.0]]), np.log([[1.0], [4.0], [2.0], [8.0]]), np.array([[15.0], [0], [30], [15]]), 2),
            "The powers are 1, 4, 2, 8, together 15. The mixture of 15, 0, 30, 15 is 13.",
            expected={"Z": np.array([[13.0]]), "held": FEW},
        ),
        Case("random sizes, pieces of 3", (2 * Q, K, V, 3), "Total and Z shrink when the top rises."),
        Case("one key at a time", (Q, 2 * K, V, 1), "The size of the pieces does not matter."),
        Case("a last piece that is shorter", (Q[:2], K, V, S - 1), "The last keys count, too."),
        Case("a piece longer than the text", (Q[:2], K, V, S + 5), "Then there is one short piece."),
        Case("large scores", (40 * Q, 40 * K, V, 4), "Measure from the highest score, or e to it overflows."),
        Case("scores far above and far below 0", (*far, V, 4),
             "Each query has its own highest score. Where does yours begin? 0 is too high."),
        Case("8 queries and 16,384 keys, pieces of 256", (*few, 256),
             "One query at a time still makes all its scores at once: read the keys in pieces."),
        Case("192 queries and 4,096 keys, pieces of 64", (*long, 64),
             "Z may be right, but how many scores do you hold? Not many more than queries × chunk."),
        Case("192 queries and 32,768 keys, pieces of 256", (*longer, 256),
             "The whole table takes 50 MB. `clearhead grade` gives an answer 40.", once=True),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__, cases, driver=run_chunked, returns={"Z": "the output that you return"}, megabytes=40
)
