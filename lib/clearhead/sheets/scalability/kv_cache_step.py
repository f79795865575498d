"""Cases of 12.kv_cache_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths import masks
from clearhead.maths.attention import scaled_dot_product_attention

from .drivers import run_cache


def _raised(X, W_q, W_k, W_v):
    """Return tokens with a common entry that adds the same large number to all scores of a query."""
    X, W_k = X.copy(), W_k.copy()
    X[:, 0] = 1
    W_k[0] *= 1000
    return X, W_q, W_k, W_v


def cases(rng):
    T, D, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    X, W_q, W_k, W_v = (rng.normal(size=size) for size in ((T, D), (D, d), (D, d), (D, e)))

    def recomputed(out, X, W_q, W_k, W_v):
        Z = scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v, masks.causal_mask(len(X)))[0]
        return np.allclose(np.asarray(out["Z"], dtype=float), Z)

    equal = ("your rows equal those of causal attention over all tokens", recomputed)
    log3 = float(np.log(3.0))
    return [
        Case(
            "two tokens, by hand",
            (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0], [1.0]]), np.array([[0.0], [log3]]),
             np.array([[4.0], [8.0]])),
            "The second token has the scores 0 and ln 3, so its weights are 1/4 and 3/4, and z is 1 + "
            "6 = 7.",
            expected={"Z": np.array([[4.0], [7.0]]), "K": np.array([[0.0], [log3]]),
                      "V": np.array([[4.0], [8.0]])},
        ),
        Case("random tokens", (X, W_q, W_k, W_v),
             "Append the new key and value first, and then attend.", properties=(equal,)),
        Case("one token", (X[:1], W_q, W_k, W_v), "With empty caches, the token attends only to itself.",
             properties=(equal,)),
        Case("more tokens", (rng.normal(size=(T + 9, D)), 2 * W_q, W_k, W_v),
             "The only query is that of the new token, and it attends to all keys so far.",
             properties=(equal,)),
        Case("scores in the thousands", _raised(X, W_q, W_k, W_v),
             "The exponential of 1,000 overflows, so the softmax must subtract the largest score "
             "first.", properties=(equal,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_cache,
    given={
        "x_of_each_token": "each row `x` of an array {} in turn, together with the `K` and `V` that were "
        "returned before"
    },
    returns={"Z": "the outputs of all steps (Z)", "K": "the cached keys (K)", "V": "the cached values (V)"},
)
