"""Cases of 17.permutation_p_value."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    few, many = (int(n) for n in rng.permutation(np.arange(6, 14))[:2])
    scores = -40 + 4 * rng.normal(size=many)
    below, above = rng.uniform(1, 5, few), rng.uniform(1, 5, few + 3)
    with_ties = -30 + np.concatenate([np.zeros(2), -below, above])
    return [
        Case(
            "three random orders, by hand",
            (-10.0, np.array([-12.0, -9.0, -10.0])),
            "The orders with -9 and -10 are at least as high, and so is the published order itself: 3 of 4.",
            expected=0.75,
        ),
        Case(
            "an order that is more probable than all others",
            (float(scores.max() + 2), scores),
            "No random order is as probable, but the published order itself counts.",
        ),
        Case(
            "an ordinary order",
            (float(np.sort(scores)[2] + 1e-3), scores),
            "Count the orders that are at least as probable as the published one.",
        ),
        Case(
            "several orders with the same log-probability",
            (-30.0, rng.permutation(with_ties)),
            "At least as high includes equal log-probabilities.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
