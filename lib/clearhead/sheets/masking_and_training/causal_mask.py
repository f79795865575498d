"""09.causal_mask: The causal mask."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import masks

from .causal_mask_wrong import MORE


def causal_mask(T):
    """Return the table (T, T) of booleans: True where token i may look at token j."""
    return masks.causal_mask(T)


def _causal_cases(rng):
    small, large = sorted(int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    counted = (
        "row i (counted from 0) is True in i + 1 places",
        lambda mask, n: np.array_equal(np.asarray(mask).astype(int).sum(axis=-1), np.arange(1, n + 1)),
    )
    by_hand = np.array([[True, False, False], [True, True, False], [True, True, True]])
    return [
        Case("three tokens, by hand", (3,), "The first sees itself only, the third all.", expected=by_hand),
        Case(f"{small} tokens", (small,), "How many True has each row?", properties=(counted,)),
        Case(f"{large} tokens", (large,), "Does the first row see one token, or all?", properties=(counted,)),
        Case("one token", (1,), "A token may look at itself."),
        Case(
            "a long text",
            (int(rng.integers(100, 400)),),
            "Row i is True in i + 1 places, however long the text is.",
            properties=(counted,),
        ),
    ]


EXERCISE = Exercise(
    id="09.causal_mask",
    title="The causal mask",
    reference=causal_mask,
    cases=_causal_cases,
    hints=(
        "Row i, column j: may token i look at token j? Write the condition with i and j.",
        "j <= i. np.tril keeps what is on the diagonal and below; np.arange gives you i and j.",
        "np.tril(np.ones((T, T), dtype=bool))",
    ),
    mistakes=(
        Mistake(
            "upper_triangle",
            lambda T: np.triu(np.ones((T, T), dtype=bool)),
            "Your first token sees all and your last only itself: the triangle is turned. Rows are queries; "
            "keep what is on the diagonal and below.",
        ),
        Mistake(
            "diagonal_hidden",
            lambda T: np.tril(np.ones((T, T), dtype=bool), -1),
            "Your tokens may not look at themselves, and the first one may look nowhere. Keep the diagonal.",
        ),
        Mistake(
            "true_means_blocked",
            lambda T: np.triu(np.ones((T, T), dtype=bool), 1),
            "This is the mask that nn.MultiheadAttention wants, where True means blocked. Here True means "
            "may look.",
        ),
        Mistake(
            "one_step_ahead",
            lambda T: np.tril(np.ones((T, T), dtype=bool), 1),
            "Your tokens also see the next one, and that is the answer. Stop at the diagonal: j <= i.",
        ),
        Mistake(
            "only_the_past_token",
            lambda T: np.eye(T, dtype=bool) | np.eye(T, k=-1, dtype=bool),
            "Your tokens see at most one step back. The causal mask shows them everything in front of them.",
        ),
        Mistake(
            "scores_not_booleans",
            lambda T: np.where(np.tril(np.ones((T, T), dtype=bool)), 0, -np.inf),
            "You returned what is added to the scores, 0 and -inf. The mask is a table of True and False.",
        ),
        Mistake(
            "everything_visible",
            lambda T: np.ones((T, T), dtype=bool),
            "In yours every token sees every token. Hide what comes later.",
        ),
        Mistake(
            "itself_alone",
            lambda T: np.eye(T, dtype=bool),
            "Each of your tokens sees itself alone. It must also see everything in front of it.",
        ),
        Mistake(
            "columns_from_right_to_left",
            lambda T: np.tri(T, dtype=bool)[:, ::-1],
            "Your columns run from right to left. Row 0 must be True in column 0.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda T: np.arange(T)[:, None] >= np.arange(T),
        lambda T: [[j <= i for j in range(T)] for i in range(T)],
    ),
    stars=1,
    minutes=5,
)
