"""More wrong answers of 07.wavelengths."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _turns(exponent=lambda d: np.arange(0, d, 2) / d, finish=lambda turn: turn):
    """Return wavelengths with exponents of its own, or another last step."""
    return lambda d_model: finish(2 * np.pi * 10000.0 ** exponent(d_model))


MORE = (
    Mistake(
        "rounded_up",
        _turns(finish=np.ceil),
        "You rounded up. A turn need not take a whole number of positions.",
    ),
    Mistake(
        "counted_from_one",
        _turns(lambda d: np.arange(2, d + 2, 2) / d),
        "Your first exponent is 2/D. The first pair is k = 0: it turns once in 2π positions.",
    ),
    Mistake(
        "divided_by_one_less",
        _turns(lambda d: np.arange(0, d, 2) / (d - 1)),
        "You divided by D - 1. Divide by D.",
    ),
    Mistake(
        "twice_the_exponent",
        _turns(lambda d: 2 * np.arange(0, d, 2) / d),
        "Your exponents are doubled: 4k/D. With 0, 2, 4, ... in place of k, the 2 is in it already.",
    ),
    Mistake(
        "one_speed_for_all",
        _turns(lambda d: np.zeros(d // 2)),
        "All your hands turn alike. Pair k turns at 10000^(-2k/D).",
    ),
    Mistake(
        "slowest_alone",
        _turns(finish=lambda turn: turn[-1]),
        "You returned the slowest hand alone. Return one number for each pair.",
    ),
    Mistake(
        "first_pair_left_out",
        _turns(finish=lambda turn: turn[1:]),
        "The first pair is missing. It turns once in 2π positions.",
    ),
    Mistake(
        "logarithms",
        _turns(finish=np.log10),
        "You returned logarithms. Return the positions themselves.",
    ),
    Mistake(
        "a_short_pi",
        lambda d_model: 2 * 3.14 * 10000.0 ** (np.arange(0, d_model, 2) / d_model),
        "You wrote 3.14. Use np.pi, which has all digits.",
    ),
)
