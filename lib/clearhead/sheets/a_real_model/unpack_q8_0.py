"""17.unpack_q8_0: Eight bits a number."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.quantization import unpack_q8_0

from .shared import blocks_q8_0
from .unpack_q8_0_wrong import MORE


def _cases(rng):
    N, few = (int(n) for n in rng.permutation(np.arange(2, 7))[:2])
    scales = np.round(rng.uniform(0.5, 2, size=N), 2)
    positive, all_codes = rng.integers(1, 128, size=(few, 32)), rng.integers(-128, 128, size=(N, 32))
    return [
        Case(
            "one block, scale 0.5, by hand",
            (blocks_q8_0([0.5], [np.arange(32)]),),
            "The first two bytes are 0.5 as float16. Then come 0, 1, 2, ..., so the result is 0, 0.5, 1, ...",
            expected=np.arange(32)[None] / 2,
        ),
        Case(
            "positive codes", (blocks_q8_0(np.linspace(0.25, 3, few), positive),), "x = d q, block by block."
        ),
        Case("codes below zero", (blocks_q8_0(scales, all_codes),), "A byte of 255 means -1 here."),
        Case(
            "the smallest and the largest code",
            (blocks_q8_0([1], [np.repeat([-128, 127], 16)]),),
            "A byte of 128 means -128, and 127 means 127.",
        ),
    ]


def _with(read_scale=lambda blocks: blocks[:, :2].copy().view("<f2"), codes=lambda q: q.view(np.int8)):
    def answer(blocks):
        return read_scale(blocks).astype(float) * codes(blocks[:, 2:].copy())

    return answer


EXERCISE = Exercise(
    id="17.unpack_q8_0",
    title="Eight bits a number",
    reference=unpack_q8_0,
    cases=_cases,
    hints=(
        "Two steps: make d of the first two bytes, and q of the others. Then multiply row by row.",
        "`.view(np.float16)` reads two bytes as one number; `.view(np.int8)` reads each as -128 to 127.",
        "d = blocks[:, :2].copy().view(np.float16).astype(float); q = blocks[:, 2:].copy().view(np.int8)",
    ),
    mistakes=(
        Mistake(
            "codes_never_negative",
            _with(codes=lambda q: q),
            "Your codes go from 0 to 255. They are whole numbers with a sign, -128 to 127: view them as "
            "np.int8.",
        ),
        Mistake(
            "scale_from_one_byte",
            _with(lambda blocks: blocks[:, :1]),
            "You took one byte as the scale. The scale is a float16: view the first two bytes as np.float16.",
        ),
        Mistake(
            "bytes_of_the_scale_exchanged",
            _with(lambda blocks: blocks[:, :2].copy().view(">f2")),
            "You read the two bytes of the scale in the other order. The file keeps the lower byte first.",
        ),
        Mistake(
            "divided_by_the_scale",
            lambda blocks: (
                blocks[:, 2:].copy().view(np.int8) / blocks[:, :2].copy().view("<f2").astype(float)
            ),
            "You divided by the scale. The code says how many steps, d how long a step is: multiply.",
        ),
        Mistake(
            "one_scale_for_all",
            lambda blocks: _with()(
                np.concatenate([np.repeat(blocks[:1, :2], len(blocks), 0), blocks[:, 2:]], 1)
            ),
            "You used the scale of the first block everywhere. Each row has its own.",
        ),
        Mistake(
            "shifted_by_128",
            _with(codes=lambda q: q.astype(float) - 128),
            "You took 128 away from each byte. A sign is kept otherwise: 127 means 127, and 255 means -1.",
        ),
        *MORE,
    ),
    alternatives=(
        _with(),
        lambda blocks: (
            blocks[:, :2].copy().view("<f2").astype(float)
            * np.where(blocks[:, 2:] > 127, blocks[:, 2:].astype(int) - 256, blocks[:, 2:])
        ),
    ),
    stars=1,
    minutes=10,
)
