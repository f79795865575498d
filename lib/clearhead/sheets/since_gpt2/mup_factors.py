"""Cases of 16.mup_factors."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    base, other = (int(n) for n in rng.permutation([24, 32, 48, 64])[:2])
    times, few = (int(n) for n in rng.permutation([3, 5, 6, 7])[:2])
    return [
        Case(
            "four times as wide, by hand",
            (256, 64),
            "m is 4, so the hidden weights get 1/2 of the standard deviation and 1/4 of the learning rate.",
            expected=(0.5, 0.25, 0.25),
        ),
        Case("a wider network", (base * times, base), "m is the width divided by the base width."),
        Case("a narrower network", (other, other * few), "With m below 1, the factors are above 1."),
        Case(
            "the width at which it was tuned",
            (80, 80),
            "With m = 1, nothing changes.",
            expected=(1.0, 1.0, 1.0),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
