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
            "The exponentials are 1, 4, 2 and 8, and sum to 15. The weighted mean of 15, 0, 30 and 15 "
            "is 13.",
            expected={"Z": np.array([[13.0]]), "held": FEW},
        ),
        Case("random sizes, pieces of 3", (2 * Q, K, V, 3),
             "Rescale both total and Z when a higher score appears."),
        Case("one key at a time", (Q, 2 * K, V, 1),
             "The result does not depend on the size of the pieces."),
        Case("a last piece that is shorter", (Q[:2], K, V, S - 1),
             "The last piece is shorter, and its keys count, too."),
        Case("a piece longer than the sequence", (Q[:2], K, V, S + 5),
             "There is only one piece, which is shorter than `chunk`."),
        Case("large scores", (40 * Q, 40 * K, V, 4),
             "Exponentials of large scores overflow, so subtract the highest score so far."),
        Case("scores far above and far below 0", (*far, V, 4),
             "Each query has its own highest score, which can be far below 0. Start at -np.inf."),
        Case("8 queries and 16,384 keys, pieces of 256", (*few, 256),
             "One query at a time still computes all its scores at once. Process the keys in pieces."),
        Case("192 queries and 4,096 keys, pieces of 64", (*long, 64),
             "Do not hold many more than (number of queries) × chunk scores at once."),
        Case("192 queries and 32,768 keys, pieces of 256", (*longer, 256),
             "All scores together take 50 MB, and `clearhead grade` allows an answer only 40 MB.", once=True),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__, cases, driver=run_chunked, returns={"Z": "the output that you return"}, megabytes=40
)
