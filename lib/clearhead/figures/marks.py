"""Labels for single points of a chart, which are placed where nothing else is drawn."""

from itertools import pairwise, product
from textwrap import fill

import numpy as np
from matplotlib.text import Text

from . import style

#: The distances, in points, that a label may have from its point, and the one beyond which it gets a line.
DISTANCES, LEADER = (9, 16, 28, 44, 64), 20
LINE = {"arrowstyle": "-", "color": style.INK, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 4}
#: The directions in which a label may lie: sideways and upwards, the usual ones first.
DIRECTIONS = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0))
#: The number of letters in a line of a label, and the space in pixels around a label.
WIDEST, SPACE = 26, 4


def label_points(axes, marks):
    """Draw a dot and a label for each marked point, and return the drawn objects.

    A label gets the nearest position inside the axes that no line and no other label crosses.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes with lines.
    marks : list of (float, float, str)
        For each point its x, its y and its label.
    """
    if not marks:
        return []
    axes.figure.draw_without_rendering()  # so that the layout, and with it each pixel, is known
    taken, drawn = _line_pixels(axes), []
    dots = axes.transData.transform([(x, y) for x, y, _ in marks])
    taken = np.vstack([taken, dots])
    for (x, y, text), dot in zip(marks, dots, strict=True):
        drawn += axes.plot([x], [y], "o", color=style.INK, markersize=6, zorder=5)
        label = axes.annotate(fill(text, WIDEST), (x, y), (0, 0), textcoords="offset points", arrowprops=LINE)
        taken = np.vstack([taken, _place(label, dot, taken, axes)])
        drawn.append(label)
    return drawn


def _line_pixels(axes):
    """Return the positions of pixels along the lines of the axes, two pixels apart."""
    pixels = [np.empty((0, 2))]
    for line in axes.lines:
        path = line.get_transform().transform(line.get_xydata())
        for start, end in pairwise(path):
            steps = int(np.abs(end - start).max() // 2) + 2
            pixels.append(np.linspace(start, end, steps))
    return np.vstack(pixels)


def _place(label, dot, taken, axes):
    """Move a label to the nearest free position, and return the pixels that it covers there."""
    scale = axes.figure.dpi / 72
    extent = Text.get_window_extent(label)  # an annotation's own extent includes its leader line
    size, frame = np.array([extent.width, extent.height]), axes.get_window_extent()

    def corner(distance, direction):
        way = np.array(direction)
        return dot + scale * distance * way + (way - 1) * size / 2

    def cost(candidate):
        low = corner(*candidate)
        high = low + size
        crossed = np.all((taken > low - SPACE) & (taken < high + SPACE), axis=1).sum()
        outside = np.maximum(frame.min - low, 0).sum() + np.maximum(high - frame.max, 0).sum()
        return crossed + outside > 0, crossed + outside, candidate[0]

    distance, direction = min(product(DISTANCES, DIRECTIONS), key=cost)
    low = corner(distance, direction)
    label.set(position=(low - dot) / scale, horizontalalignment="left", verticalalignment="bottom")
    label.arrow_patch.set_visible(distance > LEADER)
    return np.array([low + size * each for each in product(np.linspace(0, 1, 9), repeat=2)])
