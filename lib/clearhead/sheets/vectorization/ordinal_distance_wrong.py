"""The wrong answers of 01.ordinal_distance."""

from itertools import combinations

import numpy as np

from clearhead.checks.exercise import Mistake

from .shared import code_tables, ordinal_distance, unequal


def _wrong_count(count):
    """Return an ordinal_distance with right tables and another count."""
    return lambda codes: (*code_tables(codes), count(code_tables(codes)[0]))


def _pairs(by_code):
    return by_code[np.triu_indices(len(by_code), 1)]


def _shared(by_code):
    pairs = list(combinations(range(len(by_code)), 2))
    return sum(by_code[p] != by_code[q] and bool({*p} & {*q}) for p, q in combinations(pairs, 2))


def _without_a_shared_one(by_code):
    pairs = list(combinations(range(len(by_code)), 2))
    return sum(by_code[p] != by_code[q] and not {*p} & {*q} for p, q in combinations(pairs, 2))


MISTAKES = (
    Mistake(
        "sign_kept",
        lambda codes: (codes[:, None] - codes[None], *ordinal_distance(codes)[1:]),
        "Your distances between codes have a sign. From a to b is as far as from b to a: take np.abs.",
    ),
    Mistake(
        "root_forgotten",
        lambda codes: (code_tables(codes)[0], code_tables(codes)[1] ** 2, ordinal_distance(codes)[2]),
        "Your one-hots are 2 apart. That is the squared distance (or the sum of the differences): take "
        "the root.",
    ),
    Mistake(
        "one_place_counted",
        lambda codes: (code_tables(codes)[0], 1 - np.eye(len(codes)), ordinal_distance(codes)[2]),
        "Your one-hots are 1 apart. Two of them differ in two places, not in one: √(1 + 1).",
    ),
    Mistake(
        "diagonal_not_zero",
        lambda codes: (
            code_tables(codes)[0],
            np.full((len(codes), len(codes)), np.sqrt(2)),
            ordinal_distance(codes)[2],
        ),
        "A category is √2 away from itself in your table. The distance to itself is 0.",
    ),
    Mistake(
        "every_comparison_twice",
        _wrong_count(lambda by_code: 2 * unequal(_pairs(by_code))),
        "You counted each comparison twice: a < b and b > a are one claim.",
    ),
    Mistake(
        "every_pair_twice",
        _wrong_count(lambda by_code: unequal(by_code[~np.eye(len(by_code), dtype=bool)])),
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
        _wrong_count(lambda by_code: unequal(by_code[np.triu_indices(len(by_code))])),
        "Your pairs hold each category with itself. A pair is two different ones: np.triu_indices(V, 1).",
    ),
    Mistake(
        "ranks_in_place_of_codes",
        lambda codes: ordinal_distance(np.argsort(np.argsort(codes))),
        "You counted how many places codes stand apart in order. The distance is the difference of "
        "the codes themselves.",
    ),
    Mistake(
        "only_pairs_without_a_shared_category",
        _wrong_count(_without_a_shared_one),
        "You compared only pairs that share no category. Two pairs may share one: a and b are nearer "
        "together than a and c.",
    ),
    Mistake(
        "pairs_counted",
        _wrong_count(lambda by_code: len(_pairs(by_code))),
        "Your third number is that of the pairs of categories. Count the comparisons of two pairs that "
        "are not equally far apart.",
    ),
    Mistake(
        "no_claims",
        _wrong_count(lambda by_code: 0),
        "You return 0 claims. That is right for the one-hots, which make none: count those of the codes.",
    ),
    Mistake(
        "only_the_later_ones_larger",
        _wrong_count(lambda by_code: sum(one < other for one, other in combinations(_pairs(by_code), 2))),
        "You count a comparison only where the pair that you list later is farther apart. Count it as well "
        "where it is nearer.",
    ),
    Mistake(
        "ties_counted",
        _wrong_count(lambda by_code: sum(one == other for one, other in combinations(_pairs(by_code), 2))),
        "You counted the comparisons that find no difference. These are no claims: count the others.",
    ),
)
