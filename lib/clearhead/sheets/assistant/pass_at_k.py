"""Cases of 18.pass_at_k."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    n = int(rng.integers(12, 20))
    c, k = int(rng.integers(2, 4)), int(rng.integers(3, 6))
    return [
        Case(
            "one of four samples correct and two drawn, by hand",
            (1, 4, 2),
            "Three of the six pairs contain the correct sample.",
            expected=0.5,
        ),
        Case("some correct samples", (c, n, k), "Count the draws that contain no correct sample."),
        Case("one sample drawn", (c, n, 1), "With k = 1, the result is the fraction of correct samples."),
        Case(
            "no correct samples",
            (0, n, k),
            "No draw contains a correct sample, so the probability is 0.",
            expected=0.0,
        ),
        Case(
            "fewer wrong samples than drawn ones",
            (n - 1, n, k),
            "Every draw contains a correct sample, so the probability is 1.",
            expected=1.0,
        ),
        Case(
            "as many wrong samples as drawn ones",
            (n - k, n, k),
            "Only one of all the draws consists of wrong samples.",
        ),
        Case(
            "all samples drawn",
            (1, n, n),
            "All samples are drawn, so the correct one is among them.",
            expected=1.0,
        ),
        Case(
            "200 samples, as in papers",
            (c + 9, 200, 10 * k),
            "The factorial of 200 is too large for a float. Use math.comb, or multiply k ratios.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
