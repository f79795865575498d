"""Cases of 06.MultiHeadAttention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import run_layer
from .shared import CHAPTER, sizes


def cases(rng):
    B, T, H, d = sizes(rng, 4)

    def drawn(*shape):
        D = shape[-1]
        return (rng.normal(size=shape), *(rng.normal(size=(D, D)) / np.sqrt(D) for _ in range(4)))

    X, *weights = drawn(B, T, H * d)
    twins = np.concatenate([X, X[:, :1]], axis=1)
    alike = (
        "the first and the last token, which are equal, have equal outputs",
        lambda found, *rest: np.allclose(found["Z"][:, 0], found["Z"][:, -1]),
    )
    return [
        Case(
            "the two heads of the chapter",
            (CHAPTER[0][None], *CHAPTER[1:], 2),
            "The chapter prints this output.",
        ),
        Case("a batch of sequences", (X, *weights, H), "The batch remains the first axis in every step."),
        Case(
            "linear layers with biases",
            (X, *weights, H, rng.normal(size=(4, H * d))),
            "The linear layer self.query adds a bias, and so do the other three.",
        ),
        Case(
            "a token that occurs twice",
            (twins, *weights, H),
            "The first and the last token are equal, so their rows of the output must be equal, too.",
            properties=(alike,),
        ),
        Case(
            "one sequence with other sizes",
            (*drawn(1, T + 1, d * (H + 1)), d),
            "No size may be fixed in your code, neither the length of the sequence nor the size of a head.",
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_layer,
    returns={
        "Z": "the output of `forward` (Z)",
        "weights that learn": "the number of trainable weights",
        "gradient of the sum of Z squared": "the gradient of the sum of Z squared",
    },
    needs=("torch",),
)
