"""Drawings of the cells of three recurrent networks, with their states, gates and outputs."""

from . import style
from .picture import Picture, blank
from .shapes import box, line, sign

WIDTH, RADIUS = 0.62, 0.3  # half a box; a circle


def recurrent_cell(kind, title=None):
    """Return a drawing of one step of a recurrent network with its gates, read from left to right.

    Parameters
    ----------
    kind : str
        "RNN", "LSTM" or "GRU".
    title : str, optional
        The caption under the picture. The default says how the cell changes its hidden state.

    Raises
    ------
    ValueError
        If there is no such cell.
    """
    if kind not in CELLS:
        raise ValueError(f"A recurrent cell is one of {', '.join(CELLS)}: got {kind!r}.")
    draw, height, does = CELLS[kind]
    with style.styled():
        figure, axes = blank(420, 44 * height)
        draw(axes, 0)
        axes.set(xlim=(-1.2, 9.9), ylim=(-0.8, height - 0.8), aspect="equal")
        axes.set_axis_off()
    return Picture(figure, f"A drawing of the cell of {kind}, read from left to right.", title or does)


def _rnn(axes, y):
    line(axes, (0, y + 1.2), (2.2 - WIDTH, y + 1.2))
    _box(axes, 2.2, y + 1.2, "Wₕ")
    line(axes, (2.2 + WIDTH, y + 1.2), (4 - RADIUS, y + 1.2))
    line(axes, (0, y), (2.2 - WIDTH, y))
    _box(axes, 2.2, y, "Wₓ")
    line(axes, (2.2 + WIDTH, y), (4, y), (4, y + 1.2 - RADIUS))
    _circle(axes, 4, y + 1.2, "+")
    line(axes, (4 + RADIUS, y + 1.2), (5.8 - WIDTH, y + 1.2))
    _box(axes, 5.8, y + 1.2, "tanh")
    line(axes, (5.8 + WIDTH, y + 1.2), (8.6, y + 1.2), head=True)
    _ends(axes, {(0, y + 1.2): "h", (0, y): "x"}, {(8.6, y + 1.2): "h′"})


def _lstm(axes, y):
    top, bottom = y + 3.8, y
    line(axes, (0, top), (1.4 - RADIUS, top))
    _circle(axes, 1.4, top, "×")
    line(axes, (1.4 + RADIUS, top), (4 - RADIUS, top))
    _circle(axes, 4, top, "+")
    line(axes, (4 + RADIUS, top), (8.6, top), head=True)
    for x, name in ((1.4, "f"), (3.1, "i"), (4.9, "g"), (6.8, "o")):
        line(axes, (x, bottom), (x, bottom + 0.9))
        _box(axes, x, bottom + 1.3, name, gate=name != "g")
    line(axes, (1.4, bottom + 1.7), (1.4, top - RADIUS))
    line(axes, (3.1, bottom + 1.7), (3.1, top - 1.2), (4 - RADIUS, top - 1.2))
    line(axes, (4.9, bottom + 1.7), (4.9, top - 1.2), (4 + RADIUS, top - 1.2))
    _circle(axes, 4, top - 1.2, "×")
    line(axes, (4, top - 1.2 + RADIUS), (4, top - RADIUS))
    line(axes, (6.8, bottom + 1.7), (6.8, top - 1.2 - RADIUS))
    _circle(axes, 6.8, top - 1.2, "×")
    line(axes, (6.8, top), (6.8, top - 1.2 + RADIUS))
    axes.text(6.95, top - 0.62, "tanh", ha="left", va="center", fontsize=12)
    line(axes, (6.8 + RADIUS, top - 1.2), (8.6, top - 1.2), head=True)
    line(axes, (0, bottom), (6.8, bottom))
    _ends(axes, {(0, top): "c", (0, bottom): "x, h"}, {(8.6, top): "c′", (8.6, top - 1.2): "h′"})


def _gru(axes, y):
    top = y + 3.2
    line(axes, (0, top), (3.1 - RADIUS, top))
    _circle(axes, 3.1, top, "×")
    line(axes, (3.1 + RADIUS, top), (6.3 - RADIUS, top))
    _circle(axes, 6.3, top, "+")
    line(axes, (6.3 + RADIUS, top), (8.6, top), head=True)
    for x, name in ((1.4, "r"), (3.1, "z"), (5, "n")):
        line(axes, (x, y), (x, y + 0.9))
        _box(axes, x, y + 1.3, name, gate=name != "n")
    line(axes, (1.4, y + 1.7), (1.4, y + 2.3), (2.3, y + 2.3), (2.3, y + 0.4), (4.7, y + 0.4), (4.7, y + 0.9))
    line(axes, (3.1, y + 1.7), (3.1, top - RADIUS))
    line(axes, (5 + WIDTH, y + 1.3), (6.3 - RADIUS, y + 1.3))
    _circle(axes, 6.3, y + 1.3, "×")
    axes.text(6.7, y + 1.3, "1 − z", ha="left", va="center", style="italic")
    line(axes, (6.3, y + 1.3 + RADIUS), (6.3, top - RADIUS))
    line(axes, (0, y), (5, y))
    _ends(axes, {(0, top): "h", (0, y): "x, h"}, {(8.6, top): "h′"})


def _box(axes, x, y, name, gate=False):
    """Draw a box that contains a name, in the colour of weights if it is a gate."""
    colour, strength = (style.WEIGHT, 0.3) if gate else (style.INK, 0.08)
    slant = "normal" if name == "tanh" else "italic"
    box(axes, x, y, 2 * WIDTH, 0.8, name, colour, strength, corner=0.12, style=slant)


def _circle(axes, x, y, name):
    sign(axes, x, y, name, RADIUS)


def _ends(axes, left, right):
    for (x, y), name in left.items():
        axes.text(x - 0.15, y, name, ha="right", va="center", style="italic")
    for (x, y), name in right.items():
        axes.text(x + 0.15, y, name, ha="left", va="center", style="italic")


#: For each cell, the function that draws it, its height, and its caption.
CELLS = {
    "RNN": (
        _rnn,
        3,
        "An RNN multiplies the hidden state h and the token x by their matrices and adds them; the new "
        "hidden state h′ is the tanh of the sum.",
    ),
    "LSTM": (
        _lstm,
        5.4,
        "An LSTM carries a second state c along a straight line: it is multiplied by the forget gate f, and "
        "then the candidate g, multiplied by the input gate i, is added. The new hidden state h′ is the tanh "
        "of c′, multiplied by the output gate o.",
    ),
    "GRU": (
        _gru,
        4.8,
        "A GRU multiplies the hidden state h by the update gate z and adds the candidate n, multiplied by "
        "1 − z. The reset gate r decides how much of h the candidate sees.",
    ),
}
