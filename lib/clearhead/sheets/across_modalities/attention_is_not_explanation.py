"""14.attention_is_not_explanation: Another map, the same output."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .attention_is_not_explanation_wrong import MORE


def attention_is_not_explanation(a, V):
    """Return other weights (S) with the same mixture of V (S, e) as a (S): one weight of a is used up."""
    n = _unseen(np.hstack([V, np.ones((len(V), 1))]))
    return _to_the_border(a, n)


def _unseen(conditions):
    """Return a direction n (S) with n @ conditions = 0: the last one of the decomposition."""
    return np.linalg.svd(conditions.T)[2][-1]


def _to_the_border(a, n):
    """Return a moved along n until the first weight is 0."""
    falling = n < -1e-9
    return a + n * (a[falling] / -n[falling]).min()


def _facts(b, a, V):
    """Return facts about other weights: there are many right ones."""
    b = np.asarray(b, dtype=float)
    if b.shape != a.shape:
        raise ValueError(f"the new weights have shape {b.shape}, the old ones {a.shape}: one for each token")
    return {
        "output": b @ V,
        "sum of the weights": float(b.sum()),
        "no weight is below 0": bool((b > -1e-9).all()),
        "another map": bool(np.abs(b - a).max() > 1e-6),
        "a weight became 0": bool((np.abs(b) < 1e-9).any()),
    }


def _explanation_cases(rng):
    S, e = int(rng.integers(6, 8)), int(rng.integers(2, 4))
    a, V = softmax(rng.normal(size=S)), rng.normal(size=(S, e)) + 1
    twins = rng.normal(size=(4, 3))
    return [
        Case(
            "two equal values, by hand",
            (np.array([0.5, 0.2, 0.3]), np.array([[1.0, 2], [1, 2], [5, 0]])),
            "The first two values are equal, so their weights can be shared in any way: 0.7 and 0, say.",
            expected={
                "output": np.array([2.2, 1.4]),
                "sum of the weights": 1.0,
                "no weight is below 0": True,
                "another map": True,
                "a weight became 0": True,
            },
        ),
        Case("more tokens than columns", (a, V), "Look for n with n @ V = 0 and a sum of 0."),
        Case(
            "a square",
            (np.array([0.4, 0.3, 0.2, 0.1]), np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])),
            "What is added on one diagonal is taken from the other.",
        ),
        Case(
            "equal values in a wide head",
            (softmax(rng.normal(size=4)), np.hstack([twins, twins])[[0, 1, 2, 1]]),
            "Only two values are equal here, and there are more columns than tokens.",
        ),
    ]


def _greedy_swap(a, V):
    b = a.copy()
    b[[0, 1]] = b[[1, 0]]
    return b


EXERCISE = Exercise(
    id="14.attention_is_not_explanation",
    title="Another map, the same output",
    reference=attention_is_not_explanation,
    cases=_explanation_cases,
    facts=_facts,
    hints=(
        "Write the new weights as a + s · n. What must hold for n, so that the sum and the mixture stay?",
        "n @ V = 0 and n.sum() = 0: together n @ [V, 1] = 0. The last row of svd([V, 1].T)[2] is such an n. "
        "How large may s be?",
        "n = np.linalg.svd(np.hstack([V, np.ones((len(V), 1))]).T)[2][-1]; down = n < -1e-9; "
        "s = (a[down] / -n[down]).min(); return a + s * n.",
    ),
    mistakes=(
        Mistake(
            "the_same_map",
            lambda a, V: a.copy(),
            "These are the weights that were there. Find others.",
        ),
        Mistake(
            "not_far_enough",
            lambda a, V: (a + attention_is_not_explanation(a, V)) / 2,
            "The output stays, but no weight became 0. Go on in this direction until the first one does.",
        ),
        Mistake(
            "too_far",
            lambda a, V: a + 2 * (attention_is_not_explanation(a, V) - a),
            "The output stays, but a weight is negative. Stop where the first weight is 0.",
        ),
        Mistake(
            "sum_not_kept",
            lambda a, V: a * (a < a.max()),
            "Your weights do not sum to 1: what one loses, others must get.",
        ),
        Mistake(
            "two_exchanged",
            _greedy_swap,
            "You exchanged two weights. That leaves the output as it is only if their values are equal.",
        ),
        Mistake(
            "map_turned_round",
            lambda a, V: a[::-1].copy(),
            "You turned the map round. The values do not turn with it, so the output changes.",
        ),
        Mistake(
            "all_to_the_strongest",
            lambda a, V: np.eye(len(a))[a.argmax()],
            "All weight on one token gives its value alone. Move along what the values cannot see.",
        ),
        Mistake(
            "renormalised",
            lambda a, V: np.where(a < a.max(), a, 0) / (1 - a.max()),
            "You removed a token and stretched the rest. The sum is 1 again, but the mixture is another one.",
        ),
        Mistake(
            "equal_weights",
            lambda a, V: np.full(len(a), 1 / len(a)),
            "Equal weights give the plain mean of the values, which is another output.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda a, V: _to_the_border(a, -_unseen(np.hstack([V, np.ones((len(V), 1))]))),
        lambda a, V: _to_the_border(a, _unseen(np.hstack([V - V[0], np.ones((len(V), 1))]))),
    ),
    stars=3,
    minutes=25,
)
