"""More wrong answers of 13.unpatchify."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _put_together(axes=(0, 2, 1, 3, 4), order=lambda R, C, P: (R // P, C // P, P, P), end=lambda x: x):
    """Return unpatchify with another exchange of axes, another first shape, or another end."""

    def answer(patches, height, width, P):
        grid = patches.reshape(*order(height, width, P), -1)
        return end(grid.transpose(axes).reshape(height, width, -1))

    return answer


def _squares(patches, P):
    return [patch.reshape(P, P, -1) for patch in patches]


def _counted_by_the_height(patches, height, width, P):
    image = np.zeros((height, width, patches.shape[1] // P**2))
    for n, square in enumerate(_squares(patches, P)):
        r, c = n // (height // P) * P, n % (height // P) * P
        if r < height and c < width:
            image[r : r + P, c : c + P] = square
    return image


def _square(patches, R, C, P):
    side = int(len(patches) ** 0.5)
    return _put_together()(patches[: side * side], side * P, side * P, P)


def _side_by_root(patches, P):
    side, channels = int(len(patches) ** 0.5), patches.shape[1] // P**2
    grid = patches.reshape(side, side, P, P, channels)
    return grid.swapaxes(1, 2).reshape(side * P, side * P, channels)


def _channels_times_p(patches, R, C, P):
    channels = patches.shape[1] // P
    return patches.reshape(R // P, C // P, P, P, channels).swapaxes(1, 2).reshape(R, C, channels)


def _row_begins_at_the_height(patches, R, C, P):
    image, squares = np.zeros((R, C, patches.shape[1] // P**2)), _squares(patches, P)
    for r in range(R // P):
        for c in range(C // P):
            image[r * P : r * P + P, c * P : c * P + P] = squares[r * (R // P) + c]
    return image


def _divided_by_the_side(patches, R, C, P):
    image = np.zeros((R, C, patches.shape[1] // P**2))
    for n, square in enumerate(_squares(patches, P)):
        r, c = n // P * P, n % P * P
        if r < R and c < C:
            image[r : r + P, c : c + P] = square
    return image


MORE = (
    Mistake(
        "rows_and_columns_of_patches_exchanged",
        _put_together((1, 0, 2, 3, 4)),
        "You exchanged the rows of patches with their columns. Exchange the second axis with the third.",
    ),
    Mistake(
        "rows_and_columns_of_pixels_exchanged",
        _put_together((0, 1, 3, 2, 4)),
        "You exchanged rows and columns inside the patches. Exchange the second axis with the third.",
    ),
    Mistake(
        "shape_of_patchify",
        _put_together(order=lambda R, C, P: (R // P, P, C // P, P)),
        "You used the shape with which the image was cut. Patches come as (R/P, C/P, P, P, c).",
    ),
    Mistake(
        "patch_axes_first",
        _put_together(order=lambda R, C, P: (P, P, R // P, C // P)),
        "You put the axes of a patch first. Patches come first: (R/P, C/P, P, P, c).",
    ),
    Mistake(
        "mirrored",
        _put_together(end=lambda image: image[:, ::-1]),
        "The image is mirrored.",
    ),
    Mistake(
        "channels_averaged",
        _put_together(end=lambda image: image.mean(axis=-1, keepdims=True)),
        "You averaged the channels. Each pixel keeps all of them.",
    ),
    Mistake(
        "channels_in_front",
        _put_together(end=lambda image: np.moveaxis(image, -1, 0)),
        "The pixels are right, but channels come first. The image has shape (height, width, channels).",
    ),
    Mistake(
        "image_turned",
        _put_together(end=lambda image: image.swapaxes(0, 1)),
        "Rows and columns of the image are exchanged.",
    ),
    Mistake(
        "left_in_a_grid",
        lambda patches, R, C, P: patches.reshape(R // P, C // P, P, P, -1).swapaxes(1, 2),
        "The pixels are in order, but five axes are left. Reshape to (height, width, channels) at the end.",
    ),
    Mistake(
        "all_in_one_row",
        lambda patches, R, C, P: np.hstack(_squares(patches, P)),
        "All your patches stand side by side. There are width // P in a row.",
    ),
    Mistake(
        "all_in_one_column",
        lambda patches, R, C, P: np.vstack(_squares(patches, P)),
        "All your patches stand one below the other. There are width // P in a row.",
    ),
    Mistake(
        "moved_on_by_one",
        lambda patches, R, C, P: _put_together()(np.roll(patches, 1, axis=0), R, C, P),
        "Your patches stand one place too late, and the last one came first. The first one is the corner at "
        "the top left.",
    ),
    Mistake(
        "always_one_channel",
        lambda patches, R, C, P: patches.reshape(R // P, C // P, P, P, 1).swapaxes(1, 2).reshape(R, C, 1),
        "Not every image has one channel. Their number is patches.shape[1] // (P * P).",
    ),
    Mistake(
        "width_first_in_the_grid",
        _put_together(order=lambda R, C, P: (C // P, R // P, P, P)),
        "Your grid has C/P rows of R/P patches. Make R/P rows of C/P: the height comes first.",
    ),
    Mistake(
        "grid_of_patches_turned",
        _put_together((1, 2, 0, 3, 4)),
        "You moved the first axis, the rows of patches, to the third place. It stays first: exchange the "
        "second axis with the third alone.",
    ),
    Mistake(
        "rows_counted_by_the_height",
        _counted_by_the_height,
        "You divided the patch's number by height // P. A row has width // P patches: n // (width // P) "
        "is the row, n % (width // P) the column.",
    ),
    Mistake(
        "always_a_square",
        _square,
        "You took the grid for a square, with the root of the number of patches on a side. It has "
        "height // P rows of width // P patches.",
    ),
    Mistake(
        "height_and_width_exchanged_at_the_end",
        lambda patches, R, C, P: _put_together()(patches, R, C, P).reshape(C, R, -1),
        "The pixels are in order, but the last reshape has width before height. The image has the shape "
        "(height, width, channels).",
    ),
    Mistake(
        "second_axis_with_the_fourth",
        _put_together((0, 3, 2, 1, 4)),
        "You exchanged the second axis with the fourth. The row in the patch must come beside the row "
        "of patches: exchange the second with the third.",
    ),
    Mistake(
        "a_square_with_the_width_of_its_root",
        lambda patches, R, C, P: _side_by_root(patches, P),
        "You took the grid for a square, with the root of the number of patches on a side. It has height "
        "// P rows of width // P patches.",
    ),
    Mistake(
        "channels_times_p",
        _channels_times_p,
        "You divided by P once for the number of channels. It is patches.shape[1] // (P * P).",
    ),
    Mistake(
        "row_begins_at_the_height",
        _row_begins_at_the_height,
        "You counted height // P patches in a row. There are width // P: row * (width // P) + column.",
    ),
    Mistake(
        "whole_numbers",
        _put_together(end=lambda image: image.astype(int)),
        "Your image holds whole numbers, so all decimals are cut off. Make a float array.",
    ),
    Mistake(
        "divided_by_the_side_of_a_patch",
        _divided_by_the_side,
        "You divided the patch's number by P. A row has width // P patches: n // (width // P) and "
        "n % (width // P).",
    ),
)
