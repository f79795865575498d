"""Cases of 16.adamw_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import three_steps


def cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(3, 8))[:2])
    w, gradients = 3 * rng.normal(size=(D, F)), rng.normal(size=(3, D, F))
    tiny = 1e-4 * rng.normal(size=(3, F, D))
    return [
        Case(
            "one weight, three equal gradients, by hand",
            (np.array([2.0]), np.full((3, 1), 5.0), 0.5, 0.0),
            "With equal gradients, m̂ / √v̂ is 1, so each step is as long as the learning rate, "
            "and the weight goes from 2 to 1.5, 1 and 0.5.",
            expected={"w": np.array([0.5]), "m": np.array([1.355]), "v": np.array([25 * 0.029701])},
        ),
        Case(
            "gradients of 0",
            (w, np.zeros((3, D, F)), 0.1, 0.5),
            "Only the weight decay acts here, and each step multiplies the weights by 0.95.",
        ),
        Case(
            "random gradients",
            (w, gradients, 0.1, 0.5),
            "The weight decay acts directly on the weights, and not through m and v.",
        ),
        Case(
            "tiny gradients",
            (w.T, tiny, 0.01, 0.1),
            "The size of the gradients hardly matters, because ε is added outside the square root.",
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=three_steps,
    given={
        "gradients": "each gradient `g` of `gradients` {} in turn, together with the `w`, `m` and `v` from "
        "the previous step"
    },
    returns={
        "w": "the weights after three steps (w)",
        "m": "the mean of the gradients after three steps (m)",
        "v": "the mean of the squared gradients after three steps (v)",
    },
)
