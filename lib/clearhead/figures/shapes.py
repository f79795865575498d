"""Boxes, circles, lines and words, of which drawings are made on a canvas measured in pixels."""

from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from . import style
from .picture import Picture, blank


def canvas(width, height):
    """Return a figure and its axes, in which x increases to the right and y downwards, both in pixels."""
    figure, axes = blank(width, height)
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    axes.set_axis_off()
    return figure, axes


def drawing(width, height, draw, description, title):
    """Return the picture that `draw(axes)` makes on an empty canvas."""
    with style.styled():
        figure, axes = canvas(width, height)
        draw(axes)
    return Picture(figure, description, title)


def words(axes, x, y, text, colour=style.INK, anchor="center", **more):
    """Write words with their vertical centre at y, and with the end that `anchor` names at x."""
    axes.text(x, y, text, ha=anchor, va="center", color=colour, **more)


def box(axes, x, y, width, height, name="", colour=style.INK, strength=0.08, corner=6, dashed=False, **more):
    """Draw a box with its centre at (x, y) and a name in it; `strength` is the opacity of its fill."""
    shape = f"round,pad=0,rounding_size={corner}"
    frame = FancyBboxPatch((x - width / 2, y - height / 2), width, height, boxstyle=shape)
    frame.set(facecolor=(colour, strength), edgecolor=colour, linestyle="--" if dashed else "-")
    axes.add_patch(frame)
    if name:
        words(axes, x, y, name, **more)


def sign(axes, x, y, name, radius, colour=style.INK, strength=0.0, **more):
    """Draw a circle that contains a sign or a short name."""
    axes.add_patch(Circle((x, y), radius, facecolor=(colour, strength), edgecolor=colour))
    words(axes, x, y, name, **more)


def line(axes, *points, head=False, colour=style.INK, width=1.3, dashed=False):
    """Draw a line through points, which ends in an arrow if `head` is true."""
    x, y = zip(*points, strict=True)
    axes.plot(x, y, ":" if dashed else "-", color=colour, lw=width, solid_capstyle="butt")
    if head:
        arrow = {"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", points[-1], points[-2], arrowprops=arrow)


def cell(axes, x, y, side, colour=style.INK, strength=0.1, edge=True):
    """Draw a square with its upper left corner at (x, y)."""
    outline = (colour, 0.8) if edge else "none"
    square = Rectangle((x, y), side, side, facecolor=(colour, strength), edgecolor=outline)
    axes.add_patch(square)
