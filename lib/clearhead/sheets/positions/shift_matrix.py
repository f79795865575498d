"""07.shift_matrix: A step is a rotation."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.positions import frequencies, sinusoidal_shift

from .shared import at, even_number, pairs
from .shift_matrix_wrong import MORE


def _blocks(signs, speeds=frequencies):
    """Return a shift matrix whose blocks are [[cos, s sin], [t sin, cos]] for signs (s, t)."""

    def shift(offset, d_model):
        R = np.zeros((d_model, d_model))
        for k, angle in enumerate(offset * speeds(d_model)):
            cos, sin = np.cos(angle), np.sin(angle)
            R[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[cos, signs[0] * sin], [signs[1] * sin, cos]]
        return R

    return shift


def _shift_of_halves(offset, d_model):
    cos, sin = (np.diag(f(offset * frequencies(d_model))) for f in (np.cos, np.sin))
    return np.block([[cos, -sin], [sin, cos]])


def _first_block_only(offset, d_model):
    R = np.eye(d_model)
    R[:2, :2] = sinusoidal_shift(offset, 2)
    return R


def _shift_cases(rng):
    rotation = ("R Rᵀ is the identity", lambda R, s, d: np.allclose(R @ R.T, np.eye(d)))
    moves = (
        "code of position t, times R, is the code of position t + offset",
        lambda R, s, d: np.allclose(at(range(9), d) @ R, at(np.arange(9) + s, d)),
    )
    halves = (
        "two steps of offset are one step of twice the offset",
        lambda R, s, d: np.allclose(R @ R, sinusoidal_shift(2 * s, d)),
    )
    both, c, s = (rotation, moves, halves), np.cos(1), np.sin(1)
    return [
        Case(
            "one step, one pair, by hand",
            (1, 2),
            "The block is [[cos 1, -sin 1], [sin 1, cos 1]]: the rows of the code stand on the left of it.",
            expected=np.array([[c, -s], [s, c]]),
            properties=both,
        ),
        Case(
            "a random step",
            (int(rng.integers(2, 300)), even_number(rng)),
            "One block for each pair of columns, each with its own speed.",
            properties=both,
        ),
        Case("back", (-int(rng.integers(2, 300)), 6), "A negative offset walks back.", properties=both),
        Case("no step", (0, 8), "At offset 0 nothing changes: the identity.", expected=np.eye(8)),
        Case("far away", (700, 4), "Only sine and cosine of offset · speed come in.", properties=both),
    ]


EXERCISE = Exercise(
    id="07.shift_matrix",
    title="A step is a rotation",
    reference=sinusoidal_shift,
    cases=_shift_cases,
    hints=(
        "Take one pair first. Write sin(a + b) and cos(a + b) with the addition rules; a is where the hand "
        "stands.",
        "(sin a, cos a) times [[cos b, -sin b], [sin b, cos b]] is (sin(a + b), cos(a + b)), with b = ω "
        "offset.",
        "Start with np.zeros((d_model, d_model)); for pair k put that block into rows and columns 2k and "
        "2k+1.",
    ),
    mistakes=(
        Mistake(
            "transposed",
            lambda offset, d_model: sinusoidal_shift(offset, d_model).T,
            "Your matrix walks in the other direction. Codes are rows here and stand on the left: P @ R. For "
            "columns it would be right.",
        ),
        Mistake(
            "both_signs_plus",
            _blocks((1, 1)),
            "Both sines of your blocks have a plus. The one above the diagonal needs a minus.",
        ),
        Mistake(
            "halves_paired",
            _shift_of_halves,
            "Your blocks join column k with column k + D/2. In this code neighbours are a pair: 2k and 2k+1.",
        ),
        Mistake(
            "one_speed_for_all",
            _blocks((-1, 1), lambda d_model: np.ones(d_model // 2)),
            "All your blocks turn by the offset itself. Pair k turns by offset · ω of this pair.",
        ),
        Mistake(
            "exponent_without_two",
            _blocks((-1, 1), lambda d_model: 10000.0 ** (-pairs(d_model) / d_model)),
            "Your speeds are 10000^(-k/D). For pair k the exponent is -2k/D.",
        ),
        Mistake(
            "columns_moved",
            lambda offset, d_model: np.roll(np.eye(d_model), offset, axis=1),
            "Your matrix moves columns. A step leaves the columns where they are and turns each pair.",
        ),
        Mistake(
            "first_pair_only",
            _first_block_only,
            "You turn the first pair only. Every pair of columns needs its block.",
        ),
        Mistake(
            "in_degrees",
            _blocks((-1, 1), lambda d_model: np.radians(frequencies(d_model))),
            "You took the angles for degrees. They are radians already: no conversion.",
        ),
        Mistake(
            "fast_and_slow_exchanged",
            lambda offset, d_model: sinusoidal_shift(offset, d_model)[::-1, ::-1].T,
            "The slow pairs stand first. The first pair is the fastest.",
        ),
        Mistake(
            "offset_ignored",
            lambda offset, d_model: sinusoidal_shift(1, d_model),
            "You always move by one step. Multiply the speeds by the offset.",
        ),
        Mistake(
            "sign_of_the_offset_lost",
            lambda offset, d_model: sinusoidal_shift(abs(offset), d_model),
            "A negative offset must walk back. Do not take its size alone.",
        ),
        Mistake(
            "sines_forgotten",
            lambda offset, d_model: np.diag(np.diag(sinusoidal_shift(offset, d_model))),
            "Only the cosines are there. A rotation also needs the sines, beside the diagonal.",
        ),
        *MORE,
    ),
    alternatives=(
        _blocks((-1, 1)),
        lambda offset, d_model: np.linalg.matrix_power(sinusoidal_shift(1, d_model), offset),
    ),
    stars=2,
    minutes=20,
)
