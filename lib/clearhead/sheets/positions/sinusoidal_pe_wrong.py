"""More wrong answers of 07.sinusoidal_pe."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.positions import frequencies

from .shared import side_by_side


def _code(length, d_model, speeds=frequencies, places=np.arange, first=np.sin, second=np.cos):
    """Return the code with its own speeds, places or columns."""
    if d_model % 2:
        raise ValueError("columns come in pairs")
    angles = places(length)[:, None] * speeds(d_model)
    return side_by_side(first(angles), second(angles))


def _refused_with_an_assertion(length, d_model):
    assert d_model % 2 == 0
    return _code(length, d_model)


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
    Mistake(
        "cosine_twice",
        lambda length, d_model: _code(length, d_model, first=np.cos),
        "All your columns are cosines. Even columns are sines.",
    ),
    Mistake(
        "minus_the_sine",
        lambda length, d_model: _code(length, d_model, first=lambda a: -np.sin(a)),
        "Your sines have the wrong sign, as if time ran backwards.",
    ),
    Mistake(
        "one_speed_for_all",
        lambda length, d_model: _code(length, d_model, lambda D: np.ones(D // 2)),
        "All your pairs turn at speed 1. Pair k turns at 10000^(-2k/D).",
    ),
    Mistake(
        "length_as_base",
        lambda length, d_model: _code(length, d_model, lambda D: frequencies(D, length)),
        "Your base is the length. It is 10,000 for every text: the code of a position stays.",
    ),
    Mistake(
        "counted_from_the_second_pair",
        lambda length, d_model: _code(
            length, d_model, lambda D: frequencies(D) * frequencies(D)[min(1, D // 2 - 1)]
        ),
        "Your first pair has the speed of the second. Pair 0 turns at speed 1.",
    ),
    Mistake(
        "last_exponent_is_minus_one",
        lambda length, d_model: _code(
            length, d_model, lambda D: 10000.0 ** (-np.arange(0, D, 2) / max(D - 2, 1))
        ),
        "Your slowest speed is 1/10000, as when 2k is divided by D - 2. The exponent is -2k/D: divide by D.",
    ),
    Mistake(
        "without_the_base",
        lambda length, d_model: _code(length, d_model, lambda D: np.exp(-np.arange(0, D, 2) / D)),
        "You raised e in place of 10,000.",
    ),
    Mistake(
        "whole_numbers",
        lambda length, d_model: _code(length, d_model).astype(int),
        "Your code holds whole numbers, so all decimals are cut off. Make a float array: np.zeros does.",
    ),
    Mistake(
        "text_in_place_of_a_refusal",
        lambda length, d_model: "ValueError" if d_model % 2 else _code(length, d_model),
        'You returned a text. Raise the error: raise ValueError("...").',
    ),
    Mistake(
        "another_error",
        _refused_with_an_assertion,
        "You raised another kind of error. Raise a ValueError.",
    ),
    Mistake(
        "cosine_of_the_next_pair",
        lambda length, d_model: side_by_side(
            _code(length, d_model)[:, ::2],
            np.cos(np.arange(length)[:, None] * frequencies(d_model) * 10000.0 ** (-2 / d_model)),
        ),
        "Your cosines have the speed of the next pair. Columns 2k and 2k+1 share the speed of pair k.",
    ),
)
