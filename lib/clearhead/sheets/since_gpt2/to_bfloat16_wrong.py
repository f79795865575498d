"""More wrong answers of 16.to_bfloat16."""

import numpy as np

from clearhead.checks.exercise import Mistake

_MASK = np.uint32(0xFFFF0000)


def _bits(x):
    return np.asarray(x, dtype=np.float32).view(np.uint32)


def _rounded(bits):
    return bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)


def _number_below(x):
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.floor(mantissa * np.float32(256)) / np.float32(256), exponent).astype(np.float32)


def _of_values(rounded):
    """Return an answer that works on the numbers as whole ones, and not on their bits."""

    def answer(x):
        with np.errstate(all="ignore"):
            values = x.astype(np.uint32)
        return ((_rounded(values) if rounded else values) & _MASK).astype(np.float32)

    return answer


MORE = (
    Mistake(
        "values_cut",
        _of_values(False),
        "astype makes whole numbers of the values, and you cleared bits of those. view shows the bits.",
    ),
    Mistake(
        "values_rounded",
        _of_values(True),
        "astype makes whole numbers of the values, and you rounded those. view shows the bits.",
    ),
    Mistake(
        "bits_returned",
        lambda x: _rounded(_bits(x)) & _MASK,
        "These are the right bits, read as a whole number. View them as np.float32.",
    ),
    Mistake(
        "upper_half_alone",
        lambda x: _rounded(_bits(x)) >> 16,
        "These are the 16 bits that stay, as a whole number. Move them back up, and view them as np.float32.",
    ),
    Mistake(
        "cut_bits_returned",
        lambda x: _bits(x) >> 16,
        "These are the first 16 bits, cut off, as a whole number. Round, and view all 32 as np.float32.",
    ),
    Mistake(
        "last_bits_not_cleared",
        lambda x: _rounded(_bits(x)).view(np.float32),
        "You added for the rounding, but the last 16 bits are still there: & 0xFFFF0000.",
    ),
    Mistake(
        "cleared_before_rounding",
        lambda x: _rounded(_bits(x) & _MASK).view(np.float32),
        "You cleared the last 16 bits first, and added then. Add first; what is cut decides.",
    ),
    Mistake(
        "the_odd_one",
        lambda x: ((_bits(x) + np.uint32(0x7FFF) + (1 - ((_bits(x) >> 16) & 1))) & _MASK).view(np.float32),
        "Half-way you take the neighbour whose last bit is 1. Take the one where it is 0.",
    ),
    Mistake(
        "last_bit_but_one",
        lambda x: ((_bits(x) + np.uint32(0x7FFF) + ((_bits(x) >> 17) & 1)) & _MASK).view(np.float32),
        "Half-way you ask the last bit but one of those that stay, bit 17. Ask the last, bit 16: "
        "(bits >> 16) & 1.",
    ),
    Mistake(
        "always_to_the_next",
        lambda x: ((_bits(x) + np.uint32(0x10000)) & _MASK).view(np.float32),
        "You always go one further from 0, also where nothing was cut. Add half of what is cut.",
    ),
    Mistake(
        "fifteen_bits_cleared",
        lambda x: (_rounded(_bits(x)) & np.uint32(0xFFFF8000)).view(np.float32),
        "One bit too many is left: you cleared 15 bits. It is the last 16 that go.",
    ),
    Mistake(
        "fifteen_bits_cut",
        lambda x: (_bits(x) & np.uint32(0xFFFF8000)).view(np.float32),
        "You cut 15 bits off. The last 16 go, and the rest is rounded to the nearest.",
    ),
    Mistake(
        "eight_bits_cut",
        lambda x: ((_bits(x) + np.uint32(0x7F) + ((_bits(x) >> 8) & 1)) & np.uint32(0xFFFFFF00)).view(
            np.float32
        ),
        "You rounded away 8 bits. It is the last 16 that go.",
    ),
    Mistake(
        "fixed_steps",
        lambda x: (np.round(x * np.float32(128)) / np.float32(128)).astype(np.float32),
        "You rounded to steps of 1/128 everywhere. Steps grow with the number: 8 binary digits stay.",
    ),
    Mistake(
        "finer_fixed_steps",
        lambda x: (np.round(x * np.float32(2**16)) / np.float32(2**16)).astype(np.float32),
        "You rounded to steps of 2 to the -16 everywhere. Steps grow with the number: 8 binary digits stay.",
    ),
    Mistake(
        "three_decimal_digits",
        lambda x: np.array([float(f"{n:.3g}") for n in x.flat], np.float32).reshape(x.shape),
        "You kept three decimal digits. bfloat16 keeps eight binary ones.",
    ),
    Mistake(
        "downwards",
        _number_below,
        "You never go up, also below 0. Go to the nearer neighbour.",
    ),
    Mistake(
        "whole_numbers",
        np.round,
        "You rounded to whole numbers. A bfloat16 has 8 binary digits, wherever its point stands.",
    ),
    Mistake(
        "values_for_bits",
        lambda x: ((np.abs(x).astype(np.uint64) & np.uint64(0xFFFF0000)) * np.sign(x)).astype(np.float32),
        "Almost nothing is left: astype cut the numbers to whole ones, or the bits that you keep are in the "
        "lower half. Take view, and keep the upper 16 bits where they are.",
    ),
    Mistake(
        "lower_half_kept",
        lambda x: (x.view(np.uint32) + ((x.view(np.uint32) >> 15) & 1) * np.uint32(0x10000)).view(np.float32),
        "You added where it rounds up, but the last 16 bits are still there. Set them to 0: & 0xFFFF0000.",
    ),
)
