"""The colours of pictures, each with one meaning, and the matplotlib settings that all pictures share."""

QUERY, KEY, VALUE, WEIGHT = "#0065a3", "#b34700", "#00734f", "#8b3a80"
INK = "#010203"  # a placeholder, which becomes currentColor in the page

#: Palette by meaning: light theme, dark theme.
PALETTE = {
    "query": (QUERY, "#6cc0f2"),
    "key": (KEY, "#ffa566"),
    "value": (VALUE, "#4fd3a5"),
    "weight": (WEIGHT, "#e6a3dc"),
}
#: The colours of the first, second, ... curve, and dashes, which distinguish curves without colour.
CURVE_COLOURS = (WEIGHT, QUERY, KEY, VALUE)
CURVE_DASHES = ("-", "--", ":", "-.")
#: The strongest tint of a heat map, with which numbers in its cells are still readable in both themes.
STRONGEST = 0.55

SETTINGS = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 14,
    "axes.titlesize": 14,
    "axes.titleweight": "normal",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.unicode_minus": True,
}


def styled():
    """Return a context manager in which matplotlib draws in the style of the book."""
    from matplotlib import rc_context  # here, so that tables need no matplotlib

    return rc_context(SETTINGS)
