"""Cases of 12.latent_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    H, S, r, d, e = rng.permutation([3, 4, 5, 6, 7])
    q, C = rng.normal(size=(H, d)), rng.normal(size=(S, r))
    W_k, W_v = rng.normal(size=(H, r, d)), rng.normal(size=(H, r, e))
    more = np.full((S, 1), 1000.0), rng.normal(size=(H, 1, d)), np.zeros((H, 1, e))  # only shifts the scores
    shifted = [
        np.concatenate(pair, axis=-2 if pair[0].ndim == 3 else -1)
        for pair in zip((C, W_k, W_v), more, strict=True)
    ]
    one = np.array([[2.0]]), np.array([[1.0, 4.0]] * 3), np.array([[[1.0], [3.0]]]), np.ones((1, 2, 1))
    return [
        Case(
            "one head, by hand",
            one,
            "The absorbed query is [2 · 1, 2 · 3]. All tokens are equal, so the mixture is [1, 4].",
            expected=(np.array([[2.0, 6.0]]), np.array([[5.0]])),
        ),
        Case(
            "several heads",
            (q, C, W_k, W_v),
            "Each head has its own query and its own matrices, but all heads read the same latent vectors.",
        ),
        Case(
            "one token in the cache",
            (q, C[:1], W_k, W_v),
            "A single token gets all the weight, so the output of head h is C[0] @ W_v[h].",
        ),
        Case(
            "more latent dimensions than a head has",
            (
                rng.normal(size=(H, 2)),
                rng.normal(size=(S, 9)),
                rng.normal(size=(H, 9, 2)),
                rng.normal(size=(H, 9, e)),
            ),
            "The scale depends on the width d of a query, and not on the number of latent dimensions.",
        ),
        Case(
            "scores in the thousands",
            (q, *shifted),
            "All scores of a head are shifted by about a thousand, which does not change its weights. "
            "Subtract the largest score before taking exponentials.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
