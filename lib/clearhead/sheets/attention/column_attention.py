"""Cases of 05.column_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import CHAPTER, LARGE, SURVIVE, tokens_and_weights


def _between_the_values(Z, X, M_q, M_k, M_v):
    values = M_v @ X
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    return (np.clip(Z, low - 1e-9, high + 1e-9) == Z).all()


def cases(rng):
    mixed = (
        "each entry of the result lies between the smallest and the largest entry of its row of values",
        _between_the_values,
    )
    columns = [tuple(M.T for M in tokens_and_weights(rng)) for _ in range(2)]
    return [
        Case(
            "the four tokens of the chapter, as columns",
            tuple(M.T for M in CHAPTER),
            "The result is the chapter's Z, transposed.",
        ),
        Case(
            "random tokens",
            columns[0],
            "Each token is a column here, so be sure which axis of the scores belongs to the queries: "
            "the weights of each query sum to 1.",
            properties=(mixed,),
        ),
        Case(
            "other sizes",
            columns[1],
            "Write down the shape of each product. Every array of queries, keys or values has one "
            "column per token.",
        ),
        Case("large embeddings", tuple(M.T for M in LARGE), SURVIVE),
    ]


EXERCISE = exercise_from_text(__file__, cases)
