"""Cases of 15.sparse_autoencoder."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, D = rng.permutation([4, 5, 6])[:2]
    F, k = int(rng.integers(8, 11)), int(rng.integers(2, 4))
    W_e, W_d = rng.normal(size=(D, F)), rng.normal(size=(F, D))
    x, b_e, b = 2 * rng.normal(size=(T, D)), rng.normal(size=F), rng.normal(size=D)
    three = np.eye(3), np.zeros(3), np.eye(3), np.zeros(3)
    return [
        Case(
            "three dimensions, by hand",
            (np.array([[3.0, 1.0, -5.0]]), *three, 1),
            "ReLU removes −5, and of 3 and 1 only the larger one is kept.",
            expected=(np.array([[3.0, 0.0, 0.0]]), np.array([[3.0, 0.0, 0.0]])),
        ),
        Case(
            "random states",
            (x, W_e, b_e + 1, W_d, b, k),
            f"At most {k} activations of a row are not 0, and b is added to the sum of their directions.",
        ),
        Case(
            "fewer positive activations than k",
            (x, W_e, b_e - 6, W_d, b, k),
            "If fewer than k activations are positive, all other activations of the row are 0.",
        ),
        Case(
            "one active feature",
            (x, W_e, b_e + 1, W_d, b, 1),
            "Each row keeps only its largest activation.",
        ),
        Case(
            "as many as there are features",
            (x, W_e, b_e, W_d, b, F),
            "If k is the number of features, nothing is left out, and only ReLU sets activations to 0.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
