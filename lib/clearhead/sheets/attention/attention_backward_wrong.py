"""The wrong answers of 05.attention_backward."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.gradients import attention_gradients, softmax_gradient
from clearhead.maths.softmax import softmax

from .attention_weights import attention_weights
from .shared import softmax_of_large


def _backward_with(through_softmax, scale_q=True, scale_k=True):
    """Return a backward pass with its own way through the softmax, or without a scale."""

    def backward(dZ, Q, K, V):
        A, root = attention_weights(Q, K), np.sqrt(Q.shape[1])
        dS = through_softmax(dZ @ V.T, A)
        return dS @ K / (root if scale_q else 1), dS.T @ Q / (root if scale_k else 1), A.T @ dZ

    return backward


def _backward_weighing(weigh):
    """Return a backward pass that makes its weights in its own way."""
    return lambda dZ, Q, K, V: attention_gradients(dZ, Q, K, V, weigh(Q, K))


def _unscaled_both_ways(dZ, Q, K, V):
    A = softmax(Q @ K.T)
    dS = softmax_gradient(dZ @ V.T, A)
    return dS @ K, dS.T @ Q, A.T @ dZ


def _backward_ending(last_products):
    """Return a backward pass that is right up to dS, with its own last products."""

    def backward(dZ, Q, K, V):
        A = attention_weights(Q, K)
        return last_products(softmax_gradient(dZ @ V.T, A) / np.sqrt(Q.shape[1]), A, dZ, Q, K)

    return backward


MISTAKES = (
    Mistake(
        "softmax_forgotten",
        _backward_with(lambda dA, A: dA),
        "You passed the gradient of the weights on as if it were that of the scores. The softmax "
        "lies between.",
    ),
    Mistake(
        "mixture_left_out",
        _backward_with(lambda dA, A: A * dA),
        "You left out the mixture: subtract from each row of dA its mean, weighted by A. Then multiply by A.",
    ),
    Mistake(
        "sum_without_weights",
        _backward_with(lambda dA, A: A * (dA - dA.sum(axis=1, keepdims=True))),
        "You subtracted the plain sum of each row of dA. It must be weighted: the row sum of dA * A.",
    ),
    Mistake(
        "sum_down_the_columns",
        _backward_with(lambda dA, A: A * (dA - (dA * A).sum(axis=0))),
        "You summed down the columns. Softmax works along each row, and so does its gradient: sum over "
        "axis 1, keepdims=True.",
    ),
    Mistake(
        "diagonal_only",
        _backward_with(lambda dA, A: dA * A * (1 - A)),
        "a(1 - a) is how a weight changes with its own score. Each weight changes with all scores"
        " of its row.",
    ),
    Mistake(
        "mean_without_weights",
        _backward_with(lambda dA, A: A * (dA - dA.mean(axis=1, keepdims=True))),
        "You subtracted the plain mean of each row of dA. It must be weighted: the row sum of dA * A.",
    ),
    Mistake(
        "one_sum_for_all_rows",
        _backward_with(lambda dA, A: A * (dA - (dA * A).sum())),
        "You subtracted one sum over the whole table. Each row has its own softmax: sum over axis"
        " 1, keepdims=True.",
    ),
    Mistake(
        "weights_forgotten_in_front",
        _backward_with(lambda dA, A: dA - (dA * A).sum(axis=1, keepdims=True)),
        "The difference from the mixture is right. Now multiply it by A: a key that is not looked"
        " at hardly learns.",
    ),
    Mistake(
        "no_scale",
        _backward_with(softmax_gradient, scale_q=False, scale_k=False),
        "The scores were divided by √d on the way forwards, so dQ and dK must be divided by it, too.",
    ),
    Mistake(
        "scaled_by_d",
        lambda dZ, Q, K, V: tuple(
            table / (np.sqrt(Q.shape[1]) if place < 2 else 1)
            for place, table in enumerate(_backward_with(softmax_gradient)(dZ, Q, K, V))
        ),
        "You divided dQ and dK by √d twice, or by d. The scores were divided by √d once: once is right.",
    ),
    Mistake(
        "no_scale_forwards_either",
        _unscaled_both_ways,
        "Your weights come from unscaled scores. Divide by √d on the way forwards and on the way back.",
    ),
    Mistake(
        "no_scale_forwards",
        _backward_weighing(lambda Q, K: softmax(Q @ K.T)),
        "Your way back divides by √d, but your weights come from unscaled scores. Divide on the way "
        "forwards, too.",
    ),
    Mistake(
        "softmax_that_overflows",
        _backward_weighing(lambda Q, K: softmax_of_large(Q @ K.T / np.sqrt(Q.shape[1]))),
        "Your softmax overflows for large scores. Call your attention_weights, or the library's softmax.",
    ),
    Mistake(
        "no_scale_for_queries",
        _backward_with(softmax_gradient, scale_q=False),
        "dK is right. dQ needs the same division by √d.",
    ),
    Mistake(
        "no_scale_for_keys",
        _backward_with(softmax_gradient, scale_k=False),
        "dQ is right. dK needs the same division by √d.",
    ),
    Mistake(
        "dQ_and_dK_exchanged",
        lambda dZ, Q, K, V: tuple(
            _backward_with(softmax_gradient)(dZ, Q, K, V)[place] for place in (1, 0, 2)
        ),
        "All three are right, but dQ and dK have changed places: return dQ, dK, dV.",
    ),
    Mistake(
        "weights_not_transposed",
        _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS.T @ Q, A @ dZ)),
        "Look at dV. Value j gets its share from every query that looked at it, and these are column j "
        "of A: dV is A.T @ dZ.",
    ),
    Mistake(
        "queries_meet_queries",
        _backward_ending(lambda dS, A, dZ, Q, K: (dS @ Q, dS.T @ Q, A.T @ dZ)),
        "Your dQ is made from queries. A query was multiplied by keys, so its gradient is made from "
        "keys: dS @ K.",
    ),
    Mistake(
        "scores_not_transposed_for_keys",
        _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS @ Q, A.T @ dZ)),
        "Look at dK. A row of it gathers from all queries, so it needs a column of dS: dS.T @ Q.",
    ),
    Mistake(
        "queries_and_keys_exchanged",
        _backward_ending(lambda dS, A, dZ, Q, K: (dS @ Q, dS.T @ K, A.T @ dZ)),
        "In the last two products K and Q have changed places: dQ = dS @ K, and dK = dS.T @ Q.",
    ),
    Mistake(
        "values_first",
        lambda dZ, Q, K, V: _backward_with(softmax_gradient)(dZ, Q, K, V)[::-1],
        "The three tables are right, but the order is not: return dQ, dK, dV.",
    ),
    Mistake(
        "dV_with_a_minus_sign",
        _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS.T @ Q, -A.T @ dZ)),
        "dV has the wrong sign: it is A.T @ dZ.",
    ),
    Mistake(
        "everything_twice",
        _backward_with(lambda dA, A: 2 * softmax_gradient(dA, A)),
        "dQ and dK are twice too large. The row sum is subtracted once, and nothing is doubled.",
    ),
    Mistake(
        "plus_in_place_of_minus",
        _backward_with(lambda dA, A: A * (dA + (dA * A).sum(axis=1, keepdims=True))),
        "You added the row sum of dA * A. Subtract it.",
    ),
    Mistake(
        "scale_multiplied",
        _backward_ending(lambda dS, A, dZ, Q, K: (Q.shape[1] * dS @ K, Q.shape[1] * dS.T @ Q, A.T @ dZ)),
        "You multiplied by √d on the way back. The scores were divided by it, and so are dQ and dK.",
    ),
    Mistake(
        "values_scaled_as_well",
        _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS.T @ Q, A.T @ dZ / np.sqrt(Q.shape[1]))),
        "You divided dV by √d, too. The scale stands in the scores: dV is A.T @ dZ.",
    ),
    Mistake(
        "mean_of_the_weighted_row",
        _backward_with(lambda dA, A: A * (dA - (dA * A).mean(axis=1, keepdims=True))),
        "You took the mean of dA * A in each row. It is their sum: the weights are in it already.",
    ),
)
