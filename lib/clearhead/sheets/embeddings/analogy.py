"""02.analogy: A step, carried to another word."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.embeddings import analogy, cosine


def _ranked(E, target, left_out, closeness):
    scores = closeness(E, target)
    return next(int(i) for i in np.argsort(-scores, kind="stable") if i not in left_out)


def _analogy_with(target=lambda E, a, b, c: E[b] - E[a] + E[c], left_out=None, closeness=cosine):
    """Return an analogy with its own target, its own rule for what is left out, or its own closeness."""

    def answer(E, a, b, c, exclude):
        out = (a, b, c) if exclude else ()
        return _ranked(E, target(E, a, b, c), left_out(a, b, c) if left_out else out, closeness)

    return answer


def _second_nearest(E, a, b, c, exclude):
    order = np.argsort(-cosine(E, E[b] - E[a] + E[c]), kind="stable")
    return int(order[1 if exclude else 0])


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


def _exact_space(rng):
    """Return a table in which eight words are sums of three features, shuffled, with lengths of their own."""
    features = np.linalg.qr(rng.normal(size=(9, 9)))[0][:4]
    bits = np.array([[k >> 2 & 1, k >> 1 & 1, k & 1, 2] for k in range(8)])
    place = rng.permutation(8)
    E = np.zeros((8, 9))
    E[place] = bits @ features
    return E, place


def _analogy_cases(rng):
    E, place = _exact_space(rng)
    a, b, c, d = (int(place[k]) for k in (0b000, 0b101, 0b010, 0b111))
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
        Case("an exact space, backwards", (E, d, c, b, False), "d is to c as b is to a.", expected=a),
        Case("random rows of different lengths", (drawn, *ids, True), "Compare cosines, not dot products."),
        Case("the same, nothing left out", (drawn, *ids, False), "Compare cosines, not dot products."),
        Case(
            "a long row in the right direction",
            (np.array([[0.0, 0, 1], [2, 0, 1], [0, 1, 1], [6, 3, 3], [2, 1.3, 1]]), 0, 1, 2, True),
            "Row 3 is far from the target, but points in exactly its direction.",
            expected=3,
        ),
        Case(
            "two nearest are inputs",
            (np.array([[1.0, 0.1], [1.0, 0.12], [1.0, 0.05], [1.0, 0.5], [0.2, 1.0]]), 0, 1, 2, True),
            "All three inputs are left out, not only the nearest one.",
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


EXERCISE = Exercise(
    "02.analogy",
    "A step, carried to another word",
    analogy,
    _analogy_cases,
    hints=(
        "Three steps: compute the target, measure the cosine of each row with it, take the best row that "
        "is allowed.",
        "E @ target divided by all lengths gives the cosines. What could you write into the places of a, "
        "b and c, so that argmax never takes them?",
        "cosines[[a, b, c]] = -np.inf if exclude; then return cosines.argmax().",
    ),
    mistakes=(
        Mistake(
            "nothing_left_out",
            _analogy_with(left_out=lambda a, b, c: ()),
            "You never leave out the input words. With exclude=True rows a, b and c must not be answers.",
        ),
        Mistake(
            "always_left_out",
            _analogy_with(left_out=lambda a, b, c: (a, b, c)),
            "You leave out the input words even with exclude=False. Look at the argument.",
        ),
        Mistake(
            "the_second_nearest",
            _second_nearest,
            "You took the second nearest row. Often two of the inputs are nearest: leave out all three.",
        ),
        Mistake(
            "only_c_left_out",
            lambda E, a, b, c, exclude: _analogy_with(left_out=lambda a, b, c: (c,) if exclude else ())(
                E, a, b, c, exclude
            ),
            "You left out c alone. a and b are input words, too.",
        ),
        Mistake(
            "inputs_set_to_zero",
            lambda E, a, b, c, exclude: int(
                np.argmax(cosine(E, E[b] - E[a] + E[c]) * ~(np.isin(np.arange(len(E)), (a, b, c)) & exclude))
            ),
            "You gave the inputs the cosine 0. If all others are negative, 0 wins. Give them -np.inf.",
        ),
        Mistake(
            "sign_lost",
            _analogy_with(closeness=lambda E, target: np.abs(cosine(E, target))),
            "You took the absolute value of the cosine. The opposite direction is far away, not near.",
        ),
        Mistake(
            "step_backwards",
            _analogy_with(target=lambda E, a, b, c: E[a] - E[b] + E[c]),
            "Your step goes from b to a. It must go from a to b: E[b] - E[a].",
        ),
        Mistake(
            "dot_product",
            _analogy_with(closeness=lambda E, target: E @ target),
            "You compared dot products, so long rows win. Divide by the lengths of the rows.",
        ),
        Mistake(
            "distance",
            _analogy_with(closeness=lambda E, target: -np.linalg.norm(E - target, axis=1)),
            "You took the row at the smallest distance. Here the direction counts: the cosine.",
        ),
    ),
    alternatives=(
        _analogy_with(),
        lambda E, a, b, c, exclude: int(
            np.argmax(
                [
                    -2 if exclude and i in (a, b, c) else float(cosine(row, E[b] - E[a] + E[c]))
                    for i, row in enumerate(E)
                ]
            )
        ),
    ),
    ids=True,
    stars=2,
    minutes=15,
)
