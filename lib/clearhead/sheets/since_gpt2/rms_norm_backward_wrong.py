"""More wrong answers of 16.rms_norm_backward."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _mean(x):
    return x.mean(axis=-1, keepdims=True)


def _backward(root=None, dx=None, dgain=None):
    """Return a way back with another r(x, epsilon), dx(g, y, r, dy, gain, x) or dgain(dy, y, gain)."""

    def answer(dy, x, gain, epsilon):
        r = np.sqrt(_mean(x**2) + epsilon) if root is None else root(x, epsilon)
        y, g = x / r, dy * gain
        own = (g - y * _mean(g * y)) / r if dx is None else dx(g, y, r, dy, gain, x)
        return own, (dy * y).sum(axis=0) if dgain is None else dgain(dy, y, gain)

    return answer


def _mean_over_all(dy, x, gain, epsilon):
    r = np.sqrt((x**2).mean(axis=-1, keepdims=True) + epsilon)
    y, g = x / r, dy * gain
    return (g - y * (g * y).mean()) / r, (dy * y).sum(axis=0)


MORE = (
    Mistake(
        "epsilon_forgotten",
        _backward(root=lambda x, epsilon: np.sqrt(_mean(x**2))),
        "Epsilon is missing: r is the root of the mean square plus epsilon.",
    ),
    Mistake(
        "epsilon_outside_the_root",
        _backward(root=lambda x, epsilon: np.sqrt(_mean(x**2)) + epsilon),
        "You added epsilon to the root. It stands under the root, beside the mean square.",
    ),
    Mistake(
        "axes_not_kept",
        _backward(root=lambda x, epsilon: np.sqrt((x**2).mean(axis=-1) + epsilon)),
        "A mean over each row is (T,), and x is (T, D). Keep the axis by keepdims=True: (T, 1).",
    ),
    Mistake(
        "epsilon_in_one_place_alone",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - x * _mean(g * x) / _mean(x**2)) / r),
        "Your second term lacks epsilon: it has the mean square of x where r squared stands.",
    ),
    Mistake(
        "divided_by_the_gain",
        _backward(dx=lambda g, y, r, dy, gain, x: (dy / gain - y * _mean(dy / gain * y)) / r),
        "You divided dy by the gain. On the way back it multiplies, too: g = dy · gain.",
    ),
    Mistake(
        "the_way_forward",
        _backward(dx=lambda g, y, r, dy, gain, x: g * y),
        "Your dx is dy · gain · x / r: the way forward, times dy. Take the gradient of x / r.",
    ),
    Mistake(
        "gain_at_the_end",
        _backward(dx=lambda g, y, r, dy, gain, x: gain * (dy - y * _mean(dy * y)) / r),
        "You multiplied by the gain at the end. It comes first: the mean is of dy · gain · x / r.",
    ),
    Mistake(
        "gain_in_one_term",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - y * _mean(dy * y)) / r),
        "The mean in dx lacks the gain: it is the mean of dy · gain · x / r.",
    ),
    Mistake(
        "gain_twice",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - gain * y * _mean(g * y)) / r),
        "The second term of dx has the gain twice. u is x / r there, without the gain.",
    ),
    Mistake(
        "y_holds_the_gain",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - gain * y * _mean(g * gain * y)) / r),
        "In dx you took gain · x / r for u. There it is x / r alone; the gain stands in g.",
    ),
    Mistake(
        "x_for_y",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - x * _mean(g * x)) / r),
        "You took x for u in the second term. It is u = x / r, in both places.",
    ),
    Mistake(
        "one_x_for_y",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - y * _mean(g * x)) / r),
        "In the second term of dx, one of the two u is x. Both are u = x / r.",
    ),
    Mistake(
        "second_term_not_times_y",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - _mean(g * y)) / r),
        "You subtracted the mean of dy · gain · x / r as it is. Multiply it by x / r first.",
    ),
    Mistake(
        "mean_without_the_row",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - y * _mean(g)) / r),
        "Your second term has the mean of dy · gain. It is the mean of dy · gain · x / r.",
    ),
    Mistake(
        "divided_twice",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - y * _mean(g * y)) / r**2),
        "You divided dx by r twice. Once is enough.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _backward(dx=lambda g, y, r, dy, gain, x: (g - y * _mean(g * y)) * r),
        "You multiplied dx by r. Divide: a long row moves less.",
    ),
    Mistake(
        "gain_in_dgain",
        _backward(dgain=lambda dy, y, gain: (dy * gain * y).sum(axis=0)),
        "dx is right. dgain holds the gain itself: it is the sum of dy · x / r, with no gain.",
    ),
    Mistake(
        "dgain_not_summed",
        _backward(dgain=lambda dy, y, gain: dy * y),
        "dx is right. Your dgain has a row for each token: add the rows up, axis=0.",
    ),
    Mistake(
        "dgain_along_the_row",
        _backward(dgain=lambda dy, y, gain: (dy * y).sum(axis=-1)),
        "dx is right. You added dgain up along the rows. Add over the tokens: axis=0, one number a column.",
    ),
    Mistake(
        "dgain_of_dy_alone",
        _backward(dgain=lambda dy, y, gain: dy.sum(axis=0)),
        "dx is right. Your dgain is the sum of dy, as for a bias. The gain multiplies x / r: so does dy.",
    ),
    Mistake(
        "root_not_taken",
        _backward(root=lambda x, epsilon: _mean(x**2) + epsilon),
        "Your r is the mean square. Take its root.",
    ),
    Mistake(
        "length_for_the_root",
        _backward(root=lambda x, epsilon: np.sqrt((x**2).sum(axis=-1, keepdims=True) + epsilon)),
        "Your r is the length of the row: the root of a sum. It is the root of the mean.",
    ),
    Mistake(
        "one_root_for_all",
        _backward(root=lambda x, epsilon: np.sqrt((x**2).mean() + epsilon)),
        "You took one r for all rows. Each row has its own: axis=-1, keepdims=True.",
    ),
    Mistake(
        "root_down_the_columns",
        _backward(root=lambda x, epsilon: np.sqrt((x**2).mean(axis=0) + epsilon)),
        "Your r runs down the columns. Each row has its own: axis=-1, keepdims=True.",
    ),
    Mistake(
        "spread_for_the_root",
        _backward(root=lambda x, epsilon: np.sqrt(x.var(axis=-1, keepdims=True) + epsilon)),
        "Your r is the spread around the mean, as in layer norm. RMS norm takes no mean away.",
    ),
    Mistake(
        "mean_over_all_rows",
        _mean_over_all,
        "You took the mean in dx over the whole array. Each row has its own: axis=-1, keepdims=True.",
    ),
)
