"""04.hard_lookup: The hard dictionary."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake, OneOf
from clearhead.maths.softmax import softmax

from .hard_lookup_wrong import MORE
from .shared import FRENCH_VALUES, FRUIT_KEYS, entries, naive_softmax


def hard_lookup(q, K, V):
    """Return the value (e) whose key has the largest dot product with the query."""
    return V[np.argmax(K @ q)]


def hard_lookup_by_loop(q, K, V):
    best = 0
    for j in range(len(K)):
        if sum(q * K[j]) > sum(q * K[best]):
            best = j
    return V[best].copy()


def began_with_zero(q, K, V):
    """Return the value of the best key, where no negative score can win: the best so far begins at 0."""
    best, highest = 0, 0.0
    for j, score in enumerate(K @ q):
        if score > highest:
            best, highest = j, score
    return V[best]


def hard_lookup_cases(rng):
    is_a_value = (
        "what comes back is one of the rows of V",
        lambda z, q, K, V: np.any(np.all(np.isclose(V, z), axis=1)),
    )
    three = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]])
    return [
        Case(
            "the orange among the fruits, worked by hand",
            (np.array([0.0, 2.0]), FRUIT_KEYS.copy(), FRENCH_VALUES.copy()),
            "the scores are 0, 0 and 2, so the lemon wins, and its value is (5, 5)",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "every score is negative",
            (np.array([1e17, 1e17]), np.array([[-2.0, -1], [-1, 0], [-2, 0]]), three),
            "the scores are −3, −1 and −2, times 1e17: the largest is −1e17, and it wins",
            expected=three[1],
        ),
        Case(
            "a long key against a near one",
            (np.array([1.0, 0.5]), np.array([[1.0, 0.5], [4, 4], [-9, 0]]), three),
            "the scores are 1.25, 6 and −9: compare with the dot product, and with nothing else",
            expected=three[1],
        ),
        Case(
            "a far key in the same direction",
            (np.array([1.0, 0.0]), np.array([[10.0, 0], [1, 1], [0, 20]]), three),
            "the scores are 10, 1 and 0: a key far away can still have the largest dot product",
            expected=three[0],
        ),
        Case(
            "two large scores, and a small gap",
            (np.array([1e3, 0.0]), np.array([[0.8, 0], [0.800001, 0], [-1, 0]]), three),
            "the scores are 800, 800.001 and −1000: compare the scores as they are, without e^score",
            expected=three[1],
        ),
        Case(
            "the lemon stands there twice",
            (np.array([0.0, 2.0]), FRUIT_KEYS[[0, 1, 2, 2]], FRENCH_VALUES[[0, 1, 2, 2]]),
            "two keys share the first place, and both have the value (5, 5): one comes back, not the sum",
            expected=np.array([5.0, 5.0]),
        ),
        Case(
            "two keys tie, and their values differ",
            (np.array([2.0, 2.0]), np.array([[1.0, 0], [0, 1], [-1, 0]]), three),
            "the scores are 2, 2 and −2: one of the first two values comes back, whole, and no mixture",
            expected=OneOf((three[0], three[1])),
            properties=(is_a_value,),
        ),
        Case(
            "scores that differ behind the point",
            (np.array([1.0, 0.0]), np.array([[0.2, 5], [0.4, -5], [0.3, 0]]), three),
            "the scores are 0.2, 0.4 and 0.3: keep what stands behind the point",
            expected=three[1],
        ),
        Case(
            "scores on both sides of a half",
            (np.array([1.0, 0.0]), np.array([[1.4, 5], [1.6, -5], [1.2, 9]]), three),
            "the scores are 1.4, 1.6 and 1.2",
            expected=three[1],
        ),
        Case("fresh numbers", entries(rng, 60, 3, 4), "look at which key wins", 2, properties=(is_a_value,)),
    ]


EXERCISE = Exercise(
    id="04.hard_lookup",
    title="The hard dictionary",
    reference=hard_lookup,
    cases=hard_lookup_cases,
    hints=(
        "Three things: one score for each key, the place of the largest score, the value at that place.",
        "`K @ q` gives all the scores. `np.argmax` gives the place of the largest number.",
        "`best = np.argmax(K @ q)`; then return row `best` of V.",
    ),
    mistakes=(
        Mistake(
            "returned_the_key",
            lambda q, K, V: K[np.argmax(K @ q)],
            "You gave back the key that won. A dictionary gives back the value that belongs to it: a "
            "row of V.",
        ),
        Mistake(
            "returned_the_place",
            lambda q, K, V: np.argmax(K @ q),
            "You gave back the place of the winner. Use it to pick a row of V.",
        ),
        Mistake(
            "returned_the_score",
            lambda q, K, V: np.max(K @ q),
            "You gave back the largest score. You need its place (`np.argmax`), and then a row of V.",
        ),
        Mistake(
            "smallest_score",
            lambda q, K, V: V[np.argmin(K @ q)],
            "You took the smallest score. A large dot product means alike: take the largest.",
        ),
        Mistake(
            "largest_without_sign",
            lambda q, K, V: V[np.argmax(np.abs(K @ q))],
            "You dropped the sign of the scores. A very negative score means the opposite direction: "
            "it must lose.",
        ),
        Mistake(
            "nearest_key",
            lambda q, K, V: V[np.argmin(np.linalg.norm(K - q, axis=1))],
            "You took the key at the smallest distance. Here we compare with the dot product.",
        ),
        Mistake(
            "cosine_instead_of_dot",
            lambda q, K, V: V[np.argmax(K @ q / np.linalg.norm(K, axis=1))],
            "You divided by the lengths (norms) of the keys. That ranks by the cosine; here we compare with "
            "the plain dot product.",
        ),
        Mistake(
            "began_with_zero",
            began_with_zero,
            "Your best score so far begins at 0 or another number, and a score below it can never win. "
            "Begin with −∞ "
            "(`-np.inf`), or with the first key.",
        ),
        Mistake(
            "sum_of_the_best",
            lambda q, K, V: (K @ q == (K @ q).max()) @ V,
            "Where two keys share the first place, you add up their values. Give back one row of V.",
        ),
        Mistake(
            "softmax_that_overflows",
            lambda q, K, V: V[np.argmax(naive_softmax(K @ q))],
            "Right for scores near 0; far from it the wrong one can win, as it does when `np.exp` "
            "overflows or gives 0. The largest score wins, without e^score.",
        ),
        Mistake(
            "very_cold_softmax",
            lambda q, K, V: softmax(1000 * (K @ q)) @ V,
            "You took a softmax at a very low temperature. Two keys with nearly the same score still mix. "
            "Pick one row of V.",
        ),
        Mistake(
            "mean_of_the_best",
            lambda q, K, V: V[np.isclose(K @ q, (K @ q).max(), rtol=1e-12, atol=0)].mean(axis=0),
            "Where two keys share the first place, you mix their values. Give back one row of V. "
            "A dictionary never mixes.",
        ),
        Mistake(
            "scores_cut_to_whole_numbers",
            lambda q, K, V: V[np.argmax((K @ q).astype(int))],
            "What stands behind the point of a score is lost. Keep the scores as they are: float, not int.",
        ),
        Mistake(
            "scores_rounded",
            lambda q, K, V: V[np.argmax(np.round(K @ q))],
            "You rounded the scores, so near ones tie. Keep them as they are.",
        ),
        *MORE,
    ),
    alternatives=(hard_lookup_by_loop, lambda q, K, V: V[np.argsort(K @ q)[-1]]),
    stars=1,
    minutes=5,
)
