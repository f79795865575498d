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


EXERCISE = exercise_from_text(__file__, cases)
