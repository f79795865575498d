"""15.prev_token_score: Does a head look one back?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.circuits import previous_token_score

from .prev_token_score_wrong import MORE
from .shared import random_weights


def _previous_cases(rng):
    small, large = (int(n) for n in rng.permutation(np.arange(4, 11))[:2])
    by_hand = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.5, 0.25, 0.25]])
    perfect = np.eye(6, k=-1)
    perfect[0, 0] = 1
    return [
        Case(
            "three tokens, by hand",
            (by_hand,),
            "Token 1 gives 0.75 to token 0, token 2 gives 0.25 to token 1. Their mean is 0.5.",
            expected=0.5,
        ),
        Case("a head that always looks one back", (perfect,), "This head has the score 1.", expected=1.0),
        Case(
            f"{small} tokens, causal", (random_weights(rng, small),), "Which entries A[t, t - 1] are there?"
        ),
        Case(
            f"{large} tokens, no mask", (random_weights(rng, large, False),), "Rows are the tokens that look."
        ),
        Case("two tokens", (random_weights(rng, 2),), "There is one entry to look at: A[1, 0]."),
    ]


EXERCISE = Exercise(
    id="15.prev_token_score",
    title="Does a head look one back?",
    reference=previous_token_score,
    cases=_previous_cases,
    hints=(
        "Token t looks with row t. Which column is the token just before it? Which token has none?",
        "You need A[1, 0], A[2, 1], A[3, 2] and so on: T - 1 numbers, on the line just below the diagonal.",
        "np.diagonal(A, -1).mean()",
    ),
    mistakes=(
        Mistake(
            "looks_at_itself",
            lambda A: np.diagonal(A).mean(),
            "You took the diagonal: how much each token looks at itself. The token before stands one column "
            "to the left.",
        ),
        Mistake(
            "next_token",
            lambda A: np.diagonal(A, 1).mean(),
            "You took A[t, t + 1], the token after. Row t is the one that looks, so you need A[t, t - 1].",
        ),
        Mistake(
            "first_token_counts",
            lambda A: np.diagonal(A, -1).sum() / len(A),
            "You divided by T. Token 0 has no token before it, so there are T - 1 numbers.",
        ),
        Mistake(
            "sum_not_mean",
            lambda A: np.diagonal(A, -1).sum(),
            "You added the weights up. The score is their mean, so that it does not grow with the text.",
        ),
        Mistake(
            "where_it_looks_most",
            lambda A: (A[1:].argmax(axis=1) == np.arange(len(A) - 1)).mean(),
            "You counted how often the token before gets the largest weight. The score is the mean weight.",
        ),
        Mistake(
            "everything_before",
            lambda A: np.tril(A, -1).sum(axis=1)[1:].mean(),
            "You added all tokens in the past. Only the one just before counts.",
        ),
        Mistake(
            "largest_weight",
            lambda A: np.diag(A, -1).max(),
            "You took the largest. Take the mean.",
        ),
        Mistake(
            "median_weight",
            lambda A: np.median(np.diag(A, -1)),
            "You took the median. Take the mean.",
        ),
        Mistake(
            "first_column",
            lambda A: A[1:, 0].mean(),
            "That is the weight on the first token. Take the one just before: the diagonal below.",
        ),
        Mistake(
            "two_back",
            lambda A: np.diag(A, -2).sum() / max(len(A) - 1, 1),
            "You looked two tokens back. Look one back.",
        ),
        Mistake(
            "its_own_weight_subtracted",
            lambda A: (np.diag(A, -1) - np.diag(A)[1:]).mean(),
            "You subtracted the weight on the token itself. Only the weight on the one before counts.",
        ),
        Mistake(
            "two_places_back",
            lambda A: A.diagonal(-2).mean() if len(A) > 2 else 0.0,
            "You looked two places back. The token just before stands one below the diagonal.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda A: sum(A[t, t - 1] for t in range(1, len(A))) / (len(A) - 1),
        lambda A: np.mean(A[1:, :-1][np.eye(len(A) - 1, dtype=bool)]),
    ),
    stars=1,
    minutes=5,
)
