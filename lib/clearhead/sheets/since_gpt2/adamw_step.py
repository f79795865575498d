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
            "With equal gradients m̂ / √v̂ is 1: each step is the rate. 2, then 1.5, 1, 0.5.",
            expected={"w": np.array([0.5]), "m": np.array([1.355]), "v": np.array([25 * 0.029701])},
        ),
        Case("no gradient", (w, np.zeros((3, D, F)), 0.1, 0.5), "Decay alone: each step leaves 95 %."),
        Case("random gradients", (w, gradients, 0.1, 0.5), "Decay acts on the weight, apart from m and v."),
        Case(
            "tiny gradients",
            (w.T, tiny, 0.01, 0.1),
            "Their size hardly matters, where ε stands outside the root.",
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=three_steps,
    given="one gradient g after the other, with the w, m and v that came back before",
    returns={
        "w": "the weights after three steps (w)",
        "m": "the mean of the gradients after three steps (m)",
        "v": "the mean of their squares after three steps (v)",
    },
)
