"""Cases of 07.wavelengths."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import even_number


def cases(rng):
    first = ("the first wavelength is 2π positions", lambda w, d: np.isclose(w[0], 2 * np.pi))
    rising = ("each wavelength is longer than the one before", lambda w, d: np.all(np.diff(w) > 0))
    return [
        Case(
            "four columns, by hand",
            (4,),
            "The speeds are 1 and 0.01, so one turn takes 2π and 200π positions.",
            expected=np.array([2 * np.pi, 200 * np.pi]),
            properties=(first, rising),
        ),
        Case(
            "one pair of columns",
            (2,),
            "With one pair of columns, the only speed is 1.",
            expected=np.array([2 * np.pi]),
        ),
        Case(
            "many columns",
            (even_number(rng, 8, 2000),),
            "The two columns of a pair have the same speed, so there are half as many wavelengths as "
            "columns.",
            properties=(first, rising),
        ),
        Case(
            "512 columns, as in the first transformer",
            (512,),
            "The last pair needs 60,611 positions for one turn.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
