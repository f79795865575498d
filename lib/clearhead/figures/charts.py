"""Bars, curves and histograms, each with a description that is made from its data."""

from textwrap import fill

import numpy as np

from . import style
from .picture import Picture, blank
from .words import listed, number, quoted, sentence

#: The length from which a name is written above its bar, because it would take the space of the bars, and the
#: length of its lines.
LONG, WIDEST = 24, 52


def bars(labels, values, title=None, xlabel=None):
    """Return a picture of horizontal bars, each with its label and its value.

    Parameters
    ----------
    labels : list of str
        A name for each bar.
    values : (S) float
        The length of each bar.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    xlabel : str, optional
        The quantity that the bars show, with its unit.
    """
    values = np.asarray(values, dtype=float)
    _same_length(labels, values, "bars")
    with style.styled():
        above = max(len(str(label)) for label in labels) > LONG  # beside long names there is no room for bars
        names = [fill(str(label), WIDEST) for label in labels]
        one = 38 + 18 * max(name.count("\n") + 1 for name in names) if above else 34  # pixels
        figure, axes = blank(440, 40 + one * len(values) + 22 * bool(xlabel))
        axes.barh(range(len(values)), values, color=style.WEIGHT, height=22 / one)
        room = np.ptp([0, *values]) * 0.02
        for place, value in enumerate(values):
            axes.text(max(value, 0) + room, place, number(value), va="center")
        axes.set(ylim=(len(values) - 0.4, 11 / one - 1 if above else -0.6))
        axes.set_xlim(min(0, values.min()), max(values.max(), 0) * 1.15 or 1)
        axes.set_xlabel(xlabel or "")
        axes.set_yticks(range(len(values)), [""] * len(labels) if above else labels)
        axes.tick_params(axis="y", length=0)
        for place, name in enumerate(names if above else ()):
            axes.text(0, place - 15.5 / one, name, va="bottom", transform=axes.get_yaxis_transform())
    what = listed(f"{quoted(label)} {number(value)}" for label, value in zip(labels, values, strict=True))
    return Picture(figure, sentence(f"{xlabel or 'bars'}: {what}"), title)


def curves(x, ys, labels, xlabel, ylabel, title=None, xscale="linear", marks=()):
    """Return a picture of one or more curves over the same x.

    Parameters
    ----------
    x : (S) float
        The values of x at which the curves are known.
    ys : (H, S) float
        One row per curve.
    labels : list of str
        A name for each curve.
    xlabel : str
        The quantity on the horizontal axis.
    ylabel : str
        The quantity that the curves show.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    xscale : str
        "linear", "log2" (a tick at each x, equal steps for doublings) or "log".
    marks : list of (float, float, str), optional
        Points that carry the finding, one or two of them: x, y and a few words, which are written beside
        the point where no curve runs.
    """
    x, ys = np.asarray(x, dtype=float), np.atleast_2d(np.asarray(ys, dtype=float))
    _same_length(labels, ys, "curves")
    if ys.shape[1] != len(x):
        raise ValueError(f"x has {len(x)} places, but the curves have {ys.shape[1]}: give one y for each x.")
    with style.styled():
        figure, axes = blank(460, 310)
        for place, (y, label) in enumerate(zip(ys, labels, strict=True)):
            colour, dash = style.CURVE_COLOURS[place % 4], style.CURVE_DASHES[place % 4]
            axes.plot(x, y, dash, color=colour, label=label, marker="o" * (len(x) <= 16), markersize=4)
        axes.set(xlabel=xlabel, ylabel=ylabel)
        _scale(axes, x, xscale)
        if len(labels) > 1:
            _legend(axes, labels)
    what = "; ".join(f"{label} goes {_way(x, y)}" for y, label in zip(ys, labels, strict=True))
    said = sentence(f"{ylabel}, from {xlabel} {x[0]:g} to {x[-1]:g}: {what}")
    if marks:
        said += f" Marked: {listed(f'{quoted(text)} at {a:g}, {number(b)}' for a, b, text in marks)}."
    return Picture(figure, said, title, marks)


def _way(x, y):
    """Return a description of both ends of a curve, and of values well above or below both of them."""
    said = f"from {number(y[0])} to {number(y[-1])}"
    for name, at in (("highest", y.argmax()), ("lowest", y.argmin())):
        beyond = min(abs(y[at] - y[0]), abs(y[at] - y[-1]))
        said += f", {name} at {x[at]:g} with {number(y[at])}" if beyond > 0.05 * np.ptp(y) else ""
    return said


def histogram(values, xlabel, bins=20, title=None):
    """Return a picture of the histogram of values in bins of equal width.

    Parameters
    ----------
    values : (S) float
        The numbers to count.
    xlabel : str
        The quantity that is counted.
    bins : () int
        The number of bins.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    values = np.asarray(values, dtype=float).ravel()
    with style.styled():
        figure, axes = blank(460, 290)
        axes.hist(values, bins=bins, color=(style.WEIGHT, 0.55), edgecolor=style.WEIGHT)
        axes.set(xlabel=xlabel, ylabel="how many")
    spread = f"mean {number(values.mean())}, standard deviation {number(values.std())}"
    reach = f"from {number(values.min())} to {number(values.max())}"
    return Picture(figure, f"Histogram: {values.size} values of {xlabel}, {reach}, {spread}.", title)


def _legend(axes, labels):
    """Write the names of curves below the axes, where they do not cross any curve."""
    widest = 60 + 8 * max(len(str(label)) for label in labels)
    columns = max(1, min(len(labels), 460 // widest))
    axes.legend(loc="upper left", bbox_to_anchor=(-0.05, -0.2), ncols=columns, handlelength=2.4)


def _scale(axes, x, xscale):
    if xscale == "log2":
        axes.set_xscale("log", base=2)
        axes.set_xticks(x, [f"{place:g}" for place in x])
    elif xscale != "linear":
        axes.set_xscale(xscale)


def _same_length(labels, values, what):
    if len(labels) != len(values):
        raise ValueError(f"There are {len(labels)} labels for {len(values)} {what}: give one label for each.")
