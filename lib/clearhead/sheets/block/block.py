"""Cases of 08.block."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.masks import causal_mask

from .shared import maps, sizes


def _block_parameters(rng, D):
    """Return random parameters of a block of width D, in which no gain is 1 and no bias is 0."""
    linear = {
        name: {"weight": rng.normal(size=(D, D)) / np.sqrt(D), "bias": rng.normal(size=D)}
        for name in ("query", "key", "value", "output")
    }
    norms = [{"gain": rng.normal(1, 0.5, size=D), "bias": rng.normal(size=D)} for _ in range(2)]
    up, down = maps(rng, D, 4 * D)
    named = {"attention_norm": norms[0], "attention": linear}
    return named | {"feed_forward_norm": norms[1], "feed_forward": {"up": up, "down": down}}


def _silent(parameters):
    """Return the parameters with zeros in both projections that write into the residual stream."""
    zeros = [
        {name: np.zeros_like(array) for name, array in each.items()}
        for each in (parameters["attention"]["output"], parameters["feed_forward"]["down"])
    ]
    attention = parameters["attention"] | {"output": zeros[0]}
    return parameters | {
        "attention": attention,
        "feed_forward": parameters["feed_forward"] | {"down": zeros[1]},
    }


def _with_large_keys(rng, parameters):
    """Return the parameters with a key bias that adds the same large number to all scores of a query."""
    key = parameters["attention"]["key"]
    large = key | {"bias": key["bias"] + 3000 * rng.normal(size=len(key["bias"]))}
    return parameters | {"attention": parameters["attention"] | {"key": large}}


def cases(rng):
    T, heads, d = sizes(rng, 3)
    D = heads * d
    T += D % 7 == T % 7
    x, weights = rng.normal(size=(T, D)), _block_parameters(rng, D)
    wider = D + heads  # d + 1 for each head
    x_small = np.array([[1.0, 0, 0, 1], [0, 2, 0, 0], [2, 0, 0, 0]])
    return [
        Case(
            "attention and feed-forward layers that return zeros",
            (x_small, _silent(_block_parameters(rng, 4)), 2, None),
            "Both parts add zeros to the residual stream, so x is returned unchanged.",
            expected=x_small,
        ),
        Case(
            "random weights",
            (x, weights, heads, None),
            "Each part reads a normalized copy of the residual stream, and its output is added to the "
            "stream that was not normalized.",
        ),
        Case(
            "large entries in the residual stream",
            (20 * x + 5, weights, heads, None),
            "Only what each part reads is normalized, and not the residual stream itself.",
        ),
        Case(
            "a causal mask",
            (rng.normal(size=(T, wider)), _block_parameters(rng, wider), heads, causal_mask(T)),
            "Pass the mask on to attention.",
        ),
        Case(
            "scores in the thousands",
            (x, _with_large_keys(rng, weights), heads, None),
            "The exponential of a score in the thousands overflows, so the softmax must subtract the "
            "largest score first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
