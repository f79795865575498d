"""Cases of 14.counterfactual_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def _facts(b, a, V):
    """Return properties of the other weights, because many weights are right."""
    b = np.asarray(b, dtype=float)
    if b.shape != a.shape:
        raise ValueError(
            f"the new weights have the shape {b.shape} instead of {a.shape}, one weight for each token"
        )
    return {
        "output": b @ V,
        "sum of the weights": float(b.sum()),
        "no weight is negative": bool((b > -1e-9).all()),
        "the weights differ from those given": bool(np.abs(b - a).max() > 1e-6),
        "at least one weight is 0": bool((np.abs(b) < 1e-9).any()),
    }


def cases(rng):
    S, e = int(rng.integers(6, 8)), int(rng.integers(2, 4))
    a, V = softmax(rng.normal(size=S)), rng.normal(size=(S, e)) + 1
    twins = rng.normal(size=(4, 3))
    return [
        Case(
            "two equal values, by hand",
            (np.array([0.5, 0.2, 0.3]), np.array([[1.0, 2], [1, 2], [5, 0]])),
            "The first two values are equal, so weight can be moved from one to the other, for "
            "example until the weights are 0.7 and 0.",
            expected={
                "output": np.array([2.2, 1.4]),
                "sum of the weights": 1.0,
                "no weight is negative": True,
                "the weights differ from those given": True,
                "at least one weight is 0": True,
            },
        ),
        Case("more tokens than columns", (a, V), "Find a vector n with n @ V = 0 whose entries sum to 0."),
        Case(
            "four values at the corners of a square",
            (np.array([0.4, 0.3, 0.2, 0.1]), np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])),
            "What is added to the weights of one diagonal is subtracted from those of the other.",
        ),
        Case(
            "two equal values and more columns than tokens",
            (softmax(rng.normal(size=4)), np.hstack([twins, twins])[[0, 1, 2, 1]]),
            "Only two values are equal here, so weight can be moved only from one of these to the other.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, facts=_facts)
