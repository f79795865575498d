"""Cases of 09.mask_and_renormalize."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax

from .shared import sizes


def cases(rng):
    T, S = sizes(rng, 2)
    scores = rng.normal(size=(T, S))
    mask = rng.random((T, S)) < 0.6
    mask[:, 0] = True
    mask[0, -1] = False
    empty = mask.copy()
    empty[0] = False

    def as_if_masked_first(name, scores, mask, look):
        same = (
            "your weights equal those that you get by masking before the softmax",
            lambda W, A, mask: np.allclose(W, softmax(np.where(mask, scores, -np.inf))),
        )
        return Case(name, (softmax(scores), mask), look, properties=(same,))

    return [
        Case(
            "one row, by hand",
            (np.array([[0.2, 0.3, 0.5]]), np.array([[True, True, False]])),
            "0.2 and 0.3 are left, and sum to 0.5. They keep their proportion, so they become 0.4 and 0.6.",
            expected=np.array([[0.4, 0.6, 0]]),
        ),
        as_if_masked_first(
            "a random mask", scores, mask, "Divide each row by the sum of its own remaining weights."
        ),
        as_if_masked_first(
            "sharp weights",
            3 * rng.normal(size=(T + 1, S)),
            np.vstack([mask, mask[:1]]),
            "The remaining weights keep their proportions.",
        ),
        Case(
            "tiny remaining weights",
            (np.array([[3e-10, 7e-10, 1 - 1e-9]]), np.array([[True, True, False]])),
            "However small the remaining weights are, they must sum to 1: 0.3 and 0.7.",
            expected=np.array([[0.3, 0.7, 0]]),
        ),
        Case(
            "a row with no remaining weight",
            (softmax(scores), empty),
            "The first row has no weight left, so it must be zeros, not NaN.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
