"""08.feed_forward: Feed-forward."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import layers, transformer
from clearhead.maths.layers import gelu, layer_norm

from .shared import different_sizes, maps


def feed_forward(x, up, down):
    """Return the step (..., T, D) of each token of x (..., T, D)."""
    return transformer.feed_forward(x, {"up": up, "down": down})


def _thinks(activation=gelu, end=None, up_bias=True, down_bias=True):
    """Return a feed-forward part that acts, ends or adds its biases in its own way."""

    def thinks(x, up, down):
        hidden = activation(x @ up["weight"] + up_bias * up["bias"])
        y = hidden @ down["weight"] + down_bias * down["bias"]
        return end(x, y) if end else y

    return thinks


def _plain(x):
    """Return a gain of 1 and a bias of 0 for each number of a token."""
    return np.ones(x.shape[-1]), np.zeros(x.shape[-1])


def _forward_cases(rng):
    T, D, F = different_sizes(rng, 3)
    x, (up, down) = rng.normal(size=(T, D)), maps(rng, D, F + 10)
    nothing = {"weight": np.zeros_like(down["weight"]), "bias": down["bias"]}
    alike = (
        "the first and the last token are equal, so their steps are equal",
        lambda y, x, up, down: np.allclose(y[0], y[-1]),
    )
    tiny_up = {"weight": np.array([[1.0, 0, 0], [0, 1, -1]]), "bias": np.array([0.0, 1, 0])}
    tiny_down = {"weight": np.array([[1.0, 0], [0, 2], [0, 1]]), "bias": np.array([5.0, 0])}
    return [
        Case(
            "one token, by hand",
            (np.array([[1.0, 0.0]]), tiny_up, tiny_down),
            "Going up gives (1, 1, 0), after gelu (0.8413, 0.8413, 0).",
            expected=np.array([[5.841344746069, 1.682689492137]]),
        ),
        Case("random maps", (x, up, down), "Write each shape beside its product: (T, D), (T, F), (T, D)."),
        Case(
            "a map down of zeros",
            (x, up, nothing),
            "What is left is the bias of `down`, in every row.",
            expected=np.tile(down["bias"], (T, 1)),
        ),
        Case(
            "a token that comes twice",
            (np.vstack([x, x[:1]]), up, down),
            "Each token alone.",
            properties=(alike,),
        ),
        Case(
            "several sentences", (rng.normal(size=(F, T, D)), up, down), "`@` takes the leading axes along."
        ),
    ]


EXERCISE = Exercise(
    id="08.feed_forward",
    title="Feed-forward",
    reference=feed_forward,
    cases=_forward_cases,
    hints=(
        "Three steps: a linear map, an activation, a linear map. How wide is a token after the first?",
        "A linear map is x @ weight + bias. The bias comes before the activation.",
        'hidden = gelu(x @ up["weight"] + up["bias"]); then the same with `down`, and no activation.',
    ),
    mistakes=(
        Mistake(
            "no_bend",
            _thinks(activation=lambda h: h),
            "There is no activation between your two maps, so together they are one linear map. Use gelu.",
        ),
        Mistake(
            "relu_instead",
            _thinks(activation=layers.relu),
            "You used relu, as in 2017. Here the activation is gelu.",
        ),
        Mistake(
            "gelu_by_tanh",
            _thinks(activation=layers.gelu_tanh),
            "Your gelu is the form with tanh. The difference is small, but it is there: use the one "
            "with erf.",
        ),
        Mistake(
            "activation_twice",
            _thinks(end=lambda x, y: gelu(y)),
            "You used the activation again at the end. The step must be free to go down as well as up: "
            "no activation after `down`.",
        ),
        Mistake(
            "activation_at_the_end_only",
            _thinks(activation=lambda h: h, end=lambda x, y: gelu(y)),
            "Your activation comes after both maps. The activation stands between them.",
        ),
        Mistake(
            "adds_the_input",
            _thinks(end=lambda x, y: x + y),
            "You added x already. Return the step alone; the block adds it.",
        ),
        Mistake(
            "biases_forgotten",
            _thinks(up_bias=False, down_bias=False),
            "Both biases are missing: a linear map is x @ weight + bias.",
        ),
        Mistake(
            "first_bias_forgotten",
            _thinks(up_bias=False),
            "The bias of `up` is missing, before the activation.",
        ),
        Mistake("last_bias_forgotten", _thinks(down_bias=False), "The bias of `down` is missing at the end."),
        Mistake(
            "bias_after_the_bend",
            lambda x, up, down: (gelu(x @ up["weight"]) + up["bias"]) @ down["weight"] + down["bias"],
            "You added the bias of `up` after the activation. It belongs to the map: add it first.",
        ),
        Mistake(
            "silu_instead",
            _thinks(activation=layers.silu),
            "That is SiLU, x times the sigmoid. GELU multiplies by the share of a normal distribution.",
        ),
        Mistake(
            "tanh_instead",
            _thinks(activation=np.tanh),
            "You bent with tanh. Use your GELU.",
        ),
        Mistake(
            "hidden_numbers_returned",
            lambda x, up, down: gelu(x @ up["weight"] + up["bias"]),
            "You stopped half-way: map down again.",
        ),
        Mistake(
            "last_bias_subtracted",
            lambda x, up, down: gelu(x @ up["weight"] + up["bias"]) @ down["weight"] - down["bias"],
            "You subtracted the bias of the map down. Add it.",
        ),
        Mistake(
            "bend_before_the_first_map",
            lambda x, up, down: _thinks(activation=lambda x: x)(gelu(x), up, down),
            "Your activation stands in front of the first map. It stands between the two maps.",
        ),
        Mistake(
            "normed_first",
            lambda x, up, down: _thinks()(layer_norm(x, *_plain(x)), up, down),
            "You normed x first. That is the task of the block: here the map up reads x itself.",
        ),
        Mistake(
            "sigmoid_instead",
            _thinks(activation=layers.sigmoid),
            "You bent with the sigmoid. Use your GELU.",
        ),
    ),
    alternatives=(
        lambda x, up, down: np.apply_along_axis(
            lambda row: gelu(row @ up["weight"] + up["bias"]) @ down["weight"] + down["bias"], -1, x
        ),
        lambda x, up, down: (
            np.einsum(
                "...f,fd->...d",
                gelu(np.einsum("...d,df->...f", x, up["weight"]) + up["bias"]),
                down["weight"],
            )
            + down["bias"]
        ),
    ),
    stars=1,
    minutes=10,
)
