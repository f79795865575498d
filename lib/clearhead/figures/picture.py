"""Pictures with captions: matplotlib figures that are displayed as inline SVG, with their findings below."""

import html
import io
import itertools
import re

from matplotlib.figure import Figure

from . import style
from .marks import label_points
from .words import sentence, symbols

UNDATED = {"Date": None, "Creator": None}
_COUNT = itertools.count(1)
_DARK = ";".join(f"--ch-{name}:{dark}" for name, (_, dark) in style.PALETTE.items())
_SHEET = (
    f"<style>html[data-theme=dark] .ch-picture,body[data-jp-theme-light=false] .ch-picture{{{_DARK}}}"
    ".ch-picture{display:block;max-width:100%;height:auto}figure:is(.ch-drawn,.ch-part){margin:0}"
    ":is(.ch-drawn,.ch-part) figcaption{margin:.5em 0 1em;max-width:40em;line-height:1.45}</style>"
)


class Picture:
    """A drawing with a title and a description; `axes` may be changed before it is displayed.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The drawing.
    description : str
        One or two sentences, made from the data, for readers who do not see the drawing.
    title : str, optional
        One sentence, written by hand, that says what to see. It becomes the caption under the drawing, and
        the beginning of the alternative text.
    marks : list of (float, float, str)
        Points of the first axes that get a dot and a label when the picture is shown.
    """

    def __init__(self, figure, description, title=None, marks=()):
        self.figure = figure
        self.axes = figure.axes[0]
        self.description = description
        self.title = sentence(title) if title else ""
        self.marks = marks

    def add(self, more):
        """Add a sentence to the title."""
        self.title = f"{self.title} {more}".strip()

    @property
    def words(self):
        """Return the alternative text, which is the title followed by the description."""
        return f"{self.title} {self.description}".strip()

    @property
    def svg(self):
        """Return the drawing as an inline SVG element, with theme colours, unique ids and a text label."""
        file = io.StringIO()
        with style.styled():
            labels = label_points(self.axes, self.marks)  # now, because the axes may have been changed
            self.figure.savefig(file, format="svg", bbox_inches="tight", pad_inches=0.05, metadata=UNDATED)
            for label in labels:
                label.remove()
        drawing = file.getvalue().strip()
        drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.S)
        drawing = _own_ids(_theme_colours(drawing[drawing.index("<svg") :]))
        return _label(drawing, self.words)

    def captioned(self, kind):
        """Return an HTML element `figure` of the class `kind`, with the drawing and the title below it."""
        caption = f"<figcaption>{symbols(self.title)}</figcaption>" if self.title else ""
        return f'<figure class="{kind}">{self.svg}{caption}</figure>'

    def _repr_html_(self):
        return self.captioned("ch-drawn")

    def __repr__(self):
        return self.words


def blank(width, height):
    """Return an empty figure of a given size in pixels, and its axes, in the style of the book."""
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


def _label(drawing, words):
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing).groups()
    head = (
        f'<svg class="ch-picture" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{float(width):.0f}" height="{float(height):.0f}" '
        f'role="img" aria-label="{html.escape(words, quote=True)}">'
    )
    return head + _SHEET + drawing[drawing.index(">") + 1 :]
