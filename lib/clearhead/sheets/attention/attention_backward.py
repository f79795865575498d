"""05.attention_backward: The way back."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.gradients import attention_gradients, softmax_gradient
from clearhead.maths.softmax import softmax

from .attention_backward_wrong import MISTAKES, _backward_ending, _backward_weighing, _backward_with
from .attention_weights import attention_weights
from .drivers import by_name
from .shared import CHAPTER, sizes


def attention_backward(dZ, Q, K, V):
    """Return dQ, dK and dV, shaped as Q (T, d), K (S, d) and V (S, e), for dZ (T, e)."""
    return attention_gradients(dZ, Q, K, V, attention_weights(Q, K))


def _through_jacobians(dA, A):
    """Return the gradient of the scores with one Jacobian a row."""
    return np.array([(np.diag(a) - np.outer(a, a)) @ g for a, g in zip(A, dA, strict=True)])


def _scaled_at_the_values(dZ, Q, K, V):
    dQ, dK, dV = attention_backward(dZ, Q, K, V)
    return dQ * np.sqrt(Q.shape[1]), dK * np.sqrt(Q.shape[1]), dV / np.sqrt(Q.shape[1])


def _keys_before_the_softmax(dZ, Q, K, V):
    dQ, _, dV = attention_backward(dZ, Q, K, V)
    return dQ, V @ dZ.T @ Q, dV


def _scaled_by_d_both_ways(dZ, Q, K, V):
    d, A = Q.shape[1], softmax(Q @ K.T / Q.shape[1])
    dS = softmax_gradient(dZ @ V.T, A) / d
    return dS @ K, dS.T @ Q, A.T @ dZ


def _backward_cases(rng):
    d, T, S, e = sizes(rng, 4)
    shapes = ((T, e), (T, d), (S, d), (S, e))
    X, W_q, W_k, W_v = CHAPTER
    dZ = np.zeros((4, 3), dtype=int)
    dZ[3, 0] = 1
    equal_values = np.ones((S, e))
    no_gradient = (
        "all values are equal, so the scores cannot matter: dQ and dK are zero",
        lambda out, *given: np.allclose(out["dQ"], 0) and np.allclose(out["dK"], 0),
    )
    drawn = [rng.normal(size=shape) for shape in shapes]
    long = np.array([[2048.0, 2, 0, 0], [-1400, 0, 0, 0]])  # the first one finds scores of 2048 and 2049
    near = np.array([[2.0, 0, 1, 0], [-1, 0, 0, 0], [2, 1, 0, 0]])
    return [
        Case(
            "one number of z₄, as in the chapter",
            (dZ, X @ W_q, X @ W_k, X @ W_v),
            "The section 'Backwards, by hand' of the chapter has every step.",
        ),
        Case(
            "random, all sizes different", tuple(drawn), "Check each shape: dQ like Q, dK like K, dV like V."
        ),
        Case(
            "equal values",
            (*drawn[:3], equal_values),
            "Look at your way through the softmax.",
            properties=(no_gradient,),
        ),
        Case("long queries", (drawn[0], 3 * drawn[1], *drawn[2:]), "Sharp rows have small gradients."),
        Case(
            "very long queries",
            (drawn[0][:2], long, near, drawn[3][:3]),
            "Does your softmax survive large scores? Two of them lie close together, and both get a weight.",
        ),
    ]


EXERCISE = Exercise(
    id="05.attention_backward",
    title="The way back",
    reference=attention_backward,
    cases=_backward_cases,
    hints=(
        "Compute A first, forwards. Then go back in the opposite order: mix, weigh, scale, compare.",
        "dV = Aᵀ dZ and dA = dZ Vᵀ. Through the softmax, subtract from each row of dA its mean, "
        "weighted by A.",
        "dS = A * (dA - (dA * A).sum(axis=1, keepdims=True)); then dS @ K / √d and dS.T @ Q / √d.",
    ),
    mistakes=(
        *MISTAKES,
        Mistake(
            "softmax_of_the_gradient",
            _backward_with(lambda dA, A: softmax_gradient(dA, softmax(dA))),
            "You took the softmax of dA. The weights of its Jacobian are A, the weights of the way forwards.",
        ),
        Mistake(
            "softmax_down_the_columns",
            _backward_weighing(lambda Q, K: softmax((Q @ K.T / np.sqrt(Q.shape[1])).T).T),
            "On the way forwards your softmax runs down the columns. Each query, a row, has its own: the "
            "last axis.",
        ),
        Mistake(
            "scaled_by_d_both_ways",
            _scaled_by_d_both_ways,
            "You scale by d, on the way forwards and back. The scores are divided by √d.",
        ),
        Mistake(
            "row_sums_without_keepdims",
            _backward_with(lambda dA, A: A * (dA - (dA * A).sum(axis=1))),
            "Your row sums have no axis of their own, so they are subtracted from columns, or do not fit: "
            "keepdims=True.",
        ),
        Mistake(
            "values_from_the_scores",
            _backward_ending(lambda dS, A, dZ, Q, K: (dS @ K, dS.T @ Q, np.sqrt(Q.shape[1]) * dS.T @ dZ)),
            "dQ and dK are right. Your dV is made with dS, but the values were mixed with the weights: "
            "A.T @ dZ.",
        ),
        Mistake(
            "weights_squared_in_front",
            _backward_with(lambda dA, A: A * softmax_gradient(dA, A)),
            "The weights A stand in front twice. Multiply by A once.",
        ),
        Mistake(
            "scale_on_the_values",
            _scaled_at_the_values,
            "The scale stands in the scores: dQ and dK are divided by √d, dV is not.",
        ),
        Mistake(
            "keys_get_the_gradient_of_the_weights",
            _keys_before_the_softmax,
            "dQ and dV are right. Your dK is made from dA: go through the softmax for it, too.",
        ),
    ),
    alternatives=(
        _backward_with(_through_jacobians),
        _backward_with(lambda dA, A: A * dA - A * np.einsum("ts,ts->t", A, dA)[:, None]),
    ),
    stars=3,
    minutes=30,
    driver=by_name,
    returns=("dQ", "dK", "dV"),
)
