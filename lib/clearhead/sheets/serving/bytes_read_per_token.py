"""Cases of 19.bytes_read_per_token."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    layers, groups, d = (int(rng.integers(2, high)) for high in (40, 12, 129))
    numbers, length = int(rng.integers(10**8, 10**9)), int(rng.integers(100, 9000))
    real = 134_515_008, 30, 3, 64
    return [
        Case(
            "seven texts, by hand",
            (100, 3, 2, 4, 5, 7, 2),
            "The 200 bytes of weights serve seven texts, so do not round the quotient. A cache has 2 · 3 · 2 "
            "· 4 · 5 entries.",
            expected=200 / 7 + 480,
        ),
        Case(
            "SmolLM2, one short text",
            (*real, 1, 1, 4),
            "Count all weights, and one token of keys and values: 2 · 30 · 3 · 64 entries.",
            expected=538_060_032 + 46_080,
        ),
        Case(
            "sixty-four texts",
            (*real, 1000, 64, 4),
            "The weights are read once for all texts, but each text has its own cache.",
        ),
        Case(
            "two bytes per element",
            (*real, 1000, 8, 2),
            "Weights and cache take half as many bytes as with four bytes per element.",
        ),
        Case(
            "an empty cache",
            (*real, 0, 1, 4),
            "The cache is empty, so only the weights are read.",
            expected=538_060_032,
        ),
        Case(
            "random sizes",
            (numbers, layers, groups, d, length, 7, 2),
            "Every layer has keys and values.",
        ),
        Case(
            "a thousand texts",
            (numbers, layers, groups, d, length, 1000, 4),
            "The weights are read once for a thousand texts, but each text has its own cache.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
