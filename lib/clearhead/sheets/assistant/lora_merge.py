"""18.lora_merge: A thin change, added for good."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.low_rank import lora_merged

from .lora_merge_wrong import MORE


def lora_merge(W, A, B, alpha):
    """Return W + (α/r) A B (D, F) for W (D, F), A (D, r) and B (r, F): r is the rank."""
    return lora_merged(W, A, B, alpha / A.shape[1])


def _with(change=lambda A, B: A @ B, scale=lambda alpha, A, B: alpha / A.shape[1], begin=lambda W: W):
    return lambda W, A, B, alpha: begin(W) + scale(alpha, A, B) * change(A, B)


def _by_sum(W, A, B, alpha):
    out = W.astype(float)
    for k in range(len(B)):
        out = out + alpha / len(B) * np.outer(A[:, k], B[k])
    return out


def _cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(6, 10))[:2])
    r = int(rng.integers(2, 5))
    W, A, B = (rng.normal(size=s) for s in ((D, F), (D, r), (r, F)))
    hand = np.zeros((2, 2)), np.array([[1.0, 0], [0, 2]]), np.array([[3.0, 4], [5, 6]]), 4
    same = (
        "x through your matrix is x through W, and the thin way added",
        lambda M, W, A, B, alpha: np.allclose(np.ones(len(W)) @ (M - W), alpha / len(B) * (A.sum(0) @ B)),
    )
    return [
        Case(
            "two by two, by hand",
            hand,
            "A B is [[3, 4], [10, 12]], and α/r is 4/2.",
            expected=np.array([[6.0, 8], [20, 24]]),
        ),
        Case("random sizes", (W, A, B, 8.0), "The rank is the shorter side of A.", properties=(same,)),
        Case("rank 1", (W.T, B.T[:, :1], A.T[:1], 3.0), "With rank 1 the factor is α.", properties=(same,)),
        Case("at the start: B is 0", (W, A, 0 * B, 8.0), "Then nothing has changed."),
        Case("α below the rank", (W, A, B, 0.5), "The factor may be below 1.", properties=(same,)),
    ]


EXERCISE = Exercise(
    id="18.lora_merge",
    title="A thin change, added for good",
    reference=lora_merge,
    cases=_cases,
    hints=(
        "A goes down to r numbers, and B up again. Together they are one matrix, shaped like W.",
        "That matrix is A @ B. The rank r is A.shape[1].",
        "return W + alpha / A.shape[1] * (A @ B)",
    ),
    mistakes=(
        Mistake("not_scaled", _with(scale=lambda *_: 1.0), "The factor α/r is missing."),
        Mistake(
            "not_divided_by_the_rank",
            _with(scale=lambda alpha, A, B: alpha),
            "You multiply by α, and do not divide by the rank.",
        ),
        Mistake(
            "divided_by_the_width",
            _with(scale=lambda alpha, A, B: alpha / A.shape[0]),
            "You divide α by the long side of A. The rank is the short one, A.shape[1].",
        ),
        Mistake(
            "divided_by_the_root",
            _with(scale=lambda alpha, A, B: alpha / np.sqrt(A.shape[1])),
            "You divide α by the root of the rank. In the paper it is α/r.",
        ),
        Mistake(
            "times_the_rank",
            _with(scale=lambda alpha, A, B: alpha * A.shape[1]),
            "You multiply by the rank. Divide by it.",
        ),
        Mistake(
            "change_alone",
            _with(begin=lambda W: 0 * W),
            "That is the change alone. Add it to W.",
        ),
        Mistake(
            "taken_away",
            _with(scale=lambda alpha, A, B: -alpha / A.shape[1]),
            "You take the change away from W. Add it.",
        ),
        Mistake(
            "w_scaled_as_well",
            lambda W, A, B, alpha: alpha / A.shape[1] * (W + A @ B),
            "You scale W, too. Only the change is scaled.",
        ),
        Mistake(
            "upside_down",
            _with(scale=lambda alpha, A, B: A.shape[1] / alpha),
            "You multiply by r/α. It is α/r.",
        ),
        Mistake(
            "divided_by_the_way_out",
            _with(scale=lambda alpha, A, B: alpha / B.shape[1]),
            "You divide α by the long side of B. The rank is its short one, B.shape[0].",
        ),
        Mistake(
            "whole_division",
            _with(scale=lambda alpha, A, B: alpha // A.shape[1]),
            "You cut α/r to a whole number, with //, int() or round(). Take it as it is.",
        ),
        *MORE,
    ),
    alternatives=(_by_sum, lambda W, A, B, alpha: W + A @ (alpha / len(B) * B)),
    stars=1,
    minutes=5,
)
