"""More wrong answers of 15.prev_token_score."""

import numpy as np

from clearhead.checks.exercise import Mistake

MORE = (
    Mistake(
        "itself_without_the_first",
        lambda A: np.diagonal(A)[1:].mean(),
        "You took how much each token looks at itself, from token 1 on. The token before stands one column "
        "to the left: A[t, t - 1].",
    ),
    Mistake(
        "itself_without_the_last",
        lambda A: np.diagonal(A)[:-1].mean(),
        "You took how much each token looks at itself. The token before stands one column to the left.",
    ),
    Mistake(
        "last_for_the_first",
        lambda A: np.mean([A[t, t - 1] for t in range(len(A))]),
        "You counted token 0, too: A[0, -1] is the last column. Token 0 has none before it: begin at 1.",
    ),
    Mistake(
        "whole_block",
        lambda A: A[1:, :-1].mean(),
        "You took the mean of a whole block. For each t one number counts: A[t, t - 1].",
    ),
    Mistake(
        "whole_mean",
        lambda A: A.mean(),
        "You took the mean of all weights. For each t one number counts: A[t, t - 1].",
    ),
    Mistake(
        "last_token_alone",
        lambda A: A[-1, -2],
        "You took the last token alone. Take the mean over all but token 0.",
    ),
    Mistake(
        "second_token_alone",
        lambda A: A[1, 0],
        "You took token 1 alone. Take the mean over all but token 0.",
    ),
    Mistake(
        "last_token_left_out",
        lambda A: np.diagonal(A, -1)[:-1].mean() if len(A) > 2 else 0.0,
        "The last token is missing: t goes up to T - 1.",
    ),
    Mistake(
        "second_token_left_out",
        lambda A: np.diagonal(A, -1)[1:].mean() if len(A) > 2 else 0.0,
        "Token 1 is missing: it looks at token 0. Begin at t = 1.",
    ),
    Mistake(
        "smallest_weight",
        lambda A: np.diagonal(A, -1).min(),
        "You took the smallest of the weights. Take the mean.",
    ),
    Mistake(
        "weights_returned",
        lambda A: np.diagonal(A, -1),
        "You returned the weight of each token. Return their mean, one number.",
    ),
    Mistake(
        "divided_by_all_entries",
        lambda A: np.diagonal(A, -1).sum() / A.size,
        "You divided by all the entries of A. There are T - 1 numbers just below the diagonal.",
    ),
    Mistake(
        "share_of_the_past",
        lambda A: np.diagonal(A, -1).sum() / np.tril(A, -1).sum(),
        "You divided by all that goes to the past. Divide by how many tokens count: T - 1.",
    ),
    Mistake(
        "other_diagonal",
        lambda A: np.diagonal(A[::-1], -1).mean(),
        "You took the line from the lower left to the upper right. A[t, t - 1] runs beside the main "
        "diagonal.",
    ),
)
