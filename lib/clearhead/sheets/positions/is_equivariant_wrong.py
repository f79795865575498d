"""The wrong answers of 07.is_equivariant."""

from itertools import permutations

import numpy as np

from clearhead.checks.exercise import Mistake


def _holds_for(orders):
    """Return a test of equivariance for the orders that `orders(T)` gives for T tokens."""

    def test(layer, X):
        tried = (list(order) for order in orders(len(X)))
        return all(np.allclose(layer(X[order]), layer(X)[order]) for order in tried)

    return test


def _reversed(T):
    return range(T)[::-1]


def _rolled(T):
    return [T - 1, *range(T - 1)]


def _exchanged(T, i):
    """Return the order in which tokens i and i + 1 are exchanged."""
    return [*range(i), i + 1, i, *range(i + 2, T)]


def _compared(view):
    """Return a test that compares not the rows in their places, but a view of them."""

    def test(layer, X):
        orders = [list(order) for order in permutations(range(len(X)))]
        return all(np.allclose(view(layer(X[order])), view(layer(X))) for order in orders)

    return test


def _sorted_rows(Z):
    return np.array(sorted(np.round(Z, 9).tolist()))


MISTAKES = (
    Mistake(
        "invariance_tested",
        _compared(lambda Z: Z),
        "You compare layer(X[order]) with layer(X): that asks whether nothing moves at all. The rows "
        "must move along: layer(X)[order].",
    ),
    Mistake(
        "one_order_decides",
        _holds_for(lambda T: [_reversed(T)]),
        "One order decides, from last to first: the only one, or the last of your loop. A layer on a ring "
        "survives it, so all orders must hold: all().",
    ),
    Mistake(
        "only_moved_on_or_back",
        _holds_for(lambda T: [_rolled(T)]),
        "You only moved all tokens on or back. A layer on a ring survives that: try all orders.",
    ),
    Mistake(
        "last_token_stays_in_place",
        _holds_for(lambda T: [_exchanged(T, 0)]),
        "You tried only orders that leave the last token in its place, such as an exchange of the first "
        "two. A layer that treats the last one in its own way is not found out: try all orders.",
    ),
    Mistake(
        "orders_left_out",
        _holds_for(lambda T: [_exchanged(T, i) for i in range(T - 1)]),
        "You tried too few orders, such as exchanges of neighbours. A layer may wake up for one that you "
        "left out: try all of them.",
    ),
    Mistake(
        "compared_too_roughly",
        lambda layer, X: all(
            np.allclose(layer(X[list(order)]), layer(X)[list(order)], atol=0.1)
            for order in permutations(range(len(X)))
        ),
        "You allow a large difference, or round. Faint positions change little, and still they change: keep "
        "the tolerance of np.allclose.",
    ),
    Mistake(
        "rows_as_a_set",
        _compared(_sorted_rows),
        "You compare which rows come out, not where they stand. Each row must follow its own token.",
    ),
    Mistake(
        "means_or_sums_compared",
        _compared(lambda Z: Z.mean(axis=0)),
        "You compare means or sums of the outputs. Many layers keep these and mix up the rows: compare "
        "the rows.",
    ),
    Mistake(
        "a_part_compared",
        lambda layer, X: all(
            np.allclose(layer(X[list(order)])[0], layer(X)[order[0]]) for order in permutations(range(len(X)))
        ),
        "You compare a part of what comes out, such as the first row or column. Compare all of it.",
    ),
    Mistake(
        "few_orders",
        _holds_for(lambda T: [_reversed(T), _rolled(T), _exchanged(T, 0)]),
        "You tried a few orders, such as reversed, moved on by one, two exchanged. A layer may wake up for "
        "another one: try all of them.",
    ),
    Mistake(
        "never",
        lambda layer, X: False,
        "You always say no. Attention without a mask treats all orders alike: did you compare "
        "layer(X[order]) with layer(X)[order]?",
    ),
    Mistake(
        "answer_upside_down",
        lambda layer, X: not _holds_for(lambda T: permutations(range(T)))(layer, X),
        "You return whether the layer sees the order. Asked is the opposite: True where it does not.",
    ),
    Mistake(
        "always_yes",
        lambda layer, X: any(
            np.allclose(layer(X[list(p)]), layer(X)[list(p)]) for p in permutations(range(len(X)))
        ),
        "You always say yes, as any() does, or a `return` at the first order, or shapes compared. The rows "
        "must be equal for every order: all() with np.allclose.",
    ),
    Mistake(
        "yes_only_where_all_rows_are_equal",
        lambda layer, X: all(
            np.allclose(layer(X[list(p)]), layer(X)[np.argsort(p)]) for p in permutations(range(len(X)))
        ),
        "You say yes only where all rows come out equal. Do you compare layer(X)[order] with layer(X), or "
        "use the inverse order on one side? It is layer(X[order]) with layer(X)[order].",
    ),
    Mistake(
        "equal_to_the_last_bit",
        lambda layer, X: all(
            (layer(X[list(p)]) == layer(X)[list(p)]).all() for p in permutations(range(len(X)))
        ),
        "You compare to the last digit, as == does. Sums in another order differ there: np.allclose.",
    ),
    Mistake(
        "numbers_sorted_before",
        _compared(lambda Z: np.sort(Z, axis=0)),
        "You sort the numbers of the outputs before you compare, so it is lost which row is whose. Compare "
        "with layer(X)[order].",
    ),
    Mistake(
        "columns_reordered",
        lambda layer, X: all(
            np.allclose(layer(X[:, list(p)]), layer(X)[:, list(p)]) for p in permutations(range(X.shape[1]))
        ),
        "You reordered the columns. Tokens are rows: X[order].",
    ),
    Mistake(
        "other_tokens_than_these_five",
        lambda layer, X: _holds_for(lambda T: permutations(range(T)))(
            layer, np.arange(X.size).reshape(X.shape) / 7
        ),
        "You tried other tokens than the five of X: you wrote 4 for their number, or took others than X.",
    ),
)
