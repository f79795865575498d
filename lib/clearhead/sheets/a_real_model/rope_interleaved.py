"""Cases of 17.rope_interleaved."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, pairs, start = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    x, base = rng.normal(size=(T, 2 * pairs)), float(rng.integers(50, 2000))
    return [
        Case(
            "a quarter turn, by hand",
            (np.array([[1.0, 0, 1, 0], [1, 0, 1, 0]]), 0, (2 / np.pi) ** 2),
            "With this base, the two pairs are rotated by 1 and by π/2 per position. The second pair "
            "of the second token becomes (0, 1).",
            expected=np.array([[1, 0, 1, 0], [np.cos(1), np.sin(1), 0, 1]]),
        ),
        Case(
            "random rows",
            (x, start, base),
            "A rotation changes neither the length of a row nor that of a pair.",
            properties=(
                (
                    "each pair keeps its length",
                    lambda y, x, *rest: np.allclose(
                        (y**2).reshape(len(x), -1, 2).sum(-1), (x**2).reshape(len(x), -1, 2).sum(-1)
                    ),
                ),
            ),
        ),
        Case("a start of 0", (x, 0, base), "In row t, pair k is rotated by t · base^(-2k/d)."),
        Case("a large start", (x[:2], 30 + start, base), "Row t has the position start + t."),
        Case(
            "one new token",
            (x[:1], start, 100_000.0),
            "With a cache, each step of the generation processes one new token, which has the "
            "position start.",
        ),
        Case(
            "entries that are integers",
            (rng.integers(1, 9, size=(T, 2 * pairs)), start, base),
            "The result has decimals, but empty_like and zeros_like make integer arrays from integers.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
