"""Cases of 18.lora_gradients."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import FEW, run_lora


def cases(rng):
    D, F, T = (int(n) for n in rng.permutation(np.arange(5, 10))[:3])
    r = int(rng.integers(2, 5))
    x, dy, A, B = (rng.normal(size=s) for s in ((T, D), (T, F), (D, r), (r, F)))
    hand = *(np.array(m) for m in ([[1.0, 2]], [[3.0]], [[4.0], [5.0]], [[6.0]])), 2.0
    return [
        Case(
            "one token and rank 1, by hand",
            hand,
            "x A is 14, so dA = 2 · x · 3 · 6 = (36, 72) and dB = 2 · 14 · 3 = 84.",
            expected={"dA": np.array([[36.0], [72]]), "dB": np.array([[84.0]]), "held": FEW},
        ),
        Case("random sizes", (x, dy, A, B, 0.7), "Each gradient has the shape of its matrix."),
        Case(
            "a B of zeros, as at the start",
            (x, dy, A, 0 * B, 0.7),
            "B is 0, so the gradient of A is 0, but the gradient of B is not.",
        ),
        Case(
            "an A of zeros",
            (x, dy, 0 * A, B, 0.7),
            "A is 0, so the gradient of B is 0, but the gradient of A is not.",
        ),
        Case(
            "only one token",
            (x[:1], dy[:1], A, B, 3.0),
            "The gradients are sums over the tokens, and there is only one here.",
        ),
        Case(
            "a wide layer: 300 to 260",
            (*(rng.normal(size=s) for s in ((3, 300), (3, 260), (300, 2), (2, 260))), 0.7),
            "Do not build a matrix with D × F entries. Begin with those products that have only r columns.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, driver=run_lora, returns=("dA", "dB"))
