"""09.repair_weights: Too late, and mended."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .repair_weights_wrong import MORE
from .shared import divided, sizes


def repair_weights(A, mask):
    """Return the weights (T, S) of a mask before the softmax, from A (T, S) without a mask."""
    kept = np.where(mask, A, 0)
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total > 0, total, 1)


def _repair_cases(rng):
    T, S = sizes(rng, 2)
    scores = rng.normal(size=(T, S))
    mask = rng.random((T, S)) < 0.6
    mask[:, 0] = True
    mask[0, -1] = False
    empty = mask.copy()
    empty[0] = False

    def as_if_masked_first(name, scores, mask, look):
        same = (
            "the weights are those of a mask before the softmax",
            lambda W, A, mask: np.allclose(W, softmax(np.where(mask, scores, -np.inf))),
        )
        return Case(name, (softmax(scores), mask), look, properties=(same,))

    return [
        Case(
            "one row, by hand",
            (np.array([[0.2, 0.3, 0.5]]), np.array([[True, True, False]])),
            "0.2 and 0.3 are left, together 0.5. They keep their proportion: 0.4 and 0.6.",
            expected=np.array([[0.4, 0.6, 0]]),
        ),
        as_if_masked_first("a random mask", scores, mask, "Each row shares its own remainder."),
        as_if_masked_first("sharp weights", 3 * rng.normal(size=(T + 1, S)), np.vstack([mask, mask[:1]]),
                           "Only proportions count."),
        Case("next to nothing left", (np.array([[3e-10, 7e-10, 1 - 1e-9]]), np.array([[True, True, False]])),
             "However little is left, it is shared out: 0.3 and 0.7.", expected=np.array([[0.3, 0.7, 0]])),
        Case("a row with nothing left", (softmax(scores), empty), "That row must be zeros, not NaN."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="09.repair_weights",
    title="Too late, and mended",
    reference=repair_weights,
    cases=_repair_cases,
    hints=(
        "Softmax is e to each score, divided by a sum. Which of the two does the mask change?",
        "Only the sum: it runs over the allowed keys. So the allowed weights keep their proportions.",
        "Set hidden weights to 0, then divide each row by its own sum. Take care of a sum of 0.",
    ),
    mistakes=(
        Mistake(
            "not_divided",
            lambda A, mask: np.where(mask, A, 0),
            "The hidden weights are gone, but the rows no longer sum to 1. Divide each row by its sum.",
        ),
        Mistake(
            "softmax_again",
            lambda A, mask: softmax(np.where(mask, A, -np.inf)),
            "You took the softmax of weights. It changes their proportions: 0.2 and 0.3 must stay 2 to 3.",
        ),
        Mistake(
            "one_sum_for_all_rows",
            lambda A, mask: np.where(mask, A, 0) / np.where(mask, A, 0).sum() * len(A),
            "You divided by one sum for the whole table. Each row has its own: sum over the last axis.",
        ),
        Mistake(
            "divided_by_the_whole_table",
            lambda A, mask: np.where(mask, A, 0) / np.where(mask, A, 0).sum(),
            "Your whole table sums to 1. Each row should: divide it by its own sum, with keepdims=True.",
        ),
        Mistake(
            "columns_divided",
            lambda A, mask: divided(np.where(mask, A, 0).T).T,
            "You divided each column by its sum. A row belongs to a query, and rows must sum to 1.",
        ),
        Mistake(
            "rest_shared_equally",
            lambda A, mask: np.where(
                mask,
                A + np.where(mask, 0, A).sum(-1, keepdims=True) / np.maximum(mask.sum(-1, keepdims=True), 1),
                0,
            ),
            "You shared what was hidden equally. Softmax shares it in proportion: multiply, do not add.",
        ),
        Mistake(
            "nan_for_an_empty_row",
            lambda A, mask: divided(np.where(mask, A, 0)),
            "Right, but for a row with nothing left: 0/0 is NaN. There the weights must be zeros.",
        ),
        Mistake(
            "small_number_added",
            lambda A, mask: np.where(mask, A, 0) / (np.where(mask, A, 0).sum(-1, keepdims=True) + 1e-8),
            "A small number in the divisor avoids 0/0, but where little is left it is not small beside the "
            "sum. Put 1 only where the sum is 0.",
        ),
        Mistake(
            "mask_turned_round",
            lambda A, mask: repair_weights(A, ~mask),
            "You kept what is hidden and hid what is allowed. True means may look.",
        ),
        Mistake(
            "divided_by_the_length",
            lambda A, mask: (
                lambda B: (
                    B / np.where(B.any(axis=1, keepdims=True), np.linalg.norm(B, axis=1, keepdims=True), 1)
                )
            )(np.where(mask, A, 0)),
            "You divided each row by its length as a vector. Weights sum to 1: divide by the sum.",
        ),
        Mistake(
            "divided_by_the_largest",
            lambda A, mask: (
                lambda B: B / np.where(B.any(axis=1, keepdims=True), B.max(axis=1, keepdims=True), 1)
            )(np.where(mask, A, 0)),
            "You divided each row by its largest weight. Weights sum to 1: divide by the sum.",
        ),
        Mistake(
            "divided_by_how_many_are_left",
            lambda A, mask: np.where(mask, A, 0) / np.maximum(mask.sum(axis=1, keepdims=True), 1),
            "You divided by how many weights are left. Divide by their sum.",
        ),
        Mistake(
            "equal_shares",
            lambda A, mask: mask / np.maximum(mask.sum(axis=1, keepdims=True), 1),
            "In each row, all that may be seen got the same. Keep the ratios of the weights.",
        ),
        Mistake(
            "hidden_weights_kept",
            lambda A, mask: (
                A
                / np.where(
                    np.where(mask, A, 0).sum(axis=1, keepdims=True) > 0,
                    np.where(mask, A, 0).sum(axis=1, keepdims=True),
                    1,
                )
            ),
            "You divided all weights, also the hidden ones. Set those to zero first.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda A, mask: softmax(np.where(mask, np.log(A), -np.inf)),
        lambda A, mask: A * mask / np.maximum((A * mask).sum(axis=1, keepdims=True), 1e-300),
    ),
    stars=2,
    minutes=15,
)
