"""Cases of 04.soft_lookup."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import BETWEEN, FRENCH_VALUES, FRUIT_KEYS, ONE_WEIGHT, ORANGE, entries, returns_weights


def cases(rng):
    whole = (
        (
            "the weights sum to 1",
            lambda out, q, K, V, temperature: np.isclose(returns_weights(out).sum(), 1),
        ),
        (
            BETWEEN,
            lambda out, q, K, V, temperature: (
                np.all(out[0] >= V.min(axis=0) - 1e-9) and np.all(out[0] <= V.max(axis=0) + 1e-9)
            ),
        ),
    )
    order = [2, 0, 1]
    values = rng.normal(size=(5, 4))
    large_q, large_K, large_V = entries(rng, 6, 3, 2)
    large_K = large_K[np.argsort(-(large_K @ large_q))]  # the largest score comes first
    return [
        Case(
            "the orange at temperature 1, worked by hand",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1.0),
            "the weights are 0.1, 0.1 and 0.8",
            expected=(np.array([4.0, 3.0]), np.array([0.1, 0.1, 0.8])),
        ),
        Case(
            "the same entries in another order",
            (ORANGE.copy(), FRUIT_KEYS[order], FRENCH_VALUES[order], 1.0),
            "the answer does not depend on the order of the entries; the weights move with their entries",
            expected=(np.array([4.0, 3.0]), np.array([0.8, 0.1, 0.1])),
        ),
        Case(
            "temperature 3",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 3.0),
            "ln 8 / 3 = ln 2: the weights are 1/4, 1/4 and 2/4",
            expected=(np.array([2.5, 0.0]), np.array([0.25, 0.25, 0.5])),
        ),
        Case(
            "equal keys",
            (rng.normal(size=3), np.ones((5, 3)), values, 0.7),
            "if all keys are equal, so are all weights, and the answer is the mean of the values",
            expected=(values.mean(axis=0), np.full(5, 0.2)),
        ),
        Case(
            "fresh numbers",
            (*entries(rng, 7, 4, 3), float(rng.uniform(0.3, 0.7))),
            ONE_WEIGHT,
            2,
            properties=whole,
        ),
        Case(
            "nearly cold: temperature 0.0001",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1e-4),
            "the largest score takes everything; subtract it from all scores before the exponential",
            expected=(np.array([5.0, 5.0]), np.array([0.0, 0.0, 1.0])),
        ),
        Case(
            "scores of size 10,000",
            (1e4 * large_q, large_K, large_V, 1.0),
            "subtract the largest score from all scores before the exponential",
            properties=whole,
        ),
        Case(
            "two large scores, and a small gap",
            (
                np.array([1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1], [-2, 0]]),
                np.array([[0.0, 8, 4], [8, 0, 4], [9, 9, 9]]),
                1.0,
            ),
            "the scores are 10000, 10000 + ln 3 and −20000: only gaps count; the weights are 1/4, 3/4 and 0",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75, 0])),
        ),
        Case(
            "two very negative scores, and a small gap",
            (
                np.array([-1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1.0,
            ),
            "the scores are −10000 and −10000 + ln 3: always subtract the largest score, with its sign",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
        Case(
            "nearly cold, and a tiny gap",
            (
                np.array([1.0, 1e-4 * np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1e-4,
            ),
            "the gap is 0.0001 ln 3; divided by 0.0001 it is ln 3, so the weights are 1/4 and 3/4. Divide by "
            "the temperature itself, with nothing added to it",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
