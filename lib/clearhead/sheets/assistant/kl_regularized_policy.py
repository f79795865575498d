"""Cases of 18.kl_regularized_policy."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def cases(rng):
    V = int(rng.integers(5, 9))
    p, reward = softmax(rng.normal(size=V)), 2 * rng.normal(size=V)
    none = p * (np.arange(V) != 1)
    shares = (
        "the result is a probability distribution",
        lambda q, *_: np.isfinite(q).all() and np.isclose(np.sum(q), 1),
    )
    return [
        Case(
            "three answers, by hand",
            (np.array([0.5, 0.25, 0.25]), np.log([1.0, 2, 4]), 1.0),
            "The products p e^r are 0.5 · 1, 0.25 · 2 and 0.25 · 4, and they sum to 2.",
            expected=np.array([0.25, 0.25, 0.5]),
        ),
        Case(
            "random answers",
            (p, reward, 0.5),
            "Each probability of the reference is multiplied by exp(r/β), where r is its reward; then the "
            "products are divided by their sum.",
            properties=(shares,),
        ),
        Case(
            "a large β",
            (p, reward, 50.0),
            "With a large β, the policy stays close to the reference.",
            properties=(shares,),
        ),
        Case(
            "equal rewards",
            (p, 0 * reward + 3, 0.5),
            "Equal rewards leave the reference unchanged.",
            properties=(shares,),
        ),
        Case(
            "an answer with probability 0",
            (none / none.sum(), reward, 0.5),
            "An answer that has the probability 0 under the reference keeps it.",
            properties=(shares,),
        ),
        Case(
            "an answer with probability 0 and a large reward",
            (none / none.sum(), reward + 20 * (np.arange(V) == 1), 0.5),
            "An answer that has the probability 0 under the reference keeps it, however large its reward is.",
            properties=(shares,),
        ),
        Case(
            "an answer with probability 0 and by far the largest reward",
            (none / none.sum(), reward + 2000 * (np.arange(V) == 1), 0.5),
            "Only the rewards of answers with p > 0 count, so subtract the largest of these before the "
            "exponential. Take care not to compute 0 times infinity, which is NaN.",
            properties=(shares,),
        ),
        Case(
            "large rewards",
            (p, 3000 + 100 * reward, 0.5),
            "The exponentials of such rewards overflow, so subtract the largest one first.",
            properties=(shares,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
