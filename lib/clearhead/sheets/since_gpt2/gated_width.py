"""16.gated_width: As many numbers as before."""

from clearhead.checks.exercise import Case, Exercise, Mistake

from .gated_width_wrong import MORE


def gated_width(d_ff, multiple):
    """Return the smallest multiple of `multiple` that is at least two thirds of d_ff."""
    return -(-2 * d_ff // (3 * multiple)) * multiple


def _by_search(d_ff, multiple):
    width = 0
    while 3 * width < 2 * d_ff:
        width += multiple
    return width


def _cases(rng):
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


EXERCISE = Exercise(
    id="16.gated_width",
    title="As many numbers as before",
    reference=gated_width,
    cases=_cases,
    hints=(
        "Two matrices of width d_ff have 2 · D · d_ff numbers. Three of width F have 3 · D · F.",
        "F is at least 2/3 of d_ff. How many times `multiple` is that, rounded up? -(-a // b) rounds up.",
        "return -(-2 * d_ff // (3 * multiple)) * multiple",
    ),
    mistakes=(
        Mistake(
            "not_a_multiple",
            lambda d_ff, multiple: -(-2 * d_ff // 3),
            "Your width is 2/3 of d_ff, up to a whole number. Go up to a multiple of `multiple`.",
        ),
        Mistake(
            "rounded_down",
            lambda d_ff, multiple: 2 * d_ff // (3 * multiple) * multiple,
            "You rounded down: too few numbers, where 2/3 of d_ff is no multiple. Round up.",
        ),
        Mistake(
            "always_one_more",
            lambda d_ff, multiple: (2 * d_ff // (3 * multiple) + 1) * multiple,
            "Where 2/3 of d_ff is a multiple already, you go one too far.",
        ),
        Mistake(
            "half",
            lambda d_ff, multiple: -(-d_ff // (2 * multiple)) * multiple,
            "You took half. Three matrices stand in the place of two: each gets 2/3.",
        ),
        Mistake(
            "d_ff_itself_rounded",
            lambda d_ff, multiple: -(-d_ff // multiple) * multiple,
            "You rounded d_ff itself. Take 2/3 of it first: there are three matrices now.",
        ),
        Mistake(
            "through_a_float",
            lambda d_ff, multiple: int(-(-(2 * d_ff / 3) // multiple)) * multiple,
            "A float was in it, from / or float(): large sizes lose their last digits. Divide whole "
            "numbers with //.",
        ),
        Mistake(
            "to_the_nearest",
            lambda d_ff, multiple: (4 * d_ff + 3 * multiple) // (6 * multiple) * multiple,
            "You go to the nearest multiple, which may be too small. Round up.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda d_ff, multiple: (2 * d_ff + 3 * multiple - 1) // (3 * multiple) * multiple,
        lambda d_ff, multiple: _by_search(d_ff, multiple) if d_ff < 10**6 else gated_width(d_ff, multiple),
    ),
    stars=1,
    minutes=10,
    ids=True,
)
