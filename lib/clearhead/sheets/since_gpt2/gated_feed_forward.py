"""16.gated_feed_forward: A gate in the feed-forward part."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.layers import gelu, relu, sigmoid, silu

from .gated_feed_forward_wrong import MORE
from .shared import different


def gated_feed_forward(x, W_gate, W_up, W_down):
    """Return y (T, D) for x (T, D), W_gate and W_up (D, F), W_down (F, D)."""
    return (silu(x @ W_gate) * (x @ W_up)) @ W_down


def _with(activation=silu, join=np.multiply):
    return lambda x, W_gate, W_up, W_down: join(activation(x @ W_gate), x @ W_up) @ W_down


def _by_columns(x, W_gate, W_up, W_down):
    y = np.zeros((len(x), W_down.shape[1]))
    for gate, up, down in zip(W_gate.T, W_up.T, W_down, strict=True):
        h = x @ gate
        y += np.outer(h / (1 + np.exp(-h)) * (x @ up), down)
    return y


def _cases(rng):
    T, D, F = different(rng, 3)
    x, gate, up, down = (rng.normal(size=size) for size in ((T, D), (D, F), (D, F), (F, D)))
    return [
        Case(
            "a closed gate and an open one, by hand",
            (np.array([[1.0]]), np.array([[0.0, 30]]), np.array([[5.0, 2]]), np.array([[1.0], [1]])),
            "silu(0) = 0 lets nothing pass, and silu(30) is 30: 0 · 5 + 30 · 2 = 60.",
            expected=np.array([[60.0]]),
        ),
        Case("random sizes", (x, gate, up, down), "silu is on one of the two branches only."),
        Case(
            "four times the input", (4 * x, gate, up, down), "Two branches are multiplied, number by number."
        ),
    ]


EXERCISE = Exercise(
    id="16.gated_feed_forward",
    title="A gate in the feed-forward part",
    reference=gated_feed_forward,
    cases=_cases,
    hints=(
        "Two maps go up. One is bent by silu, the other is not. How do they meet?",
        "They are multiplied number by number, with *. Then one map goes down.",
        "return (silu(x @ W_gate) * (x @ W_up)) @ W_down",
    ),
    mistakes=(
        Mistake(
            "silu_on_the_other_branch",
            lambda x, W_gate, W_up, W_down: _with()(x, W_up, W_gate, W_down),
            "You put silu on x W_up. It belongs to the gate: silu(x W_gate).",
        ),
        Mistake(
            "silu_on_both",
            lambda x, W_gate, W_up, W_down: (silu(x @ W_gate) * silu(x @ W_up)) @ W_down,
            "You bent both branches. x W_up passes as it is, times the gate.",
        ),
        Mistake(
            "branches_added", _with(join=np.add), "You added the two branches. A gate multiplies: use *."
        ),
        Mistake(
            "sigmoid_gate",
            _with(sigmoid),
            "Your gate is a sigmoid: that is the first gated unit, GLU. SwiGLU takes silu(h) = h sigmoid(h).",
        ),
        Mistake("gelu_gate", _with(gelu), "Your gate is gelu: that is GEGLU. SwiGLU takes silu."),
        Mistake("relu_gate", _with(relu), "Your gate is relu: that is ReGLU. SwiGLU takes silu."),
        Mistake(
            "no_gate",
            lambda x, W_gate, W_up, W_down: silu(x @ W_up) @ W_down,
            "W_gate is never used. silu bends x W_gate, and x W_up is multiplied by that.",
        ),
        Mistake(
            "product_before_silu",
            lambda x, W_gate, W_up, W_down: silu((x @ W_gate) * (x @ W_up)) @ W_down,
            "You bent the product. Bend the gate first, then multiply.",
        ),
        Mistake("no_bend", _with(lambda h: h), "silu is missing on the gate."),
        *MORE,
    ),
    alternatives=(_by_columns, lambda x, g, u, d: np.einsum("tf,tf,fd->td", silu(x @ g), x @ u, d)),
    stars=1,
    minutes=5,
)
