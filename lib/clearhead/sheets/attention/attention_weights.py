"""05.attention_weights: Weights from queries and keys."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .attention_weights_wrong import MORE
from .shared import sizes, softmax_of_large


def _shared(scores):
    """Return each row divided by its sum."""
    with np.errstate(all="ignore"):
        return scores / scores.sum(axis=-1, keepdims=True)


def _unit(rows):
    """Return each row divided by its length."""
    with np.errstate(all="ignore"):
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def attention_weights(Q, K):
    """Return the weights A (T, S) of queries Q (T, d) over keys K (S, d)."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]))


def _weights_cases(rng):
    d, T, S = sizes(rng, 3)
    Q, K = rng.normal(size=(T, d)), rng.normal(size=(S, d))
    tiny_Q = np.array([[1.0, 1, 0, 0], [0, 0, 0, 0]])
    tiny_K = np.array([[0.0, 0, 5, 0], [2, 0, 0, 1], [1, 3, 0, 0]])
    by_hand = np.array([np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum(), [1 / 3, 1 / 3, 1 / 3]])
    sums_to_one = ("each row sums to 1", lambda A, Q, K: np.allclose(np.sum(A, axis=-1), 1))
    return [
        Case(
            "two queries, three keys, by hand",
            (tiny_Q, tiny_K),
            "The raw scores of the first query are 0, 2 and 4. Divided by √4 they are 0, 1 and 2.",
            expected=by_hand,
            properties=(sums_to_one,),
        ),
        Case("random queries and keys", (Q, K), "Each row belongs to one query.", properties=(sums_to_one,)),
        Case(
            "vectors of 300 numbers",
            (rng.normal(size=(3, 300)), rng.normal(size=(5, 300))),
            "Look at the scale, √d.",
        ),
        Case(
            "scores of thousands, by hand",
            (
                np.array([[2048.0, 2, 0, 0], [-1400, 0, 0, 0]]),
                np.array([[2.0, 0, 1, 0], [-1, 0, 0, 0], [2, 1, 0, 0]]),
            ),
            "The scaled scores of the first query are 2048, −1024 and 2049. Does softmax survive them? "
            "Chapter 4 shifts them.",
            expected=np.array([[1 / (1 + np.e), 0, np.e / (1 + np.e)], [0, 1, 0]]),
        ),
    ]


