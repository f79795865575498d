"""Cases of 04.attention_single."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import FRENCH_VALUES, FRUIT_KEYS, ONE_WEIGHT, ORANGE, entries, returns_weights


def cases(rng):
    whole = (
        ("the weights sum to 1", lambda out, q, K, V: np.isclose(returns_weights(out).sum(), 1)),
        ("no weight is negative", lambda out, q, K, V: np.all(returns_weights(out) >= 0)),
    )
    return [
        Case(
            "the orange, worked by hand",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy()),
            "The weights are 0.1, 0.1 and 0.8, and the result is (4, 3).",
            expected=(np.array([4.0, 3.0]), np.array([0.1, 0.1, 0.8])),
            properties=whole,
        ),
        Case(
            "a query of zeros",
            (np.zeros(2), FRUIT_KEYS.copy(), np.array([[3.0, 0, 6, 9], [3, 3, 0, 0], [3, 0, 0, 0]])),
            "All scores are 0, so all weights are one third.",
            expected=(np.array([3.0, 1, 2, 3]), np.full(3, 1 / 3)),
            properties=whole,
        ),
        Case(
            "negative scores",
            entries(rng, 5, 3, 2),
            "The exponential of a score is positive, even where the score is negative.",
            properties=whole,
        ),
        Case("random query, keys and values", entries(rng, 7, 4, 6), ONE_WEIGHT, 2, properties=whole),
    ]


EXERCISE = exercise_from_text(__file__, cases)
