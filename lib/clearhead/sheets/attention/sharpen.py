"""Cases of 05.sharpen."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def cases(rng):
    def given(d, weight):
        q, other = rng.normal(size=d), rng.normal(size=d)
        near, far = q + 0.3 * rng.normal(size=d), other - q
        return (q, near, far, weight) if q @ near > q @ far else (q, far, near, weight)

    reached = (
        "with c q as the query, the softmax gives k_near the requested weight",
        lambda c, q, near, far, weight: np.isclose(
            softmax(c * np.stack([near, far]) @ q / np.sqrt(len(q)))[0], weight
        ),
    )
    exact = (
        "c is exact to six digits, for which rounding or a coarse search is not enough",
        lambda c, q, near, far, weight: (
            not 1e-6
            < abs(softmax(c * np.stack([near, far]) @ q / np.sqrt(len(q)))[0] - weight)
            < min(0.002, (1 - weight) / 2)
        ),
    )
    easy = np.array([1.0, 0, 0, 0]), np.array([3.0, 0, 0, 1]), np.array([1.0, 2, 0, 0])
    return [
        Case(
            "a gap of 2, d = 4 and the weight 0.9, by hand",
            (*easy, 0.9),
            "The scaled gap is 2 / √4 = 1, and 0.9 / 0.1 = 9, so c = ln 9.",
            expected=2.1972245773,
            properties=(exact, reached),
        ),
        Case(
            "a weight of one half",
            (*given(6, 0.5),),
            "Equal weights need equal scores, so c q must have the same score with both keys.",
        ),
        Case(
            "a weight of 0.999",
            given(7, 0.999),
            "The weight is close to 1 here, and must not be clipped. To check your c, compute the "
            "weight that it gives.",
            properties=(exact, reached),
        ),
        Case(
            "two keys with nearly the same score",
            (easy[0], easy[1], easy[1] - np.array([1e-4, 0, 0, 0]), 0.9),
            "The scaled gap is 0.00005, so c is about 44,000. A search needs limits that depend on the gap.",
            properties=(reached,),
        ),
        Case(
            "a weight below one half",
            given(8, 0.2),
            "The weight of k_near is below one half, so its score with c q must be the smaller one.",
            properties=(reached,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
