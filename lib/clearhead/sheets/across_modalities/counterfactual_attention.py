"""Cases of 14.counterfactual_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def _facts(b, a, V):
    """Return facts about other weights: there are many right ones."""
    b = np.asarray(b, dtype=float)
    if b.shape != a.shape:
        raise ValueError(f"the new weights have shape {b.shape}, the old ones {a.shape}: one for each token")
    return {
        "output": b @ V,
        "sum of the weights": float(b.sum()),
        "no weight is below 0": bool((b > -1e-9).all()),
        "another map": bool(np.abs(b - a).max() > 1e-6),
        "a weight became 0": bool((np.abs(b) < 1e-9).any()),
    }


def cases(rng):
    S, e = int(rng.integers(6, 8)), int(rng.integers(2, 4))
    a, V = softmax(rng.normal(size=S)), rng.normal(size=(S, e)) + 1
    twins = rng.normal(size=(4, 3))
    return [
        Case(
            "two equal values, by hand",
            (np.array([0.5, 0.2, 0.3]), np.array([[1.0, 2], [1, 2], [5, 0]])),
            "The first two values are equal, so their weights can be shared in any way: 0.7 and 0, say.",
            expected={
                "output": np.array([2.2, 1.4]),
                "sum of the weights": 1.0,
                "no weight is below 0": True,
                "another map": True,
                "a weight became 0": True,
            },
        ),
        Case("more tokens than columns", (a, V), "Look for n with n @ V = 0 and a sum of 0."),
        Case(
            "a square",
            (np.array([0.4, 0.3, 0.2, 0.1]), np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])),
            "What is added on one diagonal is taken from the other.",
        ),
        Case(
            "equal values in a wide head",
            (softmax(rng.normal(size=4)), np.hstack([twins, twins])[[0, 1, 2, 1]]),
            "Only two values are equal here, and there are more columns than tokens.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, facts=_facts)
