"""07.wavelengths: How long is a turn?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.positions import frequencies

from .shared import even_number, pairs
from .wavelengths_wrong import MORE


def wavelengths(d_model):
    """Return after how many positions each pair of columns has turned once, (D/2,)."""
    return 2 * np.pi / frequencies(d_model)


def _wavelengths_by_loop(d_model):
    found = []
    for column in range(0, d_model, 2):
        found.append(2 * np.pi * 10000 ** (column / d_model))
    return np.array(found)


def _wavelengths_cases(rng):
    first = ("the first pair turns once in 2π positions", lambda w, d: np.isclose(w[0], 2 * np.pi))
    rising = ("each wavelength is longer than the one before", lambda w, d: np.all(np.diff(w) > 0))
    return [
        Case(
            "four columns, by hand",
            (4,),
            "The speeds are 1 and 0.01, so one turn takes 2π and 200π positions.",
            expected=np.array([2 * np.pi, 200 * np.pi]),
            properties=(first, rising),
        ),
        Case("one pair", (2,), "One clock alone turns at speed 1.", expected=np.array([2 * np.pi])),
        Case(
            "many columns",
            (even_number(rng, 8, 2000),),
            "Two columns share one speed.",
            properties=(first, rising),
        ),
        Case(
            "the first transformer, 512 columns", (512,), "The last pair needs 60,611 positions for a turn."
        ),
    ]


EXERCISE = Exercise(
    id="07.wavelengths",
    title="How long is a turn?",
    reference=wavelengths,
    cases=_wavelengths_cases,
    hints=(
        "A full turn is an angle of 2π. A hand of speed ω has turned by ω t after t positions.",
        "ω t = 2π gives t = 2π / ω, and the speed of pair k is 10000 ** (-2 * k / d_model).",
        "return 2 * np.pi * 10000 ** (np.arange(0, d_model, 2) / d_model)",
    ),
    mistakes=(
        Mistake(
            "speeds_instead",
            frequencies,
            "These are the speeds ω. Asked is the time for one turn: 2π divided by the speed.",
        ),
        Mistake(
            "radians_instead_of_turns",
            lambda d_model: 1 / frequencies(d_model),
            "This is the time for one radian. A full turn has 2π radians.",
        ),
        Mistake(
            "multiplied_by_the_speed",
            lambda d_model: 2 * np.pi * frequencies(d_model),
            "You multiplied 2π by the speed. A faster hand needs less time: divide.",
        ),
        Mistake(
            "one_for_each_column",
            lambda d_model: np.repeat(wavelengths(d_model), 2),
            "You return one number for each column. Two columns are one hand: return D/2 numbers.",
        ),
        Mistake(
            "speed_for_each_column",
            lambda d_model: 2 * np.pi * 10000 ** (np.arange(d_model) / d_model),
            "Each of your columns has a speed of its own. Columns 2k and 2k+1 share one: D/2 numbers.",
        ),
        Mistake(
            "exponent_without_two",
            lambda d_model: 2 * np.pi * 10000 ** (pairs(d_model) / d_model),
            "Your exponent is k/D. It must be 2k/D, else the slowest hands turn far too fast.",
        ),
        Mistake(
            "stretched_to_the_end",
            lambda d_model: 2 * np.pi * np.geomspace(1, 10000, d_model // 2),
            "With two pairs or more, your last wavelength is 10000 · 2π. The exponents 2k/D stop before 1.",
        ),
        Mistake(
            "slowest_first",
            lambda d_model: wavelengths(d_model)[::-1],
            "Your slowest hand comes first. The first pair of columns is the fastest.",
        ),
        Mistake(
            "base_1000",
            lambda d_model: 2 * np.pi * 1000 ** (np.arange(0, d_model, 2) / d_model),
            "Your base is 1,000. The speeds have 10,000.",
        ),
        Mistake(
            "half_a_turn",
            lambda d_model: wavelengths(d_model) / 2,
            "That is half a turn, π. A whole turn is 2π.",
        ),
        Mistake(
            "turn_of_360",
            lambda d_model: wavelengths(d_model) * 180 / np.pi,
            "You took 360 for a turn. Speeds are in radians: a turn is 2π.",
        ),
        Mistake(
            "rounded",
            lambda d_model: np.round(wavelengths(d_model)),
            "You rounded. A turn need not take a whole number of positions.",
        ),
        *MORE,
    ),
    alternatives=(
        _wavelengths_by_loop,
        lambda d_model: 2 * np.pi * np.exp(np.log(10000) * 2 * pairs(d_model) / d_model),
    ),
    stars=1,
    minutes=5,
)
