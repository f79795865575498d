"""Cases of 19.quantize_keys."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _near(answer, K):
    codes, scales = answer
    return bool(np.all(np.abs(codes * scales - K) <= np.abs(K).max(axis=0) / 254 * (1 + 1e-9)))


EXACT = np.array([33, 39, 45, 57, 65, 71, 79, 89]) / 4096  # steps: 127 of them, over 127, are exact


def cases(rng):
    T, d = int(rng.integers(12, 20)), int(rng.integers(4, 9))
    K = rng.normal(size=(T, d))
    K = K / np.abs(K).max(axis=0) * (127 * rng.permutation(EXACT)[:d])  # the largest codes are whole
    outlier = K * np.where(np.arange(d) == d // 2, 60, 1)
    near = ("each number comes back within half a step of its own column", _near)
    bytes_each = (
        "a code takes one byte: the codes have the dtype int8",
        lambda out, K: out[0].dtype == np.int8,
    )
    zero = ("the scale of a column of zeros is exactly 0", lambda out, K: np.asarray(out[1])[-1] == 0)
    return [
        Case(
            "by hand",
            (np.array([[127.0, -31.75], [-63.6, 10.1]]),),
            "The first column has steps of 1, the second of 0.25. -63.6 is nearest to -64.",
            expected=(np.array([[127.0, -127], [-64, 40]]), np.array([1.0, 0.25])),
        ),
        Case(
            "random keys",
            (K,),
            "One scale a column: its largest number, without its sign, over 127.",
            properties=(near, bytes_each),
        ),
        Case(
            "a column of outliers",
            (outlier,),
            "The large column must not make the steps of the others large.",
            properties=(near,),
        ),
        Case(
            "a column of zeros",
            (np.hstack([K, np.zeros((T, 1))]),),
            "0 divided by 0 is no code: give 0.",
            properties=(near, zero),
        ),
        Case(
            "tiny keys",
            (1e-9 * K,),
            "Their steps are tiny as well: nothing is added to a scale, and no smallest scale is set.",
            properties=(near,),
        ),
        Case(
            "negative numbers are the largest", (-np.abs(K),), "Largest without the sign.", properties=(near,)
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