EXERCISE = Exercise(
    id="05.attention_weights",
    title="Weights from queries and keys",
    reference=attention_weights,
    cases=_weights_cases,
    hints=(
        "Three of the four steps: compare, scale, weigh. The values do not come in yet.",
        "Q @ K.T holds all scores, one row a query. The scale is the square root of the size of a query, d.",
        "softmax(Q @ K.T / np.sqrt(Q.shape[-1])): the library's softmax works along the last axis.",
    ),
    mistakes=(
        Mistake(
            "softmax_over_queries",
            lambda Q, K: softmax((Q @ K.T / np.sqrt(Q.shape[-1])).T).T,
            "Your columns sum to 1, not your rows. Each query shares its attention among the keys: "
            "the last axis.",
        ),
        Mistake(
            "no_scale",
            lambda Q, K: softmax(Q @ K.T),
            "The scale is missing: divide the scores by the square root of d before the softmax.",
        ),
        Mistake(
            "scaled_by_d_k",
            lambda Q, K: softmax(Q @ K.T / Q.shape[-1]),
            "You divided by d. Scores are typically as large as √d, so divide by the square root.",
        ),
        Mistake(
            "root_cut_to_a_whole_number",
            lambda Q, K: softmax(Q @ K.T / int(np.sqrt(Q.shape[-1]))),
            "You cut the root of d to a whole number. Divide by the root itself, with its decimals.",
        ),
        Mistake(
            "multiplied_by_the_root",
            lambda Q, K: softmax(Q @ K.T * np.sqrt(Q.shape[-1])),
            "You multiplied by the square root of d. The scale makes large scores smaller: divide.",
        ),
        Mistake(
            "softmax_forgotten",
            lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]),
            "These are the scaled scores. One step is missing: weigh, with softmax.",
        ),
        Mistake(
            "shared_without_exponentials",
            lambda Q, K: _shared(Q @ K.T),
            "You divided the scores by their sum. They can be negative: take e^score first, as softmax does.",
        ),
        Mistake(
            "cosines",
            lambda Q, K: softmax(_unit(Q) @ _unit(K).T),
            "You divided by the lengths of the vectors, as a cosine does. Attention divides by the "
            "square root of d, the same number for all.",
        ),
        Mistake(
            "scaled_by_number_of_keys",
            lambda Q, K: softmax(Q @ K.T / np.sqrt(len(K))),
            "You took the root of the number of keys. What counts is how many terms a dot product "
            "adds up: d.",
        ),
        Mistake(
            "scaled_by_number_of_queries",
            lambda Q, K: softmax(Q @ K.T / np.sqrt(len(Q))),
            "You took the root of the number of queries. What counts is how many numbers one query has: "
            "Q.shape[-1].",
        ),
        Mistake(
            "scaled_after_softmax",
            lambda Q, K: softmax(Q @ K.T) / np.sqrt(Q.shape[-1]),
            "You scaled the weights instead of the scores, so a row no longer sums to 1. Scale before"
            " the softmax.",
        ),
        Mistake(
            "keys_ask_queries",
            lambda Q, K: softmax(K @ Q.T / np.sqrt(Q.shape[-1])),
            "Your rows are keys and your columns are queries. Begin with Q: Q @ K.T.",
        ),
        Mistake(
            "softmax_over_everything",
            lambda Q, K: np.exp((S := Q @ K.T / np.sqrt(Q.shape[-1])) - S.max()) / np.exp(S - S.max()).sum(),
            "The whole table sums to 1. Each row should: sum over the last axis, with keepdims=True.",
        ),
        Mistake(
            "one_shift_for_all_rows",
            lambda Q, K: softmax_of_large((S := Q @ K.T / np.sqrt(Q.shape[-1])) - S.max()),
            "You subtracted the largest score of the whole table. A row far below it then sums to 0: "
            "subtract the largest score of each row.",
        ),
        Mistake(
            "scores_clipped",
            lambda Q, K: softmax_of_large(np.clip(Q @ K.T / np.sqrt(Q.shape[-1]), -700, 700)),
            "You clipped the scores, so two large ones become equal. Subtract the largest score of each row "
            "instead: the differences stay.",
        ),
        Mistake(
            "softmax_that_overflows",
            lambda Q, K: softmax_of_large(Q @ K.T / np.sqrt(Q.shape[-1])),
            "Your softmax overflows for large scores. Subtract the largest score of each row first, "
            "as in chapter 4.",
        ),
        Mistake(
            "only_keys_of_one_length",
            lambda Q, K: softmax(Q @ _unit(K).T / np.sqrt(Q.shape[1])),
            "You made all keys equally long. Their length may count: take them as they are.",
        ),
        Mistake(
            "distances_in_place_of_products",
            lambda Q, K: softmax(-((Q[:, None] - K) ** 2).sum(axis=-1) / np.sqrt(Q.shape[1])),
            "You compared by distance. Compare by dot product: Q @ K.T.",
        ),
        Mistake(
            "the_best_key_alone",
            lambda Q, K: np.eye(len(K))[(Q @ K.T).argmax(axis=1)],
            "You gave all weight to the best key. Softmax lets the others share.",
        ),
        Mistake(
            "looks_back_only",
            lambda Q, K: softmax(
                np.where(np.tri(len(Q), len(K), dtype=bool), Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
            ),
            "Your queries do not see later keys. That is a mask of chapter 9; here each query sees all keys.",
        ),
        Mistake(
            "worst_key_wins",
            lambda Q, K: softmax(-Q @ K.T / np.sqrt(Q.shape[1])),
            "Your scores have a minus sign: the worst key wins.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda Q, K: softmax((Q / np.sqrt(Q.shape[1])) @ K.T),
        lambda Q, K: np.array([softmax(K @ q / len(q) ** 0.5) for q in Q]),
    ),
    stars=1,
    minutes=10,
)
