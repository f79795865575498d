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
            "The weights are 0.1, 0.1 and 0.8.",
            expected=(np.array([4.0, 3.0]), np.array([0.1, 0.1, 0.8])),
        ),
        Case(
            "the same entries in another order",
            (ORANGE.copy(), FRUIT_KEYS[order], FRENCH_VALUES[order], 1.0),
            "The result does not depend on the order of the entries, and each weight moves with its entry.",
            expected=(np.array([4.0, 3.0]), np.array([0.8, 0.1, 0.1])),
        ),
        Case(
            "temperature 3",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 3.0),
            "The scaled score (ln 8) / 3 is ln 2, so the weights are 1/4, 1/4 and 2/4.",
            expected=(np.array([2.5, 0.0]), np.array([0.25, 0.25, 0.5])),
        ),
        Case(
            "equal keys",
            (rng.normal(size=3), np.ones((5, 3)), values, 0.7),
            "Equal keys have equal weights, so the result is the mean of the values.",
            expected=(values.mean(axis=0), np.full(5, 0.2)),
        ),
        Case(
            "random query, keys and values",
            (*entries(rng, 7, 4, 3), float(rng.uniform(0.3, 0.7))),
            ONE_WEIGHT,
            2,
            properties=whole,
        ),
        Case(
            "a temperature of 0.0001",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1e-4),
            "The largest score takes all the weight. Its exponential overflows at this temperature, "
            "so subtract the largest score from all scores first.",
            expected=(np.array([5.0, 5.0]), np.array([0.0, 0.0, 1.0])),
        ),
        Case(
            "scores of about 10,000",
            (1e4 * large_q, large_K, large_V, 1.0),
            "The exponentials of such scores overflow, so subtract the largest score from all scores first.",
            properties=whole,
        ),
        Case(
            "two large scores with a small gap",
            (
                np.array([1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1], [-2, 0]]),
                np.array([[0.0, 8, 4], [8, 0, 4], [9, 9, 9]]),
                1.0,
            ),
            "The scores are 10000, 10000 + ln 3 and −20000. Only their differences matter, so the "
            "weights are 1/4, 3/4 and 0.",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75, 0])),
        ),
        Case(
            "two very negative scores with a small gap",
            (
                np.array([-1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1.0,
            ),
            "The scores are −10000 and −10000 + ln 3, whose exponentials are 0 in floating point. "
            "Subtract the largest score, which is negative here.",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
        Case(
            "a temperature of 0.0001 and a tiny gap",
            (
                np.array([1.0, 1e-4 * np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1e-4,
            ),
            "The gap of 0.0001 ln 3, divided by 0.0001, is ln 3, so the weights are 1/4 and 3/4. "
            "Divide by the temperature itself, with nothing added to it.",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
