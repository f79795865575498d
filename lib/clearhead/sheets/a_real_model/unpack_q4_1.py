"""17.unpack_q4_1: Four bits a number."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.quantization import unpack_q4_1

from .shared import blocks_q4_1
from .unpack_q4_1_wrong import MORE


def _cases(rng):
    N, few = (int(n) for n in rng.permutation(np.arange(2, 7))[:2])
    by_hand = np.concatenate([np.arange(16), np.full(16, 3)])
    scales, smallest = np.round(rng.uniform(0.5, 2, (2, N)), 2)
    return [
        Case(
            "one block, d = 0.5 and m = -1, by hand",
            (blocks_q4_1([0.5], [-1], [by_hand]),),
            "The lower halves of the bytes are 0, 1, 2, ..., 15, all upper halves are 3. "
            "So -1, -0.5, 0, ... and then sixteen times 0.5.",
            expected=by_hand[None] / 2 - 1,
        ),
        Case(
            "scale 1, nothing to add",
            (blocks_q4_1(np.ones(few), np.zeros(few), rng.integers(16, size=(few, 32))),),
            "First all lower halves, then all upper halves.",
        ),
        Case(
            "blocks as in a file",
            (blocks_q4_1(scales, -8 * smallest, rng.integers(16, size=(N, 32))),),
            "x = d q + m, and d stands first.",
        ),
        Case(
            "a smallest value above zero",
            (blocks_q4_1(scales, np.where(np.arange(N), -1, 1) * smallest, rng.integers(16, size=(N, 32))),),
            "m has a sign of its own, and it is added.",
        ),
    ]


def _with(
    order=lambda low, high: np.concatenate([low, high], axis=1), x=lambda d, m, q: d * q + m, kind="<f2"
):
    def answer(blocks):
        d, m = blocks[:, :4].copy().view(kind).astype(float).T[..., None]
        return x(d, m, order(blocks[:, 4:] & 15, blocks[:, 4:] >> 4))

    return answer


EXERCISE = Exercise(
    id="17.unpack_q4_1",
    title="Four bits a number",
    reference=unpack_q4_1,
    cases=_cases,
    hints=(
        "Bytes 0 and 1 are d, bytes 2 and 3 are m. Each of the other 16 bytes holds two codes.",
        "`byte & 15` is the lower half, `byte >> 4` the upper half. In which order do they come?",
        "q = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1), then d * q + m",
    ),
    mistakes=(
        Mistake(
            "neighbours_in_one_byte",
            _with(lambda low, high: np.stack([low, high], axis=2).reshape(len(low), -1)),
            "You put both halves of a byte side by side. Here they stand 16 places apart: first all lower "
            "halves, then all upper halves.",
        ),
        Mistake(
            "upper_half_first",
            _with(lambda low, high: np.concatenate([high, low], axis=1)),
            "You took the upper halves first. The lower halves are the first 16 numbers.",
        ),
        Mistake(
            "smallest_forgotten",
            _with(x=lambda d, m, q: d * q),
            "You left out m. A code of 0 means the smallest value of the block, not 0.",
        ),
        Mistake(
            "smallest_in_steps",
            _with(x=lambda d, m, q: d * (q + m)),
            "You added m before you multiplied. m is a value, not a code: d q + m.",
        ),
        Mistake(
            "smallest_taken_from_the_code",
            _with(x=lambda d, m, q: d * (q - m)),
            "You subtracted m from the code, like a zero point. Here m is a value, and it is added: d q + m.",
        ),
        Mistake(
            "smallest_subtracted",
            _with(x=lambda d, m, q: d * q - m),
            "You subtracted m. It is added, and it has its own sign: d q + m.",
        ),
        Mistake(
            "scale_as_whole_number",
            _with(kind="<i2"),
            "You read d and m as whole numbers of 16 bits. They are floats of 16 bits: np.float16.",
        ),
        Mistake(
            "scale_and_smallest_exchanged",
            _with(x=lambda d, m, q: m * q + d),
            "You exchanged d and m. The scale stands first.",
        ),
        Mistake(
            "codes_with_a_sign",
            _with(x=lambda d, m, q: d * (q - 8.0) + m),
            "You took 8 away from each code. In Q4_1 they go from 0 to 15, and m stands for the rest.",
        ),
        *MORE,
    ),
    alternatives=(_with(),),
    stars=2,
    minutes=15,
)
