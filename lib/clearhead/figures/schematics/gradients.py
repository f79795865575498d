"""Drawings of the backward pass: gradients are multiplied along a path, and added where paths meet."""

from .. import style
from ..shapes import box, drawing, line, sign, words


def _signed(value):
    return f"{value:g}".replace("-", "−")


def chain_rule(x, W, title=None):
    """Return a drawing of two inputs, two outputs and their product, with values and gradients.

    Parameters
    ----------
    x : (2) float
        The inputs.
    W : (2, 2) float
        The weight from each input to each output.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    y = [sum(x[i] * W[i][j] for i in (0, 1)) for j in (0, 1)]
    dy = y[::-1]
    dx = [sum(W[i][j] * dy[j] for j in (0, 1)) for i in (0, 1)]
    left, middle, right, rows = 52, 238, 390, (70, 210)

    def draw(axes):
        for i, at in enumerate(rows):
            for j, to in enumerate(rows):
                share, gap = (0.27, 0.12) if i != j else (0.5, 0.2)
                before, label, after = (
                    (left + 34 + part * (middle - left - 68), at + part * (to - at))
                    for part in (share - gap, share, share + gap)
                )
                line(axes, (left + 34, at), before)
                line(axes, after, (middle - 34, to), head=True)
                words(axes, *label, f"× {_signed(W[i][j])}", fontsize=12)
            line(axes, (middle + 34, at), (right - 18, 140), head=True)
        for i, at in enumerate(rows):
            _value(axes, left, at, f"x{'₁₂'[i]} = {_signed(x[i])}", f"dx{'₁₂'[i]} = {_signed(dx[i])}")
            _value(axes, middle, at, f"y{'₁₂'[i]} = {_signed(y[i])}", f"dy{'₁₂'[i]} = {_signed(dy[i])}")
        sign(axes, right, 140, "×", 18)
        words(axes, right, 104, f"ℓ = {_signed(y[0] * y[1])}")
        words(axes, right, 176, "dℓ = 1", style.WEIGHT)
        words(axes, 220, 278, "purple: the gradients, computed from right to left", style.WEIGHT)

    terms = " + ".join(f"({_signed(W[1][j])}) · ({_signed(dy[j])})" for j in (0, 1))
    description = (
        f"A graph from x₁ and x₂ over four weights to y₁ and y₂, and to their product ℓ. Each value has its "
        f"gradient under it. Two paths lead back to x₂: {terms} = {_signed(dx[1])}."
    )
    return drawing(440, 292, draw, description, title)


def _value(axes, x, y, value, gradient):
    """Draw a value with its gradient below it."""
    box(axes, x, y, 68, 28, value)
    words(axes, x, y + 26, gradient, style.WEIGHT)


def two_paths(title=None):
    """Return a drawing of a residual connection with the two paths of the gradient in the backward pass."""

    def draw(axes):
        box(axes, 40, 90, 44, 30, "x")
        sign(axes, 330, 90, "+", 16)
        box(axes, 404, 90, 44, 30, "y")
        line(axes, (62, 84), (314, 84), head=True)
        line(axes, (346, 84), (382, 84), head=True)
        line(axes, (90, 84), (90, 34), (141, 34), head=True)
        box(axes, 196, 34, 110, 34, "f")
        line(axes, (251, 34), (330, 34), (330, 74), head=True)
        purple = {"colour": style.WEIGHT, "width": 2.2}
        line(axes, (382, 97), (346, 97), head=True, **purple)
        line(axes, (314, 97), (62, 97), head=True, **purple)
        line(axes, (336, 108), (336, 150), (251, 150), head=True, **purple)
        box(axes, 196, 150, 110, 34, "back through f", style.WEIGHT, 0.12)
        line(axes, (141, 150), (40, 150), (40, 106), head=True, **purple)
        words(axes, 196, 112, "dy, unchanged", style.WEIGHT)
        words(axes, 378, 120, "dy", style.WEIGHT)

    description = (
        "Forward, x goes on to an addition, and a copy of it passes through f and is added there. "
        "Backward, in purple, dy goes straight back to x, unchanged, and a copy comes back through f; "
        "the two are added."
    )
    return drawing(440, 182, draw, description, title)
