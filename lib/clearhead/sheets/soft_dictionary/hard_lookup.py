"""Cases of 04.hard_lookup."""

import numpy as np

from clearhead.checks.exercise import Case, OneOf
from clearhead.checks.from_text import exercise_from_text

from .shared import FRENCH_VALUES, FRUIT_KEYS, entries


def cases(rng):
    is_a_value = (
        "what comes back is one of the rows of V",
        lambda z, q, K, V: np.any(np.all(np.isclose(V, z), axis=1)),
    )
    three = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]])
    return [
        Case(
            "the orange among the fruits, worked by hand",
            (np.array([0.0, 2.0]), FRUIT_KEYS.copy(), FRENCH_VALUES.copy()),
            "the scores are 0, 0 and 2, so the lemon wins, and its value is (5, 5)",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "every score is negative",
            (np.array([1e17, 1e17]), np.array([[-2.0, -1], [-1, 0], [-2, 0]]), three),
            "the scores are −3, −1 and −2, times 1e17: the largest is −1e17, and it wins",
            expected=three[1],
        ),
        Case(
            "a long key against a near one",
            (np.array([1.0, 0.5]), np.array([[1.0, 0.5], [4, 4], [-9, 0]]), three),
            "the scores are 1.25, 6 and −9: compare with the dot product, and with nothing else",
            expected=three[1],
        ),
        Case(
            "a far key in the same direction",
            (np.array([1.0, 0.0]), np.array([[10.0, 0], [1, 1], [0, 20]]), three),
            "the scores are 10, 1 and 0: a key far away can still have the largest dot product",
            expected=three[0],
        ),
        Case(
            "two large scores, and a small gap",
            (np.array([1e3, 0.0]), np.array([[0.8, 0], [0.800001, 0], [-1, 0]]), three),
            "the scores are 800, 800.001 and −1000: compare the scores as they are, without e^score",
            expected=three[1],
        ),
        Case(
            "the lemon stands there twice",
            (np.array([0.0, 2.0]), FRUIT_KEYS[[0, 1, 2, 2]], FRENCH_VALUES[[0, 1, 2, 2]]),
            "two keys share the first place, and both have the value (5, 5): one comes back, not the sum",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "two keys tie, and their values differ",
            (np.array([2.0, 2.0]), np.array([[1.0, 0], [0, 1], [-1, 0]]), three),
            "the scores are 2, 2 and −2: one of the first two values comes back, whole, and no mixture",
            expected=OneOf((three[0], three[1])),
            properties=(is_a_value,),
        ),
        Case(
            "scores that differ behind the point",
            (np.array([1.0, 0.0]), np.array([[0.2, 5], [0.4, -5], [0.3, 0]]), three),
            "the scores are 0.2, 0.4 and 0.3: keep what stands behind the point",
            expected=three[1],
        ),
        Case(
            "scores on both sides of a half",
            (np.array([1.0, 0.0]), np.array([[1.4, 5], [1.6, -5], [1.2, 9]]), three),
            "the scores are 1.4, 1.6 and 1.2",
            expected=three[1],
        ),
        Case("fresh numbers", entries(rng, 60, 3, 4), "look at which key wins", 2, properties=(is_a_value,)),
    ]


EXERCISE = exercise_from_text(__file__, cases)
