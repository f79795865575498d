"""Cases of 18.pass_at_k."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    n = int(rng.integers(12, 20))
    c, k = int(rng.integers(2, 4)), int(rng.integers(3, 6))
    return [
        Case(
            "one of four is right, two drawn, by hand", (1, 4, 2), "Three of six pairs hold it.", expected=0.5
        ),
        Case("some are right", (c, n, k), "Count the draws that hold no right try."),
        Case("one try", (c, n, 1), "Then it is the share of right tries."),
        Case("none is right", (0, n, k), "Then no draw helps.", expected=0.0),
        Case("fewer are wrong than drawn", (n - 1, n, k), "Then a right one is always drawn.", expected=1.0),
        Case("as many are wrong as are drawn", (n - k, n, k), "A single draw holds wrong tries alone."),
        Case("all are drawn", (1, n, n), "Then the right one is among them.", expected=1.0),
        Case(
            "200 samples, as papers use them",
            (c + 9, 200, 10 * k),
            "The factorial of 200 is too large for a float: count with math.comb, or multiply k ratios.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
