"""12.kv_cache_step: A step with a cache."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import masks
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .drivers import run_cache
from .kv_cache_step_wrong import MORE


def _cache_step(
    keep=np.vstack, scale=lambda x, d: np.sqrt(d), weigh=softmax, give_back=lambda K, V, old: (K, V)
):
    """Return a step with a cache in which one thing can be changed."""

    def kv_cache_step(x, K, V, W_q, W_k, W_v):
        old = K, V
        q, K, V = x @ W_q, keep([K, x @ W_k]), keep([V, x @ W_v])
        z = weigh(K @ q / scale(x, len(q))) @ V
        return (z, *give_back(K, V, old))

    return kv_cache_step


def _past_only(x, K, V, W_q, W_k, W_v):
    z = softmax(K @ (x @ W_q) / np.sqrt(W_q.shape[1])) @ V
    return z, np.vstack([K, x @ W_k]), np.vstack([V, x @ W_v])


def _query_as_key(x, K, V, W_q, W_k, W_v):
    return _cache_step()(x, K, V, W_q, W_q, W_v)


def _all_queries(x, K, V, W_q, W_k, W_v):
    """Return the step, found by the library's attention with one query."""
    K, V = np.concatenate([K, (x @ W_k)[None]]), np.concatenate([V, (x @ W_v)[None]])
    return scaled_dot_product_attention((x @ W_q)[None], K, V)[0][0], K, V


def _raised(X, W_q, W_k, W_v):
    """Return tokens that share an entry, which adds a large number to all scores of a query."""
    X, W_k = X.copy(), W_k.copy()
    X[:, 0] = 1
    W_k[0] *= 1000
    return X, W_q, W_k, W_v


def _cache_cases(rng):
    T, D, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    X, W_q, W_k, W_v = (rng.normal(size=size) for size in ((T, D), (D, d), (D, d), (D, e)))

    def recomputed(out, X, W_q, W_k, W_v):
        Z = scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v, masks.causal_mask(len(X)))[0]
        return np.allclose(np.asarray(out["Z"], dtype=float), Z)

    equal = ("the rows are those of causal attention over the whole text", recomputed)
    log3 = float(np.log(3.0))
    return [
        Case(
            "two tokens, by hand",
            (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0], [1.0]]), np.array([[0.0], [log3]]),
             np.array([[4.0], [8.0]])),
            "The second token has the scores 0 and ln 3, so the weights 1/4 and 3/4: 1 + 6 = 7.",
            expected={"Z": np.array([[4.0], [7.0]]), "K": np.array([[0.0], [log3]]),
                      "V": np.array([[4.0], [8.0]])},
        ),
        Case("a random text", (X, W_q, W_k, W_v), "First append, then attend.", properties=(equal,)),
        Case("one token", (X[:1], W_q, W_k, W_v), "With an empty cache a token sees itself.",
             properties=(equal,)),
        Case("a longer text", (rng.normal(size=(T + 9, D)), 2 * W_q, W_k, W_v),
             "One row of queries, all keys so far.", properties=(equal,)),
        Case("scores in the thousands", _raised(X, W_q, W_k, W_v), "e to the 1,000 is too large for a float: "
             "the softmax must subtract the largest score first.", properties=(equal,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="12.kv_cache_step",
    title="A step with a cache",
    reference=_cache_step(),
    cases=_cache_cases,
    hints=(
        "The new token makes one query, one key and one value. Which of the three must be kept?",
        "Append x @ W_k to K and x @ W_v to V. Then one query attends over all rows of K.",
        "K = np.vstack([K, x @ W_k]); V = np.vstack([V, x @ W_v]); "
        "z = softmax(K @ (x @ W_q) / np.sqrt(W_q.shape[1])) @ V; return z, K, V",
    ),
    mistakes=(
        Mistake(
            "past_only",
            _past_only,
            "Your token sees the past, but not itself. Append its key and value first, then attend.",
        ),
        Mistake(
            "cache_not_returned",
            _cache_step(give_back=lambda K, V, old: old),
            "You returned the old cache, so every token starts anew. Return K and V with the new rows.",
        ),
        Mistake(
            "new_row_alone",
            _cache_step(give_back=lambda K, V, old: (K[-1:], V[-1:])),
            "You returned the new key and value alone. The cache holds those of all tokens so far.",
        ),
        Mistake(
            "newest_first",
            _cache_step(keep=lambda rows: np.vstack(rows[::-1])),
            "You put the new row in front. The rows of a cache stand in the order of the text.",
        ),
        Mistake(
            "not_scaled",
            _cache_step(scale=lambda x, d: 1.0),
            "The scores are not divided by the square root of d.",
        ),
        Mistake(
            "scaled_by_the_width_of_x",
            _cache_step(scale=lambda x, d: np.sqrt(len(x))),
            "You divided by the square root of the width of x. The width of the query, d, is what counts.",
        ),
        Mistake(
            "no_softmax",
            _cache_step(weigh=lambda s: s),
            "You mixed with the scores themselves. Softmax makes weights of them.",
        ),
        Mistake(
            "query_kept_as_key",
            _query_as_key,
            "Your keys are made with W_q. A key is x @ W_k.",
        ),
        Mistake(
            "equal_weights",
            _cache_step(weigh=lambda s: np.full(len(s), 1 / len(s))),
            "All tokens got the same weight. The weights come from the query and the keys.",
        ),
        *MORE,
    ),
    alternatives=(_all_queries,),
    stars=2,
    minutes=15,
    driver=run_cache,
    returns={"Z": "the outputs of all steps (Z)", "K": "the cached keys (K)", "V": "the cached values (V)"},
    given="one row x of X after the other, with the K and V that came back before",
)  # fmt: skip
