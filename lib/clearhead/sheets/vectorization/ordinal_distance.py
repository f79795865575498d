"""01.ordinal_distance: What a code claims."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise

from .ordinal_distance_wrong import MISTAKES
from .shared import ordinal_distance


def _in_lists(codes):
    by_code, by_one_hot, claims = ordinal_distance(codes)
    return [by_code.tolist(), by_one_hot.tolist(), claims]


def _ordinal_by_loop(codes):
    V = len(codes)
    by_code, by_one_hot, pairs = np.zeros((V, V)), np.zeros((V, V)), []
    for i in range(V):
        for j in range(V):
            by_code[i, j] = abs(codes[i] - codes[j])
            by_one_hot[i, j] = np.linalg.norm(np.eye(V)[i] - np.eye(V)[j])
            if i < j:
                pairs.append(by_code[i, j])
    invented = 0
    for place, one in enumerate(pairs):
        invented += sum(one != other for other in pairs[:place])
    return by_code, by_one_hot, invented


def _with_the_codes_as_places(codes):
    vectors = np.eye(max(codes) + 1)[codes]
    by_one_hot = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    return np.abs(np.subtract.outer(codes, codes)), by_one_hot, ordinal_distance(codes)[2]


def _ordinal_cases(rng):
    sqrt_2 = (
        "two different one-hots are √2 apart",
        lambda found, codes: np.allclose(np.asarray(found[1])[~np.eye(len(codes), dtype=bool)], np.sqrt(2)),
    )
    symmetric = (
        "both tables are symmetric",
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
            "the three pairs are 1, 3 and 2 apart: 1 < 3, 1 < 2 and 2 < 3 are three claims.",
            expected=by_hand,
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "the four hair colours: 0, 1, 2, 3",
            (np.arange(4),),
            "six pairs: 1, 1, 1, 2, 2 and 3 apart. Fifteen comparisons, and four of them find no difference.",
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "five random codes",
            (rng.permutation(12)[:5],),
            "each pair of categories counts once, and so does each comparison of two pairs.",
            2,
            properties=(symmetric, sqrt_2),
        ),
        Case(
            "two categories: one pair, and nothing to compare it with",
            (np.array([7, 2]),),
            "one distance alone claims nothing.",
            properties=(symmetric, sqrt_2),
        ),
    ]


EXERCISE = Exercise(
    "01.ordinal_distance",
    "What a code claims",
    ordinal_distance,
    _ordinal_cases,
    hints=(
        "codes[:, None] - codes[None] holds all differences at once, (V, V). A distance has no sign.",
        "np.eye(V) holds the one-hots. Two of them differ by 1 in two places: √(1 + 1). The diagonal is 0.",
        "np.triu_indices(V, 1) names each pair once. Count how often one distance is smaller than another, "
        "over all ordered pairs of distances: each unequal comparison is found exactly once.",
    ),
    mistakes=MISTAKES,
    alternatives=(_ordinal_by_loop, _with_the_codes_as_places, _in_lists),
    stars=3,
    minutes=20,
)
