"""Vectors in the plane, drawn as arrows from the origin or as points."""

import numpy as np

from . import style
from .picture import Picture, blank
from .words import listed, number, quoted

MEANINGS = {name: light for name, (light, _) in style.PALETTE.items()} | {"plain": style.INK}
AXES_POINTS, LETTER_POINTS, LINE_POINTS = 320, 7, 16  # the approximate width of axes and letters; line height
#: The possible positions of a name beside the end of its vector: shifts to the right and up, and alignment.
PLACES = [
    (8, 7, "left"),
    (-8, 7, "right"),
    (8, -9, "left"),
    (-8, -9, "right"),
    (0, 15, "center"),
    (0, -17, "center"),
]


def plane(points, labels, meanings=None, arrows=True, title=None):
    """Return a picture of two-dimensional vectors, as arrows from the origin or as points.

    Parameters
    ----------
    points : (S, 2) float
        One vector per row.
    labels : list of str
        A name for each vector.
    meanings : list of str, optional
        The kind of each vector, which decides its colour: "query", "key", "value", "weight" or "plain".
    arrows : bool
        Draw arrows from the origin; False draws points.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    points = np.atleast_2d(np.asarray(points, dtype=float))
    if points.shape != (len(labels), 2):
        raise ValueError(
            f"points has shape {points.shape}, but {len(labels)} labels need shape ({len(labels)}, 2): "
            "give one row of two numbers for each label."
        )
    colours = [MEANINGS[meaning] for meaning in meanings or ["plain"] * len(labels)]
    with style.styled():
        low, high = _reach(points)
        scale = AXES_POINTS / (high - low)[0]
        figure, axes = blank(60 + AXES_POINTS, 50 + scale * (high - low)[1])
        _frame(axes, low, high)
        taken = _lines(points * scale, arrows)
        for point, label, colour in zip(points, labels, colours, strict=True):
            _vector(axes, point, colour, arrows)
            place = _free_place(point * scale, label, taken, low[0] * scale)
            axes.annotate(
                label,
                point,
                xytext=place[:2],
                textcoords="offset points",
                ha=place[2],
                va="center",
                color=colour,
            )
    what = listed(
        f"{quoted(label)} at ({number(x)}, {number(y)})" for label, (x, y) in zip(labels, points, strict=True)
    )
    return Picture(figure, f"Vectors in the plane: {what}.", title)


def _vector(axes, point, colour, arrows):
    if arrows:
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", xy=point, xytext=(0, 0), arrowprops=arrow)
    else:
        axes.plot(*point, "o", color=colour, markersize=8)


def _lines(points, arrows):
    """Return the points along each arrow, or each dot, as one list of coordinates per point."""
    along = np.linspace(0, 1, 40) if arrows else np.ones(1)
    return [list(place) for point in points for place in along[:, None] * point]


def _free_place(end, label, taken, left):
    """Return the position at which a name covers the least, and add what it covers to `taken`."""
    width = LETTER_POINTS * len(str(label))

    def covered(place):
        x, y, side = place
        begin = end[0] + x - {"left": 0, "center": width / 2, "right": width}[side]
        box = (
            np.array([begin, end[1] + y - LINE_POINTS / 2]),
            np.array([begin + width, end[1] + y + LINE_POINTS / 2]),
        )
        inside = np.all((np.array(taken) > box[0]) & (np.array(taken) < box[1]), axis=1).sum()
        outward = (x * end[0] < 0) + (y * end[1] < 0)
        return inside + 100 * (begin < left + LETTER_POINTS), outward

    place = min(PLACES, key=covered)
    x, y, side = place
    begin = end[0] + x - {"left": 0, "center": width / 2, "right": width}[side]
    taken += [[begin + LETTER_POINTS * (i + 0.5), end[1] + y] for i in range(len(str(label)))]
    return place


def _reach(points):
    """Return the lower and upper limits of the axes, which include all vectors, the origin and a margin."""
    low, high = np.minimum(points.min(0), 0), np.maximum(points.max(0), 0)
    span = max((high - low).max(), 1e-9)
    low, high = low - 0.18 * span, high + 0.18 * span
    lacks = np.maximum((high - low).max() * np.array([1, 0.5]) - (high - low), 0)
    return low - lacks / 2, high + lacks / 2


def _frame(axes, low, high):
    """Draw the two axes."""
    axes.axhline(0, color=(style.INK, 0.35), linewidth=0.8)
    axes.axvline(0, color=(style.INK, 0.35), linewidth=0.8)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=3)
