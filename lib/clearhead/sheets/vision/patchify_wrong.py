"""More wrong answers of 13.patchify."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _cut(prepare=lambda image: image, finish=lambda patches, image: patches, otherwise=None, step=None):
    """Return patchify with other pixels, another end, another refusal, or patches that overlap."""

    def answer(image, P):
        rows, columns = image.shape[0] // P * P, image.shape[1] // P * P
        if (rows, columns) != image.shape[:2] and otherwise is None:
            raise ValueError("these patches do not fill the image")
        if (rows, columns) != image.shape[:2]:
            return otherwise[0]
        x, by = prepare(image), step or P
        places = [(r, c) for r in range(0, rows - P + 1, by) for c in range(0, columns - P + 1, by)]
        return finish(np.array([x[r : r + P, c : c + P].ravel() for r, c in places]), image)

    return answer


def _width_cut_off(image, P):
    return _cut()(image[:, : image.shape[1] // P * P], P)


def _padded(image, P):
    below, beside = -image.shape[0] % P, -image.shape[1] % P
    return _cut()(np.pad(image, ((0, below), (0, beside), (0, 0))), P)


def _reshaped(axes):
    """Return patchify by a reshape and another exchange of axes."""

    def answer(image, P):
        (rows, columns, channels), right = image.shape, _cut()(image, P)
        grid = image.reshape(rows // P, P, columns // P, P, channels)
        return grid.transpose(axes).reshape(right.shape)

    return answer


def _in_p_parts(image, P):
    _cut()(image, P)  # refuses what does not fit
    rows = np.array_split(image, P, axis=0)
    return np.stack([part.ravel() for row in rows for part in np.split(row, P, axis=1)])


def _width_first(image, P):
    (rows, columns, channels), right = image.shape, _cut()(image, P)
    grid = image.reshape(columns // P, P, rows // P, P, channels)
    return grid.swapaxes(1, 2).reshape(right.shape)


def _squares(image, P, rows, columns):
    _cut()(image, P)  # refuses what does not fit
    found = [image[r * P : r * P + P, c * P : c * P + P] for r in range(rows) for c in range(columns)]
    return np.array([square.ravel() for square in found])


def _whole_squares(gather):
    """Return an answer that takes the squares that fit, leaves the rest out, and gathers them."""

    def answer(image, P):
        rows, columns = image.shape[0] // P, image.shape[1] // P
        places = [(r * P, c * P) for r in range(rows) for c in range(columns)]
        return gather([image[r : r + P, c : c + P].ravel() for r, c in places])

    return answer


MORE = (
    Mistake(
        "one_step_at_a_time",
        _cut(step=1),
        "Your patches overlap: they move on by one pixel. They stand side by side: move on by P.",
    ),
    Mistake(
        "first_channel_alone",
        _cut(lambda image: image[..., :1]),
        "You kept the first channel alone. Each pixel keeps all of them.",
    ),
    Mistake(
        "whole_numbers",
        _cut(lambda image: image.astype(int)),
        "Your patches hold whole numbers, so all decimals are cut off. Make a float array.",
    ),
    Mistake(
        "standardized",
        _cut(lambda image: (image - image.mean()) / image.std()),
        "You standardized the image. The numbers stay as they are.",
    ),
    Mistake(
        "mirrored",
        _cut(lambda image: image[:, ::-1]),
        "Your image is mirrored. Read each row from left to right.",
    ),
    Mistake(
        "upside_down",
        _cut(lambda image: image[::-1]),
        "Your image stands upside down. Begin with the top row.",
    ),
    Mistake(
        "patches_in_columns",
        _cut(finish=lambda patches, image: patches.T),
        "Your patches stand in columns. A patch is a row.",
    ),
    Mistake(
        "first_patch_alone",
        _cut(finish=lambda patches, image: patches[:1]),
        "Only the first patch came back. Does your return stand inside the loop?",
    ),
    Mistake(
        "padded_with_zeros",
        _padded,
        "Where patches do not fill the image you added zeros at its edge. Raise a ValueError.",
    ),
    Mistake(
        "edge_left_out",
        _whole_squares(np.array),
        "Where patches do not fill the image you leave the rest out. Test R % P and C % P, and raise a "
        "ValueError.",
    ),
    Mistake(
        "edge_left_out_where_a_patch_fits",
        _whole_squares(np.stack),
        "You leave the edge out where one patch fits at least. Raise a ValueError there as well: test R % P "
        "and C % P.",
    ),
    Mistake(
        "width_never_checked",
        _width_cut_off,
        "You refuse rows that do not fit, but cut off columns. Raise a ValueError.",
    ),
    Mistake(
        "none_in_place_of_a_refusal",
        _cut(otherwise=[None]),
        "Where patches do not fill the image you return None. Raise a ValueError.",
    ),
    Mistake(
        "text_in_place_of_a_refusal",
        _cut(otherwise=["ValueError"]),
        'You returned a text. Raise the error: raise ValueError("...").',
    ),
    Mistake(
        "first_two_axes_exchanged",
        _reshaped((1, 0, 2, 3, 4)),
        "You exchanged the row of patches with the row inside the patch. Bring the row and the column "
        "of patches together: exchange the second axis with the third.",
    ),
    Mistake(
        "columns_exchanged_among_themselves",
        _reshaped((0, 1, 3, 2, 4)),
        "You exchanged the column of patches with the column inside the patch. Bring the row and the "
        "column of patches together: exchange the second axis with the third.",
    ),
    Mistake(
        "cut_into_p_parts",
        _in_p_parts,
        "You cut the image into P parts a side. Each patch has P pixels a side.",
    ),
    Mistake(
        "width_first_in_the_reshape",
        _width_first,
        "You gave the width's numbers to the first axis. The first axis is the height: (R // P, P, C // "
        "P, P, c).",
    ),
    Mistake(
        "last_row_and_column_missing",
        lambda image, P: _squares(image, P, image.shape[0] // P - 1, image.shape[1] // P - 1),
        "The last row and the last column of patches are missing: range stops before its end.",
    ),
    Mistake(
        "square_by_the_height",
        lambda image, P: _squares(image, P, image.shape[0] // P, image.shape[0] // P),
        "You used the height for both sides. The width is image.shape[1].",
    ),
    Mistake(
        "square_by_the_width",
        lambda image, P: _squares(image, P, image.shape[1] // P, image.shape[1] // P),
        "You used the width for both sides. The height is image.shape[0].",
    ),
    Mistake(
        "image_turned",
        lambda image, P: _cut()(image.swapaxes(0, 1), P),
        "You read down the columns, in the image and in each patch. Read along the rows in both.",
    ),
)
