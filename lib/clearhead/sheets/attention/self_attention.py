"""Cases of 05.self_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import CHAPTER, LARGE, SURVIVE, tokens_and_weights


def cases(rng):
    X, *weights = tokens_and_weights(rng)
    order = rng.permutation(len(X))
    twins = np.concatenate([X, X[:1]])
    alike = (
        "the first and the last token, which are equal, have equal outputs",
        lambda Z, X, *weights: np.allclose(Z[0], Z[-1]),
    )
    return [
        Case(
            "the four tokens of the chapter",
            CHAPTER,
            "The section 'All rows: the loop, then the matrix' shows this table.",
        ),
        Case(
            "random tokens",
            (X, *weights),
            "Go through the four steps, compare, scale, weigh and mix, and print the shape after each "
            "of them.",
        ),
        Case(
            "the same tokens in another order",
            (X[order], *weights),
            "The tokens are permuted here, so the rows of the result must be permuted in the same way.",
        ),
        Case(
            "a token that occurs twice",
            (twins, *weights),
            "The first and the last token are equal, so their rows of the result must be equal, too.",
            properties=(alike,),
        ),
        Case("large embeddings", LARGE, SURVIVE),
    ]


EXERCISE = exercise_from_text(__file__, cases)
