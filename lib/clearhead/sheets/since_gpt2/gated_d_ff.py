"""Cases of 16.gated_d_ff."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    multiple = int(rng.integers(8, 200))
    d_ff = 3 * multiple * int(rng.integers(5, 5000))
    enough = (
        "three matrices of this width have at least as many numbers as two of width d_ff",
        lambda width, d_ff, multiple: 3 * width >= 2 * d_ff,
    )
    least = (
        "one multiple less would be too few",
        lambda width, d_ff, multiple: 3 * (width - multiple) < 2 * d_ff,
    )
    both = (enough, least)
    return [
        Case(
            "Llama's, by hand",
            (16384, 256),
            "2/3 of 16,384 is 10,922.7; 43 times 256 is 11,008.",
            expected=11008,
        ),
        Case("no rounding", (96, 1), "2/3 of 96 is 64.", expected=64),
        Case(
            "it fits already", (d_ff, multiple), "2/3 of d_ff is a multiple here: take it.", properties=both
        ),
        Case(
            "one more",
            (d_ff + 1, multiple),
            "Too few numbers is not equal numbers: round up.",
            properties=both,
        ),
        Case(
            "sizes of no great beauty",
            (d_ff + multiple, multiple),
            "Round up to a multiple.",
            properties=both,
        ),
        Case(
            "a third of a multiple above",
            (d_ff + multiple // 2, multiple),
            "2/3 of d_ff is about a third of a multiple above one: go up to the next.",
            properties=both,
        ),
        Case(
            "very large",
            (3 * 10**17 + 3, 1),
            "Stay with whole numbers: a float has 53 bits only.",
            properties=both,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
