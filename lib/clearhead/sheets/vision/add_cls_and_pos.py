"""Cases of 13.add_cls_and_pos."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    B, N, D = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    x, cls, positions = rng.normal(size=(N, D)), rng.normal(size=D), rng.normal(size=(N + 1, D))
    batch = rng.normal(size=(B, N, D))
    return [
        Case(
            "two patches, by hand",
            (np.array([[1.0, 2], [3, 4]]), np.array([5.0, 6]), np.array([[0.1, 0], [0.2, 0], [0.3, 0]])),
            "The class token comes first, then the patches. Each of these three tokens gets one row "
            "of the positions.",
            expected=np.array([[5.1, 6.0], [1.2, 2.0], [3.3, 4.0]]),
        ),
        Case(
            "one image",
            (x, cls, positions),
            "Row 0 of the positions belongs to the class token, and the other rows belong to the "
            "patches in their order.",
        ),
        Case(
            "a batch of images",
            (batch, cls, positions),
            "Every image gets the same class token and the same positions.",
        ),
        Case(
            "positions of zeros",
            (batch[1:], cls, 0 * positions),
            "The positions are 0 here, so only the class token is added.",
        ),
        Case("one patch", (x[:1], cls, positions[:2]), "One patch gives two tokens."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
