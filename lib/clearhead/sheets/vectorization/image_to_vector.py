"""Cases of 01.image_to_vector."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import TINY, random_image

_KEEPS_ALL = (
    "the vector holds exactly the entries of the image",
    lambda vector, *image: sorted(vector) == sorted(image[0].ravel()),
)


def cases(rng):
    image = random_image(rng)
    look = (
        "Read the image as you would read a page, row by row and from left to right. Each pixel "
        "contributes all its channels, one after the other."
    )
    return [
        Case("two pixels, worked by hand", (TINY.copy(),), look, expected=np.array([1, 2, 3, 4, 5, 6])),
        Case("a colour image", (image,), look, 2, properties=(_KEEPS_ALL,)),
        Case("a grey image, one channel", (random_image(rng, 1),), look, properties=(_KEEPS_ALL,)),
        Case(
            "an image whose channels were moved to the last axis with transpose",
            (rng.integers(10_000, size=(3, 5, 4)).transpose(1, 2, 0),),
            "The order of this array in memory differs from the order of its indices. The vector follows "
            "the indices, image[r, c, k].",
            properties=(_KEEPS_ALL,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
