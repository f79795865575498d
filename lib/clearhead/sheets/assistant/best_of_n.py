"""Cases of 18.best_of_n."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    V, n = int(rng.integers(5, 9)), int(rng.integers(3, 6))
    p, order = rng.dirichlet(np.full(V, 2.0)), np.arange(V)
    while np.array_equal(order[order], np.arange(V)):  # the order and the ranks would be the same
        order = rng.permutation(V)
    scores = np.argsort(order) + rng.uniform(-0.4, 0.4, size=V)
    return [
        Case(
            "two answers and two draws, by hand",
            (np.array([0.6, 0.4]), np.array([1.0, 2.0]), 2),
            "The first answer is returned only if both draws are this answer: 0.6 times 0.6.",
            expected=np.array([0.36, 0.64]),
        ),
        Case(
            "three answers and two draws, by hand",
            (np.array([0.5, 0.2, 0.3]), np.array([0.0, 9.0, 4.0]), 2),
            "Sort by score: the cumulative sums are 0.5, 0.8 and 1, and their squares 0.25, 0.64 and 1.",
            expected=np.array([0.25, 0.36, 0.39]),
        ),
        Case("random answers", (p, scores, n), "Accumulate the probabilities by ascending scores."),
        Case("one draw", (p, scores, 1), "With one draw, the result is the distribution of the model."),
        Case("many draws", (p, scores, 12 * n), "With many draws, answers with high scores are returned."),
        Case(
            "negative scores",
            (p, scores - 20, n),
            "Only the order of the scores counts, so a constant changes nothing.",
        ),
        Case(
            "an answer that is never drawn",
            (np.append(p[:-1] / p[:-1].sum(), 0.0), scores, n),
            "An answer with probability 0 is never returned, whatever its score is.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
