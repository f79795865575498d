"""13.patchify: Cut an image into patches."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vision import patchify

from .drivers import patches_or_refusal
from .num_patches import num_patches
from .patchify_wrong import MORE
from .shared import sizes


def _filling(cut):
    """Return an answer that refuses bad sizes and cuts in a way of its own."""

    def answer(image, P):
        num_patches(image.shape[0], image.shape[1], P)
        return cut(image, P)

    return answer


def _by_loop(image, P, order="rc"):
    rows, columns = range(0, image.shape[0], P), range(0, image.shape[1], P)
    places = (
        [(r, c) for r in rows for c in columns] if order == "rc" else [(r, c) for c in columns for r in rows]
    )
    return np.array([image[r : r + P, c : c + P].ravel() for r, c in places])


def _six_axes(image, P):
    rows, columns, channels = image.shape
    return image.reshape(rows // P, P, columns // P, P, channels)


def _by_index(image, P):
    rows, columns, channels = image.shape
    N = (rows // P) * (columns // P)
    n, i, j = np.ogrid[:N, :P, :P]
    return image[n // (columns // P) * P + i, n % (columns // P) * P + j].reshape(N, P * P * channels)


def _flat(squares, image, P):
    return squares.reshape(-1, P * P * image.shape[2])


REFUSED = "a ValueError is raised"


def _image_cases(rng):
    P, r, c, channels = sizes(rng)
    image = rng.normal(size=(r * P, c * P, channels))
    grey = rng.normal(size=(2 * P, 3 * P, 1))
    all_pixels = (
        "every number of the image is there once",
        lambda out, image, P: np.allclose(np.sort(np.ravel(out)), np.sort(image.ravel())),
    )
    hand = [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]]
    look = "Which pixels stand in the first patch, and in which order?"
    return [
        Case(
            "4 by 6 pixels, by hand",
            (np.arange(24.0).reshape(4, 6, 1), 2),
            "The first patch is 0, 1, 6, 7: a square, read row by row. The second stands to its right.",
            expected=np.array(hand, dtype=float),
        ),
        Case("grey", (grey, P), look, properties=(all_pixels,)),
        Case("grey, higher than wide", (grey.reshape(3 * P, 2 * P, 1), P), look, properties=(all_pixels,)),
        Case("with channels", (image, P), "The channels of a pixel stay together, innermost.",
             properties=(all_pixels,)),
        Case("one patch", (rng.normal(size=(4, 4, channels)), 4), "One row: the whole image."),
        Case("rows that do not fit", (np.ones((5, 8, 4)), 2), "Raise a ValueError.", expected=REFUSED),
        Case("columns that do not fit", (np.ones((8, 5, 4)), 2), "Raise a ValueError.", expected=REFUSED),
        Case("an image lower than a patch", (np.ones((2, 8, 1)), 4), "Raise a ValueError.",
             expected=REFUSED),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.patchify",
    title="Cut an image into patches",
    reference=patchify,
    cases=_image_cases,
    hints=(
        "One reshape cuts strips. Give rows and columns two axes each: which patch, and where in it.",
        "image.reshape(rows // P, P, columns // P, P, channels), then bring the two patch axes together.",
        "image.reshape(R // P, P, C // P, P, c).swapaxes(1, 2).reshape(-1, P * P * c), after a test of R % P "
        "and C % P.",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_swap",
            _filling(lambda image, P: _flat(image, image, P)),
            "You cut strips, not squares: reshape alone keeps the reading order of the whole image. Exchange "
            "axes before you join them.",
        ),
        Mistake(
            "columns_first",
            _filling(lambda image, P: _by_loop(image, P, "cr")),
            "Your patches run down the columns. Read them like text: from left to right, then the next row.",
        ),
        Mistake(
            "patch_transposed",
            _filling(lambda image, P: _flat(_six_axes(image, P).transpose(0, 2, 3, 1, 4), image, P)),
            "Inside each patch you read down the columns. Its pixels go row by row as well.",
        ),
        Mistake(
            "channels_first",
            _filling(lambda image, P: _flat(_six_axes(image, P).transpose(0, 2, 4, 1, 3), image, P)),
            "You put all pixels of one channel first. Here the channels of a pixel stay together.",
        ),
        Mistake(
            "grid_and_patch_swapped",
            _filling(
                lambda image, P: _flat(
                    image.reshape(P, len(image) // P, P, image.shape[1] // P, -1).transpose(1, 3, 0, 2, 4),
                    image,
                    P,
                )
            ),
            "You took every n-th pixel: in the reshape, the number of patches comes before P, not after it.",
        ),
        Mistake(
            "left_in_a_grid",
            _filling(lambda image, P: patchify(image, P).reshape(len(image) // P, image.shape[1] // P, -1)),
            "Your patches are right, but in a grid. A sentence has one axis of tokens: join the first two.",
        ),
        Mistake(
            "squares_not_flattened",
            _filling(lambda image, P: patchify(image, P).reshape(-1, P, P, image.shape[2])),
            "Your patches are right, but still square. Each is one vector of P · P · c numbers.",
        ),
        Mistake(
            "edge_cut_off",
            lambda image, P: patchify(
                image[: image.shape[0] // P * P, : image.shape[1] // P * P], P
            ),
            "Where patches do not fill the image you cut the rest off. Raise a ValueError.",
        ),
        Mistake(
            "pieces_of_a_low_image",
            _by_loop,
            "Of an image lower than a patch you return pieces that are smaller than P × P. Test both sides "
            "yourself, and raise a ValueError.",
        ),
        Mistake(
            "left_to_reshape",
            lambda image, P: _flat(
                image.reshape(-1, P, image.shape[1] // P, P, image.shape[2]).swapaxes(1, 2), image, P
            ),
            "You left it to reshape to refuse. With a -1 in it, reshape finds another way to fit some sizes, "
            "and mixes the pixels in silence. Test both sides yourself.",
        ),
        Mistake(
            "divided_by_255",
            lambda image, P: patchify(image, P) / 255,
            "You divided by 255. The numbers stay as they are.",
        ),
        Mistake(
            "channels_averaged",
            lambda image, P: patchify(np.mean(image, axis=-1, keepdims=True), P),
            "You averaged the channels. Each pixel keeps all of them.",
        ),
        Mistake(
            "last_patch_first",
            lambda image, P: patchify(image, P)[::-1],
            "The patches stand from back to front. Read the image like a page.",
        ),
        Mistake(
            "mean_of_each_patch",
            lambda image, P: patchify(image, P).mean(axis=1, keepdims=True),
            "You took the mean of each patch. Keep all its numbers, in one row.",
        ),
        Mistake(
            "first_pixel_alone",
            lambda image, P: patchify(image, P)[:, : image.shape[2]],
            "Only the first pixel of each patch is left. Keep all P · P.",
        ),
        *MORE,
    ),
    alternatives=(_filling(_by_loop), _filling(_by_index)),
    stars=2,
    minutes=15,
    driver=patches_or_refusal,
)  # fmt: skip
