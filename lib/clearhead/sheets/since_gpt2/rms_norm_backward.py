"""16.rms_norm_backward: RMS norm, taken backwards."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .rms_norm_backward_wrong import MORE
from .shared import different


def _root(x, epsilon):
    return np.sqrt((x**2).mean(axis=-1, keepdims=True) + epsilon)


def rms_norm_backward(dy, x, gain, epsilon):
    """Return dx (T, D) and dgain (D,) for dy and x (T, D), gain (D,)."""
    r = _root(x, epsilon)
    y = x / r
    g = dy * gain
    return (g - y * (g * y).mean(axis=-1, keepdims=True)) / r, (dy * y).sum(axis=0)


def _with(dx=None, dgain=None):
    """Return a backward pass in which dx(g, y, r) or dgain(dy, y, x) is another one."""

    def backward(dy, x, gain, epsilon):
        r = _root(x, epsilon)
        right = rms_norm_backward(dy, x, gain, epsilon)
        own_dx = right[0] if dx is None else dx(dy * gain, x / r, r)
        return own_dx, right[1] if dgain is None else dgain(dy, x / r, x)

    return backward


def _by_jacobian(dy, x, gain, epsilon):
    dx, D = np.zeros(x.shape), x.shape[1]
    for t, row in enumerate(x):
        r2 = (row**2).mean() + epsilon
        J = np.diag(gain) @ (np.eye(D) / r2**0.5 - np.outer(row, row) / (D * r2**1.5))
        dx[t] = dy[t] @ J
    return dx, sum(dy[t] * row / ((row**2).mean() + epsilon) ** 0.5 for t, row in enumerate(x))


def _cases(rng):
    T, D = different(rng, 2)
    x, dy, gain = rng.normal(size=(T, D)), rng.normal(size=(T, D)), rng.normal(size=D) + 1
    across = (
        "with epsilon 0 the gradient stands across the row: longer or shorter rows give the same y",
        lambda found, dy, x, gain, epsilon: np.allclose(
            (np.asarray(found[0]) * x).sum(axis=-1), 0, atol=1e-7
        ),
    )
    hand = np.array([[1.0, 0]]), np.array([[1.0, 1]]), np.array([1.0, 3]), 0.0
    return [
        Case(
            "a row of two ones, by hand",
            hand,
            "r = 1, u = x / r = (1, 1), g = dy · gain = (1, 0). The mean of g u is 1/2, so dx = (1/2, -1/2).",
            expected=(np.array([[0.5, -0.5]]), np.array([1.0, 0])),
        ),
        Case(
            "gain 1",
            (dy, x, np.ones(D), 0.0),
            "What does the root of the mean square know of x?",
            properties=(across,),
        ),
        Case(
            "random gain",
            (dy, 3 * x, gain, 0.0),
            "The gain comes first on the way back: g = dy · gain.",
            properties=(across,),
        ),
        Case("a large epsilon", (dy, x, gain, 0.7), "Epsilon stands in r, and r stands in everything."),
        Case("one token", (dy[:1], x[:1], gain, 1e-5), "dgain is a sum over tokens, also over one."),
    ]


EXERCISE = Exercise(
    id="16.rms_norm_backward",
    title="RMS norm, taken backwards",
    reference=rms_norm_backward,
    cases=_cases,
    hints=(
        "u = x / r, and r depends on x, too. So there are two ways from x to the loss.",
        "With g = dy · gain: dx = (g - u · mean(g u)) / r, where the mean runs over the row.",
        "r = np.sqrt((x**2).mean(-1, keepdims=True) + epsilon); u = x / r; g = dy * gain; then dx as in hint "
        "2, and dgain = (dy * u).sum(axis=0)",
    ),
    mistakes=(
        Mistake(
            "the_root_is_a_constant",
            _with(dx=lambda g, y, r: g / r),
            "You took r for a constant. It changes with every number of the row: a second term is missing.",
        ),
        Mistake(
            "sum_for_mean",
            _with(dx=lambda g, y, r: (g - y * (g * y).sum(axis=-1, keepdims=True)) / r),
            "You took the sum of g u over the row. The root holds a mean, so its gradient does, too.",
        ),
        Mistake(
            "layer_norm_backward",
            _with(
                dx=lambda g, y, r: (g - g.mean(-1, keepdims=True) - y * (g * y).mean(-1, keepdims=True)) / r
            ),
            "That is the way back through layer norm. No mean was subtracted here, so none is taken off g.",
        ),
        Mistake(
            "gain_forgotten",
            lambda dy, x, gain, epsilon: (
                rms_norm_backward(dy, x, np.ones_like(gain), epsilon)[0],
                rms_norm_backward(dy, x, gain, epsilon)[1],
            ),
            "The gain is missing in dx. Begin with g = dy · gain.",
        ),
        Mistake(
            "not_divided_by_the_root",
            _with(dx=lambda g, y, r: g - y * (g * y).mean(-1, keepdims=True)),
            "dx is not divided by r yet: a long row moves its direction less.",
        ),
        Mistake(
            "plus_for_minus",
            _with(dx=lambda g, y, r: (g + y * (g * y).mean(-1, keepdims=True)) / r),
            "The second term has the wrong sign: a longer row has a larger r, and that makes x / r smaller.",
        ),
        Mistake(
            "mean_over_tokens",
            _with(dx=lambda g, y, r: (g - y * (g * y).mean(axis=0, keepdims=True)) / r),
            "Your mean in dx runs over the tokens. Each row has its own: axis=-1.",
        ),
        Mistake(
            "dgain_from_x",
            _with(dgain=lambda dy, y, x: (dy * x).sum(axis=0)),
            "dx is right. For dgain, the gain multiplies u = x / r, not x.",
        ),
        Mistake(
            "dgain_a_mean",
            _with(dgain=lambda dy, y, x: (dy * y).mean(axis=0)),
            "dx is right. All tokens use the same gain, so dgain is the sum over them, no mean.",
        ),
        *MORE,
    ),
    alternatives=(_by_jacobian,),
    stars=3,
    minutes=25,
)
