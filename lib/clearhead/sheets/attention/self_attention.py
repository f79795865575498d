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
        "the first and the last token are equal, so their new vectors are equal",
        lambda Z, X, *weights: np.allclose(Z[0], Z[-1]),
    )
    return [
        Case(
            "the four tokens of the chapter",
            CHAPTER,
            "The section 'All rows: the loop, then the matrix' shows this table.",
        ),
        Case("random tokens", (X, *weights), "Go through compare, scale, weigh, mix, and print each shape."),
        Case("the same tokens in another order", (X[order], *weights), "The rows must follow their tokens."),
        Case(
            "a token that comes twice",
            (twins, *weights),
            "Does your answer use row numbers?",
            properties=(alike,),
        ),
        Case("large embeddings", LARGE, SURVIVE),
    ]


EXERCISE = exercise_from_text(__file__, cases)
