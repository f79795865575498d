"""Cases of 09.padding_mask."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    def drawn(B, longest):
        lengths = rng.integers(1, longest, size=B)
        lengths[0] = longest
        return lengths, longest

    B, S = sorted(sizes(rng, 2))
    by_hand = np.array([[[[True, True, False]]], [[[True, True, True]]]])
    counted = (
        "each row is True at as many positions as its sentence has tokens",
        lambda mask, lengths, longest: np.array_equal(
            np.asarray(mask).astype(int).reshape(len(lengths), -1).sum(axis=1), lengths
        ),
    )
    ending = rng.integers(1, S + 3, size=B + 1)
    return [
        Case(
            "lengths 2 and 3, by hand",
            (np.array([2, 3]), 3),
            "The third position of the first sentence is padding. The shape is (2, 1, 1, 3).",
            expected=by_hand,
        ),
        Case("random lengths", drawn(B, S + 2),
             "Compare each position with the length: the real positions are 0 to length - 1.",
             properties=(counted,)),
        Case("padding after every sentence", (ending, S + 6),
             "The width of the mask is `longest`, although every sentence is shorter."),
        Case("an empty sentence", (np.array([0, 4, 1]), 5),
             "A sentence of length 0 has no real position, so its row is False throughout."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
