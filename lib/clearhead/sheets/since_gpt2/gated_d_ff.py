"""Cases of 16.gated_d_ff."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    multiple = int(rng.integers(8, 200))
    d_ff = 3 * multiple * int(rng.integers(5, 5000))
    enough = (
        "three matrices of this width have at least as many parameters as two of width d_ff",
        lambda width, d_ff, multiple: 3 * width >= 2 * d_ff,
    )
    least = (
        "with one multiple less, the three matrices would have too few parameters",
        lambda width, d_ff, multiple: 3 * (width - multiple) < 2 * d_ff,
    )
    both = (enough, least)
    return [
        Case(
            "the width of Llama, by hand",
            (16384, 256),
            "2/3 of 16,384 is 10,922.7, and the next multiple of 256 is 43 · 256 = 11,008.",
            expected=11008,
        ),
        Case("a multiple of 1", (96, 1), "2/3 of 96 is 64.", expected=64),
        Case(
            "two thirds of d_ff equal to a multiple",
            (d_ff, multiple),
            "2/3 of d_ff is a multiple here, so it is the result.",
            properties=both,
        ),
        Case(
            "two thirds of d_ff slightly above a multiple",
            (d_ff + 1, multiple),
            "2/3 of d_ff is slightly larger than a multiple, so round it up to the next one.",
            properties=both,
        ),
        Case(
            "two thirds of a multiple above one",
            (d_ff + multiple, multiple),
            "2/3 of d_ff is two thirds of a multiple above one, so round it up to the next one.",
            properties=both,
        ),
        Case(
            "one third of a multiple above one",
            (d_ff + multiple // 2, multiple),
            "2/3 of d_ff is about a third of a multiple above one, so round it up to the next one.",
            properties=both,
        ),
        Case(
            "a very large width",
            (3 * 10**17 + 3, 1),
            "Use only integers in the computation, because a float has only 53 bits of precision.",
            properties=both,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
