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
    near = ("each code times its scale is within half a scale of the key", _near)
    bytes_each = (
        "the codes have the dtype int8, so that each takes one byte",
        lambda out, K: out[0].dtype == np.int8,
    )
    zero = ("the scale of a column of zeros is exactly 0", lambda out, K: np.asarray(out[1])[-1] == 0)
    return [
        Case(
            "two tokens and two columns, by hand",
            (np.array([[127.0, -31.75], [-63.6, 10.1]]),),
            "The first column has the scale 1, the second has 0.25. -63.6 is nearest to -64.",
            expected=(np.array([[127.0, -127], [-64, 40]]), np.array([1.0, 0.25])),
        ),
        Case(
            "random keys",
            (K,),
            "The scale of each column is its largest absolute value, divided by 127.",
            properties=(near, bytes_each),
        ),
        Case(
            "a column of outliers",
            (outlier,),
            "The column of outliers must not make the scales of the others larger.",
            properties=(near,),
        ),
        Case(
            "a column of zeros",
            (np.hstack([K, np.zeros((T, 1))]),),
            "For a column of zeros do not compute 0/0: its codes and its scale are 0.",
            properties=(near, zero),
        ),
        Case(
            "tiny keys",
            (1e-9 * K,),
            "The scales are tiny, too, so do not add a constant to them, and do not raise them to a minimum.",
            properties=(near,),
        ),
        Case(
            "only negative keys",
            (-np.abs(K),),
            "Take the largest absolute value, not the largest entry with its sign.",
            properties=(near,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
