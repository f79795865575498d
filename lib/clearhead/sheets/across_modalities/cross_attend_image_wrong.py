"""More wrong answers of 14.cross_attend_image."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _attend(
    scale=lambda W_k, W_v, T, S: np.sqrt(W_k.shape[1]),
    weigh=softmax,
    back=lambda Z, A, S: (Z, A),
    maps=lambda q, k: (q, k),
):
    """Return cross-attention with another scale, softmax, or other things that come back."""

    def answer(question, patches, W_q, W_k, W_v):
        first, second = maps(W_q, W_k)
        Q, K, V = question @ first, patches @ second, patches @ W_v
        scores = Q @ K.T / scale(W_k, W_v, len(Q), len(K))
        A = weigh(scores)
        return back(A @ V, A, scores)

    return answer


def _sigmoid(scores):
    return 1 / (1 + np.exp(-np.clip(scores, -700, 700)))


def _question_added(question, patches, W_q, W_k, W_v):
    Z, A = _attend()(question, patches, W_q, W_k, W_v)
    return Z + question @ W_v, A


MORE = (
    Mistake(
        "scaled_by_the_number_of_patches",
        _attend(lambda W_k, W_v, T, S: np.sqrt(S)),
        "You divided by the root of how many patches there are. It is the root of d, the columns of W_k.",
    ),
    Mistake(
        "scaled_by_the_number_of_words",
        _attend(lambda W_k, W_v, T, S: np.sqrt(T)),
        "You divided by the root of how many words there are. It is the root of d, the columns of W_k.",
    ),
    Mistake(
        "scaled_by_the_width_of_values",
        _attend(lambda W_k, W_v, T, S: np.sqrt(W_v.shape[1])),
        "You divided by √e. It is the root of d, the columns of W_k.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _attend(lambda W_k, W_v, T, S: 1 / np.sqrt(W_k.shape[1])),
        "You multiplied the scores by √d. Divide.",
    ),
    Mistake(
        "softmax_over_everything",
        _attend(weigh=lambda scores: softmax(scores.ravel()).reshape(scores.shape)),
        "All your weights together sum to 1. Those of each word do.",
    ),
    Mistake(
        "sigmoid_for_softmax",
        _attend(weigh=_sigmoid),
        "You took the sigmoid of each score. Softmax makes the weights of a word sum to 1.",
    ),
    Mistake(
        "powers_not_divided",
        _attend(weigh=lambda scores: np.exp(scores - scores.max(axis=1, keepdims=True))),
        "Your weights do not sum to 1: divide each row by its sum.",
    ),
    Mistake(
        "weights_turned",
        _attend(back=lambda Z, A, S: (Z, A.T)),
        "Your A is turned round. A row for each word, a column for each patch.",
    ),
    Mistake(
        "scores_returned",
        _attend(back=lambda Z, A, S: (Z, S)),
        "Z is right, but you returned the scores in the place of the weights.",
    ),
    Mistake(
        "mean_weights_returned",
        _attend(back=lambda Z, A, S: (A.mean(axis=0), A)),
        "You returned the mean weight of each patch in the place of Z. Z is A @ V.",
    ),
    Mistake(
        "projections_exchanged",
        _attend(maps=lambda q, k: (k, q)),
        "W_q and W_k have changed places. Words make queries, patches make keys.",
    ),
    Mistake(
        "one_projection_for_both",
        _attend(maps=lambda q, k: (q, q)),
        "You used W_q for the keys as well. Keys are patches @ W_k.",
    ),
    Mistake(
        "minus_the_scores",
        _attend(lambda W_k, W_v, T, S: -np.sqrt(W_k.shape[1])),
        "Your scores have a minus sign: the least alike gets the most.",
    ),
    Mistake(
        "softmax_twice",
        _attend(weigh=lambda scores: softmax(softmax(scores))),
        "You took the softmax of the weights. One softmax, of the scores, is enough.",
    ),
    Mistake(
        "values_of_the_question_added",
        _question_added,
        "You added the question's own values to Z. Return what the words take from the patches alone.",
    ),
    Mistake(
        "words_among_the_patches",
        lambda q, p, W_q, W_k, W_v: _attend()(q, np.vstack([q, p]), W_q, W_k, W_v),
        "Your words look at the words as well. Keys and values come from the patches alone.",
    ),
    Mistake(
        "words_averaged",
        _attend(back=lambda Z, A, S: (Z.mean(axis=0, keepdims=True), A.mean(axis=0, keepdims=True))),
        "You averaged over the words. Each word has a row of its own in Z and in A.",
    ),
)
