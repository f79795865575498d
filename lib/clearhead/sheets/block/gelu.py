"""Cases of 08.gelu."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    rows, columns = sizes(rng, 2)
    below = ("no entry is larger than max(x, 0)", lambda y, x: np.all(y <= np.maximum(x, 0) + 1e-9))
    return [
        Case(
            "the numbers 0, 1 and -1, by hand",
            (np.array([0, 1, -1]),),
            "84.134 % of a standard normal distribution lies below 1, and 15.866 % below -1.",
            expected=np.array([0.0, 0.841344746069, -0.158655253931]),
        ),
        Case(
            "a matrix",
            (rng.normal(size=(rows, columns)),),
            "GELU acts on each entry separately.",
            properties=(below,),
        ),
        Case(
            "numbers from -4 to 4",
            (np.linspace(-4, 4, 33),),
            "Print x beside your result, or plot one against the other.",
        ),
        Case(
            "numbers far from 0",
            (np.array([-1000.0, -30.0, 30.0, 1000.0]),),
            "Far from 0, Φ(x) is nearly 0 or nearly 1.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
