"""More wrong answers of 07.sinusoidal_pe."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.positions import frequencies

from .shared import side_by_side


def _code(length, d_model, speeds=frequencies, places=np.arange, second=np.cos):
    """Return the code with its own speeds, places or second column."""
    if d_model % 2:
        raise ValueError("columns come in pairs")
    angles = places(length)[:, None] * speeds(d_model)
    return side_by_side(np.sin(angles), second(angles))


MORE = (
    Mistake(
        "sine_twice",
        lambda length, d_model: _code(length, d_model, second=np.sin),
        "Both columns of a pair hold the sine. The second one holds the cosine.",
    ),
    Mistake(
        "base_1000",
        lambda length, d_model: _code(length, d_model, lambda D: frequencies(D, 1000.0)),
        "Your base is 1,000. The speeds have 10,000.",
    ),
    Mistake(
        "angles_in_degrees",
        lambda length, d_model: _code(length, d_model, places=lambda T: np.radians(np.arange(T))),
        "You took the angles for degrees. They are radians already: no conversion.",
    ),
    Mistake(
        "positions_from_0_to_1",
        lambda length, d_model: _code(length, d_model, places=lambda T: np.linspace(0, 1, T)),
        "Your positions run from 0 to 1. They are 0, 1, 2, ... for any length.",
    ),
    Mistake(
        "turned_round_at_the_end",
        lambda length, d_model: _code(length, d_model).T,
        "The numbers are right, but rows and columns are exchanged: a row is a position.",
    ),
    Mistake(
        "nothing_for_an_odd_width",
        lambda length, d_model: None if d_model % 2 else _code(length, d_model),
        "For an odd d_model nothing comes back. Raise a ValueError.",
    ),
)
