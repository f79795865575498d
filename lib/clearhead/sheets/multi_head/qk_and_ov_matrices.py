"""Cases of 06.qk_and_ov_matrices."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.heads import multi_head_attention
from clearhead.maths.softmax import softmax

from .shared import random_layer


def _rebuilds_the_layer(found, W_q, W_k, W_v, W_o, num_heads):
    X = np.random.default_rng(0).normal(size=(3, len(W_q)))
    rebuilt = sum(softmax(X @ M @ X.T) @ X @ N for M, N in zip(*found, strict=True))
    layer = {"query": W_q, "key": W_k, "value": W_v, "output": W_o}
    layer = {name: {"weight": weight} for name, weight in layer.items()}
    return np.allclose(rebuilt, multi_head_attention(X, X, layer, num_heads)[0])


def _facts(found, *weights):
    """Return M and N, or a sentence if the answer is a list, which has no shape."""
    if not isinstance(found, list | tuple):
        return found
    return [
        f"a list or tuple of {len(each)} matrices" if isinstance(each, list | tuple) else each
        for each in found
    ]


def cases(rng):
    _, *weights, H = random_layer(rng)
    small = [np.array(rows, dtype=float) for rows in ([[1, 0], [0, 2]], [[3, 1], [0, 1]], [[1, 2], [0, 1]])]
    W_o = np.array([[1.0, 0], [4, 5]])
    by_hand = [
        np.array([[[3, 0], [0, 0]], [[0, 0], [2, 2]]]),
        np.array([[[1, 0], [0, 0]], [[8, 10], [4, 5]]]),
    ]
    sum_is_the_layer = (
        "for any X, the sum over heads of softmax(X M_h Xᵀ) X N_h is the output of the layer",
        _rebuilds_the_layer,
    )
    return [
        Case(
            "two heads of size 1, by hand",
            (*small, W_o, 2),
            "The first head has the query column (1, 0) and the key column (3, 0), and M is their "
            "outer product.",
            expected=by_hand,
        ),
        Case(
            "random weights",
            (*weights, H),
            "Put your M and N into the sum over the heads, and compare it with the output of the layer.",
            properties=(sum_is_the_layer,),
        ),
        Case("other random weights", (*random_layer(rng)[1:],), "Every M_h has D rows and D columns."),
    ]


EXERCISE = exercise_from_text(__file__, cases, facts=_facts)
