"""Cases of 07.is_equivariant."""

from itertools import permutations

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.masks import causal_mask
from clearhead.maths.positions import sinusoidal
from clearhead.maths.single_head import self_attention


class Layer:
    """A layer to be examined: a function from tokens (T, D) to tokens (T, D), with a name."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, X):
        return self.function(np.asarray(X, dtype=float))

    def __repr__(self):
        return f"‘{self.name}’"


def _last_is_the_mean(X):
    return np.vstack([X[:-1], X.mean(axis=0)])


def cases(rng):
    W = rng.normal(size=(3, 3, 3))
    X = rng.normal(size=(4, 3))
    X = X[np.argsort(X[:, 0])]  # so that only another order lets the last layer show what it does
    P = sinusoidal(4, 4)[:, :3]
    layers = [
        (Layer("self-attention", lambda X: self_attention(X, *W)[0]), True),
        (Layer("causal self-attention", lambda X: self_attention(X, *W, causal_mask(4))[0]), False),
        (Layer("self-attention with positions", lambda X: self_attention(X + P, *W)[0]), False),
        (Layer("the same small network for each token", lambda X: np.maximum(X @ W[0], 0) @ W[1]), True),
        (Layer("the mean of all tokens, in every row", lambda X: 0 * X + X.mean(axis=0)), True),
        (Layer("every column sorted", lambda X: np.sort(X, axis=0)), False),
        (Layer("each token plus the mean of its two neighbours in a ring", _ring), False),
        (Layer("the tokens in reverse order", lambda X: X[::-1]), False),
        (Layer("the last row replaced by the mean", _last_is_the_mean), False),
        (
            Layer("rounded tokens with very small positional encodings", lambda X: np.round(X) + P / 10_000),
            False,
        ),
    ]
    looks = {
        True: (
            "Whatever the order of the tokens, the output has the same rows in that order. Compare "
            "them with np.allclose."
        ),
        False: (
            "For some order of the tokens, the output changes in more than the order of its rows. Try "
            "all orders."
        ),
    }
    falls = Layer("positions added only where the first column decreases", lambda X: X + P * _falls(X))
    once = Layer("two rows partly swapped, for one order of the tokens", _one_order(rng))
    late = Layer("two rows partly swapped, unless the first column increases", _late)
    hidden = [Case(layer.name, (layer, X), looks[False], expected=False) for layer in (falls, once, late)]
    equal = Layer("five equal tokens in reverse order, plus their sum", lambda X: X[::-1] + X.sum(axis=0))
    look = (
        "All tokens are equal here, so every order of them gives the same output. Try the given "
        "tokens X, and all of them."
    )
    more = Case(equal.name, (equal, np.tile(rng.normal(size=2), (5, 1))), look, expected=True)
    return [Case(layer.name, (layer, X), looks[answer], expected=answer) for layer, answer in layers] + [
        *hidden,
        more,
    ]


def _falls(X):
    return np.all(np.diff(X[:, 0]) < 0)


def _late(X):
    return X if np.all(np.diff(X[:, 0]) > 0) else _partly_mixed(X)


def _partly_mixed(X):
    """Return X with the second and third row swapped in all columns except the first."""
    Z = X.copy()
    Z[1:3, 1:] = X[[2, 1], 1:]
    return Z


def _one_order(rng):
    """Return a layer that partly swaps two rows for a single, unlikely order of the tokens."""
    orders = [order for order in permutations(range(4)) if order[0] == 2 and order != (2, 3, 0, 1)]
    order = orders[rng.integers(len(orders))]

    def layer(X):
        met = np.array_equal(np.argsort(np.argsort(X[:, 0])), order)
        return _partly_mixed(X) if met else X

    return layer


def _ring(X):
    return X + (np.roll(X, 1, axis=0) + np.roll(X, -1, axis=0)) / 2


EXERCISE = exercise_from_text(__file__, cases)
