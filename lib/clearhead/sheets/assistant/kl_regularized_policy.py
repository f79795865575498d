"""Cases of 18.kl_regularized_policy."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def cases(rng):
    V = int(rng.integers(5, 9))
    p, reward = softmax(rng.normal(size=V)), 2 * rng.normal(size=V)
    none = p * (np.arange(V) != 1)
    shares = ("they are probabilities", lambda q, *_: np.isfinite(q).all() and np.isclose(np.sum(q), 1))
    return [
        Case(
            "three answers, by hand",
            (np.array([0.5, 0.25, 0.25]), np.log([1.0, 2, 4]), 1.0),
            "(0.5 · 1, 0.25 · 2, 0.25 · 4) = (0.5, 0.5, 1), and together they are 2.",
            expected=np.array([0.25, 0.25, 0.5]),
        ),
        Case(
            "random answers",
            (p, reward, 0.5),
            "The reference counts, and the reward is divided by β.",
            properties=(shares,),
        ),
        Case("a dear reference", (p, reward, 50.0), "With a large β little changes.", properties=(shares,)),
        Case(
            "all rewards alike", (p, 0 * reward + 3, 0.5), "Then the reference stays.", properties=(shares,)
        ),
        Case(
            "never said",
            (none / none.sum(), reward, 0.5),
            "What the reference never says stays at 0.",
            properties=(shares,),
        ),
        Case(
            "never said, and dear to the judge",
            (none / none.sum(), reward + 20 * (np.arange(V) == 1), 0.5),
            "What the reference never says stays at 0, however large its reward.",
            properties=(shares,),
        ),
        Case(
            "never said, and above all others",
            (none / none.sum(), reward + 2000 * (np.arange(V) == 1), 0.5),
            "Take the largest off among those that can come, where p > 0. And 0 times infinity is no number.",
            properties=(shares,),
        ),
        Case(
            "large rewards",
            (p, 3000 + 100 * reward, 0.5),
            "Take the largest off before exp.",
            properties=(shares,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
