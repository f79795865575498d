"""Drawings of parts of today's models: experts, QK norm, Muon, recurrent states, and shared scales."""

import numpy as np

from .. import style
from ..shapes import box, cell, drawing, line, sign, words
from ..words import number


def routed_experts(gates, title=None):
    """Return a drawing of one token that is sent to a few of several experts.

    Parameters
    ----------
    gates : (E) float
        The gate of each expert, 0 for those that are not chosen.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    gates = np.asarray(gates, dtype=float)
    places = np.linspace(58, 382, len(gates))
    chosen = np.flatnonzero(gates)

    def draw(axes):
        box(axes, 220, 28, 90, 30, "token")
        line(axes, (220, 44), (220, 66), head=True)
        box(axes, 220, 84, 90, 32, "router", style.WEIGHT, 0.3)
        for i, x in enumerate(places):
            on = i in chosen
            colour = style.WEIGHT if on else (style.INK, 0.25)
            line(axes, (220, 100), (x, 152), colour=colour, width=2 if on else 0.8, dashed=not on, head=on)
            box(axes, x, 182, 36, 56, f"{i}", style.WEIGHT if on else style.INK, 0.3 if on else 0.03)
            if on:
                line(axes, (x, 211), (x, 246), (220, 246), (220, 266), colour=colour, width=2)
                shift, anchor = (-5, "right") if i == chosen[0] else (5, "left")
                words(axes, x + shift, 229, f"× {number(gates[i])}", style.WEIGHT, anchor)
        sign(axes, 220, 282, "+", 15)
        words(axes, 244, 284, f"only {len(chosen)} experts are computed", anchor="left")

    said = " and ".join(f"expert {i} with the gate {number(gates[i])}" for i in chosen)
    description = (
        f"A token, a router and {len(gates)} experts in a row. The router sends the token to {said}; their "
        "outputs are added. The other experts are not computed."
    )
    return drawing(440, 302, draw, description, title)


def one_length(title=None):
    """Return a drawing of queries and keys before and after they are normalised to the same length."""

    def draw(axes):
        for left, name in ((20, "without a norm"), (236, "with QK norm")):
            words(axes, left + 92, 16, name, fontweight="bold")
        for length, dashed in ((1, False), (1.75, True)):
            more = ", longer" if dashed else ""
            _arrow(axes, 40, 168, 78 * length, 52, style.QUERY, f"q{more}", dashed)
            _arrow(axes, 40, 168, 68 * length, 12, style.KEY, f"k{more}", dashed)
        angle = np.radians(np.linspace(0, 90, 60))
        x, y = 262 + 100 * np.cos(angle), 168 - 100 * np.sin(angle)
        axes.plot(x, y, color=(style.INK, 0.5), lw=1)
        _arrow(axes, 262, 168, 100, 52, style.QUERY, "q", False)
        _arrow(axes, 262, 168, 100, 12, style.KEY, "k", False)
        words(axes, 112, 196, "score = |q| |k| cos(angle)")
        words(axes, 328, 196, "score = cos(angle)")

    description = (
        "Two pairs of arrows with the same angle between query and key. Left, both arrows can become longer, "
        "and the score grows with them. Right, both end on a circle, so that only the angle is left."
    )
    return drawing(440, 212, draw, description, title)


def _arrow(axes, x, y, length, angle, colour, name, dashed):
    """Draw an arrow from (x, y) at an angle in degrees, with its name at its end."""
    way = np.array([np.cos(np.radians(angle)), -np.sin(np.radians(angle))])
    end = np.array([x, y]) + length * way
    line(axes, (x, y), tuple(end), head=not dashed, colour=colour, width=2, dashed=dashed)
    if dashed:
        words(axes, end[0] - 8, end[1] - 10, name, colour, "left")
    else:
        words(axes, *(np.array([x, y]) + 0.6 * length * way + 14 * np.array([way[1], -way[0]])), name, colour)


def equal_strength(title=None):
    """Return a drawing of a gradient with a strong and a weak direction, and of Muon's update."""

    def draw(axes):
        tilt = np.radians(30)
        axis = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
        turn = np.linspace(0, 2 * np.pi, 120)
        for x, name, lengths in (
            (112, "the gradient, U S Vᵀ", (92, 16)),
            (330, "Muon’s step, U Vᵀ", (58, 58)),
        ):
            words(axes, x, 16, name, fontweight="bold")
            outline = np.stack([lengths[0] * np.cos(turn), lengths[1] * np.sin(turn)], axis=1) @ axis
            axes.fill(x + outline[:, 0], 118 + outline[:, 1], color=(style.WEIGHT, 0.15), lw=0)
            axes.plot(x + outline[:, 0], 118 + outline[:, 1], color=style.WEIGHT)
            for length, way in zip(lengths, axis, strict=True):
                line(axes, (x, 118), tuple(np.array([x, 118]) + length * way), width=2.4)
        line(axes, (206, 118), (254, 118), head=True)
        words(axes, 112, 214, "one strong direction,\none weak direction")
        words(axes, 330, 214, "the same directions,\neach with strength 1")

    description = (
        "Left, a long thin ellipse with a long and a short axis: the strong and the weak direction of a "
        "gradient. Right, a circle with axes in the same directions, both of the same length."
    )
    return drawing(440, 236, draw, description, title)


