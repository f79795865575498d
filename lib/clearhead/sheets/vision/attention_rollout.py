"""13.attention_rollout: Roll out attention."""

from functools import reduce

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.rollout import attention_rollout

from .attention_rollout_wrong import MORE


def _rolled(mix=lambda A: A.mean(axis=1) / 2 + np.eye(A.shape[-1]) / 2, multiply=lambda M, R: M @ R):
    """Return an answer that mixes heads and multiplies blocks in a way of its own."""

    def answer(A):
        first, *others = mix(A)
        for M in others:
            first = multiply(M, first)
        return first

    return answer


def _row_normed(A):
    M = A.mean(axis=1) + np.eye(A.shape[-1])
    return M / M.sum(axis=-1, keepdims=True)


def _weights(rng, L, H, T):
    raised = rng.exponential(size=(L, H, T, T)) ** 2
    return raised / raised.sum(axis=-1, keepdims=True)


def _rollout_cases(rng):
    L, H, T = (int(n) for n in rng.permutation(np.arange(2, 7))[:3])
    sums = ("each row sums to 1", lambda R, A: np.allclose(np.sum(np.asarray(R), axis=-1), 1))
    look = "Mean over heads, half of it and half the identity, then the product: later blocks on the left."
    one = np.array([[[[0.0, 1.0], [0.0, 1.0]]], [[[0.0, 1.0], [1.0, 0.0]]]])
    return [
        Case(
            "two tokens, two blocks, by hand",
            (one,),
            "M_1 is (½ ½; 0 1), M_2 is (½ ½; ½ ½). M_2 M_1 is (¼ ¾; ¼ ¾).",
            expected=np.array([[0.25, 0.75], [0.25, 0.75]]),
        ),
        Case("one block", (_weights(rng, 1, H, T),), "With one block it is half the mean, half the identity.",
             properties=(sums,)),
        Case("several blocks", (_weights(rng, L, H, T),), look, properties=(sums,)),
        Case("more of everything", (_weights(rng, L + 2, H + 1, T + 3),), look, properties=(sums,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.attention_rollout",
    title="Roll out attention",
    reference=attention_rollout,
    cases=_rollout_cases,
    hints=(
        "Make one matrix of each block, then multiply them. What does the residual stream add to a block?",
        "M_l = A[l].mean(axis=0) / 2 + np.eye(T) / 2. The first block acts first, so it stands on the right.",
        "R = np.eye(T); for heads in A: R = (heads.mean(axis=0) / 2 + np.eye(T) / 2) @ R; return R",
    ),
    mistakes=(
        Mistake(
            "order_reversed",
            _rolled(multiply=lambda M, R: R @ M),
            "You multiplied in the wrong order. The first block acts first: M_L ... M_2 M_1.",
        ),
        Mistake(
            "residual_forgotten",
            _rolled(lambda A: A.mean(axis=1)),
            "You left the residual stream out: half of each token stays where it is.",
        ),
        Mistake(
            "residual_not_halved",
            _rolled(lambda A: A.mean(axis=1) + np.eye(A.shape[-1])),
            "You added the identity without halving. Each row of a block must sum to 1.",
        ),
        Mistake(
            "heads_added",
            _rolled(lambda A: A.sum(axis=1) / 2 + np.eye(A.shape[-1]) / 2),
            "You added the heads up. Take their mean, so that rows sum to 1.",
        ),
        Mistake(
            "mean_of_blocks",
            lambda A: A.mean(axis=(0, 1)) / 2 + np.eye(A.shape[-1]) / 2,
            "You averaged the blocks. They act one after the other: multiply them.",
        ),
        Mistake(
            "element_by_element",
            _rolled(multiply=lambda M, R: M * R),
            "You multiplied number by number. What flows through a block is a matrix product: @.",
        ),
        Mistake(
            "last_block_only",
            lambda A: A[-1].mean(axis=0) / 2 + np.eye(A.shape[-1]) / 2,
            "This is the last block alone. Its tokens have already been mixed by the blocks before.",
        ),
        Mistake(
            "residual_once_at_the_end",
            lambda A: _rolled(lambda A: A.mean(axis=1))(A) / 2 + np.eye(A.shape[-1]) / 2,
            "You halved once, at the end. Each block has a residual connection of its own.",
        ),
        Mistake(
            "largest_over_heads",
            _rolled(lambda A: A.max(axis=1) / 2 + np.eye(A.shape[-1]) / 2),
            "You took the largest number over the heads. Take the mean over the heads.",
        ),
        Mistake(
            "first_head_alone",
            _rolled(lambda A: A[:, 0] / 2 + np.eye(A.shape[-1]) / 2),
            "You took the first head alone. Take the mean over the heads.",
        ),
        Mistake(
            "first_row_alone",
            lambda A: attention_rollout(A)[0],
            "You returned the first row alone. Return the whole table.",
        ),
        Mistake(
            "turned_round",
            lambda A: attention_rollout(A).T,
            "Rows and columns are exchanged: row i says where last token i comes from.",
        ),
        *MORE,
    ),
    alternatives=(
        _rolled(_row_normed),
        lambda A: reduce(np.matmul, (A.mean(axis=1) / 2 + np.eye(A.shape[-1]) / 2)[::-1]),
    ),
    stars=2,
    minutes=15,
)  # fmt: skip
