"""16.top_k_gates: Which experts?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake, OneOf
from clearhead.maths.llama import top_k_gates
from clearhead.maths.softmax import softmax

from .shared import different
from .top_k_gates_wrong import MORE


def _chosen(scores, k):
    best = np.argsort(-scores, axis=-1, kind="stable")[:, :k]
    chosen = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(chosen, best, True, axis=-1)
    return chosen


def _ranks(scores):
    """Return for each score of a row how many are better: of equal ones the earlier."""
    return np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)


def _by_rows(scores, k):
    gates = np.zeros(scores.shape)
    for row, gate in zip(scores, gates, strict=True):
        best = np.argsort(row)[-k:]
        powers = np.exp(row[best] - row[best].max())
        gate[best] = powers / powers.sum()
    return gates


def _cases(rng):
    T, E = different(rng, 2, 5, 12)
    k = int(rng.integers(2, 4))
    scores = rng.normal(size=(T, E)) * 2
    few = ("each token has exactly k experts", lambda gates, scores, k: ((gates > 0).sum(axis=-1) == k).all())
    one = ("the gates of a token sum to 1", lambda gates, scores, k: np.allclose(gates.sum(axis=-1), 1))
    return [
        Case(
            "two of three, by hand",
            (np.log([[1.0, 3, 6]]), 2),
            "The best two are 3 and 6: their gates are 3/9 and 6/9.",
            expected=np.array([[0, 1 / 3, 2 / 3]]),
        ),
        Case(
            "random sizes", (scores, k), "Choose, then softmax over what was chosen.", properties=(few, one)
        ),
        Case("one expert", (scores, 1), "The best one gets 1.", properties=(few, one)),
        Case("all experts", (scores, E), "That is the softmax itself.", properties=(few, one)),
        Case(
            "all scores below zero",
            (scores - 30, k),
            "A 0 in the place of a score is a high score here.",
            properties=(few, one),
        ),
        Case(
            "two experts with equal scores",
            (np.log([[2.0, 5, 2]]), 2),
            "Two of the three are chosen, not all.",
            expected=OneOf((np.array([[2, 5, 0]]) / 7, np.array([[0, 5, 2]]) / 7)),
            properties=(few, one),
        ),
        Case(
            "scores in the thousands",
            (scores + 3000, k),
            "Keep the softmax from overflowing.",
            properties=(few, one),
        ),
    ]


EXERCISE = Exercise(
    id="16.top_k_gates",
    title="Which experts?",
    reference=top_k_gates,
    cases=_cases,
    hints=(
        "np.argsort(-scores, axis=1)[:, :k] names the k best experts of each token.",
        "Put -np.inf in the place of all other scores. What does softmax make of it?",
        "kept = np.full(scores.shape, -np.inf); fill it with np.put_along_axis and np.take_along_axis; "
        "return softmax(kept)",
    ),
    mistakes=(
        Mistake(
            "not_divided_again",
            lambda scores, k: np.where(_chosen(scores, k), softmax(scores), 0),
            "You took the softmax first and dropped the rest, whose shares are then missing. Choose first.",
        ),
        Mistake(
            "zeros_for_scores",
            lambda scores, k: softmax(np.where(_chosen(scores, k), scores, 0.0)),
            "You put 0 in the place of the other scores, and e to the 0 is 1. Put minus infinity.",
        ),
        Mistake(
            "equal_shares",
            lambda scores, k: _chosen(scores, k) / k,
            "The chosen experts get equal shares. Their scores say how much each one counts.",
        ),
        Mistake(
            "the_worst",
            lambda scores, k: top_k_gates(np.where(_chosen(-scores, k), scores, -1e9), k),
            "You chose the lowest scores. argsort sorts upwards: take the last k, or sort -scores.",
        ),
        Mistake(
            "all_of_them", lambda scores, k: softmax(scores), "Every expert has a gate. Keep the k best."
        ),
        Mistake(
            "experts_choose_tokens",
            lambda scores, k: top_k_gates(scores.T, min(k, len(scores))).T,
            "Each expert chooses its tokens here. It is the token that chooses: work along the rows.",
        ),
        Mistake(
            "one_too_few",
            lambda scores, k: top_k_gates(scores, max(1, k - 1)) if k > 1 else np.zeros(scores.shape),
            "One expert too few is chosen. Look at the end of your slice.",
        ),
        Mistake(
            "shares_of_scores",
            lambda scores, k: (
                np.where(_chosen(scores, k), scores, 0)
                / np.where(_chosen(scores, k), scores, 0).sum(axis=1, keepdims=True)
            ),
            "You divided the scores by their sum. Scores can be negative: use softmax.",
        ),
        *MORE,
    ),
    alternatives=(
        _by_rows,
        lambda scores, k: softmax(np.where(_ranks(scores) < k, scores, -np.inf)),
    ),
    stars=2,
    minutes=15,
)
