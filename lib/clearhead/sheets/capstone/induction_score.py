"""15.induction_score: Is it an induction head?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.circuits import induction_score

from .induction_score_wrong import MORE
from .shared import random_weights


def _induction_cases(rng):
    small, large = (int(n) for n in rng.permutation(np.arange(3, 7))[:2])
    by_hand = np.array(
        [
            [1.0, 0, 0, 0, 0],
            [0.5, 0.5, 0, 0, 0],
            [0.25, 0.5, 0.25, 0, 0],
            [0.125, 0.625, 0, 0.25, 0],
            [0.25, 0.25, 0.375, 0, 0.125],
        ]
    )
    return [
        Case(
            "five tokens, period 3, by hand",
            (by_hand, 3),
            "In A B C A B token 3 should look at 1 and token 4 at 2: 0.625 and 0.375, so 0.5.",
            expected=0.5,
        ),
        Case(f"period {small}", (random_weights(rng, 2 * small + 1), small), "From t, look at t - p + 1."),
        Case(
            f"period {large}, no mask",
            (random_weights(rng, 3 * large, False), large),
            "Tokens of the first period have nothing to repeat: begin with t = p.",
        ),
        Case(
            "a text just one longer than its period",
            (random_weights(rng, 8), 7),
            "Only t = 7 counts: A[7, 1].",
        ),
        Case(
            "period 2", (random_weights(rng, 7), 2), "With p = 2 a token looks at the one just before: t - 1."
        ),
    ]


def _stripe(A, offset, start):
    """Return the mean of A[t, t - offset] from t = start on, as far as the columns go."""
    T = len(A)
    return np.mean([A[t, t - offset] for t in range(start, T) if 0 <= t - offset < T])


EXERCISE = Exercise(
    id="15.induction_score",
    title="Is it an induction head?",
    reference=induction_score,
    cases=_induction_cases,
    hints=(
        "At token t the same token stood at t - p. Which one came after it? From which t on is there one?",
        "The mean of A[t, t - p + 1] for t = p, p + 1, ..., T - 1. Write it as a loop first.",
        "np.mean([A[t, t - period + 1] for t in range(period, len(A))])",
    ),
    mistakes=(
        Mistake(
            "same_token",
            lambda A, period: _stripe(A, period, period),
            "You took A[t, t - p]: the place of the same token. The answer stands one place further, "
            "at t - p + 1.",
        ),
        Mistake(
            "two_further",
            lambda A, period: np.mean([A[t, t - period + 2] for t in range(period, len(A))]),
            "You took t - p + 2. The token after t - p is t - p + 1.",
        ),
        Mistake(
            "last_of_the_first_period_counts",
            lambda A, period: np.diagonal(A, 1 - period).mean(),
            "You begin at t = p - 1. There the text has not begun again, so nothing can be known: begin "
            "at t = p.",
        ),
        Mistake(
            "rows_and_columns_exchanged",
            lambda A, period: np.mean([A[t - period + 1, t] for t in range(period, len(A))]),
            "You exchanged rows and columns. Row t is the token that looks.",
        ),
        Mistake(
            "divided_by_all",
            lambda A, period: np.sum([A[t, t - period + 1] for t in range(period, len(A))]) / len(A),
            "You divided by T. Only T - p tokens have something to repeat.",
        ),
        Mistake(
            "sum_not_mean",
            lambda A, period: np.sum([A[t, t - period + 1] for t in range(period, len(A))]) + 0.0,
            "You added the weights up. The score is their mean.",
        ),
        Mistake(
            "the_token_before",
            lambda A, period: float(np.mean(np.diagonal(A, -1))),
            "This is the previous-token score. Here token t looks at t - period + 1.",
        ),
        Mistake(
            "largest_weight",
            lambda A, period: max(A[t, t - period + 1] for t in range(period, len(A))),
            "You took the largest. Take the mean.",
        ),
        Mistake(
            "how_often_it_is_the_largest",
            lambda A, period: np.mean([A[t].argmax() == t - period + 1 for t in range(period, len(A))]),
            "You counted how often that token gets the most. Take the mean of the weights.",
        ),
        Mistake(
            "last_token_alone",
            lambda A, period: A[-1, len(A) - period],
            "You took the last token alone. Average over all that have something to repeat.",
        ),
        Mistake(
            "all_earlier_periods",
            lambda A, period: np.mean(
                [
                    sum(A[t, t - m * period + 1] for m in range(1, t // period + 1))
                    for t in range(period, len(A))
                ]
            ),
            "You added the weights of all earlier periods. Take the one a single period ago.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda A, period: np.diagonal(A, 1 - period)[1:].mean(),
        lambda A, period: A[np.arange(period, len(A)), np.arange(1, len(A) - period + 1)].mean(),
    ),
    stars=2,
    minutes=10,
)
