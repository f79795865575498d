"""Vectors in the plane, drawn as arrows from the origin."""

import numpy as np

from . import style
from .picture import Picture, blank
from .words import listed, number, quoted

MEANINGS = {name: light for name, (light, _) in style.PALETTE.items()} | {"plain": style.INK}
AXES_POINTS, LETTER_POINTS = 320, 7  # about how wide the axes are, and a letter


def plane(points, labels, meanings=None, arrows=True, title=None):
    """Return a picture of two-dimensional vectors, as arrows from the origin or as points.

    Parameters
    ----------
    points : (S, 2) float
        One vector a row.
    labels : list of str
        A name for each vector.
    meanings : list of str, optional
        What each vector is, which decides its colour: "query", "key", "value", "weight" or "plain".
    arrows : bool
        Draw arrows from the origin; False draws points.
    title : str, optional
        A line above the picture.
    """
    points = np.atleast_2d(np.asarray(points, dtype=float))
    if points.shape != (len(labels), 2):
        raise ValueError(
            f"points has shape {points.shape}, but {len(labels)} labels need shape ({len(labels)}, 2): "
            "give one row of two numbers for each label."
        )
    colours = [MEANINGS[meaning] for meaning in meanings or ["plain"] * len(labels)]
    with style.styled():
        figure, axes = blank(380, 370 + 24 * bool(title))
        reach = _frame(axes, points, title)
        for point, label, colour in zip(points, labels, colours, strict=True):
            _vector(axes, point, colour, arrows)
            _name(axes, point, label, colour, reach, arrows and _on_the_way_to_another(point, points))
    what = listed(
        f"{quoted(label)} at ({number(x)}, {number(y)})" for label, (x, y) in zip(labels, points, strict=True)
    )
    return Picture(figure, f"{title or 'Vectors in the plane'}: {what}.")


def _vector(axes, point, colour, arrows):
    if arrows:
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", xy=point, xytext=(0, 0), arrowprops=arrow)
    else:
        axes.plot(*point, "o", color=colour, markersize=8)


def _on_the_way_to_another(point, points):
    """Return True where the arrow of a longer vector runs over the end of this one."""
    along, across = points @ point, points[:, 0] * point[1] - points[:, 1] * point[0]
    return bool(np.any(np.isclose(across, 0) & (along > 1.01 * (point @ point)) & (point @ point > 0)))


def _name(axes, point, label, colour, reach, other_side):
    """Write a name beside the end of its vector; above or below it where the tick labels are in the way."""
    aside, up = np.where(point < 0, -1, 1) * 7
    side = "right" if point[0] < 0 else "left"
    room = (point[0] + reach) / (2 * reach) * AXES_POINTS
    if side == "right" and room < 7 + LETTER_POINTS * len(label):
        aside, up, side = 0, 1.8 * up, "center"
    if other_side:
        up = -1.6 * up
    axes.annotate(
        label, point, xytext=(aside, up), textcoords="offset points", ha=side, va="center", color=colour
    )


def _frame(axes, points, title):
    """Draw the two axes, and return how far they reach from the origin."""
    reach = 1.35 * max(np.abs(points).max(), 1e-9)
    axes.axhline(0, color=(style.INK, 0.35), linewidth=0.8)
    axes.axvline(0, color=(style.INK, 0.35), linewidth=0.8)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title=title or "")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=3)
    return reach
