"""Cases of 16.linear_recurrence."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, D = different_sizes(rng, 2, 4, 8)
    decay, x, memory = rng.uniform(0.1, 0.99, size=(T, D)), rng.normal(size=(T, D)), rng.normal(size=D)
    closed = decay.copy()
    closed[T // 2] = 0
    return [
        Case(
            "three tokens and one column, by hand",
            (np.array([[0.5], [0.5], [0.1]]), np.array([[1], [2], [3]]), np.array([8.0])),
            "8 / 2 + 1 = 5, 5 / 2 + 2 = 4.5, 4.5 · 0.1 + 3 = 3.45.",
            expected=np.array([[5.0], [4.5], [3.45]]),
        ),
        Case("random sizes", (decay, x, memory), "The decay of a token multiplies the state before it."),
        Case("an initial state of zeros", (decay, x, np.zeros(D)), "The initial state is 0, so h_0 is x_0."),
        Case(
            "a decay of 0 in the middle",
            (closed, x, memory),
            "The decay of 0 forgets everything before it, so you cannot divide by a product of decays.",
        ),
        Case(
            "a decay of 1",
            (np.ones((T, D)), x, memory),
            "With a decay of 1, each state is the initial state plus the sum of the inputs so far.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
