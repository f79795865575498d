"""More wrong answers of 17.unpack_q8_0."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _d(blocks, kind="<f2"):
    return blocks[:, :2].copy().view(kind)


def _q(blocks):
    return blocks[:, 2:].copy().view(np.int8)


def _codes(from_byte):
    """Return unpack_q8_0 with its own way from a byte to a code."""
    return lambda blocks: _d(blocks).astype(float) * from_byte(blocks[:, 2:].astype(int))


MORE = (
    Mistake(
        "scale_left_out",
        lambda blocks: _q(blocks).astype(float),
        "These are the codes q. Multiply each by the scale of its row.",
    ),
    Mistake(
        "scale_at_the_end",
        lambda blocks: _d(blocks[:, -2:]).astype(float) * blocks[:, :-2].copy().view(np.int8),
        "You took the last two bytes as the scale. It stands first: blocks[:, :2].",
    ),
    Mistake(
        "scale_as_whole_number",
        lambda blocks: _d(blocks, "<i2").astype(float) * _q(blocks),
        "You read the scale as a whole number of 16 bits. It is a float of 16 bits: np.float16.",
    ),
    Mistake(
        "multiplied_in_half_precision",
        lambda blocks: _d(blocks) * _q(blocks),
        "You multiplied in float16, which keeps about three digits. Make d a float first: .astype(float).",
    ),
    Mistake(
        "minus_255",
        _codes(lambda q: np.where(q > 127, q - 255, q)),
        "You took 255 away from the bytes above 127. There are 256 bytes: 255 means -1, so take 256 away.",
    ),
    Mistake(
        "first_bit_as_a_sign",
        _codes(lambda q: np.where(q > 127, 128 - q, q)),
        "You took the first bit as a minus sign. Here 255 means -1 and 128 means -128: view them as np.int8.",
    ),
    Mistake(
        "sign_from_127_on",
        _codes(lambda q: np.where(q >= 127, q - 256, q)),
        "127 became -129. It is the largest code, so only bytes above 127 are negative.",
    ),
    Mistake(
        "scale_added",
        lambda blocks: _d(blocks).astype(float) + _q(blocks),
        "You added the scale. Multiply by it.",
    ),
    Mistake(
        "minus_127",
        _codes(lambda q: q - 127),
        "You took 127 away from each byte. A sign is kept otherwise: view them as np.int8.",
    ),
    Mistake(
        "divided_by_127",
        lambda blocks: _d(blocks).astype(float) * _q(blocks) / 127,
        "You divided by 127. The scale has done that already: a number is d q.",
    ),
    Mistake(
        "scale_two_bytes_late",
        lambda blocks: _d(blocks[:, 2:]).astype(float) * _q(blocks),
        "You read the scale from bytes 2 and 3. It stands in bytes 0 and 1.",
    ),
    Mistake(
        "scale_as_bfloat16",
        lambda blocks: (
            (_d(blocks, "<u2").astype(np.uint32) << 16).view(np.float32).astype(float) * _q(blocks)
        ),
        "You read the scale as bfloat16. It is float16, with five bits for its exponent.",
    ),
    Mistake(
        "all_in_one_row",
        lambda blocks: (_d(blocks).astype(float) * _q(blocks)).ravel(),
        "Your numbers are right, but in one long row. Keep a row for each block: (N, 32).",
    ),
    Mistake(
        "byte_128_stays",
        _codes(lambda q: np.where(q > 128, q - 256, q)),
        "128 stayed positive. It means -128: all bytes above 127 are below zero.",
    ),
    Mistake(
        "last_scale_for_all",
        lambda blocks: _d(blocks)[-1:].astype(float) * _q(blocks),
        "You used the scale of the last block everywhere. Each row has its own.",
    ),
    Mistake(
        "first_block_alone",
        lambda blocks: (_d(blocks).astype(float) * _q(blocks))[0],
        "You unpacked the first block alone. Unpack all N of them: (N, 32).",
    ),
    Mistake(
        "cut_to_whole_numbers",
        lambda blocks: (_d(blocks).astype(float) * _q(blocks)).astype(np.int8),
        "You put the products into int8, which cuts their decimals off. Return floats.",
    ),
    Mistake(
        "minus_from_127",
        _codes(lambda q: np.where(q > 127, 127 - q, q)),
        "You counted the bytes above 127 down from 127. 255 means -1 and 128 means -128: take 256 away.",
    ),
    Mistake(
        "scale_as_float32",
        lambda blocks: blocks[:, :4].copy().view("<f4").astype(float) * blocks[:, 4:].copy().view(np.int8),
        "You read four bytes as the scale. It has two: float16.",
    ),
)
