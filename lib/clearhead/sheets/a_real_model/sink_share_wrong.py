"""More wrong answers of 17.sink_share."""

import numpy as np

from clearhead.checks.exercise import Mistake

MORE = (
    Mistake(
        "the_last_column",
        lambda A: A[1:, -1].mean(),
        "You took the last column: what is given to the last token. The first token is column 0.",
    ),
    Mistake(
        "all_rows_added",
        lambda A: A[:, 0].sum(),
        "You added the weights of all tokens. Leave token 0 out, which has no choice, and take the mean.",
    ),
    Mistake(
        "whole_rows",
        lambda A: A[1:].mean(),
        "You took the mean of whole rows, or of one. Only column 0 tells what goes to the first token.",
    ),
    Mistake(
        "the_largest_share",
        lambda A: A[1:, 0].max(),
        "You took the largest weight. The share is the mean over all that have a choice.",
    ),
    Mistake(
        "median_not_mean",
        lambda A: np.median(A[1:, 0]),
        "You took the median. The share is the mean.",
    ),
    Mistake(
        "last_token_left_out",
        lambda A: A[1:-1, 0].mean() if len(A) > 2 else A[1, 0],
        "You left out the last token, too. Only token 0 has no choice.",
    ),
    Mistake(
        "second_column",
        lambda A: A[1:, 1].mean(),
        "You took column 1. The first token is column 0.",
    ),
    Mistake(
        "how_many_prefer_it",
        lambda A: (A[1:].argmax(axis=1) == 0).mean(),
        "You counted the tokens that look most at the first one. Take the mean of all weights on it.",
    ),
    Mistake(
        "the_token_before",
        lambda A: np.diagonal(A, -1).mean(),
        "You took what each token gives to the one before it. The first token is column 0.",
    ),
    Mistake(
        "smallest_share",
        lambda A: A[1:, 0].min(),
        "You took the smallest weight. The share is the mean over all that have a choice.",
    ),
    Mistake(
        "first_two_columns",
        lambda A: A[1:, :2].sum(axis=1).mean(),
        "You added column 1. What goes to the first token stands in column 0 alone.",
    ),
    Mistake(
        "second_token_alone",
        lambda A: A[1, 0],
        "You looked at token 1 alone. The share is the mean over all that have a choice.",
    ),
    Mistake(
        "last_in_place_of_first",
        lambda A: A[:-1, 0].mean(),
        "You left out the last token, and not token 0. It is token 0 that has no choice.",
    ),
    Mistake(
        "first_column_left_out",
        lambda A: A[1:, 1:].mean(),
        "You left out column 0 as well. What goes to the first token stands there: A[1:, 0].",
    ),
    Mistake(
        "every_column",
        lambda A: A[1:].mean(axis=0),
        "You returned a mean for each column. Return that of column 0 alone.",
    ),
    Mistake(
        "every_column_of_all_tokens",
        lambda A: A.mean(axis=0),
        "You returned a mean for each column, with token 0 among those that look. Take A[1:, 0].",
    ),
    Mistake(
        "last_token_not_added",
        lambda A: A[1:-1, 0].sum() / (len(A) - 1),
        "The weight of the last token is missing in your sum. range(1, T) ends with T - 1, and A[1:] "
        "holds it.",
    ),
    Mistake(
        "from_token_2_on",
        lambda A: A[2:, 0].mean() if len(A) > 2 else A[1, 0],
        "You began with token 2. Only token 0 does not count.",
    ),
    Mistake(
        "divided_by_two_less",
        lambda A: A[1:, 0].sum() / max(len(A) - 2, 1),
        "You divided by T - 2. T - 1 tokens have a choice.",
    ),
    Mistake(
        "not_kept_for_themselves",
        lambda A: 1 - np.diagonal(A)[1:].mean(),
        "You took what tokens do not keep for themselves. Only column 0 goes to the first token.",
    ),
    Mistake(
        "root_of_the_mean_square",
        lambda A: np.sqrt((A[1:, 0] ** 2).mean()),
        "You took the root of a mean square. The share is the mean.",
    ),
)
