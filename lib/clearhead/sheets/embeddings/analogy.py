"""Cases of 02.analogy."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

# Rows: man, woman, king, queen, kings, a long row near king, a row far away.
ROYAL = np.array(
    [
        [0.2, 0.0, 0.0, 1.0],
        [0.2, 1.0, 0.0, 1.0],
        [2.0, 0.0, 0.0, 1.0],
        [2.0, 1.1, 0.1, 1.0],
        [2.0, 0.0, 1.2, 1.0],
        [9.0, 0.5, 3.0, 4.0],
        [0.0, -1.0, 1.0, -1.0],
    ]
)


# The right row, the largest dot product, and the largest where columns are divided, are three.
COLUMNS = np.array(
    [[40.0, -1, -3], [10, 3, 3], [20, 1, 2], [0, 3, 2], [60, -3, 0], [-10, 2, 1], [-20, -2, -2]]
)


def _exact_space(rng):
    """Return a table in which eight words are sums of three features, shuffled, with lengths of their own."""
    features = np.linalg.qr(rng.normal(size=(9, 9)))[0][:4] * np.array([[1.0], [1.3], [0.8], [1.0]])
    bits = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1, 2] for k in range(8)])
    place = rng.permutation(8)
    E = np.zeros((8, 9))
    E[place] = bits @ features
    return E, place


def cases(rng):
    E, place = _exact_space(rng)
    a, b, c, d = (int(place[k]) for k in (0b000, 0b101, 0b010, 0b111))
    *step, answer = (int(place[k]) for k in (0b100, 0b010, 0b101, 0b011))
    mixed = (E, *step, False)
    V, D = (int(size) for size in rng.permutation(np.arange(9, 16))[:2])
    drawn = rng.normal(size=(V, D)) * rng.uniform(0.5, 4, size=(V, 1))
    ids = [int(i) for i in rng.permutation(V)[:3]]
    swim = np.array([[1.0, 0.0], [1.0, 0.3], [0.0, 1.0], [0.1, 1.0], [0.9, 0.4], [-1.0, 0.2]])
    return [
        Case(
            "king - man + woman, by hand",
            (ROYAL, 0, 2, 1, True),
            "The target is (2, 1, 0, 1). Leave out rows 0, 2 and 1, then compare directions.",
            expected=3,
        ),
        Case(
            "rows of very different lengths",
            (np.array([[1.0, 0], [0, 1], [4, 0], [30, 10], [0, 9], [3.2, 0.2]]), 0, 1, 2, True),
            "The target is (3, 1). Row 3 has its direction, though it is long, and row 5 is nearer.",
            expected=3,
        ),
        Case(
            "the step is small, nothing left out",
            (swim, 0, 1, 2, False),
            "With exclude=False an input word may be the answer.",
            2,
        ),
        Case(
            "the same, inputs left out",
            (swim, 0, 1, 2, True),
            "With exclude=True rows a, b and c are out.",
            2,
        ),
        Case("an exact space", (E, a, b, c, True), "d = b - a + c holds exactly.", expected=d),
        Case("an exact space, nothing left out", mixed, "One feature comes, another goes.", expected=answer),
        Case("random rows of different lengths", (drawn, *ids, True), "Compare cosines, not dot products."),
        Case("the same, nothing left out", (drawn, *ids, False), "Compare cosines, not dot products."),
        Case(
            "a long row in the right direction",
            (np.array([[0.0, 0, 1], [2, 0, 1], [0, 1, 1], [6, 3, 3], [2, 1.3, 1]]), 0, 1, 2, True),
            "Row 3 is far from the target, but points in exactly its direction.",
            expected=3,
        ),
        Case(
            "a column of large numbers",
            (COLUMNS, 0, 1, 2, True),
            "The target is (-10, 5, 8). Each row is divided by its own length, no column by its.",
            expected=5,
        ),
        Case(
            "two nearest are inputs",
            (np.array([[1.0, 0.1], [1.0, 0.3], [1.0, 0.11], [1.0, 0.6], [0.2, 1.0]]), 0, 1, 2, True),
            "All three inputs are left out, not only the nearest one.",
        ),
        Case(
            "the nearest is the word that the step begins with",
            (np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -0.95], [1.0, 0.5], [0.2, 1.0]]), 0, 1, 2, True),
            "The target is (1, 0.05). Rows a, b and c are out, and of the others row 3 is nearest.",
            expected=3,
        ),
        Case(
            "all others point away",
            (
                np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [-1.0, 0.0], [-0.2, -1.0], [-1.0, -1.0]]),
                0,
                1,
                2,
                True,
            ),
            "All allowed cosines are negative. The largest is the answer, and no input may win.",
            expected=4,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