def two_memories(steps, side, title=None):
    """Return a drawing of a cache that grows with each token, and of a state whose size is constant.

    Parameters
    ----------
    steps : int
        The number of tokens that are drawn.
    side : int
        The width of the keys, in cells.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    size = 11
    places = [140 + 84 * i for i in range(steps)]
    low = 76 + size * steps

    def draw(axes):
        words(axes, 92, low - size * steps / 2, "attention:\nkeys, values", anchor="right")
        words(axes, 92, low + 34 + size * side / 2, "recurrence:\na state", anchor="right")
        for step, x in enumerate(places, 1):
            words(axes, x, 20, f"token {step}")
            for row in range(step):
                for column in range(side):
                    for shift, colour in ((-size * side - 2, style.KEY), (2, style.VALUE)):
                        at = x + shift + size * column
                        cell(axes, at, low - size * (row + 1), size - 1.5, colour, 0.5, edge=False)
            for row in range(side):
                for column in range(side):
                    at = x - size * side / 2 + size * column
                    fuller = 0.2 + 0.11 * step
                    cell(axes, at, low + 34 + size * row, size - 1.5, style.WEIGHT, fuller, edge=False)
        end = low + 34 + size * side + 22
        words(axes, np.mean(places), end, f"always {side} × {side} entries")

    description = (
        f"Above, the cache of attention after 1 to {steps} tokens: it gets one key and one value more each "
        f"time. Below, the state of a recurrence, a square of {side} by {side} cells that keeps its size "
        "and only becomes fuller."
    )
    return drawing(440, low + 34 + size * side + 38, draw, description, title)


def shared_scales(keys, title=None):
    """Return a drawing of keys that are quantised with one scale per row, and with one per column.

    Parameters
    ----------
    keys : (T, d) float
        Keys, of which one column is much larger than the others.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    keys = np.abs(np.asarray(keys, dtype=float))
    rows, columns = keys.shape
    large, side = int(keys.max(axis=0).argmax()), 28

    def draw(axes):
        for left, by_row, name in ((16, True, "a scale per token"), (246, False, "a scale per dimension")):
            words(axes, left + side * columns / 2, 16, name, fontweight="bold")
            scale = keys.max(axis=1, keepdims=True) if by_row else keys.max(axis=0, keepdims=True)
            used = keys / scale  # how much of its range an entry uses
            for i in range(rows):
                for j in range(columns):
                    at = left + side * j + 3, 40 + side * i
                    cell(axes, *at, side - 8, style.KEY, 0.05 + 0.6 * used[i, j], edge=False)
            middle = left + side * columns / 2, 37 + side * rows / 2
            for k in range(rows if by_row else columns):
                if by_row:
                    box(axes, middle[0] - 1, 50 + side * k, side * columns - 2, side - 3, strength=0)
                else:
                    box(axes, left + 13 + side * k, middle[1], side - 3, side * rows - 2, strength=0)
            words(axes, left + side * (large + 0.5), 52 + side * rows, "large", style.KEY)
        words(axes, 220, 76 + side * rows, "the stronger its colour, the more of its range an entry uses")

    share = (keys / keys.max(axis=1, keepdims=True) < 0.15).mean()
    description = (
        f"The same {rows} keys twice; one dimension is much larger than the others. With a scale per "
        f"token, {number(share)} of the entries use less than 15 % of their range, because the large entry "
        "sets the scale of each row. With a scale per dimension, every column uses its whole range."
    )
    return drawing(440, 90 + side * rows, draw, description, title)
