"""Pictures of ratios against a peer, each with its limit."""

import numpy as np

from . import style
from .picture import Picture, blank
from .words import listed, number, quoted


def ratios(labels, values, limits, title=None, kept=None):
    """Return a picture of ratios on a scale of doublings, each with the limit that it should not pass.

    A filled circle keeps its limit; an open diamond exceeds it, or breaks another condition.

    Parameters
    ----------
    labels : list of str
        A name for each ratio, which is written above it and may have several lines.
    values : (S) float
        The ratios, above 0.
    limits : (S) float
        The largest value that each ratio should have, above 0.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    kept : list of bool, optional
        Whether each ratio keeps its limit and all further conditions. By default, whether it is at most its
        limit.
    """
    values, limits = np.asarray(values, dtype=float), np.asarray(limits, dtype=float)
    if not len(labels) == len(values) == len(limits):
        raise ValueError(
            f"There are {len(labels)} labels, {len(values)} ratios and {len(limits)} limits: give as many "
            "of each."
        )
    if not (np.r_[values, limits] > 0).all():
        raise ValueError("A scale of doublings has no place for 0 or less: give ratios and limits above 0.")
    kept = values <= limits if kept is None else kept
    with style.styled():
        row = 32 + 17 * max(label.count("\n") + 1 for label in labels)
        figure, axes = blank(440, 58 + row * len(values))
        for place, each in enumerate(zip(labels, values, limits, kept, strict=True)):
            _row(axes, place, *each)
        axes.set_xscale("log", base=2)
        low, high = (
            np.floor(np.log2([*values, *limits, 1]).min()),
            np.ceil(np.log2([*values, *limits, 1]).max()),
        )
        doublings = np.arange(low, high + 1)
        axes.set_xticks(2.0**doublings, [f"{2**k:g}" if k >= 0 else f"1/{2**-k:g}" for k in doublings])
        axes.minorticks_off()
        axes.set(xlim=(2 ** (low - 0.4), 2 ** (high + 0.9)), ylim=(len(values) - 0.5, -0.9))
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
    what = listed(
        f"{quoted(label.replace(chr(10), ': '))} {number(value)}, limit {number(limit)}"
        for label, value, limit in zip(labels, values, limits, strict=True)
    )
    return Picture(figure, f"Ratios: {what}.", title)


def _row(axes, place, label, value, limit, holds):
    colour = style.VALUE if holds else style.KEY
    axes.plot([min(value, limit), max(value, limit)], [place, place], color=colour, alpha=0.4, linewidth=4)
    axes.plot([limit, limit], [place - 0.14, place + 0.14], color=style.INK, linewidth=1.5)
    fill = {"color": colour} if holds else {"color": colour, "markerfacecolor": "none", "markeredgewidth": 2}
    axes.plot([value], [place], "o" if holds else "D", markersize=8, **fill)
    axes.annotate(number(value), (max(value, limit), place), (9, 0), textcoords="offset points", va="center")
    above = {"xytext": (0, 9), "textcoords": "offset points", "va": "bottom"}
    axes.annotate(label, (0, place), xycoords=("axes fraction", "data"), fontsize=13, **above)
