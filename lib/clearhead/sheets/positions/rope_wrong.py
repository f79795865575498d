"""More wrong answers of 07.rope."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.positions import frequencies

from .shared import side_by_side


def _turned(Q, positions, speeds=frequencies, ends=lambda e, o, c, s: (e * c - o * s, e * s + o * c)):
    """Return the queries, turned at their own speeds or ending in their own way."""
    angles = np.asarray(positions)[:, None] * speeds(Q.shape[1])
    return side_by_side(*ends(1.0 * Q[:, 0::2], Q[:, 1::2], np.cos(angles), np.sin(angles)))


MORE = (
    Mistake(
        "slow_pairs_first",
        lambda Q, positions: _turned(Q, positions, lambda d: frequencies(d)[::-1]),
        "The slow pairs stand first. The first pair is the fastest.",
    ),
    Mistake(
        "both_signs_plus",
        lambda Q, positions: _turned(Q, positions, ends=lambda e, o, c, s: (e * c + o * s, e * s + o * c)),
        "Both signs are plus, so lengths change. The first number is a cos - b sin.",
    ),
    Mistake(
        "first_pair_alone",
        lambda Q, positions: _turned(Q, positions, lambda d: frequencies(d) * (np.arange(d // 2) == 0)),
        "Only the first pair turns. Every pair turns, each at its own speed.",
    ),
    Mistake(
        "two_results_exchanged",
        lambda Q, positions: _turned(Q, positions, ends=lambda e, o, c, s: (e * s + o * c, e * c - o * s)),
        "The two numbers of each pair are exchanged: first a cos - b sin, then a sin + b cos.",
    ),
    Mistake(
        "positions_one_too_many",
        lambda Q, positions: _turned(Q, np.asarray(positions) + 1),
        "You counted positions from 1. At place 0 nothing turns.",
    ),
    Mistake(
        "first_numbers_then_second_ones",
        lambda Q, positions: (lambda R: np.hstack([R[:, 0::2], R[:, 1::2]]))(_turned(Q, positions)),
        "You put all first numbers of the pairs in front, then all second ones. Neighbours stay a pair.",
    ),
)
