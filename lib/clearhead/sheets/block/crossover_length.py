"""Cases of 08.crossover_length."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    D, F = (int(size) for size in rng.integers(100, 900, size=2))
    F += 1000

    def balanced(n, D, F):
        return np.isclose(4 * n**2 * D, 8 * n * D**2 + 4 * n * D * F)

    equal = ("at this length both costs are equal", balanced)
    return [
        Case(
            "width 768, four times wider inside",
            (768, 3072),
            "That is GPT-2: 6 · 768.",
            expected=4608,
            properties=(equal,),
        ),
        Case("another width inside", (D, F), "Put your T back into both costs.", properties=(equal,)),
        Case("narrow inside", (F, D), "Put your T back into both costs.", properties=(equal,)),
        Case("the sizes of LLaMA 7B, with two maps", (4096, 11_008), "Count the matrices one by one."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
