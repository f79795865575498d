"""More wrong answers of 13.attention_rollout."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _half(heads):
    return heads.mean(axis=0) / 2 + np.eye(heads.shape[-1]) / 2


def _product(mix=_half, chosen=lambda A: A):
    """Return the product of all blocks, each made into a matrix by mix; the first on the right."""

    def answer(A):
        R = np.eye(A.shape[-1])
        for heads in chosen(A):
            R = mix(heads) @ R
        return R

    return answer


def _each_head_alone(A):
    return np.mean([_product()(A[:, h : h + 1]) for h in range(A.shape[1])], axis=0)


def _identity_beside(A):
    R = np.eye(A.shape[-1])
    for heads in A:
        R = (heads.mean(axis=0) @ R + np.eye(len(R))) / 2
    return R


def _softmax(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


MORE = (
    Mistake(
        "mean_of_blocks_to_a_power",
        lambda A: np.linalg.matrix_power(_half(A.mean(axis=0)), len(A)),
        "You multiplied the mean of all blocks by itself. Each block has its own matrix.",
    ),
    Mistake(
        "first_block_left_out",
        _product(chosen=lambda A: A[1:]),
        "The first block is missing.",
    ),
    Mistake(
        "last_block_left_out",
        _product(chosen=lambda A: A[:-1]),
        "The last block is missing.",
    ),
    Mistake(
        "first_block_alone",
        _product(chosen=lambda A: A[:1]),
        "This is the first block alone. Does your return stand inside the loop?",
    ),
    Mistake(
        "blocks_added",
        lambda A: sum(_half(heads) for heads in A),
        "You added the blocks up. They act one after the other: multiply them.",
    ),
    Mistake(
        "heads_taken_for_blocks",
        lambda A: _product()(A.swapaxes(0, 1)),
        "You averaged over blocks and multiplied heads. Axis 0 is the blocks, axis 1 the heads.",
    ),
    Mistake(
        "smallest_over_heads",
        _product(lambda heads: heads.min(axis=0) / 2 + np.eye(heads.shape[-1]) / 2),
        "You took the smallest number over the heads. Take the mean over the heads.",
    ),
    Mistake(
        "last_head_alone",
        _product(lambda heads: _half(heads[-1:])),
        "You took the last head alone. Take the mean over the heads.",
    ),
    Mistake(
        "heads_multiplied",
        _product(lambda heads: _half(np.prod(heads, axis=0)[None])),
        "You multiplied the heads. Take their mean.",
    ),
    Mistake(
        "each_head_rolled_out",
        _each_head_alone,
        "You rolled out each head by itself, and averaged at the end. Average the heads in each "
        "block: the next block mixes them.",
    ),
    Mistake(
        "a_tenth_of_the_identity",
        _product(lambda heads: 0.9 * heads.mean(axis=0) + 0.1 * np.eye(heads.shape[-1])),
        "Your identity has the share 1/10. Half of each matrix is the identity.",
    ),
    Mistake(
        "identity_not_halved",
        _product(lambda heads: heads.mean(axis=0) / 2 + np.eye(heads.shape[-1])),
        "You halved the heads and not the identity. Halve both, so that each row sums to 1.",
    ),
    Mistake(
        "weights_turned_round",
        _product(lambda heads: _half(heads.swapaxes(1, 2))),
        "You exchanged rows and columns of the weights. Row i says where token i looks.",
    ),
    Mistake(
        "every_step_returned",
        lambda A: np.array([_product()(A[: n + 1]) for n in range(len(A))]),
        "You returned the product after each block. Return the last one.",
    ),
    Mistake(
        "last_row_alone",
        lambda A: _product()(A)[-1],
        "You returned the row of the last token. Return the whole table.",
    ),
    Mistake(
        "mean_over_tokens",
        lambda A: _product()(A).mean(axis=0),
        "You averaged over the tokens. Return the whole table.",
    ),
    Mistake(
        "identity_beside_the_product",
        _identity_beside,
        "You added the identity to the product in each step. Add it to the block first: "
        "R = (mean / 2 + I / 2) @ R.",
    ),
    Mistake(
        "one_number_in_place_of_the_identity",
        _product(lambda heads: heads.mean(axis=0) / 2 + 0.5),
        "You added ½ to every number. The identity has ones on its diagonal alone: np.eye.",
    ),
    Mistake(
        "softmax_of_the_weights",
        _product(lambda heads: _softmax(heads.mean(axis=0)) / 2 + np.eye(heads.shape[-1]) / 2),
        "You took the softmax of the weights. They are weights already: their rows sum to 1.",
    ),
    Mistake(
        "heads_one_after_the_other",
        lambda A: _product()(A.reshape(-1, 1, *A.shape[2:])),
        "You multiplied the heads, too. The heads of a block act side by side: take their mean.",
    ),
)
