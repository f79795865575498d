"""More wrong answers of 04.hard_lookup."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _first_better(q, K, V):
    """Return the value of the first key that is better than the key at the start."""
    scores = K @ q
    return V[next((j for j, score in enumerate(scores) if score > scores[0]), 0)]


def _began_with(highest):
    """Return a search whose best score so far begins at a number, with no value yet."""

    def answer(q, K, V):
        best, found = highest, None
        for key, value in zip(K, V, strict=True):
            if q @ key > best:
                best, found = q @ key, value
        return found

    return answer


MORE = (
    Mistake(
        "began_with_a_number_and_no_value",
        _began_with(0),
        "Your best score so far begins at 0 or another number. Where all scores are lower, nothing comes "
        "back: begin with −∞ (`-np.inf`), or with the first key.",
    ),
    Mistake(
        "scores_times_the_lengths",
        lambda q, K, V: V[np.argmax(K @ q * np.linalg.norm(K, axis=1))],
        "You multiplied the scores by the lengths (norms) of the keys. Compare with the plain dot product.",
    ),
    Mistake(
        "stops_at_the_first_better",
        _first_better,
        "Your search ends at the first key that is better than key 0. Go through all keys.",
    ),
    Mistake(
        "column_of_the_values",
        lambda q, K, V: V[:, np.argmax(K @ q)],
        "You took a column of V. The values are its rows.",
    ),
    Mistake(
        "second_best",
        lambda q, K, V: V[np.argsort(K @ q)[-2 if len(K) > 1 else -1]],
        "You took the second best key. The largest score stands last after argsort, at [-1].",
    ),
    Mistake(
        "all_rows_that_share_the_first_place",
        lambda q, K, V: V[K @ q == (K @ q).max()],
        "You return a table of all rows whose key has the largest score. Return one row of V: np.argmax "
        "gives one place.",
    ),
    Mistake(
        "a_table_of_one_row",
        lambda q, K, V: V[[np.argmax(K @ q)]],
        "It is the right row, but in a table of one row. Return the row itself, of shape (e,).",
    ),
    Mistake(
        "longest_value",
        lambda q, K, V: V[np.argmax(np.linalg.norm(V, axis=1))],
        "You took the longest value, whatever the query asks. Compare the query with the keys.",
    ),
    Mistake(
        "soft_mixture",
        lambda q, K, V: softmax(K @ q) @ V,
        "That is the soft dictionary. The hard one returns the value of the best key alone.",
    ),
    Mistake(
        "decimals_cut_off",
        lambda q, K, V: V[np.argmax(K @ q)].astype(int),
        "You turned the value into whole numbers. Return it as it is.",
    ),
    Mistake(
        "value_times_score",
        lambda q, K, V: np.max(K @ q) * V[np.argmax(K @ q)],
        "You multiplied the value by its score. The hard dictionary gives the value back as it is.",
    ),
    Mistake(
        "value_times_weight",
        lambda q, K, V: softmax(K @ q).max() * V[np.argmax(K @ q)],
        "You multiplied the value by its softmax weight. The hard dictionary gives the value back as it is.",
    ),
)
