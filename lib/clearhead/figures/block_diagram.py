"""A drawing of the two positions of the norms in a block, pre-norm and post-norm, side by side."""

from . import style
from .picture import Picture, blank
from .shapes import box

BOX = {"norm": (style.INK, 0.06), "attention": (style.WEIGHT, 0.3), "feed-forward": (style.INK, 0.2)}
HALF = 0.4  # half the height of a box; lines end at its edge, so that a box needs no background
TITLE = (
    "A pre-norm block (left) normalises the input of each branch, so that only additions change its residual "
    "stream between x and y; a post-norm block (right) normalises the stream itself, after each addition."
)
WORDS = (
    "Two blocks beside each other, each read from the bottom to the top. Pre-norm: a straight line, the "
    "residual stream, runs from x to y. Twice a branch leaves it, passes through a norm and then through "
    "attention or the feed-forward layer, and is added to it. Post-norm: the same branches without norms, "
    "and after each addition a norm on the stream itself."
)


def block_diagram(title=TITLE):
    """Return a picture of a pre-norm block and a post-norm block, with its caption."""
    with style.styled():
        figure, axes = blank(600, 480)
        _column(axes, 0, "pre-norm", [(["norm", "attention"], []), (["norm", "feed-forward"], [])])
        _column(axes, 5.2, "post-norm", [(["attention"], ["norm"]), (["feed-forward"], ["norm"])])
        axes.set(xlim=(-1.5, 9.1), ylim=(-0.6, 11), aspect="equal")
        axes.set_axis_off()
    return Picture(figure, WORDS, title)


def _column(axes, x, title, halves):
    """Draw one block: a residual stream at x, and two halves, each with a branch and boxes."""
    axes.text(x + 1.1, 10.7, title, ha="center", fontweight="bold")
    axes.text(x, -0.5, "x", ha="center")
    axes.text(x, 9.75, "y", ha="center")
    on_stream = []
    for bottom, (branch, stream) in zip((0.4, 4.8), halves, strict=True):
        top = bottom + 3
        middles = [bottom + 0.9, bottom + 2.1] if len(branch) > 1 else [bottom + 1.5]
        axes.plot([x, x + 2.2], [bottom, bottom], color=style.INK, lw=1.2)
        _upwards(axes, x + 2.2, bottom, top, middles)
        arrow = {"arrowstyle": "-|>", "color": style.INK}
        axes.annotate("", (x + 0.25, top), (x + 2.25, top), arrowprops=arrow)
        axes.text(x, top, "+", ha="center", va="center", bbox={"boxstyle": "circle,pad=0.15", "fc": "none"})
        for middle, name in zip(middles, branch, strict=True):
            _box(axes, x + 2.2, middle, name)
        for name in stream:
            _box(axes, x, top + 0.85, name)
        on_stream += [(top, 0.25)] + [(top + 0.85, HALF)] * len(stream)
    _upwards(axes, x, -0.1, 9.6, *zip(*on_stream, strict=True), head=True)


def _upwards(axes, x, start, end, middles, halves=HALF, head=False):
    """Draw a line from start to end with gaps for what is on it, and an arrow head if requested."""
    halves = halves if isinstance(halves, tuple) else (HALF,) * len(middles)
    width = 2 if head else 1.2
    for middle, half in zip(middles, halves, strict=True):
        axes.plot([x, x], [start, middle - half], color=style.INK, lw=width)
        start = middle + half
    axes.plot([x, x], [start, end - 0.2 * head], color=style.INK, lw=width)
    if head:
        arrow = {"arrowstyle": "-|>", "color": style.INK}
        axes.annotate("", (x, end), (x, end - 0.3), arrowprops=arrow)


def _box(axes, x, y, name):
    """Draw a box that contains its name."""
    colour, strength = BOX[name]
    box(axes, x, y, 2.3, 2 * HALF, name, colour, strength, corner=0.12)
