"""07.sinusoidal_pe: Sine and cosine."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.positions import sinusoidal

from .drivers import or_refusal
from .shared import even_number, pairs, side_by_side
from .sinusoidal_pe_wrong import MORE


def _code_with(angle, order=side_by_side, start=0):
    """Return a code with its own angles (T, D/2), its own order of columns or its own first position."""

    def code(length, d_model):
        if d_model % 2:
            raise ValueError("columns come in pairs")
        angles = angle(np.arange(start, start + length)[:, None], pairs(d_model), d_model)
        return order(np.sin(angles), np.cos(angles))

    return code


def _right_angles(t, k, d):
    return t * 10000.0 ** (-2 * k / d)


def _speed_for_each_column(power):
    """Return a code whose column c turns at 10000^(-power c / D), sine in even columns."""

    def code(length, d_model):
        if d_model % 2:
            raise ValueError("columns come in pairs")
        columns = np.arange(d_model)
        angles = np.arange(length)[:, None] * 10000.0 ** (-power * columns / d_model)
        return np.where(columns % 2, np.cos(angles), np.sin(angles))

    return code


def _odd_column_left(length, d_model):
    P = np.zeros((length, d_model))
    for k in range(d_model // 2):
        angles = np.arange(length) * 10000.0 ** (-2 * k / d_model)
        P[:, 2 * k], P[:, 2 * k + 1] = np.sin(angles), np.cos(angles)
    return P


def _odd_code_grows(length, d_model):
    angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    return side_by_side(np.sin(angles), np.cos(angles))


def _by_loops(length, d_model):
    if d_model % 2:
        raise ValueError(f"d_model is {d_model}, but columns come in pairs.")
    return _odd_column_left(length, d_model)


def _by_complex_numbers(length, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    hands = np.exp(1j * np.outer(np.arange(length), 10000.0 ** (-np.arange(0, d_model, 2) / d_model)))
    P = np.empty((length, d_model))
    P[:, 0::2], P[:, 1::2] = hands.imag, hands.real
    return P


def _sinusoidal_cases(rng):
    norm = (
        "the squares of each row sum to D/2",
        lambda P, length, d: np.allclose(np.sum(P**2, axis=1), d / 2),
    )
    offset = (
        "the dot product of two rows depends only on how far apart they are",
        lambda P, length, d: np.allclose((P @ P.T)[1:, 1:], (P @ P.T)[:-1, :-1]),
    )
    t = np.arange(3)
    by_hand = np.stack([np.sin(t), np.cos(t), np.sin(0.01 * t), np.cos(0.01 * t)], axis=1)
    return [
        Case(
            "three positions, four columns, by hand",
            (3, 4),
            "The two speeds are 1 and 0.01. Row 1 is (sin 1, cos 1, sin 0.01, cos 0.01).",
            expected=by_hand,
            properties=(norm, offset),
        ),
        Case(
            "random sizes",
            (int(rng.integers(11, 120)), even_number(rng, 3, 20)),
            "Check the shape (T, D), then which columns share a speed.",
            properties=(norm, offset),
        ),
        Case("one position", (1, 6), "At position 0 every hand stands at sine 0, cosine 1."),
        Case("a long text", (500, 8), "A position has the same code for any length.", properties=(norm,)),
        Case(
            "an odd number of columns",
            (4, 7),
            "Columns come in pairs: for an odd d_model raise a ValueError.",
        ),
    ]


EXERCISE = Exercise(
    id="07.sinusoidal_pe",
    title="Sine and cosine",
    reference=sinusoidal,
    cases=_sinusoidal_cases,
    hints=(
        "First the angles: one row a position, one column a pair. Then sine and cosine of the same angles.",
        "np.arange(length)[:, None] * 10000 ** (-np.arange(0, d_model, 2) / d_model) has shape (T, D/2).",
        "P = np.zeros((length, d_model)); P[:, 0::2] = np.sin(angles); P[:, 1::2] = np.cos(angles). "
        "Before that, raise ValueError if d_model % 2.",
    ),
    mistakes=(
        Mistake(
            "sines_then_cosines",
            _code_with(_right_angles, lambda sin, cos: np.hstack([sin, cos])),
            "All your sines come first, then all cosines. That code works, too, but here a sine and its "
            "cosine stand side by side.",
        ),
        Mistake(
            "cosine_first",
            _code_with(_right_angles, lambda sin, cos: side_by_side(cos, sin)),
            "Your even columns hold the cosine. Sine comes first: column 2k is the sine, 2k+1 the cosine.",
        ),
        Mistake(
            "speed_for_each_column",
            _speed_for_each_column(1),
            "Each of your columns has a speed of its own. Columns 2k and 2k+1 share one, or they are no "
            "hand.",
        ),
        Mistake(
            "column_in_place_of_pair",
            _speed_for_each_column(2),
            "You put the column into the exponent 2k/D. k counts pairs: columns 4 and 5 both have k = 2.",
        ),
        Mistake(
            "exponent_without_minus",
            _code_with(lambda t, k, d: t * 10000.0 ** (2 * k / d)),
            "Your later columns turn faster and faster. The exponent is negative: they turn more slowly.",
        ),
        Mistake(
            "exponent_without_two",
            _code_with(lambda t, k, d: t * 10000.0 ** (-k / d)),
            "Your exponent is -k/D. For pair k it must be -2k/D.",
        ),
        Mistake(
            "speed_of_the_token",
            _code_with(lambda t, k, d: k * 10000.0 ** (-2 * t / len(t))),
            "In your code the speed depends on the position. It belongs to the pair of columns; the "
            "position is the time.",
        ),
        Mistake(
            "positions_from_one",
            _code_with(_right_angles, start=1),
            "Your first row is position 1. We count from 0, and row 0 is (0, 1, 0, 1, ...).",
        ),
        Mistake(
            "odd_column_left_at_zero",
            _odd_column_left,
            "Right for an even d_model. For an odd one your last column has no partner: raise a ValueError.",
        ),
        Mistake(
            "odd_code_grows",
            _odd_code_grows,
            "Right for an even d_model. For an odd one a column more comes back than was asked for: raise a "
            "ValueError.",
        ),
        Mistake(
            "whole_turns",
            _code_with(lambda t, k, d: 2 * np.pi * _right_angles(t, k, d)),
            "Your angles are 2π times too large. The angle is speed times position, in radians.",
        ),
        Mistake(
            "slowest_pair_first",
            _code_with(lambda t, k, d: _right_angles(t, k.max() - k, d)),
            "Your first pair is the slowest. Pair 0 is the fastest: its speed is 1.",
        ),
        *MORE,
    ),
    alternatives=(_by_loops, _by_complex_numbers),
    stars=2,
    minutes=15,
    driver=or_refusal,
)
