"""More wrong answers of 17.unpack_q4_1."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _unpacked(
    low=lambda byte: byte & 15,
    high=lambda byte: byte >> 4,
    order=lambda low, high: np.concatenate([low, high], axis=1),
    x=lambda d, m, q: d * q + m,
    kind="<f2",
):
    """Return unpack_q4_1, in which each of these parts can be replaced by a wrong one."""

    def answer(blocks):
        numbers = blocks[:, :4].copy().view(kind).astype(float)
        q = order(low(blocks[:, 4:]), high(blocks[:, 4:]))
        return x(numbers[:, :1], numbers[:, 1:], q.astype(float))

    return answer


def _in_half_precision(blocks):
    numbers, q = blocks[:, :4].copy().view("<f2"), blocks[:, 4:]
    return numbers[:, :1] * np.concatenate([q & 15, q >> 4], axis=1) + numbers[:, 1:]


def _twice(d, m, q):
    return np.tile(d, (2, 1)) * q + np.tile(m, (2, 1))


MORE = (
    Mistake(
        "upper_half_not_moved",
        _unpacked(high=lambda byte: byte & 240),
        "Your upper halves are 16 times too large. Move them down: byte >> 4.",
    ),
    Mistake(
        "lower_half_twice",
        _unpacked(high=lambda byte: byte & 15),
        "Your last 16 numbers come from the lower halves again. The upper halves are byte >> 4.",
    ),
    Mistake(
        "upper_half_twice",
        _unpacked(low=lambda byte: byte >> 4),
        "Your first 16 numbers come from the upper halves. The lower halves are byte & 15.",
    ),
    Mistake(
        "whole_bytes_as_codes",
        _unpacked(low=lambda byte: byte, high=lambda byte: byte),
        "You took whole bytes as codes. Each byte holds two: byte & 15 and byte >> 4.",
    ),
    Mistake(
        "lower_half_not_cut",
        _unpacked(low=lambda byte: byte),
        "Your first 16 codes are whole bytes. Keep the lower half alone: byte & 15.",
    ),
    Mistake(
        "neighbours_upper_half_first",
        _unpacked(order=lambda low, high: np.stack([high, low], axis=2).reshape(len(low), -1)),
        "You put both halves of a byte side by side, the upper one first. First come all lower halves, "
        "then all upper halves.",
    ),
    Mistake(
        "three_bits",
        _unpacked(low=lambda byte: byte & 7),
        "You kept three bits of each lower half. A code has four: byte & 15.",
    ),
    Mistake(
        "halves_with_a_sign",
        _unpacked(x=lambda d, m, q: d * np.where(q > 7, q - 16, q) + m),
        "You read codes above 7 as negative. In Q4_1 they go from 0 to 15.",
    ),
    Mistake(
        "largest_in_place_of_the_step",
        _unpacked(x=lambda d, m, q: (d - m) / 15 * q + m),
        "You took the first number as the largest value, and made a step of it. It is the step: d q + m.",
    ),
    Mistake(
        "bytes_in_the_other_order",
        _unpacked(kind=">f2"),
        "You read the two bytes of a float in the other order. The file keeps the lower byte first.",
    ),
    Mistake(
        "one_scale_for_all",
        _unpacked(x=lambda d, m, q: d[0] * q + m[0]),
        "You used d and m of the first block everywhere. Each row has its own.",
    ),
    Mistake(
        "smallest_of_the_first_block",
        _unpacked(x=lambda d, m, q: d * q + m[0]),
        "You used m of the first block everywhere. Each row has its own.",
    ),
    Mistake(
        "smallest_made_positive",
        _unpacked(x=lambda d, m, q: d * q + np.abs(m)),
        "You dropped the sign of m. It is added as it is.",
    ),
    Mistake(
        "smallest_multiplied",
        _unpacked(x=lambda d, m, q: d * q * m),
        "You multiplied by m. Add it.",
    ),
    Mistake(
        "smallest_alone",
        _unpacked(x=lambda d, m, q: 0 * q + m),
        "All your numbers are the smallest value. Add d q.",
    ),
    Mistake(
        "divided_by_the_scale",
        _unpacked(x=lambda d, m, q: q / d + m),
        "You divided by d. It is the step: multiply.",
    ),
    Mistake(
        "codes_from_0_to_1",
        _unpacked(x=lambda d, m, q: d * q / 15 + m),
        "You divided the codes by 15. d is one step already.",
    ),
    Mistake(
        "codes_came_back",
        _unpacked(x=lambda d, m, q: q),
        "These are the codes. Go back: d q + m.",
    ),
    Mistake(
        "moved_by_three_bits",
        _unpacked(high=lambda byte: byte >> 3),
        "You moved the upper half down by three bits. It is four: byte >> 4.",
    ),
    Mistake(
        "multiplied_in_half_precision",
        _in_half_precision,
        "You computed in float16, which keeps about three digits. Make d and m floats first: .astype(float).",
    ),
    Mistake(
        "divided_by_15",
        _unpacked(low=lambda byte: byte % 15, high=lambda byte: byte // 15),
        "You split each byte by 15. A half has 16 values: byte % 16 and byte // 16.",
    ),
    Mistake(
        "upper_half_moved_up",
        _unpacked(high=lambda byte: byte << 4),
        "You moved bytes up by four bits. Move the upper half down: byte >> 4.",
    ),
    Mistake(
        "smallest_for_the_lower_half",
        _unpacked(x=lambda d, m, q: d * q + m * (np.arange(32) < 16)),
        "You added m to the first 16 numbers alone. Add it to all 32.",
    ),
    Mistake(
        "halves_stacked_as_rows",
        _unpacked(order=lambda low, high: np.concatenate([low, high], axis=0), x=_twice),
        "You put the upper halves below the lower ones. They stand beside them, in the same row: axis=1.",
    ),
    Mistake(
        "codes_from_1",
        _unpacked(x=lambda d, m, q: d * (q + 1) + m),
        "Your codes begin at 1. The code 0 means m itself.",
    ),
)
