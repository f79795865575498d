"""Cases of 19.min_p."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    sure, unsure = np.log([0.9, 0.06, 0.03, 0.01]), np.log([0.3, 0.3, 0.25, 0.15])
    between, z = np.log([0.5, 0.3, 0.14, 0.06]), 3 * rng.normal(size=(4, 9))
    return [
        Case(
            "a confident distribution, by hand",
            (sure, 0.1),
            "The threshold is 0.9 · 0.1 = 0.09, so one word is kept.",
            expected=np.array([sure[0], *3 * [-np.inf]]),
        ),
        Case(
            "an uncertain distribution, by hand",
            (unsure, 0.1),
            "The threshold is 0.3 · 0.1 = 0.03, so all words are kept.",
            expected=unsure,
        ),
        Case(
            "a distribution between the two, by hand",
            (between, 0.2),
            "The threshold is 0.5 · 0.2 = 0.1, and 0.06 is below it.",
            expected=np.array([*between[:3], -np.inf]),
        ),
        Case(
            "logits shifted by a constant",
            (sure + 7, 0.05),
            "A constant that is added to all logits changes no probability, so it must not change "
            "what min-p keeps.",
        ),
        Case(
            "large logits",
            (sure + 900, 0.05),
            "The exponential of 900 overflows, so subtract the largest logit first, as softmax does.",
        ),
        Case("several rows", (z, 0.2), "Each row has its own most probable word."),
        Case(
            "many words",
            (4 * rng.normal(size=(2, 40)), 0.02),
            "Compare each word only with the most probable one.",
        ),
        Case("a p_base of 0", (z, 0.0), "With p_base = 0 every word is kept."),
        Case("a p_base of 1", (z, 1.0), "With p_base = 1 only the most probable word is kept."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
