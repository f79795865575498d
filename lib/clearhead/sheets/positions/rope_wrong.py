"""More wrong answers of 07.rope."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.positions import frequencies

from .shared import at, side_by_side


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
    Mistake(
        "cosines_alone",
        lambda Q, positions: _turned(Q, positions, ends=lambda e, o, c, s: (e * c, o * c)),
        "You multiplied by the cosine alone. A turn mixes both numbers of a pair.",
    ),
    Mistake(
        "both_signs_minus",
        lambda Q, positions: _turned(Q, positions, ends=lambda e, o, c, s: (e * c - o * s, o * c - e * s)),
        "Both signs are minus, so lengths change. The second number is a sin + b cos.",
    ),
    Mistake(
        "sine_and_cosine_exchanged",
        lambda Q, positions: _turned(Q, positions, ends=lambda e, o, c, s: (e * s - o * c, e * c + o * s)),
        "You exchanged sine and cosine. At place 0 nothing turns: cos 0 = 1 keeps a.",
    ),
    Mistake(
        "twice_the_exponent",
        lambda Q, positions: _turned(Q, positions, lambda d: frequencies(d) ** 2),
        "Your exponents are doubled: -4k/d. With columns 0, 2, 4, ... the 2 is in it already.",
    ),
    Mistake(
        "speeds_grow",
        lambda Q, positions: _turned(Q, positions, lambda d: 1 / frequencies(d)),
        "Your exponent has lost its minus sign, so later pairs turn faster. They must turn more slowly.",
    ),
    Mistake(
        "base_1000",
        lambda Q, positions: _turned(Q, positions, lambda d: frequencies(d, 1000.0)),
        "Your base is 1,000. It is 10,000.",
    ),
    Mistake(
        "counted_from_the_first_place",
        lambda Q, positions: _turned(Q, positions - positions[0]),
        "You counted places from the first one given. Each row turns by its own place.",
    ),
    Mistake(
        "places_sorted",
        lambda Q, positions: _turned(Q, np.sort(positions)),
        "You sorted the places. Row t stands at positions[t].",
    ),
    Mistake(
        "multiplied_by_the_code",
        lambda Q, positions: Q * at(positions, Q.shape[1]),
        "You multiplied by the sine-cosine code. A turn mixes both numbers of a pair.",
    ),
    Mistake(
        "second_half_still",
        lambda Q, positions: np.where(np.arange(Q.shape[1]) < Q.shape[1] // 2, _turned(Q, positions), Q),
        "The second half of the columns does not turn. Every pair turns.",
    ),
    Mistake(
        "speeds_of_the_number_of_tokens",
        lambda Q, positions: _turned(Q, positions, lambda d: 10000.0 ** (-2 * np.arange(d // 2) / len(Q))),
        "You divided the exponent by the number of rows. Divide by d, the number of columns.",
    ),
    Mistake(
        "two_pi_in_the_angles",
        lambda Q, positions: _turned(Q, positions, lambda d: 2 * np.pi * frequencies(d)),
        "You multiplied the angles by 2π. The angle is place times speed, in radians already.",
    ),
    Mistake(
        "rows_put_in_order",
        lambda Q, positions: _turned(Q, positions)[np.argsort(positions)],
        "You put the rows in the order of their places. Row t stays row t.",
    ),
)
