"""Cases of 08.feed_forward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import maps, sizes


def cases(rng):
    T, D, F = sizes(rng, 3)
    x, (up, down) = rng.normal(size=(T, D)), maps(rng, D, F + 10)
    nothing = {"weight": np.zeros_like(down["weight"]), "bias": down["bias"]}
    alike = (
        "the first and the last token, which are equal, have equal outputs",
        lambda y, x, up, down: np.allclose(y[0], y[-1]),
    )
    tiny_up = {"weight": np.array([[1.0, 0, 0], [0, 1, -1]]), "bias": np.array([0.0, 1, 0])}
    tiny_down = {"weight": np.array([[1.0, 0], [0, 2], [0, 1]]), "bias": np.array([5.0, 0])}
    return [
        Case(
            "one token, by hand",
            (np.array([[1.0, 0.0]]), tiny_up, tiny_down),
            "The first map gives (1, 1, 0), and gelu turns it into (0.8413, 0.8413, 0).",
            expected=np.array([[5.841344746069, 1.682689492137]]),
        ),
        Case(
            "random weights",
            (x, up, down),
            "Write down the shape after each product. The shapes are (T, D), then (T, F), then (T, D) again.",
        ),
        Case(
            "a second map with weights of zero",
            (x, up, nothing),
            "The weights of `down` are 0, so each row of the result is the bias of `down`.",
            expected=np.tile(down["bias"], (T, 1)),
        ),
        Case(
            "a token that occurs twice",
            (np.vstack([x, x[:1]]), up, down),
            "Each token is processed without looking at the others, so equal tokens have equal outputs.",
            properties=(alike,),
        ),
        Case(
            "a batch of sequences",
            (rng.normal(size=(F, T, D)), up, down),
            "The product `@` uses the last two axes, and keeps those before them.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
