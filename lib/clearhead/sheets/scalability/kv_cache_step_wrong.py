"""More wrong answers of 12.kv_cache_step."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _step(scale=lambda d, n: np.sqrt(d), mix=None, weigh=softmax, times=1, back=lambda *out: out):
    """Return a step with a cache that has another scale, weights or mixture, or appends more often."""

    def answer(x, K, V, W_q, W_k, W_v):
        K, V = np.vstack([K, *times * [x @ W_k]]), np.vstack([V, *times * [x @ W_v]])
        A = weigh(K @ (x @ W_q) / scale(K.shape[1], len(K)))
        return back(A @ V if mix is None else mix(A, K, V), K, V)

    return answer


def _flat(x, K, V, W_q, W_k, W_v):
    d = W_k.shape[1]
    K, V = np.append(K, x @ W_k), np.append(V, x @ W_v)
    A = softmax(K.reshape(-1, d) @ (x @ W_q) / np.sqrt(d))
    return A @ V.reshape(len(A), -1), K, V


def _itself_twice(x, K, V, W_q, W_k, W_v):
    _, K, V = _step()(x, K, V, W_q, W_k, W_v)
    again = np.vstack([K, x @ W_k]), np.vstack([V, x @ W_v])
    return softmax(again[0] @ (x @ W_q) / np.sqrt(K.shape[1])) @ again[1], K, V


def _scores_first(x, K, V, W_q, W_k, W_v):
    q, k = x @ W_q, x @ W_k
    old = np.exp(K @ q / np.sqrt(len(q)))
    A = np.append(
        old / old.sum() if len(old) else old, 1.0 if not len(old) else np.exp(k @ q / np.sqrt(len(q)))
    )
    K, V = np.vstack([K, k]), np.vstack([V, x @ W_v])
    return A @ V, K, V


def _past_or_itself(x, K, V, W_q, W_k, W_v):
    z = softmax(K @ (x @ W_q) / np.sqrt(K.shape[1])) @ V if len(K) else x @ W_v
    return z, np.vstack([K, x @ W_k]), np.vstack([V, x @ W_v])


MORE = (
    Mistake(
        "scaled_by_the_number_of_tokens",
        _step(scale=lambda d, n: np.sqrt(n)),
        "You divided by the root of how many tokens there are. It is the root of the width d: K.shape[1].",
    ),
    Mistake(
        "divided_by_d", _step(scale=lambda d, n: d), "You divided the scores by d. Divide by its square root."
    ),
    Mistake(
        "multiplied_by_the_root",
        _step(scale=lambda d, n: 1 / np.sqrt(d)),
        "You multiplied the scores by √d. Divide.",
    ),
    Mistake(
        "caches_flattened",
        _flat,
        "Your caches came back as one long row: np.append without an axis does that. A row for each token: "
        "np.vstack([K, k]).",
    ),
    Mistake(
        "itself_alone",
        _step(mix=lambda A, K, V: V[-1]),
        "The new token takes its own value alone. It takes from all tokens so far.",
    ),
    Mistake(
        "best_token_alone",
        _step(mix=lambda A, K, V: V[A.argmax()]),
        "You took the value with the largest weight alone. Mix all values by their weights.",
    ),
    Mistake(
        "keys_mixed", _step(mix=lambda A, K, V: A @ K), "You mixed the keys. The weights mix the values."
    ),
    Mistake(
        "appended_twice",
        _step(times=2),
        "You appended the new key and value twice. Once for each token.",
    ),
    Mistake(
        "new_token_counted_twice",
        _itself_twice,
        "The new token stands twice in what you attend to, and once in the caches. It counts once.",
    ),
    Mistake(
        "values_summed",
        _step(mix=lambda A, K, V: V.sum(axis=0)),
        "You added up the values. Weigh them: softmax(scores) @ V.",
    ),
    Mistake(
        "powers_not_divided",
        _step(weigh=np.exp),
        "Your weights do not always sum to 1: divide e to the scores by their sum.",
    ),
    Mistake(
        "softmax_of_the_past_alone",
        _scores_first,
        "Your softmax is over the past alone, and the new token comes beside it. Take one over all.",
    ),
    Mistake(
        "past_only_but_for_the_first",
        _past_or_itself,
        "Only the first token sees itself. Every token does: append its key and value first, then attend.",
    ),
    Mistake(
        "caches_exchanged",
        _step(back=lambda z, K, V: (z, V, K)),
        "You returned the values before the keys. The order is z, K, V.",
    ),
    Mistake(
        "result_alone",
        _step(back=lambda z, K, V: z),
        "You returned z alone. Return z, K and V: the caches go on to the next token.",
    ),
    Mistake(
        "result_scaled",
        _step(scale=lambda d, n: 1.0, mix=lambda A, K, V: A @ V / np.sqrt(K.shape[1])),
        "You divided the result by √d. Divide the scores, before the softmax.",
    ),
    Mistake(
        "key_asks",
        lambda x, K, V, W_q, W_k, W_v: _step()(x, K, V, W_k, W_k, W_v),
        "You compare the new key with the keys. The query is x @ W_q.",
    ),
)
