"""01.image_to_vector: An image in one line."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vectors import image_to_vector

from .shared import TINY, random_image

_KEEPS_ALL = ("no number is lost or new", lambda vector, *image: sorted(vector) == sorted(image[0].ravel()))


def _pixel_by_pixel(image):
    numbers = []
    for row in image:
        for pixel in row:
            numbers.extend(pixel)
    return np.array(numbers)


def _to_vector_cases(rng):
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


EXERCISE = Exercise(
    "01.image_to_vector",
    "An image in one line",
    image_to_vector,
    _to_vector_cases,
    hints=(
        "In which order do the numbers come? Row 0 first, pixel 0 first, its red first.",
        "That is the order in which NumPy's reshape reads an array. Which shape has a vector?",
        "reshape(-1) makes one axis, as long as needed.",
    ),
    mistakes=(
        Mistake(
            "channels_first",
            lambda image: image.transpose(2, 0, 1).reshape(-1),
            "You wrote all reds, then all greens, then all blues. Here the numbers of one pixel stay "
            "together.",
        ),
        Mistake(
            "column_by_column",
            lambda image: image.transpose(1, 0, 2).reshape(-1),
            "You read down the columns. Read along the rows, like a page.",
        ),
        Mistake(
            "backwards_order",
            lambda image: image.flatten("F"),
            'The first axis runs fastest, as with order "F" or after .T. The last one must: leave these out.',
        ),
        Mistake(
            "rows_kept_apart",
            lambda image: image.reshape(len(image), -1),
            "Each row of the image is still a row. One vector has one axis: reshape(-1).",
        ),
        Mistake(
            "colours_averaged",
            lambda image: image.mean(axis=2).reshape(-1),
            "You averaged the channels, so nobody can get the colours back. Keep all numbers.",
        ),
        Mistake(
            "order_of_memory",
            lambda image: image.ravel("K"),
            'Order "K" reads as the numbers lie in memory. A transposed image lies differently: leave "K" '
            "out.",
        ),
        Mistake(
            "one_row_a_pixel",
            lambda image: np.asarray(image).reshape(-1, np.shape(image)[-1]),
            "You kept one row for each pixel. One line is asked for: join the rows, `.reshape(-1)`.",
        ),
        Mistake(
            "first_channel_alone",
            lambda image: np.asarray(image)[..., 0].reshape(-1),
            "You kept the first channel alone. All channels of a pixel stand side by side.",
        ),
        Mistake(
            "decimals_cut",
            lambda image: image_to_vector(image).astype(int),
            "You made whole numbers of the numbers, and their decimals are lost. Keep them as they are.",
        ),
        Mistake(
            "made_into_bytes",
            lambda image: image_to_vector(image).astype(np.uint8),
            "You made bytes (uint8) of the numbers: these end at 255. Keep the numbers as they are.",
        ),
    ),
    alternatives=(_pixel_by_pixel, lambda image: image.ravel(), lambda image: image.flatten()),
    stars=1,
    minutes=5,
)
