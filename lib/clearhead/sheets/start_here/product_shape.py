"""00.product_shape: The shape of any product."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .product_shape_wrong import MISTAKES, leading, stretched
from .shared import different_sizes


def product_shape(left, right):
    """Return the shape of `left @ right`, from two shapes of two axes or more; None where they do not fit."""
    if left[-1] != right[-2]:
        return None
    try:
        return (*np.broadcast_shapes(left[:-2], right[:-2]), left[-2], right[-1])
    except ValueError:
        return None


def _columns_against_columns(left, right):
    return product_shape(left, (*right[:-2], right[-1], right[-2]))


def _by_zeros(left, right):
    try:
        return (np.zeros(left) @ np.zeros(right)).shape
    except ValueError:
        return None


def _product_cases(rng):
    T, S, e, heads, batch = different_sizes(rng, 5)
    inner = "the last size of left and the last but one of right must be equal; then both vanish."
    lead = (
        "the axes in front of the last two line up from the right. Equal sizes stay, and a 1 "
        "stretches to the other."
    )
    return [
        Case("(2, 4) @ (4, 3), worked by hand", ((2, 4), (4, 3)), inner, expected=(2, 3)),
        Case("inner sizes that differ", ((T, S), (e, S)), inner + " Else return None."),
        Case("an inner 1 does not stretch", ((T, 1), (S, e)), inner + " A 1 is no exception there."),
        Case("a batch times one matrix", ((batch, T, S), (S, e)), lead),
        Case("one matrix times a batch", ((T, S), (batch, S, e)), lead),
        Case("scores of all heads", ((batch, heads, T, e), (batch, heads, e, S)), lead, 2),
        Case("one set of keys for all heads", ((batch, heads, T, e), (batch, 1, e, S)), lead, 2),
        Case("leading axes that clash", ((2 * heads, T, S), (heads, S, e)), lead + " Otherwise return None."),
        Case(
            "leading axes that clash further left",
            ((2 * batch, heads, T, S), (batch, heads, S, e)),
            lead + " Otherwise return None. Look at each of them.",
        ),
        Case(
            "a batch of nothing",
            ((1, 2, 3), (0, 3, 4)),
            "a 1 stretches to whatever the other size is, also to 0: no matrices times one is no matrices.",
            expected=(0, 2, 4),
        ),
        Case("leading axes of different number", ((e, batch, 1, T, S), (heads, S, e)), lead, 2),
    ]


EXERCISE = Exercise(
    "00.product_shape",
    "The shape of any product",
    reference=product_shape,
    cases=_product_cases,
    hints=(
        "Look at the last two axes first: (..., T, S) @ (..., S, e) gives (..., T, e), and S must be S.",
        "The axes in front follow NumPy's broadcasting. Write both from the right; a missing axis "
        "counts as 1.",
        "np.broadcast_shapes(left[:-2], right[:-2]) does that, and raises ValueError where the sizes clash.",
    ),
    mistakes=(
        *MISTAKES,
        Mistake(
            "columns_against_columns",
            _columns_against_columns,
            "You compared the last size of both, as for Q @ K.T. `right` is not turned round here: its last "
            "but one size must fit.",
        ),
        Mistake(
            "leading_axes_dropped",
            leading(lambda one, other: ()),
            "You return the last two sizes alone. Keep the axes in front of them, and compare these.",
        ),
        Mistake(
            "last_two_exchanged",
            lambda left, right: (
                None if (shape := product_shape(left, right)) is None else (*shape[:-2], shape[-1], shape[-2])
            ),
            "Your last two sizes are exchanged. The rows come from `left`, the columns from `right`.",
        ),
        Mistake(
            "inner_size_last",
            lambda left, right: (shape := product_shape(left, right)) and (*shape[:-1], right[-2]),
            "Your last size is the inner one, which vanishes. The result ends with the last size of right.",
        ),
        Mistake(
            "as_many_axes_asked_for",
            lambda left, right: product_shape(left, right) if len(left) == len(right) else None,
            "You refuse shapes with different numbers of axes. A missing axis counts as 1.",
        ),
    ),
    alternatives=(_by_zeros, leading(stretched)),
    ids=True,
    stars=3,
    minutes=15,
)
