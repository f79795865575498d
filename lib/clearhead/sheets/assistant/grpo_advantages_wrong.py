"""More wrong answers of 18.grpo_advantages."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _above(r):
    return r - r.mean(axis=1, keepdims=True)


def _spread(r):
    return r.std(axis=1, keepdims=True)


def _quiet(above, below):
    with np.errstate(all="ignore"):
        return above / below


MORE = (
    Mistake(
        "epsilon_added_at_the_end",
        lambda r, e: _quiet(_above(r), _spread(r)) + e,
        "You add ε to the quotient. It is added to the spread, below.",
    ),
    Mistake(
        "epsilon_taken_away",
        lambda r, e: _quiet(_above(r), _spread(r) - e),
        "You take ε from the spread. It is added.",
    ),
    Mistake(
        "multiplied_by_the_spread",
        lambda r, e: _above(r) * (_spread(r) + e),
        "You multiply by the spread. Divide by it.",
    ),
    Mistake(
        "mean_taken_off_last",
        lambda r, e: _quiet(r, _spread(r) + e) - r.mean(axis=1, keepdims=True),
        "You divided the rewards first, and took the mean off then. Take it off first.",
    ),
    Mistake(
        "mean_of_all_rewards",
        lambda r, e: _quiet(r - r.mean(), _spread(r) + e),
        "Your mean is that of all rewards. Each group has its own: axis=1, keepdims=True.",
    ),
    Mistake(
        "best_taken_off",
        lambda r, e: _quiet(r - r.max(axis=1, keepdims=True), _spread(r) + e),
        "You take the best reward off. Take the mean off.",
    ),
    Mistake(
        "worst_taken_off",
        lambda r, e: _quiet(r - r.min(axis=1, keepdims=True), _spread(r) + e),
        "You take the worst reward off. Take the mean off.",
    ),
    Mistake(
        "divided_by_the_mean",
        lambda r, e: _quiet(_above(r), r.mean(axis=1, keepdims=True) + e),
        "You divide by the mean. Divide by the spread, the root of the mean squared distance from it.",
    ),
    Mistake(
        "divided_by_the_length",
        lambda r, e: _quiet(_above(r), np.sqrt((_above(r) ** 2).sum(axis=1, keepdims=True)) + e),
        "You divide by the root of a sum of squares. The spread is the root of their mean.",
    ),
    Mistake(
        "root_of_the_spread",
        lambda r, e: _quiet(_above(r), np.sqrt(_spread(r)) + e),
        "You took the root of the spread. It is a root already, as np.std is.",
    ),
    Mistake(
        "divided_by_the_root_mean_square",
        lambda r, e: _quiet(_above(r), np.sqrt((r**2).mean(axis=1, keepdims=True)) + e),
        "You squared the rewards themselves. The spread is measured from the mean of the group.",
    ),
    Mistake(
        "signs_alone",
        lambda r, e: np.sign(_above(r)),
        "You keep the signs alone. Divide reward minus mean by spread + ε.",
    ),
    Mistake(
        "only_the_spread",
        lambda r, e: _spread(r) + e + 0 * r,
        "That is spread + ε alone. Divide reward minus mean by it.",
    ),
    Mistake(
        "mean_of_the_questions_spread_of_the_group",
        lambda r, e: _quiet(r - r.mean(axis=0), _spread(r) + e),
        "You take the mean of each column off. A group is a row: axis=1, keepdims=True.",
    ),
    Mistake(
        "epsilon_in_both_places",
        lambda r, e: _quiet(_above(r) + e, _spread(r) + e),
        "You add ε above as well. It is added to the spread alone.",
    ),
    Mistake(
        "standardised_twice",
        lambda r, e: _quiet(_above(a := _quiet(_above(r), _spread(r) + e)), _spread(a) + e),
        "You divided by the spread twice: what comes out of the first division is divided again.",
    ),
    Mistake(
        "epsilon_without_effect",
        lambda r, e: _quiet(_above(r), _spread(r) + 1e-8),
        "Where the spread is not 0, ε has no effect in yours. It is always added: spread + ε.",
    ),
    Mistake(
        "epsilon_of_one_size",
        lambda r, e: _quiet(_above(r), _spread(r) + 1e-4),
        "You always add 0.0001. ε is an argument.",
    ),
    Mistake(
        "epsilon_of_a_millionth",
        lambda r, e: _quiet(_above(r), _spread(r) + 1e-6),
        "You always add 0.000001. ε is an argument.",
    ),
    Mistake(
        "epsilon_multiplied",
        lambda r, e: np.nan_to_num(_quiet(_above(r), _spread(r) * (1 + e))),
        "You multiply the spread by 1 + ε. ε is added to it.",
    ),
    Mistake(
        "epsilon_twice",
        lambda r, e: _quiet(_above(r), np.sqrt(_spread(r) ** 2 + e) + e),
        "You add ε inside the root and outside. It is added to the spread alone, outside.",
    ),
    Mistake(
        "brackets_forgotten",
        lambda r, e: r - _quiet(r.mean(axis=1, keepdims=True), _spread(r) + e),
        "Only the mean is divided in yours. Put brackets around the difference: (r - mean) / (spread + ε).",
    ),
    Mistake(
        "first_group_for_all",
        lambda r, e: _quiet(r - r[0].mean(), r[0].std() + e),
        "You took mean and spread of the first group for all. Each row has its own.",
    ),
    Mistake(
        "cut_at_1",
        lambda r, e: np.clip(_quiet(_above(r), _spread(r) + e), -1, 1),
        "You cut advantages at -1 and 1. Return them as they are.",
    ),
    Mistake(
        "softmax_of_the_rewards",
        lambda r, e: np.exp(r) / np.exp(r).sum(axis=1, keepdims=True),
        "You took a softmax of the rewards. Take the mean off, and divide by spread + ε.",
    ),
    Mistake(
        "first_try_taken_off",
        lambda r, e: _quiet(r - r[:, :1], _spread(r) + e),
        "You take the first reward of the row off. Take the mean off.",
    ),
    Mistake(
        "sum_taken_off",
        lambda r, e: _quiet(r - r.sum(axis=1, keepdims=True), _spread(r) + e),
        "You take the sum of the row off. Take its mean off.",
    ),
    Mistake(
        "spread_of_the_mean",
        lambda r, e: _quiet(_above(r), _spread(r) / np.sqrt(r.shape[1]) + e),
        "You divided the spread by √G, as for the error of a mean. Take the spread itself.",
    ),
)
