"""Cases of 13.unpatchify."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths import vision
from clearhead.maths.vision import patchify

from .shared import sizes


def cases(rng):
    P, r, c, channels = sizes(rng)
    image = rng.normal(size=(r * P, c * P, channels))
    grey, square = rng.normal(size=(8 * P, 2 * P, 1)), rng.normal(size=(4, 4, channels))
    back = (
        "patchify turns the image back into the same patches",
        lambda out, patches, height, width, P: np.allclose(vision.patchify(np.asarray(out), P), patches),
    )
    return [
        Case(
            "six patches, by hand",
            (patchify(np.arange(24.0).reshape(4, 6, 1), 2), 4, 6, 2),
            "The first row of the image consists of the upper halves of the first three patches.",
            expected=np.arange(24.0).reshape(4, 6, 1),
        ),
        Case(
            "a grey image",
            (patchify(grey, P), 8 * P, 2 * P, P),
            "Undo the steps of patchify in the opposite order.",
            properties=(back,),
        ),
        Case(
            "an image with several channels",
            (patchify(image, P), r * P, c * P, P),
            "The channels are the last axis of a patch.",
            properties=(back,),
        ),
        Case(
            "an image that is one patch",
            (patchify(square, 4), 4, 4, 4),
            "There is only one patch, and it is the whole image.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
