"""07.is_equivariant: Does it see the order?"""

from itertools import permutations

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
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
        return self.name


def is_equivariant(layer, X):
    """Return True where reordered tokens (T, D) give the same rows, reordered, for every order."""
    return _holds_for(permutations(range(len(X))))(layer, X)


def _holds_for(orders):
    """Return a test of equivariance for some orders only."""
    orders = [list(order) for order in orders]

    def test(layer, X):
        return all(np.allclose(layer(X[order]), layer(X)[order]) for order in orders)

    return test


def _compared(view):
    """Return a test that compares not the rows in their places, but a view of them."""

    def test(layer, X):
        orders = [list(order) for order in permutations(range(len(X)))]
        return all(np.allclose(view(layer(X[order])), view(layer(X))) for order in orders)

    return test


def _sorted_rows(Z):
    return np.array(sorted(np.round(Z, 9).tolist()))


def _with_permutation_matrices(layer, X):
    P = [np.eye(len(X))[list(order)] for order in permutations(range(len(X)))]
    return bool(max(np.abs(layer(p @ X) - p @ layer(X)).max() for p in P) < 1e-9)


def _with_random_orders(layer, X):
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(X)) for _ in range(200)]
    return all(np.allclose(layer(X[order]), layer(X)[order]) for order in orders)


def _last_is_the_mean(X):
    return np.vstack([X[:-1], X.mean(axis=0)])


def _equivariant_cases(rng):
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
        (Layer("a ring: each token and its two neighbours", _ring), False),
        (Layer("from last to first", lambda X: X[::-1]), False),
        (Layer("the last row becomes the mean", _last_is_the_mean), False),
        (Layer("self-attention with faint positions", lambda X: self_attention(X + P / 1000, *W)[0]), False),
    ]
    looks = {
        True: "Each order of the tokens gives the same rows in that order. Compare with np.allclose.",
        False: "Some order of the tokens changes more than the order of the rows. Did you try them all?",
    }
    falls = Layer("positions, but only where the first column falls", lambda X: X + P * _falls(X))
    hidden = Case(falls.name, (falls, X), looks[False], expected=False)
    return [Case(layer.name, (layer, X), looks[answer], expected=answer) for layer, answer in layers] + [
        hidden
    ]


def _falls(X):
    return np.all(np.diff(X[:, 0]) < 0)


def _ring(X):
    return X + (np.roll(X, 1, axis=0) + np.roll(X, -1, axis=0)) / 2


EXERCISE = Exercise(
    id="07.is_equivariant",
    title="Does it see the order?",
    reference=is_equivariant,
    cases=_equivariant_cases,
    hints=(
        "Reorder first and apply the layer, or apply the layer first and reorder: equivariant means the "
        "same result.",
        "For one list `order` compare layer(X[order]) with layer(X)[order]. Why is one order not enough?",
        "for order in itertools.permutations(range(len(X))): with np.allclose, return False at the first "
        "difference.",
    ),
    mistakes=(
        Mistake(
            "invariance_tested",
            _compared(lambda Z: Z),
            "You compare layer(X[order]) with layer(X): that asks whether nothing moves at all. The rows "
            "must move along: layer(X)[order].",
        ),
        Mistake(
            "only_reversed",
            _holds_for([(3, 2, 1, 0)]),
            "You tried one order, from last to first. A layer on a ring survives that, and still sees "
            "neighbours: try all orders.",
        ),
        Mistake(
            "only_rolled",
            _holds_for([(3, 0, 1, 2)]),
            "You tried one order, all tokens moved on by one. A layer on a ring survives that: try all "
            "orders.",
        ),
        Mistake(
            "only_one_swap",
            _holds_for([(1, 0, 2, 3)]),
            "You tried one order only, such as an exchange of the first two tokens. A layer that treats the "
            "last token in its own way is not found out: try all orders.",
        ),
        Mistake(
            "only_neighbours_exchanged",
            _holds_for([(1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)]),
            "You tried too few orders, such as exchanges of neighbours. A layer may wake up for one that you "
            "left out: try all of them.",
        ),
        Mistake(
            "compared_too_roughly",
            lambda layer, X: all(
                np.allclose(layer(X[list(order)]), layer(X)[list(order)], atol=0.1)
                for order in permutations(range(len(X)))
            ),
            "You allow a large difference. Faint positions change little, and still they change: keep the "
            "tolerance of np.allclose.",
        ),
        Mistake(
            "rows_as_a_set",
            _compared(_sorted_rows),
            "You compare which rows come out, not where they stand. Each row must follow its own token.",
        ),
        Mistake(
            "means_compared",
            _compared(lambda Z: Z.mean(axis=0)),
            "You compare the means of the outputs. Many layers keep the mean and mix up the rows: compare "
            "the rows.",
        ),
        Mistake(
            "answer_upside_down",
            lambda layer, X: not is_equivariant(layer, X),
            "You return whether the layer sees the order. Asked is the opposite: True where it does not.",
        ),
        Mistake(
            "one_order_is_enough",
            lambda layer, X: any(
                np.allclose(layer(X[list(p)]), layer(X)[list(p)]) for p in permutations(range(len(X)))
            ),
            "You say yes as soon as one order fits. It must hold for all of them: all(), not any().",
        ),
        Mistake(
            "order_turned_back",
            lambda layer, X: all(
                np.allclose(layer(X[list(p)]), layer(X)[np.argsort(p)]) for p in permutations(range(len(X)))
            ),
            "You reordered the results by the inverse order. Use the same order on both sides.",
        ),
        Mistake(
            "equal_to_the_last_bit",
            lambda layer, X: all(
                (layer(X[list(p)]) == layer(X)[list(p)]).all() for p in permutations(range(len(X)))
            ),
            "You compare with ==. Sums in another order differ in their last digits: np.allclose.",
        ),
    ),
    alternatives=(_with_permutation_matrices, _with_random_orders),
    stars=2,
    minutes=20,
)
