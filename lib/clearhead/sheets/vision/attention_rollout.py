"""Cases of 13.attention_rollout."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def _weights(rng, L, H, T):
    raised = rng.exponential(size=(L, H, T, T)) ** 2
    return raised / raised.sum(axis=-1, keepdims=True)


def cases(rng):
    L, H, T = (int(n) for n in rng.permutation(np.arange(2, 7))[:3])
    sums = ("each row sums to 1", lambda R, A: np.allclose(np.sum(np.asarray(R), axis=-1), 1))
    look = (
        "For each block, add half the mean over its heads and half the identity. Multiply these "
        "matrices, with later blocks on the left."
    )
    one = np.array([[[[0.0, 1.0], [0.0, 1.0]]], [[[0.0, 1.0], [1.0, 0.0]]]])
    return [
        Case(
            "two tokens, two blocks, by hand",
            (one,),
            "M_1 is (½ ½; 0 1) and M_2 is (½ ½; ½ ½), so M_2 M_1 is (¼ ¾; ¼ ¾).",
            expected=np.array([[0.25, 0.75], [0.25, 0.75]]),
        ),
        Case(
            "one block",
            (_weights(rng, 1, H, T),),
            "With one block, the result is half the mean over its heads plus half the identity.",
            properties=(sums,),
        ),
        Case("several blocks", (_weights(rng, L, H, T),), look, properties=(sums,)),
        Case(
            "more blocks, heads and tokens", (_weights(rng, L + 2, H + 1, T + 3),), look, properties=(sums,)
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
