"""Cases of 08.crossover_length."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D, F = (int(size) for size in rng.integers(100, 900, size=2))
    F += 1000

    def balanced(n, D, F):
        return np.isclose(4 * n**2 * D, 8 * n * D**2 + 4 * n * D * F)

    equal = ("at this length, both costs are equal", balanced)
    return [
        Case(
            "the widths of GPT-2, 768 and 3,072",
            (768, 3072),
            "For the widths of GPT-2, the length is 6 · 768.",
            expected=4608,
            properties=(equal,),
        ),
        Case(
            "random widths, with a wide feed-forward layer",
            (D, F),
            "Compute both costs with your T, and compare them.",
            properties=(equal,),
        ),
        Case(
            "random widths, with a narrow feed-forward layer",
            (F, D),
            "Compute both costs with your T, and compare them.",
            properties=(equal,),
        ),
        Case(
            "the widths of LLaMA 7B, with two matrices in the feed-forward layer",
            (4096, 11_008),
            "Count the matrices and their products one by one.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
