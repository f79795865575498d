"""07.expand_scores: Four questions in one score."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .expand_scores_wrong import MORE


def expand_scores(X, P, W_q, W_k):
    """Return the four parts (T, T) of the raw scores of tokens X (T, D) at places P (T, D)."""
    M = W_q @ W_k.T
    return X @ M @ X.T, X @ M @ P.T, P @ M @ X.T, P @ M @ P.T


def _expand_by_projections(X, P, W_q, W_k):
    return [(a @ W_q) @ (b @ W_k).T for a in (X, P) for b in (X, P)]


def _expand_with(matrix):
    """Return an expansion with its own matrix in the middle."""

    def expand(X, P, W_q, W_k):
        M = matrix(W_q, W_k)
        return [a @ M @ b.T for a in (X, P) for b in (X, P)]

    return expand


def _twice_the_same(X, P, W_q, W_k):
    parts = expand_scores(X, P, W_q, W_k)
    return parts[0], parts[1], parts[1].T, parts[3]


def _expand_cases(rng):
    T, D, d = (int(size) for size in rng.permutation(np.arange(4, 9))[:3])
    X, P = rng.normal(size=(2, T, D))
    W_q, W_k = rng.normal(size=(2, D, d))
    whole = (
        "the four parts sum to ((X + P) W_q)((X + P) W_k)ᵀ",
        lambda parts, X, P, W_q, W_k: np.allclose(sum(parts), ((X + P) @ W_q) @ ((X + P) @ W_k).T),
    )
    words, places = np.array([[1.0, 0, 0], [0, 2, 5]]), np.array([[3.0, 1, 0], [0, 3, 7]])
    matrices = np.array([[1.0], [0], [0]]), np.array([[0.0], [2], [0]])
    return [
        Case(
            "two tokens, by hand",
            (words, places, *matrices),
            "Here M = W_q W_kᵀ has a single 2, in row 0 and column 1: each part is 2 · (number 0 of i) · "
            "(number 1 of j).",
            expected=[
                np.array([[0, 4], [0, 0]]),
                np.array([[2, 6], [0, 0]]),
                np.array([[0, 12], [0, 0]]),
                np.array([[6, 18], [0, 0]]),
            ],
            properties=(whole,),
        ),
        Case("random", (X, P, W_q, W_k), "Rows belong to queries i, columns to keys j.", properties=(whole,)),
        Case("no places", (X, 0 * P, W_q, W_k), "Without places, only the first part is left."),
        Case(
            "one word everywhere",
            (np.tile(X[0], (T, 1)), P, W_q, W_k),
            "The first part must be one number, T · T times.",
            properties=(whole,),
        ),
    ]


EXERCISE = Exercise(
    id="07.expand_scores",
    title="Four questions in one score",
    reference=expand_scores,
    cases=_expand_cases,
    hints=(
        "Multiply out (x_i + p_i) M (x_j + p_j)ᵀ, with M = W_q W_kᵀ. What asks stands on the left.",
        "The first part, for all i and j at once, is X @ M @ X.T.",
        "return X @ M @ X.T, X @ M @ P.T, P @ M @ X.T, P @ M @ P.T",
    ),
    mistakes=(
        Mistake(
            "mixed_parts_exchanged",
            lambda *given: [expand_scores(*given)[part] for part in (0, 2, 1, 3)],
            "Your second and third part are exchanged. Second: the word asks, the place answers, X M Pᵀ.",
        ),
        Mistake(
            "mixed_part_mirrored",
            _twice_the_same,
            "Your third part is the second, transposed. That would be right for a symmetric M = W_q W_kᵀ; "
            "this M is not.",
        ),
        Mistake(
            "queries_and_keys_exchanged",
            _expand_with(lambda W_q, W_k: W_k @ W_q.T),
            "Your M is W_k W_qᵀ, so keys ask and queries answer. It is W_q W_kᵀ.",
        ),
        Mistake(
            "columns_as_tokens",
            _expand_with(lambda W_q, W_k: W_q.T @ W_k),
            "W_qᵀ W_k is the formula for tokens as columns. With tokens as rows it is W_q W_kᵀ, shape (D, "
            "D).",
        ),
        Mistake(
            "places_without_matrices",
            lambda *given: [*expand_scores(*given)[:3], given[1] @ given[1].T],
            "Your fourth part is P Pᵀ. Places pass through W_q and W_k, too.",
        ),
        Mistake(
            "no_matrices",
            _expand_with(lambda W_q, W_k: np.eye(len(W_q))),
            "Your scores compare the vectors themselves. The matrix M = W_q W_kᵀ belongs in the middle.",
        ),
        Mistake(
            "only_the_sum",
            lambda *given: sum(expand_scores(*given)),
            "You return the whole score. Asked are its four parts, before they are added.",
        ),
        Mistake(
            "scaled",
            _expand_with(lambda W_q, W_k: W_q @ W_k.T / np.sqrt(W_q.shape[1])),
            "You divided by √d. Asked are the raw scores; the scale comes later, once for all.",
        ),
        Mistake(
            "from_back_to_front",
            lambda X, P, W_q, W_k: expand_scores(X, P, W_q, W_k)[::-1],
            "The right four tables, from back to front.",
        ),
        Mistake(
            "whole_score_first",
            lambda X, P, W_q, W_k: (sum(expand_scores(X, P, W_q, W_k)), *expand_scores(X, P, W_q, W_k)[1:]),
            "Your first table is the whole score. It must be word asks word alone.",
        ),
        Mistake(
            "mixed_parts_added",
            lambda X, P, W_q, W_k: (lambda a, b, c, d: (a, b + c, d))(*expand_scores(X, P, W_q, W_k)),
            "You added the two mixed parts. Return them apart: four tables.",
        ),
        *MORE,
    ),
    alternatives=(_expand_by_projections, lambda *given: [part + 0.0 for part in expand_scores(*given)]),
    stars=2,
    minutes=10,
)
