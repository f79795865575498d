"""Cases of 08.count_parameters."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    V, C, D, L = sizes(rng, 4)
    whole = ("a number of parameters is a whole number", lambda count, *sizes: float(count).is_integer())
    return [
        Case(
            "5 words, 3 places, width 2, one block, by hand",
            (5, 3, 2, 1),
            "Tables 10 and 6; block 12·4 + 13·2 = 74; last norm 4.",
            expected=94,
        ),
        Case("random sizes", (10 * V, C, D, L), "Count each part alone and print it.", properties=(whole,)),
        Case("other sizes", (11 * C, V, L, D), "What grows with the number of blocks?", properties=(whole,)),
        Case("GPT-2", (50_257, 1024, 768, 12), "GPT-2 has 124,439,808.", expected=124_439_808),
        Case(
            "GPT-3",
            (50_257, 2048, 12_288, 96),
            "GPT-3 has 174,604,259,328.",
            expected=174_604_259_328,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, tolerance=1e-12)
