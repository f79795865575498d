"""Cases of 01.image_to_vector."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import TINY, random_image

_KEEPS_ALL = ("no number is lost or new", lambda vector, *image: sorted(vector) == sorted(image[0].ravel()))


def cases(rng):
    image = random_image(rng)
    look = "read like a page: row by row; and for each pixel its channels, side by side."
    return [
        Case("two pixels, worked by hand", (TINY.copy(),), look, expected=np.array([1, 2, 3, 4, 5, 6])),
        Case("a colour image", (image,), look, 2, properties=(_KEEPS_ALL,)),
        Case("a grey image, one channel", (random_image(rng, 1),), look, properties=(_KEEPS_ALL,)),
        Case(
            "channels moved to the end with transpose: not in one piece in memory",
            (rng.integers(10_000, size=(3, 5, 4)).transpose(1, 2, 0),),
            "ask for the order that you see when you index, image[r, c, k], not for the order in memory.",
            properties=(_KEEPS_ALL,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
