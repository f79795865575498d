"""Pictures of an image with the attention maps of one or more models beside it."""

import numpy as np
from matplotlib.patches import Rectangle

from . import style
from .picture import Picture
from .words import listed, number, quoted

SIDE = 150


def image_maps(image, maps, names, shows="An image", title=None):
    """Return a picture of a small colour image and of attention weights on its patches, side by side.

    Parameters
    ----------
    image : (R, C, 3) float
        Red, green and blue from 0 to 1.
    maps : (M, r, c) float
        For each of M maps, one weight for each patch of a grid.
    names : list of str
        A short name for each map, written above it.
    shows : str
        A description of the image, for readers who do not see it.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    image, maps = np.clip(np.asarray(image, dtype=float), 0, 1), np.asarray(maps, dtype=float)
    if image.ndim != 3 or image.shape[2] != 3 or maps.ndim != 3 or len(maps) != len(names):
        raise ValueError(
            f"image has shape {image.shape}, maps {maps.shape}, and there are {len(names)} names: "
            "give (R, C, 3), (M, r, c) and M names."
        )
    with style.styled():
        description = f"{shows}. Attention weights on its patches: {_describe(maps, names)}."
        return Picture(_draw(image, maps, names), description, title)


def _draw(image, maps, names):
    from matplotlib.figure import Figure

    size = ((SIDE + 16) * (1 + len(maps)) / 72, (SIDE + 30) / 72)
    figure = Figure(figsize=size, layout="constrained")
    first, *others = figure.subplots(1, 1 + len(maps))
    for (r, c), _ in np.ndenumerate(image[..., 0]):
        first.add_patch(Rectangle((c - 0.5, r - 0.5), 1, 1, facecolor=image[r, c]))
    for axes, A in zip(others, maps, strict=True):
        for (r, c), weight in np.ndenumerate(A):
            tint = style.STRONGEST * float(np.clip(weight, 0, 1))
            edge = {"edgecolor": (style.WEIGHT, 0.35), "linewidth": 0.6}
            axes.add_patch(
                Rectangle((c - 0.48, r - 0.48), 0.96, 0.96, facecolor=(style.WEIGHT, tint), **edge)
            )
            axes.text(c, r, number(weight), ha="center", va="center", fontsize=13)
    grids = [image[..., 0], *maps]
    for axes, grid, title in zip((first, *others), grids, ["The image", *names], strict=True):
        height, width = grid.shape
        axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5), aspect="equal", title=title)
        axes.axis("off")
    return figure


def _describe(maps, names):
    said = []
    for name, A in zip(names, maps, strict=True):
        (r, c), (s, d) = (np.unravel_index(place, A.shape) for place in (A.argmax(), A.argmin()))
        most, least = number(A.max()), number(A.min())
        said.append(
            f"{quoted(name)} most in row {r + 1}, column {c + 1} ({most}), "
            f"and least in row {s + 1}, column {d + 1} ({least})"
        )
    return listed(said)
