"""13.unpatchify: Put the image together again."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import vision
from clearhead.maths.vision import patchify

from .shared import sizes
from .unpatchify_wrong import MORE


def unpatchify(patches, height, width, P):
    """Return the image (R, C, c) that was cut into patches (N, P·P·c)."""
    return vision.unpatchify(patches, height, width, P)


def _from_grid(axes, first=lambda R, C, P: (R // P, C // P, P, P)):
    """Return an answer that reshapes, exchanges axes and flattens."""

    def answer(patches, height, width, P):
        grid = patches.reshape(*first(height, width, P), -1)
        return grid.transpose(*axes).reshape(height, width, -1)

    return answer


def _square_by_square(patches, height, width, P):
    channels = patches.shape[1] // P**2
    image = np.zeros((height, width, channels))
    for n, patch in enumerate(patches):
        r, c = n // (width // P) * P, n % (width // P) * P
        image[r : r + P, c : c + P] = patch.reshape(P, P, channels)
    return image


def _back_cases(rng):
    P, r, c, channels = sizes(rng)
    image = rng.normal(size=(r * P, c * P, channels))
    grey, square = rng.normal(size=(8 * P, 2 * P, 1)), rng.normal(size=(4, 4, channels))
    back = (
        "patchify makes the patches of it again",
        lambda out, patches, height, width, P: np.allclose(vision.patchify(np.asarray(out), P), patches),
    )
    return [
        Case(
            "six patches, by hand",
            (patchify(np.arange(24.0).reshape(4, 6, 1), 2), 4, 6, 2),
            "The first row of the image holds the upper halves of the first three patches.",
            expected=np.arange(24.0).reshape(4, 6, 1),
        ),
        Case("grey", (patchify(grey, P), 8 * P, 2 * P, P), "Undo the steps of patchify in reverse order.",
             properties=(back,)),
        Case("with channels", (patchify(image, P), r * P, c * P, P), "The channels are the innermost axis.",
             properties=(back,)),
        Case("one patch", (patchify(square, 4), 4, 4, 4), "The patch is the image."),
    ]  # fmt: skip


def _in_three_channels(patches, height, width, P):
    grid = patches.reshape(height // P, width // P, P, P, 3)
    return grid.swapaxes(1, 2).reshape(height, width, 3)


EXERCISE = Exercise(
    id="13.unpatchify",
    title="Put the image together again",
    reference=unpatchify,
    cases=_back_cases,
    hints=(
        "Do the steps of patchify backwards: split the axes, exchange two of them, join.",
        "patches.reshape(R // P, C // P, P, P, c): which axis must stand beside which, before you join?",
        "patches.reshape(R // P, C // P, P, P, -1).swapaxes(1, 2).reshape(R, C, -1)",
    ),
    mistakes=(
        Mistake(
            "reshaped_without_swap",
            lambda patches, height, width, P: patches.reshape(height, width, -1),
            "A reshape alone lays the patches out as strips. Exchange axes before you join them.",
        ),
        Mistake(
            "grid_turned",
            _from_grid((1, 2, 0, 3, 4), lambda R, C, P: (C // P, R // P, P, P)),
            "You put the patches down the columns. They come in reading order: along the first row first.",
        ),
        Mistake(
            "patch_transposed",
            _from_grid((0, 3, 1, 2, 4)),
            "Each patch came back with rows and columns exchanged.",
        ),
        Mistake(
            "channels_first",
            lambda patches, height, width, P: (
                patches.reshape(height // P, width // P, -1, P, P)
                .transpose(0, 3, 1, 4, 2)
                .reshape(height, width, -1)
            ),
            "You read each patch channel after channel. In a patch, the channels of a pixel stand together.",
        ),
        Mistake(
            "height_and_width_exchanged",
            lambda patches, height, width, P: unpatchify(patches, width, height, P),
            "Your image has width rows and height columns: exchange the two.",
        ),
        Mistake(
            "flattened",
            lambda patches, height, width, P: unpatchify(patches, height, width, P).ravel(),
            "The pixels are right, but in one long row. Give them their shape (height, width, channels).",
        ),
        Mistake(
            "channel_axis_dropped",
            lambda patches, height, width, P: unpatchify(patches, height, width, P)[..., 0],
            "You kept one channel, without its axis. The image has shape (height, width, channels).",
        ),
        Mistake(
            "last_patch_first",
            lambda patches, height, width, P: unpatchify(patches[::-1], height, width, P),
            "You took the patches from back to front. The first one is the corner at the top left.",
        ),
        Mistake(
            "upside_down",
            lambda patches, height, width, P: unpatchify(patches, height, width, P)[::-1],
            "The image stands upside down.",
        ),
        Mistake(
            "always_three_channels",
            _in_three_channels,
            "Not every image has three channels. Their number is patches.shape[1] // (P * P).",
        ),
        *MORE,
    ),
    alternatives=(_square_by_square, _from_grid((0, 2, 1, 3, 4))),
    stars=2,
    minutes=15,
)  # fmt: skip
