"""00.product_shape: The shape of any product."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import different_sizes


def product_shape(left, right):
    """Return the shape of `left @ right`, from two shapes of two axes or more; None where they do not fit."""
    if left[-1] != right[-2]:
        return None
    try:
        return (*np.broadcast_shapes(left[:-2], right[:-2]), left[-2], right[-1])
    except ValueError:
        return None


def _leading(rule, inner=lambda a, b: a == b):
    """Return an answer that treats the axes before the last two by a rule of its own."""

    def answer(left, right):
        if not inner(left[-1], right[-2]):
            return None
        leading = rule(tuple(left[:-2]), tuple(right[:-2]))
        return None if leading is None else (*leading, left[-2], right[-1])

    return answer


def _stretched(one, other, front=False, both=lambda a, b: b if a == 1 else a):
    """Return leading axes stretched to fit each other, from the back or the front; None where they clash."""
    order = 1 if front else -1
    pairs = [[], []]
    for shape, pair in zip((one, other), pairs, strict=True):
        pair.extend([*shape[::order], *[1] * (max(len(one), len(other)) - len(shape))])
    if any(a != b and 1 not in (a, b) for a, b in zip(*pairs, strict=True)):
        return None
    return tuple(both(a, b) for a, b in zip(*pairs, strict=True))[::order]


def _elementwise(left, right):
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        return None


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
        Case("inner sizes that differ", ((T, S), (e, T)), inner + " Else return None."),
        Case("an inner 1 does not stretch", ((T, 1), (S, e)), inner + " A 1 is no exception there."),
        Case("a batch times one matrix", ((batch, T, S), (S, e)), lead),
        Case("one matrix times a batch", ((T, S), (batch, S, e)), lead),
        Case("scores of all heads", ((batch, heads, T, e), (batch, heads, e, S)), lead, 2),
        Case("one set of keys for all heads", ((batch, heads, T, e), (batch, 1, e, S)), lead, 2),
        Case("leading axes that clash", ((2 * heads, T, S), (heads, S, e)), lead + " Otherwise return None."),
        Case(
            "a batch of nothing",
            ((0, 2, 3), (1, 3, 4)),
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
        Mistake(
            "inner_sizes_not_compared",
            _leading(_stretched, inner=lambda a, b: True),
            "The answer never asks whether the inner sizes are equal. Return None where they are not.",
        ),
        Mistake(
            "first_two_axes_taken",
            lambda left, right: (left[0], right[1]) if left[-1] == right[-2] else None,
            "The matrices are in the last two axes. Count from the right, left[-2] and right[-1], "
            "and keep what is in front.",
        ),
        Mistake(
            "inner_one_stretched",
            _leading(_stretched, inner=lambda a, b: a == b or 1 in (a, b)),
            "A 1 stretches only in the leading axes. The two inner sizes must be equal, also when "
            "one of them is 1.",
        ),
        Mistake(
            "leading_axes_of_right_dropped",
            _leading(lambda one, other: one),
            "Only the leading axes of `left` are kept. `right` may bring axes too, and they must fit.",
        ),
        Mistake(
            "leading_axes_must_be_equal",
            _leading(lambda one, other: one if one == other else None),
            "Leading axes need not be equal: a 1 stretches, and a missing axis counts as 1.",
        ),
        Mistake(
            "lined_up_from_the_left",
            _leading(lambda one, other: _stretched(one, other, front=True)),
            "Shapes are lined up from the right, as numbers are when one adds them on paper.",
        ),
        Mistake(
            "all_leading_axes_kept",
            _leading(lambda one, other: one + other),
            "That is the rule of np.dot, which pairs every matrix with every other. @ walks through "
            "both batches together.",
        ),
        Mistake(
            "error_instead_of_none",
            _leading(np.broadcast_shapes),
            "np.broadcast_shapes raises where leading axes clash. Catch the ValueError and return None.",
        ),
        Mistake(
            "rule_of_the_star",
            _elementwise,
            "That is the rule of `*`, number by number. `@` is the product of matrices: the inner "
            "sizes meet and vanish.",
        ),
        Mistake(
            "larger_size_taken",
            _leading(lambda one, other: _stretched(one, other, both=max)),
            "Of two leading sizes you took the larger one. A 1 stretches to the other size, perhaps 0.",
        ),
        Mistake(
            "batch_of_the_right_alone",
            lambda left, right: (
                None if product_shape(left, right) is None else (*right[:-2], left[-2], right[-1])
            ),
            "You took the axes in front from the right side alone. Those of the left side count as "
            "well: they are broadcast.",
        ),
        Mistake(
            "inner_size_kept",
            lambda left, right: (
                None
                if product_shape(left, right) is None
                else (*product_shape(left, right)[:-1], right[-2], right[-1])
            ),
            "The size that meets itself is still there. It is summed over, and gone.",
        ),
        Mistake(
            "one_does_not_stretch",
            _leading(
                lambda a, b: (
                    None
                    if any(x != y for x, y in zip(a[::-1], b[::-1], strict=False))
                    else max(a, b, key=len)
                )
            ),
            "You refuse leading axes where one size is 1. A 1 stretches to whatever the other size is.",
        ),
        Mistake(
            "longer_one_taken_whole",
            _leading(lambda a, b: a if len(a) >= len(b) else b),
            "You took the leading axes of the longer shape as they are. Compare them with the other "
            "one: sizes may clash, or a 1 may stretch.",
        ),
    ),
    alternatives=(_by_zeros, _leading(_stretched)),
    ids=True,
    stars=3,
    minutes=15,
)
