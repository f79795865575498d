"""Cases of 06.mha_forward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import CHAPTER, two_random_layers

#: Scores of thousands, whole numbers; for the first token two of them have the gap 1.
LARGE = np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]])


def head_blocks(W, num_heads):
    """Return the columns of a wide matrix as one matrix per head, (H, D, d)."""
    return np.array(np.split(W, num_heads, axis=1))


def cases(rng):
    (X, W_q, W_k, W_v, W_o, H), other = two_random_layers(rng)
    twins = np.concatenate([X, X[:1]])
    order = rng.permutation(H)
    mixed = [np.hstack(head_blocks(W, H)[order]) for W in (W_q, W_k, W_v)]
    mixed.append(np.vstack(head_blocks(W_o.T, H)[order].swapaxes(1, 2)))
    alike = (
        "the first and the last token, which are equal, have equal outputs",
        lambda Z, X, *rest: np.allclose(Z[0], Z[-1]),
    )
    return [
        Case(
            "the two heads of the chapter",
            (*CHAPTER, 2),
            "The chapter prints this result. Its last row is 0.564, 1.448, 1.931 and 0.11.",
            expected=np.array(
                [
                    [1.86671333995, 1.25956952983, 0.42174812361, 2.0],
                    [1.9240869762, 0.09320938487, 1.74898122371, 0.40163004206],
                    [1.48742889123, 1.64774129341, 0.15061126577, 2.0],
                    [0.56443450478, 1.44793750627, 1.93112129697, 0.11020592484],
                ]
            ),
        ),
        Case(
            "random weights",
            (X, W_q, W_k, W_v, W_o, H),
            "Print the shape after each step: split, attend, merge, and the product with W_o.",
        ),
        Case(
            "a token that occurs twice",
            (twins, W_q, W_k, W_v, W_o, H),
            "The first and the last token are equal, so their rows of the result must be equal, too.",
            properties=(alike,),
        ),
        Case(
            "the heads in another order, with their rows of W_o",
            (X, *mixed, H),
            "Each head has its own block of rows in W_o. The heads and their blocks are permuted in "
            "the same way here.",
        ),
        Case("other sizes", other, "Every size is different here, so take each of them from the arguments."),
        Case(
            "large embeddings",
            (
                LARGE,
                *[np.hstack([np.eye(4), np.eye(4)[::-1]])] * 2,
                np.arange(16.0).reshape(4, 4) / 7,
                np.eye(4),
                2,
            ),
            "Some scores are in the thousands, so subtract the largest score of each row before the "
            "exponential. Two scores of the first token differ by only 1.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
