"""The wrong answers of 00.product_shape."""

import numpy as np

from clearhead.checks.exercise import Mistake


def leading(rule, inner=lambda a, b: a == b):
    """Return an answer that treats the axes before the last two by a rule of its own."""

    def answer(left, right):
        if not inner(left[-1], right[-2]):
            return None
        leading = rule(tuple(left[:-2]), tuple(right[:-2]))
        return None if leading is None else (*leading, left[-2], right[-1])

    return answer


def stretched(one, other, front=False, both=lambda a, b: b if a == 1 else a):
    """Return leading axes stretched to fit each other, from the back or the front; None where they clash."""
    order = 1 if front else -1
    pairs = [[], []]
    for shape, pair in zip((one, other), pairs, strict=True):
        pair.extend([*shape[::order], *[1] * (max(len(one), len(other)) - len(shape))])
    if any(a != b and 1 not in (a, b) for a, b in zip(*pairs, strict=True)):
        return None
    return tuple(both(a, b) for a, b in zip(*pairs, strict=True))[::order]


_right = leading(stretched)


def _refusing(refused):
    """Return an answer that refuses more pairs of leading sizes, both shapes filled up with 1s."""

    def rule(one, other):
        longest = max(len(one), len(other))
        filled = [(1,) * (longest - len(shape)) + shape for shape in (one, other)]
        return None if any(map(refused, *filled)) else stretched(one, other)

    return leading(rule)


def _explicit_one_refused(one, other):
    pairs = zip(one[::-1], other[::-1], strict=False)
    return None if any(a == 1 != b for a, b in pairs) else stretched(one, other)


def _nearest_pair_alone(one, other):
    if one and other and one[-1] != other[-1] and 1 not in (one[-1], other[-1]):
        return None
    filled = [(1,) * (max(len(one), len(other)) - len(shape)) + shape for shape in (one, other)]
    return tuple(b if a == 1 else a for a, b in zip(*filled, strict=True))


def _multiples(one, other):
    filled = [(1,) * (max(len(one), len(other)) - len(shape)) + shape for shape in (one, other)]
    pairs = list(zip(*filled, strict=True))
    fits = all(a == b or 1 in (a, b) or (a and b and max(a, b) % min(a, b) == 0) for a, b in pairs)
    return tuple(b if a == 1 else a if b == 1 else max(a, b) for a, b in pairs) if fits else None


def _kept_from_the_longer(one, other):
    return None if stretched(one, other) is None else one if len(one) >= len(other) else other


def _elementwise(left, right):
    try:
        return np.broadcast_shapes(left, right)
    except ValueError:
        return None


MISTAKES = (
    Mistake(
        "inner_sizes_not_compared",
        leading(stretched, inner=lambda a, b: True),
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
        leading(stretched, inner=lambda a, b: a == b or 1 in (a, b)),
        "A 1 stretches only in the leading axes. The two inner sizes must be equal, also when "
        "one of them is 1.",
    ),
    Mistake(
        "leading_axes_of_right_dropped",
        leading(lambda one, other: one),
        "Only the leading axes of `left` are kept. `right` may bring axes too, and they must fit.",
    ),
    Mistake(
        "leading_axes_must_be_equal",
        leading(lambda one, other: one if one == other else None),
        "Leading axes need not be equal: a 1 stretches, and a missing axis counts as 1.",
    ),
    Mistake(
        "lined_up_from_the_left",
        leading(lambda one, other: stretched(one, other, front=True)),
        "Shapes are lined up from the right, as numbers are when one adds them on paper.",
    ),
    Mistake(
        "all_leading_axes_kept",
        leading(lambda one, other: one + other),
        "Your leading axes are those of `left` and then those of `right`: every matrix with every other. "
        "@ walks through both batches together.",
    ),
    Mistake(
        "error_instead_of_none",
        leading(np.broadcast_shapes),
        "np.broadcast_shapes raises where leading axes clash. Catch the ValueError and return None.",
    ),
    Mistake(
        "rule_of_the_star",
        _elementwise,
        "You return None in every case, as by the rule of `*`, number by number. `@` is the product of "
        "matrices: the inner sizes meet and vanish.",
    ),
    Mistake(
        "larger_size_taken",
        leading(lambda one, other: stretched(one, other, both=max)),
        "Of two leading sizes you took the larger one. A 1 stretches to the other size, perhaps 0.",
    ),
    Mistake(
        "batch_of_the_right_alone",
        lambda left, right: None if _right(left, right) is None else (*right[:-2], left[-2], right[-1]),
        "You took the axes in front from the right side alone. Those of the left side count as "
        "well: they are broadcast.",
    ),
    Mistake(
        "inner_size_kept",
        lambda left, right: (
            None if _right(left, right) is None else (*_right(left, right)[:-1], right[-2], right[-1])
        ),
        "The size that meets itself is still there. It is summed over, and gone.",
    ),
    Mistake(
        "one_does_not_stretch",
        leading(
            lambda a, b: (
                None if any(x != y for x, y in zip(a[::-1], b[::-1], strict=False)) else max(a, b, key=len)
            )
        ),
        "You refuse leading axes where one size is 1. A 1 stretches to whatever the other size is.",
    ),
    Mistake(
        "longer_one_taken_whole",
        leading(lambda a, b: a if len(a) >= len(b) else b),
        "You took the leading axes of one shape as they are, of the longer one if there is one. Compare them "
        "with the others: sizes may clash, or a 1 may stretch.",
    ),
    Mistake(
        "one_on_the_left_refused",
        _refusing(lambda a, b: a == 1 != b),
        "You let only a 1 of `right` stretch. A 1 of `left`, or an axis that `left` lacks, stretches too.",
    ),
    Mistake(
        "written_one_on_the_left_refused",
        leading(_explicit_one_refused),
        "You let only a 1 of `right` stretch. A 1 that stands in `left` stretches too.",
    ),
    Mistake(
        "one_on_the_right_refused",
        _refusing(lambda a, b: b == 1 != a),
        "You let only a 1 of `left` stretch. A 1 of `right`, or an axis that `right` lacks, stretches too.",
    ),
    Mistake(
        "size_of_the_left_kept",
        leading(lambda one, other: stretched(one, other, both=lambda a, b: a)),
        "Of two leading sizes that fit you keep that of `left`, also where it is 1 or missing. "
        "If they differ, take the one that is not 1.",
    ),
    Mistake(
        "kept_from_the_longer",
        leading(_kept_from_the_longer),
        "You return the leading axes of one shape as they are, of the longer one if there is one. A 1 among "
        "them may have to stretch.",
    ),
    Mistake(
        "nearest_pair_alone",
        leading(_nearest_pair_alone),
        "You compare one pair of leading sizes, the one next to the matrices. Compare all pairs.",
    ),
    Mistake(
        "unequal_sizes_let_pass",
        leading(_multiples),
        "You let leading sizes pass that differ, and neither is 1. Only a 1 stretches; else return None.",
    ),
)
