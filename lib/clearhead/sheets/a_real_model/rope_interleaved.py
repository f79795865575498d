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
            "With this base the pairs turn by 1 and by π/2 a token. The second token's second pair "
            "becomes (0, 1).",
            expected=np.array([[1, 0, 1, 0], [np.cos(1), np.sin(1), 0, 1]]),
        ),
        Case(
            "lengths stay",
            (x, start, base),
            "A turn changes no length: not of a row, and not of a pair.",
            properties=(
                (
                    "each pair is as long as before",
                    lambda y, x, *rest: np.allclose(
                        (y**2).reshape(len(x), -1, 2).sum(-1), (x**2).reshape(len(x), -1, 2).sum(-1)
                    ),
                ),
            ),
        ),
        Case("from the beginning of a text", (x, 0, base), "In row t, pair k turns by t · base^(-2k/d)."),
        Case("far inside a text", (x[:2], 30 + start, base), "Row t stands at position start + t."),
        Case("one new token", (x[:1], start, 100_000.0), "This is what writing with a cache asks for."),
        Case(
            "entries that are integers",
            (rng.integers(1, 9, size=(T, 2 * pairs)), start, base),
            "The result has decimals: empty_like and zeros_like of integers cannot hold them.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
