"""Small images, drawn as squares of colour with their numbers."""

import numpy as np
from matplotlib.patches import Rectangle

from . import style
from .picture import Picture, blank
from .words import listed

SIDE = 66
WIDEST = 400  # of all of them: on a phone it need not scroll


def pixels(image, title=None):
    """Return a picture of a small image: one square for each pixel, with its numbers written on it.

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
