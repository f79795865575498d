"""Pictures of small images, drawn as squares of colour with their numbers, or as grids of grey images."""

import numpy as np
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from . import style
from .picture import Picture, blank
from .words import listed, quoted

SIDE = 66
WIDEST = 400  # the width of a whole image, which a phone shows without scrolling
CLOSED = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
GREYS = 16  # shades of grey in a grid of images, besides white


def pixels(image, title=None):
    """Return a picture of a small image, with a square for each pixel in which its numbers are written.

    Parameters
    ----------
    image : (R, C) or (R, C, 1) or (R, C, 3) float
        Numbers from 0 (dark) to 255 (light); three of them are red, green and blue.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    image = np.asarray(image, dtype=float)
    grid = image[..., None] if image.ndim == 2 else image
    if grid.ndim != 3 or grid.shape[2] not in (1, 3):
        raise ValueError(
            f"image has shape {image.shape}: give (height, width), or (height, width, 3) for colours."
        )
    height, width, _ = grid.shape
    with style.styled():
        side = min(SIDE, WIDEST / width)
        figure, axes = blank(12 + side * width, 12 + side * height)
        for r in range(height):
            for c in range(width):
                _square(axes, r, c, grid[r, c])
        axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5), aspect="equal")
        axes.axis("off")
    return Picture(figure, _describe(grid), title)


def _square(axes, r, c, numbers):
    colour = np.clip(np.broadcast_to(numbers, 3) / 255, 0, 1)
    ink = "black" if colour @ [0.299, 0.587, 0.114] > 0.5 else "white"
    axes.add_patch(Rectangle((c - 0.49, r - 0.49), 0.98, 0.98, facecolor=colour, edgecolor=style.INK))
    axes.text(
        c, r, "\n".join(f"{number:g}" for number in numbers), color=ink, ha="center", va="center", fontsize=13
    )


def _describe(grid):
    height, width, channels = grid.shape
    kind = "grey numbers from 0 to 255" if channels == 1 else "red, green and blue from 0 to 255"
    rows = [
        f"row {r + 1}: " + ", ".join(" ".join(f"{number:g}" for number in pixel) for pixel in row)
        for r, row in enumerate(grid)
    ]
    return f"{height} by {width} pixels, {kind}; {listed(rows)}."


def image_grid(images, rows, columns=None, title=None):
    """Return a picture of several rows of small grey images, with a name to the left of each row.

    Parameters
    ----------
    images : (A, B, R, C) float
        A rows of B images, from 0 for paper to 1 for ink; values outside this range are drawn as 0 or 1.
    rows : list of str
        The names of the rows.
    columns : list of str, optional
        The names of the columns, written above them.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    images = np.asarray(images, dtype=float)
    if images.ndim != 4 or len(rows) != len(images) or (columns and len(columns) != images.shape[1]):
        raise ValueError(
            f"images has shape {images.shape}, with {len(rows)} names of rows"
            f"{f' and {len(columns)} of columns' if columns else ''}: give (A, B, R, C), A names, B names."
        )
    many, each, height, width = images.shape
    above = 30 if columns else 4
    sheet = np.full((many * (height + 1), each * (width + 1)), -1)
    for (a, b), _ in np.ndenumerate(images[..., 0, 0]):
        top, left = a * (height + 1), b * (width + 1)
        sheet[top : top + height, left : left + width] = np.rint(GREYS * np.clip(images[a, b], 0, 1))
    with style.styled():
        margin = 8 + 7.5 * max(map(len, rows))
        scale = 520 / sheet.shape[1]
        figure, axes = blank(margin + 520, above + scale * sheet.shape[0])
        for a, b in np.ndindex(many, each):
            place = b * (width + 1), a * (height + 1)
            axes.add_patch(Rectangle(place, width, height, facecolor="white", edgecolor="none"))
        for grey in range(1, GREYS + 1):
            squares = [_unit_square(c, r) for r, c in np.argwhere(sheet == grey)]
            if squares:
                colour = str(1 - grey / GREYS)
                inked = Path.make_compound_path(*squares)
                axes.add_patch(PathPatch(inked, facecolor=colour, edgecolor=colour, linewidth=0.3))
        for a, name in enumerate(rows):
            axes.text(-1, a * (height + 1) + height / 2, name, ha="right", va="center", fontsize=13)
        for b, name in enumerate(columns or []):
            axes.text(b * (width + 1) + width / 2, -0.6, name, ha="center", va="bottom", fontsize=13)
        axes.set(
            xlim=(-margin / scale, sheet.shape[1]), ylim=(sheet.shape[0], -above / scale), aspect="equal"
        )
        axes.axis("off")
    of = f", under {listed([quoted(name) for name in columns])}" if columns else ""
    size = f"each of {height} by {width} pixels"
    described = f"Rows of {each} images, {size}: {listed([quoted(name) for name in rows])}{of}."
    return Picture(figure, described, title)


def _unit_square(c, r):
    return Path([(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1), (c, r)], CLOSED)
