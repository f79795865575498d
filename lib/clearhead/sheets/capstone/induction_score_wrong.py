"""More wrong answers of 15.induction_score."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _mean(A, places):
    """Return the mean of A[t, s] over pairs, 0 where there is none."""
    found = [A[t, s] for t, s in places]
    return np.mean(found) if found else 0.0


MORE = (
    Mistake(
        "second_period_alone",
        lambda A, period: _mean(A, [(t, t - period + 1) for t in range(period, min(2 * period, len(A)))]),
        "You end with the second period. All tokens from t = p on count.",
    ),
    Mistake(
        "first_of_the_second_period_alone",
        lambda A, period: A[period, 1],
        "You took the first token of the second period alone. All from there on count.",
    ),
    Mistake(
        "one_too_late",
        lambda A, period: _mean(A, [(t, t - period + 1) for t in range(period + 1, len(A))]),
        "You begin at t = p + 1. The text begins again at t = p.",
    ),
    Mistake(
        "last_token_left_out",
        lambda A, period: _mean(A, [(t, t - period + 1) for t in range(period, len(A) - 1)]),
        "The last token is missing: t goes up to T - 1.",
    ),
    Mistake(
        "always_the_first_period",
        lambda A, period: _mean(A, [(t, (t + 1) % period) for t in range(period, len(A))]),
        "You always look into the first period. What came next one period ago stands at t - p + 1.",
    ),
    Mistake(
        "all_tokens_round_the_corner",
        lambda A, period: _mean(A, [(t, t - period + 1) for t in range(len(A)) if t - period + 1 >= -len(A)]),
        "You counted the first period, too: with a negative index NumPy counts from the end. Begin at t = p.",
    ),
    Mistake(
        "whole_block",
        lambda A, period: A[period:, : len(A) - period].mean(),
        "You took the mean of a whole block. For each t one number counts: A[t, t - p + 1].",
    ),
    Mistake(
        "the_token_before_itself",
        lambda A, period: np.diagonal(A, -1)[period - 1 :].mean(),
        "You took A[t, t - 1], the token just before. What came next one period ago stands at t - p + 1.",
    ),
    Mistake(
        "whole_rows",
        lambda A, period: A[period:].sum() / (len(A) - period) / len(A),
        "You took the mean of whole rows. For each t one number counts: A[t, t - p + 1].",
    ),
    Mistake(
        "median",
        lambda A, period: np.median(np.diagonal(A, 1 - period)[1:]),
        "You took the median. Take the mean.",
    ),
    Mistake(
        "weights_returned",
        lambda A, period: np.diagonal(A, 1 - period)[1:],
        "You returned the weight of each token. Return their mean, one number.",
    ),
    Mistake(
        "one_period_ahead",
        lambda A, period: np.diagonal(A, period - 1).mean(),
        "You took A[t, t + p - 1], ahead of the token. What came next one period ago lies behind: t - p + 1.",
    ),
    Mistake(
        "one_before_the_same_token",
        lambda A, period: np.mean([A[t, t - period - 1] for t in range(period, len(A))]),
        "You took A[t, t - p - 1], before the place of the same token. The answer stands behind it, at "
        "t - p + 1.",
    ),
    Mistake(
        "the_diagonal_of_p_plus_1",
        lambda A, period: np.diagonal(A, -period - 1).mean(),
        "You took A[t, t - p - 1], before the place of the same token. The answer stands behind it, at "
        "t - p + 1.",
    ),
    Mistake(
        "itself",
        lambda A, period: np.diagonal(A)[period:].mean(),
        "You took how much each token looks at itself, A[t, t]. What came next one period ago stands at "
        "t - p + 1.",
    ),
    Mistake(
        "up_to_two_periods",
        lambda A, period: np.mean([A[t, t - period + 1] for t in range(period, 2 * period)]),
        "You go up to t = 2 p, as if the text had two periods. It ends where it ends: t goes up to T - 1.",
    ),
    Mistake(
        "one_token_of_each_period",
        lambda A, period: np.mean([A[t, t - period + 1] for t in range(period, len(A), period)]),
        "You took one token of each period. All tokens from t = p on count.",
    ),
    Mistake(
        "divided_by_the_period",
        lambda A, period: np.diagonal(A, 1 - period)[1:].sum() / period,
        "You divided by the period. Divide by how many tokens count: T - p.",
    ),
)
