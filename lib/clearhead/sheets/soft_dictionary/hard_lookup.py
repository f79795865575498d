"""Cases of 04.hard_lookup."""

import numpy as np

from clearhead.checks.exercise import Case, OneOf
from clearhead.checks.from_text import exercise_from_text

from .shared import FRENCH_VALUES, FRUIT_KEYS, entries


def cases(rng):
    is_a_value = (
        "the result is one of the rows of V",
        lambda z, q, K, V: np.any(np.all(np.isclose(V, z), axis=1)),
    )
    three = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]])
    return [
        Case(
            "the orange among the fruits, worked by hand",
            (np.array([0.0, 2.0]), FRUIT_KEYS.copy(), FRENCH_VALUES.copy()),
            "The scores are 0, 0 and 2, so the lemon wins, and its value is (5, 5).",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "only negative scores",
            (np.array([1e17, 1e17]), np.array([[-2.0, -1], [-1, 0], [-2, 0]]), three),
            "The scores are −3, −1 and −2, times 1e17. The largest of them is −1e17, so the second key wins.",
            expected=three[1],
        ),
        Case(
            "a long key and a near key",
            (np.array([1.0, 0.5]), np.array([[1.0, 0.5], [4, 4], [-9, 0]]), three),
            "The scores are 1.25, 6 and −9. Compare the keys with the query by the dot product only.",
            expected=three[1],
        ),
        Case(
            "a far key in the same direction",
            (np.array([1.0, 0.0]), np.array([[10.0, 0], [1, 1], [0, 20]]), three),
            "The scores are 10, 1 and 0. A key that is far away can still have the largest dot product.",
            expected=three[0],
        ),
        Case(
            "two large scores with a small gap",
            (np.array([1e3, 0.0]), np.array([[0.8, 0], [0.800001, 0], [-1, 0]]), three),
            "The scores are 800, 800.001 and −1000. Compare the scores themselves, whose exponentials "
            "overflow.",
            expected=three[1],
        ),
        Case(
            "two equal keys with equal values",
            (np.array([0.0, 2.0]), FRUIT_KEYS[[0, 1, 2, 2]], FRENCH_VALUES[[0, 1, 2, 2]]),
            "Two keys have the largest score, and both have the value (5, 5). The result is one of "
            "these values, and not their sum.",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "two keys with the largest score and different values",
            (np.array([2.0, 2.0]), np.array([[1.0, 0], [0, 1], [-1, 0]]), three),
            "The scores are 2, 2 and −2. The result is one of the first two values, and not a mixture "
            "of them.",
            expected=OneOf((three[0], three[1])),
            properties=(is_a_value,),
        ),
        Case(
            "scores that differ only in their decimals",
            (np.array([1.0, 0.0]), np.array([[0.2, 5], [0.4, -5], [0.3, 0]]), three),
            "The scores are 0.2, 0.4 and 0.3, so the decimals decide which key wins.",
            expected=three[1],
        ),
        Case(
            "scores between 1 and 2",
            (np.array([1.0, 0.0]), np.array([[1.4, 5], [1.6, -5], [1.2, 9]]), three),
            "The scores are 1.4, 1.6 and 1.2, so the second key wins.",
            expected=three[1],
        ),
        Case(
            "random query, keys and values",
            entries(rng, 60, 3, 4),
            "The result is the value of the key with the largest score.",
            2,
            properties=(is_a_value,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
