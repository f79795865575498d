"""More wrong answers of 05.attention_weights."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _weights(compare=lambda Q, K: Q @ K.T, scale=np.sqrt, weigh=softmax):
    """Return attention_weights, in which each step can be another."""
    return lambda Q, K: weigh(compare(Q, K) / scale(Q.shape[1]))


def _positive_shares(scores):
    kept = np.maximum(scores, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


def _lengths_off(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)


def _unit_queries(Q, K):
    return _lengths_off(Q) @ K.T


def _naive(scores):
    positive = np.exp(scores)
    return positive / positive.sum(axis=1, keepdims=True)


def _hard_where_large(scores):
    large = np.abs(scores).max() > 300
    return np.eye(scores.shape[1])[scores.argmax(axis=1)] if large else softmax(scores)


MORE = (
    Mistake(
        "cosines_over_the_root",
        lambda Q, K: softmax(_unit_queries(Q, _lengths_off(K)) / np.sqrt(Q.shape[1])),
        "You divided by the lengths of the vectors, as a cosine does. Divide by √d alone.",
    ),
    Mistake(
        "turned_round_at_the_end",
        lambda Q, K: _weights()(Q, K).T,
        "The weights are right, but rows and columns are exchanged: a row is a query.",
    ),
    Mistake(
        "always_divided_by_2",
        _weights(scale=lambda d: 2),
        "You divided by 2, the root of the example's d. Yours follows the size of a query: Q.shape[-1].",
    ),
    Mistake(
        "scaled_by_the_root_of_2",
        _weights(scale=lambda d: np.sqrt(2)),
        "You divided by √2. The scale follows the size of a query: √d, Q.shape[-1].",
    ),
    Mistake(
        "divided_by_the_square_of_d",
        _weights(scale=lambda d: d**2),
        "You divided by the square of d. Divide by its square root.",
    ),
    Mistake(
        "signs_dropped",
        _weights(lambda Q, K: np.abs(Q @ K.T)),
        "You dropped the signs of the scores. A negative score must weigh less than a 0.",
    ),
    Mistake(
        "queries_of_one_length",
        _weights(_unit_queries),
        "You made all queries equally long. A long query looks more sharply: take them as they are.",
    ),
    Mistake(
        "negative_scores_cut_off",
        _weights(weigh=_positive_shares),
        "You cut negative scores off and shared out the rest. Softmax raises e to each score, and cuts "
        "none off.",
    ),
    Mistake(
        "each_weight_by_itself",
        _weights(weigh=lambda s: 1 / (1 + np.exp(-s))),
        "You put each score through a sigmoid. Then keys do not compete: softmax makes each row sum to 1.",
    ),
    Mistake(
        "softmax_twice",
        _weights(weigh=lambda s: softmax(softmax(s))),
        "You took the softmax twice. The second one flattens the weights.",
    ),
    Mistake(
        "hard_where_scores_are_large",
        _weights(weigh=_hard_where_large),
        "Where the scores are large, you give all the weight to the best key. Two large scores can lie close "
        "together: take the softmax as always.",
    ),
    Mistake(
        "shifted_by_the_mean",
        _weights(weigh=lambda s: _naive(s - s.mean(axis=1, keepdims=True))),
        "You subtracted the mean of each row. The largest score can still overflow: subtract the largest.",
    ),
    Mistake(
        "shifted_down_the_columns",
        _weights(weigh=lambda s: _naive(s - s.max(axis=0))),
        "You subtracted the largest score of each column, which changes the gaps in a row. Subtract the "
        "largest of each row: axis=-1, keepdims=True.",
    ),
    Mistake(
        "scores_rounded_down",
        lambda Q, K: softmax(Q @ K.T // np.sqrt(Q.shape[1])),
        "Your scaled scores lost their decimals, as after //. Divide with /.",
    ),
    Mistake(
        "rounded",
        _weights(weigh=lambda s: np.round(softmax(s), 2)),
        "You rounded the weights. Return them as they are.",
    ),
)
