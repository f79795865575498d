"""A picture with words: a matplotlib figure that shows itself as inline SVG and can be read aloud."""

import html
import io
import itertools
import re

from matplotlib.figure import Figure

from . import style

UNDATED = {"Date": None, "Creator": None}
_COUNT = itertools.count(1)
_DARK = ";".join(f"--ch-{name}:{dark}" for name, (_, dark) in style.PALETTE.items())
_SHEET = (
    f"<style>html[data-theme=dark] .ch-picture,body[data-jp-theme-light=false] .ch-picture{{{_DARK}}}"
    ".ch-picture{display:block;max-width:100%;height:auto}</style>"
)


class Picture:
    """Return a drawing that keeps its axes, for those who want to change them, and its words.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The drawing.
    words : str
        One or two sentences, made from the data, that say what the drawing shows, to those who do not see it.
    caption : str, optional
        What the book writes under it, for those who do. As it is: the words.
    """

    def __init__(self, figure, words, caption=None):
        self.figure = figure
        self.axes = figure.axes[0]
        self.words = words
        self.caption = caption or words

    def add(self, sentence):
        """Add a sentence to the words and to the caption."""
        self.words, self.caption = f"{self.words} {sentence}", f"{self.caption} {sentence}"

    @property
    def svg(self):
        """Return the drawing as an inline SVG element: theme colours, ids of its own, words as its label."""
        file = io.StringIO()
        with style.styled():
            self.figure.savefig(file, format="svg", bbox_inches="tight", pad_inches=0.05, metadata=UNDATED)
        drawing = file.getvalue()
        drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.S)
        drawing = _own_ids(_theme_colours(drawing[drawing.index("<svg") :]))
        return _label(drawing, self.words, self.caption)

    def _repr_html_(self):
        return self.svg

    def __repr__(self):
        return self.words


def blank(width, height):
    """Return an empty figure of so many pixels and its axes, in the book's style."""
    figure = Figure(figsize=(width / 72, height / 72), layout="constrained")
    return figure, figure.add_subplot()


def _theme_colours(drawing):
    for name, (light, _) in style.PALETTE.items():
        drawing = drawing.replace(light, f"var(--ch-{name},{light})")
    return drawing.replace(style.INK, "currentColor").replace("stop-color: currentColor", "stop-color: #000")


def _own_ids(drawing):
    prefix = f"ch{next(_COUNT)}-"
    drawing = re.sub(r'\bid="', f'id="{prefix}', drawing)
    drawing = re.sub(r"url\(#", f"url(#{prefix}", drawing)
    return re.sub(r'href="#', f'href="#{prefix}', drawing)


def _label(drawing, words, caption):
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing).groups()
    head = (
        f'<svg class="ch-picture" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{float(width):.0f}" height="{float(height):.0f}" '
        f'data-caption="{html.escape(caption, quote=True)}" '
        f'role="img" aria-label="{html.escape(words, quote=True)}">'
    )
    return head + _SHEET + drawing[drawing.index(">") + 1 :]
