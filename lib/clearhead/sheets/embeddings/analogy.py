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
    """Return a table of eight words that are sums of three features, shuffled and of different lengths."""
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
            "The target is (2, 1, 0, 1). Leave out rows 0, 1 and 2, and compare the directions of the "
            "others with it.",
            expected=3,
        ),
        Case(
            "rows of very different lengths",
            (np.array([[1.0, 0], [0, 1], [4, 0], [30, 10], [0, 9], [3.2, 0.2]]), 0, 1, 2, True),
            "The target is (3, 1). Row 3 has exactly its direction, although the row is much longer. "
            "Row 5 is nearer, but has another direction.",
            expected=3,
        ),
        Case(
            "a small step, with no row excluded",
            (swim, 0, 1, 2, False),
            "With `exclude=False`, one of the rows a, b and c may be the answer.",
            2,
        ),
        Case(
            "a small step, with the inputs excluded",
            (swim, 0, 1, 2, True),
            "With `exclude=True`, none of the rows a, b and c may be the answer.",
            2,
        ),
        Case(
            "an analogy that holds exactly",
            (E, a, b, c, True),
            "The row of the answer equals E[b] − E[a] + E[c] exactly.",
            expected=d,
        ),
        Case(
            "an analogy that holds exactly, with no row excluded",
            mixed,
            "From a to b, one feature is removed and another one is added. The answer differs from c "
            "in the same way.",
            expected=answer,
        ),
        Case(
            "random rows of different lengths",
            (drawn, *ids, True),
            "The rows have different lengths, so compare cosines and not dot products.",
        ),
        Case(
            "random rows of different lengths, with no row excluded",
            (drawn, *ids, False),
            "The rows have different lengths, so compare cosines and not dot products.",
        ),
        Case(
            "a long row in the right direction",
            (np.array([[0.0, 0, 1], [2, 0, 1], [0, 1, 1], [6, 3, 3], [2, 1.3, 1]]), 0, 1, 2, True),
            "Row 3 is far from the target, but has exactly its direction.",
            expected=3,
        ),
        Case(
            "a column with large entries",
            (COLUMNS, 0, 1, 2, True),
            "The target is (-10, 5, 8). Divide each row by its own length, and do not normalize the columns.",
            expected=5,
        ),
        Case(
            "three inputs that are nearest to the target",
            (np.array([[1.0, 0.1], [1.0, 0.3], [1.0, 0.11], [1.0, 0.6], [0.2, 1.0]]), 0, 1, 2, True),
            "The three rows a, b and c are nearest to the target, and all three of them are excluded.",
        ),
        Case(
            "the row a as the nearest to the target",
            (np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -0.95], [1.0, 0.5], [0.2, 1.0]]), 0, 1, 2, True),
            "The target is (1, 0.05), and its direction is nearest to that of row a. Rows a, b and c "
            "are excluded, and row 3 is the best of the others.",
            expected=3,
        ),
        Case(
            "only negative cosines among the allowed rows",
            (
                np.array([[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [-1.0, 0.0], [-0.2, -1.0], [-1.0, -1.0]]),
                0,
                1,
                2,
                True,
            ),
            "The cosines of all allowed rows are negative. The largest of them is the answer, because "
            "the inputs are excluded.",
            expected=4,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
