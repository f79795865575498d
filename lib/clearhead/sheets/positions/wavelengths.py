"""Cases of 07.wavelengths."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import even_number


def cases(rng):
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


EXERCISE = exercise_from_text(__file__, cases)
