"""01.ordinal_distance: What a code claims."""

from itertools import combinations

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake


def _tables(codes):
    """Return the distances between the codes (V, V), and between the one-hots (V, V)."""
    return np.abs(codes[:, None] - codes[None]), np.sqrt(2) * (1 - np.eye(len(codes)))


def _unequal(distances):
    """Return how many comparisons of two distances find one of them smaller."""
    return int(sum(one < other for one in distances for other in distances))


def ordinal_distance(codes):
    """Return the distances of the codes (V, V), of their one-hots (V, V), and the number of claims."""
    by_code, by_one_hot = _tables(codes)
    return by_code, by_one_hot, _unequal(by_code[np.triu_indices(len(codes), 1)])


def _wrong_count(count):
    """Return an ordinal_distance with right tables and another count."""
    return lambda codes: (*_tables(codes), count(_tables(codes)[0]))


def _pairs(by_code):
    return by_code[np.triu_indices(len(by_code), 1)]


def _shared(by_code):
    pairs = list(combinations(range(len(by_code)), 2))
    return sum(by_code[p] != by_code[q] and bool({*p} & {*q}) for p, q in combinations(pairs, 2))


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
    mistakes=(
        Mistake(
            "sign_kept",
            lambda codes: (codes[:, None] - codes[None], *ordinal_distance(codes)[1:]),
            "Your distances between codes have a sign. From a to b is as far as from b to a: take np.abs.",
        ),
        Mistake(
            "root_forgotten",
            lambda codes: (_tables(codes)[0], _tables(codes)[1] ** 2, ordinal_distance(codes)[2]),
            "Your one-hots are 2 apart. That is the squared distance (or the sum of the differences): take "
            "the root.",
        ),
        Mistake(
            "one_place_counted",
            lambda codes: (_tables(codes)[0], 1 - np.eye(len(codes)), ordinal_distance(codes)[2]),
            "Your one-hots are 1 apart. Two of them differ in two places, not in one: √(1 + 1).",
        ),
        Mistake(
            "diagonal_not_zero",
            lambda codes: (
                _tables(codes)[0],
                np.full((len(codes), len(codes)), np.sqrt(2)),
                ordinal_distance(codes)[2],
            ),
            "A category is √2 away from itself in your table. The distance to itself is 0.",
        ),
        Mistake(
            "every_comparison_twice",
            _wrong_count(lambda by_code: 2 * _unequal(_pairs(by_code))),
            "You counted each comparison twice: a < b and b > a are one claim.",
        ),
        Mistake(
            "every_pair_twice",
            _wrong_count(lambda by_code: _unequal(by_code[~np.eye(len(by_code), dtype=bool)])),
            "You took each pair of categories twice, (i, j) and (j, i). Use the part above the diagonal.",
        ),
        Mistake(
            "only_pairs_that_share_a_category",
            _wrong_count(_shared),
            "You compared only pairs that share a category. A claim can be about four different ones: a and "
            "b are nearer together than c and d.",
        ),
        Mistake(
            "all_comparisons",
            _wrong_count(lambda by_code: len(_pairs(by_code)) * (len(_pairs(by_code)) - 1) // 2),
            "You counted all comparisons. Where two pairs are equally far apart, the code claims nothing.",
        ),
        Mistake(
            "different_distances_counted",
            _wrong_count(lambda by_code: len(np.unique(_pairs(by_code)))),
            "You counted how many different distances there are. Count the comparisons of two pairs.",
        ),
        Mistake(
            "distances_to_itself_counted",
            _wrong_count(lambda by_code: _unequal(by_code[np.triu_indices(len(by_code))])),
            "Your pairs hold each category with itself. A pair is two different ones: np.triu_indices(V, 1).",
        ),
        Mistake(
            "ranks_in_place_of_codes",
            lambda codes: ordinal_distance(np.argsort(np.argsort(codes))),
            "You counted how many places codes stand apart in order. The distance is the difference of "
            "the codes themselves.",
        ),
    ),
    alternatives=(_ordinal_by_loop, _with_the_codes_as_places, _in_lists),
    stars=3,
    minutes=20,
)
