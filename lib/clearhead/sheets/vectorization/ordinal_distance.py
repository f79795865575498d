"""Cases of 01.ordinal_distance."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    sqrt_2 = (
        "two different one-hot vectors are √2 apart",
        lambda found, codes: np.allclose(np.asarray(found[1])[~np.eye(len(codes), dtype=bool)], np.sqrt(2)),
    )
    symmetric = (
        "both matrices of distances are symmetric",
        lambda found, codes: all(np.allclose(t, np.transpose(t)) for t in found[:2]),
    )
    far = np.sqrt(2)
    by_hand = [
        np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]]),
        np.array([[0, far, far], [far, 0, far], [far, far, 0]]),
        3,
    ]
    return [
        Case(
            "three categories with the codes 0, 1 and 3, worked by hand",
            (np.array([0, 1, 3]),),
            "The three pairs are 1, 3 and 2 apart. The comparisons 1 < 3, 1 < 2 and 2 < 3 are three claims.",
            expected=by_hand,
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "four hair colours with the codes 0, 1, 2 and 3",
            (np.arange(4),),
            "The distances of the six pairs are 1, 1, 1, 2, 2 and 3. Of their fifteen comparisons, four are "
            "between equal distances.",
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "five random codes",
            (rng.permutation(12)[:5],),
            "Count each pair of categories once, and each comparison of two pairs once.",
            2,
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "two categories",
            (np.array([7, 2]),),
            "There is only one pair, so there is no other distance to compare it with, and the number of "
            "claims is 0.",
            properties=(symmetric, sqrt_2),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
