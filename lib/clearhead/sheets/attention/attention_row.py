"""Cases of 05.attention_row."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import CHAPTER, LARGE, SURVIVE, tokens_and_weights


def cases(rng):
    X, *weights = tokens_and_weights(rng)
    by_hand = np.array([0.509331542, 1.447937506, 1.364812657])
    between = (
        "each entry of z lies between the smallest and the largest entry of its column of V",
        lambda z, X, W_q, W_k, W_v, i: (
            np.all(z <= (X @ W_v).max(0) + 1e-9) and np.all(z >= (X @ W_v).min(0) - 1e-9)
        ),
    )
    return [
        Case(
            "z₄ of the chapter",
            (*CHAPTER, 3),
            "The section 'One row, by hand' of the chapter shows every intermediate number.",
            expected=by_hand,
            properties=(between,),
        ),
        Case(
            "the first token",
            (X, *weights, 0),
            "The first token attends to all tokens, including those after it.",
            properties=(between,),
        ),
        Case(
            "the last token",
            (X, *weights, len(X) - 1),
            "Only the query changes from token to token, whereas the keys and values stay the same.",
        ),
        Case("only one token", (X[:1], *weights, 0), "With one key, its weight is 1, and z is its value."),
        Case("large embeddings", (*LARGE, 0), SURVIVE),
    ]


EXERCISE = exercise_from_text(__file__, cases)
