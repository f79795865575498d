"""More wrong answers of 11.cross_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _attend(
    scale=lambda Xt, Xs, W_q, W_v: np.sqrt(W_q.shape[1]),
    weigh=softmax,
    back=lambda Z, A, s: (Z, A),
    one=False,
):
    """Return cross-attention with another scale, softmax, projection of the keys, or result."""

    def answer(Xt, Xs, W_q, W_k, W_v):
        Q, K, V = Xt @ W_q, Xs @ (W_q if one else W_k), Xs @ W_v
        scores = Q @ K.T / scale(Xt, Xs, W_q, W_v)
        A = weigh(scores)
        return back(A @ V, A, scores)

    return answer


MORE = (
    Mistake(
        "scaled_by_the_number_of_source_tokens",
        _attend(lambda Xt, Xs, W_q, W_v: np.sqrt(len(Xs))),
        "You divided by the root of how many source tokens there are. It is the root of the columns of W_q.",
    ),
    Mistake(
        "scaled_by_the_number_of_target_tokens",
        _attend(lambda Xt, Xs, W_q, W_v: np.sqrt(len(Xt))),
        "You divided by the root of how many target tokens there are. It is the root of the columns of W_q.",
    ),
    Mistake(
        "scaled_by_the_width_of_values",
        _attend(lambda Xt, Xs, W_q, W_v: np.sqrt(W_v.shape[1])),
        "You divided by √e. It is the root of the columns of W_q.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _attend(lambda Xt, Xs, W_q, W_v: 1 / np.sqrt(W_q.shape[1])),
        "You multiplied the scores by √d. Divide.",
    ),
    Mistake(
        "softmax_over_everything",
        _attend(weigh=lambda s: softmax(s.ravel()).reshape(s.shape)),
        "All your weights together sum to 1. Those of each target token do.",
    ),
    Mistake(
        "powers_not_divided",
        _attend(weigh=lambda s: np.exp(s - s.max(axis=1, keepdims=True))),
        "The rows of your weights do not all sum to 1: divide each by its sum.",
    ),
    Mistake(
        "scores_returned",
        _attend(back=lambda Z, A, s: (Z, s)),
        "Z is right, but you returned the scores in the place of the weights.",
    ),
    Mistake(
        "best_token_alone",
        _attend(weigh=lambda s: np.eye(s.shape[1])[s.argmax(axis=1)]),
        "You took the best source token alone. Mix all of them by their weights.",
    ),
    Mistake(
        "one_projection_for_both",
        _attend(one=True),
        "You used W_q for the keys as well. Keys are Xs @ W_k.",
    ),
    Mistake(
        "mean_over_target_tokens",
        _attend(back=lambda Z, A, s: (Z.mean(axis=0), A)),
        "You took the mean over the target tokens. Return a row for each.",
    ),
    Mistake(
        "divided_after_softmax",
        _attend(lambda Xt, Xs, W_q, W_v: 1, lambda s: softmax(s) / np.sqrt(2)),
        "You divided the weights. Divide the scores, before the softmax, by √d.",
    ),
    Mistake(
        "minus_the_scores",
        _attend(lambda Xt, Xs, W_q, W_v: -np.sqrt(W_q.shape[1])),
        "Your scores have a minus sign: the least alike gets the most.",
    ),
)
