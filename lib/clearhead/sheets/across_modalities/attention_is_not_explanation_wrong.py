"""More wrong answers of 14.attention_is_not_explanation."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _unseen(conditions):
    return np.linalg.svd(conditions.T)[2][-1]


def _conditions(V):
    return np.hstack([V, np.ones((len(V), 1))])


def _moved(a, n, how_far=np.min):
    falls = n < -1e-9
    return a + n * how_far(a[falls] / -n[falls]) if falls.any() else a + n


def _smallest_to_the_largest(a, V):
    b = a.copy()
    b[a.argmax()] += a.min()
    b[a.argmin()] = 0
    return b


MORE = (
    Mistake(
        "beyond_the_first_zero",
        lambda a, V: _moved(a, _unseen(_conditions(V)), np.max),
        "The output stays and a weight is 0, but another one is below 0. Stop at the first that becomes 0: "
        "take the smallest of the steps.",
    ),
    Mistake(
        "sum_not_among_the_conditions",
        lambda a, V: _moved(a, _unseen(V)),
        "Your direction leaves the output as it is, but not the sum of the weights. Add a column of ones "
        "to V: "
        "n must sum to 0, too.",
    ),
    Mistake(
        "column_of_the_decomposition",
        lambda a, V: _moved(a, np.linalg.svd(_conditions(V).T)[2][:, -1]),
        "You took the last column of the third factor of svd. Its last row is the direction.",
    ),
    Mistake(
        "first_direction",
        lambda a, V: _moved(a, np.linalg.svd(_conditions(V).T)[2][0]),
        "You took the first row of the third factor of svd, which the values see best. Take the last.",
    ),
    Mistake(
        "direction_alone",
        lambda a, V: _unseen(_conditions(V)),
        "That is the direction alone. Add a part of it to a.",
    ),
    Mistake(
        "not_at_the_first_zero",
        lambda a, V: a + _unseen(_conditions(V)),
        "The output stays, but you do not stop where the first weight is 0: one is below 0, or none is 0.",
    ),
    Mistake(
        "cut_at_zero",
        lambda a, V: (b := np.maximum(a + 5 * _unseen(_conditions(V)), 0)) / b.sum(),
        "You went too far, cut what was below 0, and divided by the sum. That is another output: stop "
        "where the "
        "first weight is 0.",
    ),
    Mistake(
        "sum_mended_at_the_end",
        lambda a, V: (b := _moved(a, _unseen(V))) / b.sum(),
        "Your direction does not keep the sum, and to divide by the sum at the end changes the output. "
        "Add a column of ones to V: n must sum to 0, too.",
    ),
    Mistake(
        "smallest_left_out",
        lambda a, V: (b := np.where(a > a.min(), a, 0)) / b.sum(),
        "You set the smallest weight to 0 and stretched the rest. The sum is 1 again, but the mixture is "
        "another one.",
    ),
    Mistake(
        "smallest_given_to_the_largest",
        _smallest_to_the_largest,
        "You gave the smallest weight to the largest. The sum is 1 still, but the mixture is another one, "
        "unless their values are equal.",
    ),
    Mistake(
        "first_two_put_together",
        lambda a, V: np.concatenate([[a[0] + a[1], 0.0], a[2:]]),
        "You gave the second weight to the first. That keeps the output only where their values are equal.",
    ),
    Mistake(
        "as_far_as_it_goes_and_cut",
        lambda a, V: (b := np.maximum(_moved(a, _unseen(_conditions(V)), np.max), 0)) / b.sum(),
        "You went too far, cut what was below 0, and divided by the sum. That is another output: stop "
        "where the first weight is 0.",
    ),
    Mistake(
        "weights_moved_on",
        lambda a, V: np.roll(a, 1),
        "You moved the weights on by one place. The values do not move with them, so the output changes.",
    ),
    Mistake(
        "first_left_out",
        lambda a, V: (b := np.where(np.arange(len(a)) > 0, a, 0)) / b.sum(),
        "You set the first weight to 0 and stretched the rest. The sum is 1 again, but the mixture is "
        "another one.",
    ),
    Mistake(
        "means_taken_off",
        lambda a, V: _moved(a, _unseen(V - V.mean(axis=0))),
        "You took the means off the columns of V in place of adding a column of ones. Then n need not sum "
        "to 0, and the output changes.",
    ),
)
