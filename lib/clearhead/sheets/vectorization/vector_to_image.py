"""Cases of 01.vector_to_image."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.vectors import image_to_vector

from .shared import TINY, random_image


def cases(rng):
    round_trip = (
        "image_to_vector turns the image back into the same vector",
        lambda image, vector, height, width: np.array_equal(image_to_vector(image), vector),
    )
    look = (
        "The vector begins with the channels of the first pixel, followed by those of its neighbour to "
        "the right."
    )
    colour, grey, four = random_image(rng), random_image(rng, 1), random_image(rng, 10, 10_000)
    return [
        Case(
            "one row of two pixels, worked by hand",
            (np.array([1, 2, 3, 4, 5, 6]), 1, 2),
            "The first pixel is (1, 2, 3).",
            expected=TINY,
        ),
        Case(
            "a colour image", (image_to_vector(colour), *colour.shape[:2]), look, 2, properties=(round_trip,)
        ),
        Case(
            "a grey image, one channel",
            (image_to_vector(grey), *grey.shape[:2]),
            "The number of channels follows from the length of the vector: len(vector) // (height * width).",
            properties=(round_trip,),
        ),
        Case(
            "ten channels, as in a satellite image",
            (image_to_vector(four), *four.shape[:2]),
            "The number of channels follows from the length of the vector: len(vector) // (height * width).",
            properties=(round_trip,),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
