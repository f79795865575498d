"""Cases of 18.dpo_loss."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T = int(rng.integers(5, 9))
    c, r, rc, rr = -3 * rng.random((4, T)) - np.array([[1], [2], [2.5], [1.2]])
    hand = tuple(np.log([v]) for v in (0.6, 0.1, 0.2, 0.3))
    finite = (("the loss is finite", lambda loss, *_: np.isfinite(loss).all()),)
    return [
        Case(
            "one pair, by hand",
            (*hand, 1.0),
            "The chosen answer is 3 times as probable as under the reference, and the rejected one a "
            "third as probable. So σ(z) is 9/10, and the loss is ln(10/9).",
            expected=np.log(10 / 9),
        ),
        Case(
            "random pairs",
            (c, r, rc, rr, 0.3),
            "Compare the policy with the reference, for the chosen and for the rejected answer.",
        ),
        Case("a small β", (c, r, rc, rr, 0.05), "β multiplies the difference."),
        Case(
            "a policy equal to the reference",
            (rc, rr, rc, rr, 0.3),
            "All differences are 0, so the loss is ln 2.",
        ),
        Case(
            "a policy that is nearly certain and wrong",
            (c - 3000, r, rc, rr, 1.0),
            "Far below 0, σ(z) is rounded to 0 and its logarithm is infinite. Compute ln(1 + exp(-z)) "
            "as np.logaddexp(0, -z).",
            properties=finite,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
