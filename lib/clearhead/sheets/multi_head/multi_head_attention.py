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
        "the first and the last token are equal, so their new vectors are equal",
        lambda found, *rest: np.allclose(found["Z"][:, 0], found["Z"][:, -1]),
    )
    return [
        Case("the two heads of the chapter", (CHAPTER[0][None], *CHAPTER[1:], 2), "The chapter has this Z."),
        Case("a batch of sentences", (X, *weights, H), "The batch stays the first axis all the way."),
        Case(
            "layers with biases",
            (X, *weights, H, rng.normal(size=(4, H * d))),
            "self.query(x) adds a bias, and so does each of the other three.",
        ),
        Case(
            "a token that comes twice",
            (twins, *weights, H),
            "Does a row of each head still belong to one token?",
            properties=(alike,),
        ),
        Case(
            "one sentence of other tokens",
            (*drawn(1, T + 1, d * (H + 1)), d),
            "No size is a fixed number: neither the length, nor that of a head.",
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_layer,
    returns={
        "Z": "the output of `forward` (Z)",
        "weights that learn": "the number of parameters that learn",
        "gradient of the sum of Z squared": "the gradient of the sum of Z squared",
    },
    needs=("torch",),
)
