"""Cases of 13.patch_embed_linear."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def cases(rng):
    P, r, c, channels = sizes(rng)
    D = int(rng.integers(6, 9))
    image, kernel = rng.normal(size=(r * P, c * P, channels)), rng.normal(size=(D, channels, P, P))
    grey, plain = rng.normal(size=(2 * P, 3 * P, 1)), rng.normal(size=(D, 1, P, P))
    bias, look = (
        rng.normal(size=D),
        ("Move the axes of the kernel so that its entries are in the same order as the entries of a patch."),
    )
    counting_kernel = np.array([[[[1.0, 10.0], [100.0, 1000.0]]]])
    return [
        Case(
            "one patch and one output, by hand",
            (np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), counting_kernel, np.array([0.5])),
            "1 · 1 + 2 · 10 + 3 · 100 + 4 · 1000 + 0.5",
            expected=np.array([[4321.5]]),
        ),
        Case("a grey image", (grey, plain, bias), look),
        Case(
            "an image with several channels",
            (image, kernel, bias),
            "In a patch the channel is the last axis, but in the kernel it is the second one.",
        ),
        Case("a bias of zeros", (image, kernel, np.zeros(D)), look),
    ]


EXERCISE = exercise_from_text(__file__, cases)
