"""Cases of 06.ablate_head."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import CHAPTER, random_layer


def _raised(X, W_k, W_q, W_v):
    """Return tokens with a common entry that adds the same large number to all scores of a query."""
    X, W_k = X.copy(), W_k.copy()
    X[:, 0] = 1
    W_k[0] *= 1000
    return X, W_q, W_k, W_v


def cases(rng):
    layer = random_layer(rng)
    X, W_q, W_k, W_v, W_o, H = layer
    single = [W[:, : W.shape[1] // H] for W in (W_q, W_k, W_v)]
    nothing = ("a layer without its only head returns zeros", lambda Z, *rest: np.allclose(Z, 0))
    return [
        Case(
            "the chapter's example without its first head",
            (*CHAPTER, 2, 0),
            "What remains is the output of the second head. Its row for the last token is 0.055, 0, "
            "1.931 and 0.11.",
            expected=np.array(
                [
                    [1.0, 0.0, 0.42174812361, 2.0],
                    [0.20081502103, 0.0, 1.74898122371, 0.40163004206],
                    [1.0, 0.0, 0.15061126577, 2.0],
                    [0.05510296242, 0.0, 1.93112129697, 0.11020592484],
                ]
            ),
        ),
        Case(
            "random weights, without the first head",
            (*layer, 0),
            "Heads are counted from 0, so the first head is head 0.",
        ),
        Case(
            "random weights, without the last head",
            (*layer, H - 1),
            "Heads are counted from 0, so the last head is head H − 1.",
        ),
        Case(
            "a layer with one head",
            (X, *single, W_o[: len(W_o) // H], 1, 0),
            "Without its only head, the layer has nothing to add up, so the result is zeros.",
            properties=(nothing,),
        ),
        Case(
            "scores in the thousands",
            (*_raised(X, W_k, W_q, W_v), W_o, H, 1),
            "The exponential of a score in the thousands overflows, so subtract the largest score of "
            "each row first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
