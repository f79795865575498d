"""01.vector_to_image: And back."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vectors import image_to_vector, vector_to_image

from .shared import TINY, random_image


def _image_by_loop(vector, height, width):
    channels = len(vector) // (height * width)
    image = np.zeros((height, width, channels))
    for place, number in enumerate(vector):
        pixel, k = divmod(place, channels)
        image[pixel // width, pixel % width, k] = number
    return image


def _to_image_cases(rng):
    round_trip = (
        "made into a vector again, it is the same vector",
        lambda image, vector, height, width: np.array_equal(image_to_vector(image), vector),
    )
    look = "the first numbers are the channels of the first pixel; then comes its neighbour to the right."
    colour, grey, four = random_image(rng), random_image(rng, 1), random_image(rng, 10, 10_000)
    return [
        Case(
            "one row of two pixels, worked by hand",
            (np.array([1, 2, 3, 4, 5, 6]), 1, 2),
            "the first pixel is (1, 2, 3).",
            expected=TINY,
        ),
        Case(
            "a colour image", (image_to_vector(colour), *colour.shape[:2]), look, 2, properties=(round_trip,)
        ),
        Case(
            "a grey image, one channel",
            (image_to_vector(grey), *grey.shape[:2]),
            "the number of channels is what remains: len(vector) // (height * width).",
            properties=(round_trip,),
        ),
        Case(
            "ten channels, as a satellite has",
            (image_to_vector(four), *four.shape[:2]),
            "the number of channels is what remains: len(vector) // (height * width).",
            properties=(round_trip,),
        ),
    ]


EXERCISE = Exercise(
    "01.vector_to_image",
    "And back",
    vector_to_image,
    _to_image_cases,
    hints=(
        "Undo what you did: the same order, cut into pixels and rows. How many channels are there?",
        "reshape can find one size by itself: write -1 for it.",
        "The shape is (height, width, -1).",
    ),
    mistakes=(
        Mistake(
            "height_and_width_swapped",
            lambda vector, height, width: vector.reshape(width, height, -1),
            "You cut the line into rows of `height` pixels. A row has `width` pixels, and there are "
            "`height` rows.",
        ),
        Mistake(
            "swapped_then_turned",
            lambda vector, height, width: vector.reshape(width, height, -1).transpose(1, 0, 2),
            "The shape is right now, but the rows were cut at the wrong places before you turned it. "
            "Cut into (height, width) at once.",
        ),
        Mistake(
            "channels_first",
            lambda vector, height, width: vector.reshape(-1, height, width),
            "Your channels come first. Here they come last, and the numbers of one pixel are neighbours.",
        ),
        Mistake(
            "colours_read_as_planes",
            lambda vector, height, width: vector.reshape(-1, height, width).transpose(1, 2, 0),
            "You read the line as all reds, then all greens, then all blues. The shape fits, the colours do "
            "not.",
        ),
        Mistake(
            "always_three_channels",
            lambda vector, height, width: vector.reshape(height, width, 3),
            "Not every image has three channels. Let reshape find their number: -1.",
        ),
        Mistake(
            "first_axis_fastest",
            lambda vector, height, width: vector.reshape((height, width, -1), order="F"),
            'The first axis runs fastest, as with order "F" or after .T. The channel must: leave these out.',
        ),
        Mistake(
            "channels_in_one_row",
            lambda vector, height, width: vector.reshape(height, -1),
            "You made a row of each line of the image. Pixel and channel need an axis each: (height, "
            "width, channels).",
        ),
        Mistake(
            "an_axis_of_one_dropped",
            lambda vector, height, width: np.squeeze(np.reshape(vector, (height, width, -1))),
            "An axis of size 1 is missing: a grey image has one channel, and an image of one row has "
            "one row. Do not squeeze.",
        ),
        Mistake(
            "decimals_cut",
            lambda vector, height, width: vector_to_image(vector, height, width).astype(int),
            "You made whole numbers of the numbers, and their decimals are lost. Keep them as they are.",
        ),
        Mistake(
            "made_into_bytes",
            lambda vector, height, width: vector_to_image(vector, height, width).astype(np.uint8),
            "You made bytes (uint8) of the numbers: these end at 255. Keep the numbers as they are.",
        ),
    ),
    alternatives=(
        _image_by_loop,
        lambda vector, height, width: np.stack(np.split(vector.reshape(height, -1), width, axis=1), axis=1),
    ),
    stars=1,
    minutes=5,
)
