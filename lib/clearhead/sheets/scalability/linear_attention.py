"""Cases of 12.linear_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import FEW, run_linear


def cases(rng):
    T, S, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    inside = (
        "each entry of the result lies between the smallest and the largest entry of its column of V",
        lambda out, Q, K, V: (
            (np.asarray(out["Z"]) <= V.max(axis=0) + 1e-9) & (np.asarray(out["Z"]) >= V.min(axis=0) - 1e-9)
        ).all(),
    )
    long, longer = ([rng.normal(size=(T, n)) for n in (3, 3, 2)] for T in (600, 2500))
    return [
        Case(
            "one query, two keys, by hand",
            (np.array([[1.0]]), np.array([[0.0], [2.0]]), np.array([[4.0], [8.0]])),
            "φ(0) = 1 and φ(2) = 3, and φ(1) cancels. So the weights are 1/4 and 3/4, and Z is 1 + 6 = 7.",
            expected={"Z": np.array([[7.0]]), "held": FEW},
        ),
        Case("random sizes", (Q, K, V),
             "For each query, divide by the sum of its similarities.", properties=(inside,)),
        Case("negative queries and keys", (Q - 2, K - 2, V), "φ makes queries and keys positive.",
             properties=(inside,)),
        Case("600 queries, 600 keys", tuple(long),
             "Do not build the matrix of 600 × 600 similarities: compute φ(K)ᵀ V first."),
        Case("2,500 queries, 2,500 keys", tuple(longer),
             "The whole matrix takes 50 MB, and `clearhead grade` allows an answer only 40 MB.", once=True),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__, cases, driver=run_linear, returns={"Z": "the output that you return"}, megabytes=40
)
