"""Cases of 08.count_parameters."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    V, C, D, L = sizes(rng, 4)
    whole = ("the number of parameters is an integer", lambda count, *sizes: float(count).is_integer())
    return [
        Case(
            "5 words, 3 positions, width 2 and one block, by hand",
            (5, 3, 2, 1),
            "The embeddings have 10 and 6 parameters, the block has 12 · 4 + 13 · 2 = 74, and the "
            "last norm has 4.",
            expected=94,
        ),
        Case(
            "random sizes",
            (10 * V, C, D, L),
            "Count the parameters of each part separately, and print the counts.",
            properties=(whole,),
        ),
        Case(
            "other sizes",
            (11 * C, V, L, D),
            "Only the parameters in the blocks grow with the number of blocks.",
            properties=(whole,),
        ),
        Case("GPT-2", (50_257, 1024, 768, 12), "GPT-2 has 124,439,808 parameters.", expected=124_439_808),
        Case(
            "GPT-3",
            (50_257, 2048, 12_288, 96),
            "GPT-3 has 174,604,259,328 parameters.",
            expected=174_604_259_328,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, tolerance=1e-12)
