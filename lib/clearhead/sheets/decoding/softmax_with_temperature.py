"""Cases of 10.softmax_with_temperature."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    V = int(rng.integers(5, 10))
    z = 2 * rng.normal(size=V)
    one = ("the probabilities sum to 1", lambda p, z, T: np.isclose(np.sum(p), 1))
    ranked = (
        "the likeliest token stays the likeliest",
        lambda p, z, T: np.argmax(np.asarray(p)) == np.argmax(z),
    )
    return [
        Case(
            "two logits, by hand",
            (np.array([0.0, np.log(4.0)]), 0.5),
            "At T = 0.5 the logit ln 4 becomes 2 ln 4 = ln 16. So the weights are 1 to 16.",
            expected=np.array([1 / 17, 16 / 17]),
        ),
        Case("random logits, hot", (z, 2.5), "Divide the logits, then softmax.", properties=(one, ranked)),
        Case("random logits, cold", (z[:-1], 0.3), "Divide the logits first.", properties=(one, ranked)),
        Case("T = 0", (np.sort(z), 0), "The greedy limit: everything goes to the largest logit.",
             properties=(one,)),
        Case("T = 0, two largest", (np.array([1.0, 3.0, 0.0, 3.0]), 0), "Equal tokens share: one half each."),
        Case("T = 0, nearly equal", (np.array([2.0, 2.0 - 1e-9, 0.0]), 0), "The largest gets everything, "
             "even if it is the largest by very little. Give T = 0 a line of its own.", properties=(one,)),
        Case("three equal logits, a small T", (np.zeros(3), 0.001), "A third to the power 1,000 is 0 for a "
             "computer, and 0/0 is NaN. Divide the logits.", expected=np.full(3, 1 / 3)),
        Case("a logit of -inf, hot", (np.array([0.0, -np.inf, 1.0]), 5), "A logit of -inf has weight 0 at "
             "every temperature: top-p leaves such logits."),
        Case("a small T", (np.array([50.0, 50 - 2**-10, -20.0]), 2**-11), "Does e to the 100,000 "
             "overflow? And only T = 0 is greedy."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
