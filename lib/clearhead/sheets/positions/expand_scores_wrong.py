"""More wrong answers of 07.expand_scores."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _parts(left=lambda X, W_q: X @ W_q, right=lambda X, W_k: X @ W_k, each=lambda part: part):
    """Return expand_scores with other queries, other keys, or another last step."""
    return lambda X, P, W_q, W_k: [each(left(a, W_q) @ right(b, W_k).T) for a in (X, P) for b in (X, P)]


def _with_one_matrix(choose):
    """Return expand_scores with one matrix for queries and keys."""
    return lambda X, P, W_q, W_k: _parts()(X, P, choose(W_q, W_k), choose(W_q, W_k))


def _doubled(X, P, W_q, W_k):
    words, mixed, other, places = _parts()(X, P, W_q, W_k)
    return words, 2 * mixed, 2 * other, places


MORE = (
    Mistake(
        "scaled_by_embedding_width",
        lambda X, *given: _parts(each=lambda part: part / np.sqrt(X.shape[1]))(X, *given),
        "You divided by √D. Asked are the raw scores; the scale, √d, comes later.",
    ),
    Mistake(
        "softmax_of_each",
        _parts(each=lambda part: np.exp(part) / np.exp(part).sum(axis=-1, keepdims=True)),
        "You took the softmax of each part. Asked are raw scores, before they are added.",
    ),
    Mistake(
        "tables_turned_round",
        _parts(each=np.transpose),
        "Your tables are transposed. Rows belong to queries, columns to keys.",
    ),
    Mistake(
        "mixed_parts_doubled",
        _doubled,
        "Your mixed parts are doubled, as 2ab in a square. Here they differ, and each stands once.",
    ),
    Mistake(
        "whole_score_last",
        lambda *given: [*_parts()(*given)[:3], sum(_parts()(*given))],
        "Your last table is the whole score. It must be place asks place.",
    ),
    Mistake(
        "first_mixed_part_twice",
        lambda *given: [_parts()(*given)[n] for n in (0, 1, 1, 3)],
        "Your third part is the second again. Third: the place asks, the word answers, P M Xᵀ.",
    ),
    Mistake(
        "mixed_parts_left_out",
        lambda *given: [_parts()(*given)[n] for n in (0, 3)],
        "The two mixed parts are missing: word asks place, and place asks word.",
    ),
    Mistake(
        "keys_of_words_with_places",
        lambda X, P, W_q, W_k: [a @ W_q @ (b @ W_k).T for a in (X, P) for b in (X, X + P)],
        "Your second and fourth part have X + P on the right. There the place alone answers: P.",
    ),
    Mistake(
        "queries_of_words_with_places",
        lambda X, P, W_q, W_k: [a @ W_q @ (b @ W_k).T for a in (X, X + P) for b in (X, P)],
        "Your third and fourth part have X + P on the left. There the place alone asks: P.",
    ),
    Mistake(
        "keys_made_by_the_query_matrix",
        _with_one_matrix(lambda W_q, W_k: W_q),
        "You made the keys with W_q. They are made with W_k.",
    ),
    Mistake(
        "whole_score_four_times",
        lambda *given: [sum(_parts()(*given))] * 4,
        "All your tables are the whole score. Each part has X or P alone on each side.",
    ),
    Mistake(
        "divided_by_the_length",
        lambda X, *given: _parts(each=lambda part: part / len(X))(X, *given),
        "You divided by the number of tokens. Asked are raw scores, without any scale.",
    ),
    Mistake(
        "each_token_with_itself",
        _parts(each=np.diag),
        "Each token asks itself alone. Every row asks every row: (T, T), with @.",
    ),
)
