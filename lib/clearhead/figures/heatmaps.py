"""Heat maps of attention weights, with one row per query and one column per key."""

import numpy as np
from matplotlib.patches import Rectangle

from . import style
from .picture import Picture, blank
from .words import listed, number, quoted

#: A wider picture would have to scroll on a phone, so that its letters stay readable.
WIDEST = 410


def attention_map(A, rows, columns, title=None):
    """Return a heat map of attention weights, with a row per query and a column per key.

    Parameters
    ----------
    A : (T, S) float
        Attention weights between 0 and 1, or a boolean mask: the description then counts the keys that each
        query may attend to.
    rows : list of str
        A label for each query.
    columns : list of str
        A label for each key.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    is_mask = np.asarray(A).dtype == bool
    describe = _count if is_mask else _describe
    A = np.asarray(A, dtype=float)
    if A.shape != (len(rows), len(columns)):
        raise ValueError(
            f"A has shape {A.shape}, but there are {len(rows)} row labels and {len(columns)} column labels: "
            "give one label for each row and each column."
        )
    with style.styled():
        drawing = _draw(A, rows, columns)
    return Picture(drawing, describe(A, rows, columns), title)


def _draw(A, rows, columns):
    T, S = A.shape
    margin = 24 + 8 * max(len(str(label)) for label in rows)
    # Cells with numbers are as wide as a phone can show, if the numbers fit; other cells are smaller.
    cell = max(40, min(48, (WIDEST - margin) / S)) if max(T, S) <= 8 else 28 if S <= 20 else 20
    figure, axes = blank(margin + cell * S, cell * T + 24 + 7 * max(len(str(c)) for c in columns))
    for i in range(T):
        for j in range(S):
            axes.add_patch(_square(i, j, A[i, j]))
            if cell > 30:
                axes.text(j, i, number(A[i, j]), ha="center", va="center", fontsize=13)
    axes.set(xlim=(-0.5, S - 0.5), ylim=(T - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(S), columns, rotation=45, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(T), rows)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _square(i, j, weight):
    tint = style.STRONGEST * float(np.clip(np.nan_to_num(weight), 0, 1))
    return Rectangle(
        (j - 0.48, i - 0.48),
        0.96,
        0.96,
        facecolor=(style.WEIGHT, tint),
        edgecolor=(style.WEIGHT, 0.35),
        linewidth=0.6,
    )


def _describe(A, rows, columns):
    T, S = A.shape
    top = A.argmax(axis=1)
    looks = [
        f"{quoted(rows[i])} at {quoted(columns[top[i]])}, {number(A[i].max())}" for i in range(min(T, 20))
    ]
    more = f", and {T - 20} more rows" if T > 20 else ""
    return f"{T} by {S} weights. The largest of each row: {listed(looks)}{more}."


def _count(mask, rows, columns):
    """Return a description of a mask in words: to how many columns each row may attend."""
    T, S = mask.shape
    may = [f"{quoted(row)} {int(count)}" for row, count in zip(rows[:12], mask.sum(axis=1), strict=False)]
    more = f", and {T - 12} more rows" if T > 12 else ""
    counts = f"{listed(may)}{more}"
    return f"A mask of {T} rows and {S} columns. Number of columns that each row may attend to: {counts}."
