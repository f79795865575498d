"""16.to_bfloat16: Sixteen bits fewer."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.quantization import to_bfloat16

from .to_bfloat16_wrong import MORE


def _bits(x):
    return np.asarray(x, dtype=np.float32).view(np.uint32)


def _number(bits):
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def _by_arithmetic(x):
    """Return x with 8 significant bits, by frexp and round (which takes the even neighbour)."""
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.round(mantissa * np.float32(256)) / np.float32(256), exponent).astype(np.float32)


def _of_bits(bits_kept, powers=True):
    def rounded(x):
        mantissa, exponent = np.frexp(x)
        unit = np.float32(2.0**bits_kept)
        return np.ldexp(np.round(mantissa * unit) / unit, exponent).astype(np.float32)

    return rounded


def _cases(rng):
    n, m = (int(k) for k in rng.permutation(np.arange(5, 12))[:2])
    x = rng.normal(size=(n, m)).astype(np.float32)
    last = rng.permutation(np.arange(n) % 4)  # 0 to 3: the last two bits that stay
    halves = (1 + (4 * rng.integers(0, 31, size=n) + last) / 128 + 1 / 256).astype(np.float32)
    few = (
        "of the 32 bits of each number, the last 16 are 0",
        lambda y, x: ((np.asarray(y, dtype=np.float32).view(np.uint32) & 0xFFFF) == 0).all(),
    )
    single = ("the numbers are float32", lambda y, x: np.asarray(y).dtype == np.float32)
    near = (
        "no number moves by more than 1/256 of itself",
        lambda y, x: (np.abs(y.astype(float) - x) <= np.abs(x.astype(float)) / 256 * 1.0001).all(),
    )
    hand = np.array([1, 1.003, 1.005, 257, -1.005], dtype=np.float32)
    return [
        Case(
            "five numbers, by hand",
            (hand,),
            "Next to 1 stands 1 + 1/128 = 1.0078; 1.003 is nearer to 1, 1.005 is not. 257 lies half-way "
            "between 256 and 258, and 256 is the even one.",
            expected=np.array([1, 1, 1.0078125, 256, -1.0078125], dtype=np.float32),
        ),
        Case("random numbers", (x,), "Round, do not cut.", properties=(few, near, single)),
        Case(
            "large ones",
            (x.T * np.float32(1e30),),
            "Only the last bits go: the exponent keeps its 8 bits.",
            properties=(few, near),
        ),
        Case(
            "tiny ones",
            (x * np.float32(1e-30),),
            "bfloat16 has as many bits for the exponent as float32.",
            properties=(few, near),
        ),
        Case(
            "half-way between two",
            (halves,),
            "Half-way, the neighbour whose last bit is 0 is taken.",
            properties=(few,),
        ),
    ]


EXERCISE = Exercise(
    id="16.to_bfloat16",
    title="Sixteen bits fewer",
    reference=to_bfloat16,
    cases=_cases,
    hints=(
        "bits = x.view(np.uint32) shows the 32 bits of each float32 as a whole number. Which bits stay?",
        "`bits & np.uint32(0xFFFF0000)` cuts. To round, add half of what is cut first: 0x7FFF, and 1 more "
        "where the last bit that stays is 1.",
        "even = (bits >> 16) & 1; bits = (bits + np.uint32(0x7FFF) + even) & np.uint32(0xFFFF0000); return "
        "bits.view(np.float32)",
    ),
    mistakes=(
        Mistake(
            "cut_off",
            lambda x: _number(_bits(x)),
            "You cut the last bits off, so no number moves away from 0. Round to the nearest.",
        ),
        Mistake(
            "half_always_away",
            lambda x: _number(_bits(x) + np.uint32(0x8000)),
            "Half-way you always go away from 0. The rule takes the neighbour whose last bit is 0.",
        ),
        Mistake(
            "half_always_towards",
            lambda x: _number(_bits(x) + np.uint32(0x7FFF)),
            "Half-way you always go towards 0. The rule takes the neighbour whose last bit is 0.",
        ),
        Mistake(
            "float16",
            lambda x: x.astype(np.float16).astype(np.float32),
            "That is float16: more digits, nothing above 65,504. bfloat16 keeps the exponent's 8 bits.",
        ),
        Mistake(
            "seven_bits_in_all",
            _of_bits(7),
            "One bit too few is left. Seven bits are stored, and the leading 1 is not stored: eight count.",
        ),
        Mistake(
            "one_bit_too_many",
            _of_bits(9),
            "One bit too many is left: not all your numbers fit into 16 bits.",
        ),
        Mistake(
            "decimal_places",
            lambda x: np.round(x, 2),
            "You rounded to decimal places. bfloat16 keeps eight binary digits, wherever the point is.",
        ),
        Mistake("unchanged", lambda x: x.copy(), "Nothing is rounded yet."),
        Mistake(
            "only_up",
            lambda x: _number(_bits(x) + np.uint32(0xFFFF)),
            "You never go towards 0. Go to the nearer neighbour.",
        ),
        *MORE,
    ),
    alternatives=(
        _by_arithmetic,
        lambda x: ((_bits(x) + np.uint32(0x7FFF) + ((_bits(x) >> 16) & 1)) >> 16 << 16).view(np.float32),
    ),
    stars=3,
    minutes=20,
    tolerance=1e-9,
)
