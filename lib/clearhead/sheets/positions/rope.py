"""07.rope: Rotary positions."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.positions import frequencies, sinusoidal_shift

from .rope_wrong import MORE
from .shared import at, even_number, pairs, side_by_side


def _rope_with(turn, speeds=frequencies, places=lambda positions: positions):
    """Return a rotation with its own way to turn, its own speeds or its own places."""

    def rope(Q, positions):
        angles = np.asarray(places(positions))[:, None] * speeds(Q.shape[1])
        return turn(1.0 * Q, np.cos(angles), np.sin(angles))

    return rope


def _neighbours(Q, cos, sin):
    even, odd = Q[:, 0::2], Q[:, 1::2]
    return side_by_side(even * cos - odd * sin, even * sin + odd * cos)


rope = _rope_with(_neighbours)


def _halves(Q, cos, sin):
    first, second = np.split(Q, 2, axis=1)
    return np.hstack([first * cos - second * sin, first * sin + second * cos])


def _overwritten(Q, cos, sin):
    Q[:, 0::2] = Q[:, 0::2] * cos - Q[:, 1::2] * sin
    Q[:, 1::2] = Q[:, 0::2] * sin + Q[:, 1::2] * cos
    return Q


def _two_layouts(Q, positions):
    """Return halves that meet angles laid out for neighbours."""
    angles = np.repeat(np.asarray(positions)[:, None] * frequencies(Q.shape[1]), 2, axis=1)
    first, second = np.split(Q, 2, axis=1)
    return Q * np.cos(angles) + np.hstack([-second, first]) * np.sin(angles)


def _each_column(Q, positions):
    d = Q.shape[1]
    angles = np.asarray(positions)[:, None] * 10000.0 ** (-np.arange(d) / d)
    partner = side_by_side(-Q[:, 1::2], Q[:, 0::2])
    return Q * np.cos(angles) + partner * np.sin(angles)


def _kept_whole(Q, positions):
    turned = np.zeros_like(Q)
    turned[:] = rope(Q, positions)
    return turned


def _as_complex(Q, positions):
    hands = Q[:, 0::2] + 1j * Q[:, 1::2]
    hands = hands * np.exp(1j * np.outer(positions, frequencies(Q.shape[1])))
    return side_by_side(hands.real, hands.imag)


def _rope_cases(rng):
    T, d = int(rng.integers(11, 16)), even_number(rng, 2, 4)
    Q = rng.normal(size=(T, d))
    positions = rng.permutation(3 * T)[:T]
    same, start = np.tile(Q[0], (T, 1)), int(rng.integers(5, 50))
    lengths = (
        "every row keeps its length",
        lambda out, Q, positions: np.allclose(np.linalg.norm(out, axis=1), np.linalg.norm(Q, axis=1)),
    )
    distance = (
        "equal queries: each dot product of two rows depends only on how far apart they stand",
        lambda out, Q, positions: np.allclose((out @ out.T)[1:, 1:], (out @ out.T)[:-1, :-1]),
    )
    c, s = np.cos(2), np.sin(2)
    return [
        Case(
            "places 0 and 2, by hand",
            (np.array([[3.0, 4.0], [3.0, 4.0]]), np.array([0, 2])),
            "At place 0 nothing turns. At place 2: (3 cos 2 - 4 sin 2, 3 sin 2 + 4 cos 2).",
            expected=np.array([[3, 4], [3 * c - 4 * s, 3 * s + 4 * c]]),
            properties=(lengths,),
        ),
        Case(
            "random queries, places in any order",
            (Q, positions),
            "Row t stands at positions[t]. Each pair of neighbours turns at its own speed.",
            properties=(lengths,),
        ),
        Case(
            "one query at many places",
            (same, np.arange(start, start + T)),
            "Compare the score of two places with the score ten places further.",
            properties=(lengths, distance),
        ),
        Case(
            "far places",
            (Q, 5000 + positions),
            "The angle is place · speed, at any place.",
            properties=(lengths,),
        ),
        Case(
            "whole numbers",
            (rng.integers(-4, 5, size=(3, d)), np.array([1, 2, 4])),
            "Q may hold integers; what comes back is not whole.",
        ),
    ]


EXERCISE = Exercise(
    id="07.rope",
    title="Rotary positions",
    reference=rope,
    cases=_rope_cases,
    hints=(
        "One pair, one place: (a, b) turned by θ is (a cos θ - b sin θ, a sin θ + b cos θ).",
        "angles = positions[:, None] * 10000 ** (-np.arange(0, d, 2) / d) has shape (T, d/2), as Q[:, 0::2] "
        "has.",
        "Make a new float array, out = np.zeros(Q.shape), and fill out[:, 0::2] and out[:, 1::2] from the "
        "old Q.",
    ),
    mistakes=(
        Mistake(
            "halves_paired",
            _rope_with(_halves),
            "You pair column k with column k + d/2, as GPT-NeoX does. Here neighbours are pairs: columns 2k "
            "and 2k+1. Never mix the two.",
        ),
        Mistake(
            "turned_backwards",
            _rope_with(lambda Q, cos, sin: _neighbours(Q, cos, -sin)),
            "You turn the other way round. Scores would stay the same, but the paper, and this check, turn "
            "by +θ.",
        ),
        Mistake(
            "one_speed_for_all",
            _rope_with(_neighbours, lambda d: np.ones(d // 2)),
            "All your pairs turn at speed 1. Pair k turns at 10000^(-2k/d).",
        ),
        Mistake(
            "exponent_without_two",
            _rope_with(_neighbours, lambda d: 10000.0 ** (-pairs(d) / d)),
            "Your speeds are 10000^(-k/d), which is 100^(-2k/d). For pair k it is 10000^(-2k/d).",
        ),
        Mistake(
            "positions_ignored",
            _rope_with(_neighbours, places=lambda positions: np.arange(len(positions))),
            "You turned row t by place t. The places are given: row t stands at positions[t].",
        ),
        Mistake(
            "written_over_too_early",
            _rope_with(_overwritten),
            "You overwrite the even columns, and then the odd columns are made from the new ones. Keep a "
            "copy of the old.",
        ),
        Mistake(
            "speed_for_each_column",
            _each_column,
            "The two columns of a pair turn by different angles in your code, so lengths do not stay. They "
            "share one.",
        ),
        Mistake(
            "added_instead",
            lambda Q, positions: Q + at(positions, Q.shape[1]),
            "You added the sine-cosine code. Rotary positions add nothing: they turn the query itself.",
        ),
        Mistake(
            "kept_whole_numbers",
            _kept_whole,
            "Your result has the number type of Q, so with whole numbers all decimals are cut off. Make a "
            "float array for the result.",
        ),
        Mistake(
            "two_layouts_mixed",
            _two_layouts,
            "Your pairs are halves, and your angles are laid out for neighbours. Use one layout: neighbours.",
        ),
        Mistake(
            "angles_in_degrees",
            lambda Q, positions: _rope_with(_neighbours, places=np.radians)(Q, positions),
            "You took the angles for degrees. They are radians already.",
        ),
        *MORE,
    ),
    alternatives=(
        _as_complex,
        lambda Q, positions: np.array(
            [q @ sinusoidal_shift(-int(t), Q.shape[1]) for q, t in zip(Q, positions, strict=True)]
        ),
    ),
    stars=3,
    minutes=25,
)
