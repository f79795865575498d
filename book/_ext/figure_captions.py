"""Pictures of Matplotlib, which are made smaller and readable on a phone, with numbers and captions."""

import re

from conventions import CHAPTER

OPENING = '<svg class="ch-picture"'
PICTURE = re.compile(rf"{OPENING}.*?</svg>", re.S)
#: The words of a picture, which must not change. The parts between them may change.
WORDS = re.compile(r"(<text\b.*?</text>|<style\b.*?</style>)", re.S)
SPACE = re.compile(r"(?:(?<=>)|^)\s*\n\s*(?=<|$)")
#: A group that holds one path, and an empty group, to whose names nothing on a page refers.
WRAPPED = re.compile(r'<g id="[\w-]+">(<path [^>]*/>)</g>')
EMPTY = re.compile(r'<g id="[\w-]+"\s*/>')
PLACED = re.compile(r' (d|x|y|transform)="([^"]*)"')
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
#: A path along the sides of a box, of which a table of weights has one in each cell.
_X, _Y, _RIGHT, _DOWN = (rf"(?P<{name}>-?[\d.]+)" for name in ("x", "y", "right", "down"))
BOX = re.compile(
    rf"M {_X} {_Y} L {_RIGHT} (?P=y) L (?P=right) {_DOWN} L (?P=x) (?P=down)(?: L (?P=x) (?P=y))? z"
)
#: The names of clipping paths that Matplotlib makes from hashes.
CLIP = re.compile(r"-p[0-9a-f]{10}\b")
LONG_OPACITY = re.compile(r"(opacity:0?\.(?!000)\d{3})\d+")
STYLE = re.compile(r' style="([^"]*)"')
FAMILY = re.compile(r"font-family:\s*([^;\"]*)(?:;\s*)?")
#: A picture of a notebook: the part before its label, the label, the drawing, and its caption, if any.
DRAWN = re.compile(
    r'<figure class="ch-drawn">(<svg class="ch-picture"[^>]*?)aria-label="([^"]*)"(.*?</svg>)'
    r"(?:<figcaption>(.*?)</figcaption>)?</figure>",
    re.S,
)
#: The font size in a style, and the width of a picture on a phone that is 390 pixels wide.
FONT, PHONE = re.compile(r"font(?:-size)?:[^;\"]*?([\d.]+)px"), 366


def add_captions(app, pagename, templatename, context, doctree):
    """Reduce the size of a page's pictures, and add a number and a caption to each of them."""
    found = CHAPTER.match(pagename)
    body = lighter(context.get("body", ""))
    context["body"] = with_captions(body, f"{int(found[1])}." if found else "")


def lighter(page):
    """Return a page whose pictures have coordinates with two decimals, and name their font only once."""
    return PICTURE.sub(lambda found: _lighter(found[0]), page)


def _lighter(picture):
    picture = PLACED.sub(lambda found: f' {found[1]}="{_rounded(found[2])}"', picture)
    picture = "".join(
        part if number % 2 else EMPTY.sub("", WRAPPED.sub(r"\1", SPACE.sub("", part)))
        for number, part in enumerate(WORDS.split(picture))
    )
    clips = list(dict.fromkeys(CLIP.findall(picture)))
    picture = CLIP.sub(lambda found: f"-p{clips.index(found[0])}", picture)
    return STYLE.sub(_short, _with_one_font(picture))


def _rounded(places):
    """Return numbers with at most two decimals, and with single spaces."""
    short = " ".join(LONG_NUMBER.sub(_to_a_hundredth, places).split())
    return BOX.sub(r"M\g<x> \g<y>H\g<right>V\g<down>H\g<x>z", short)


def _to_a_hundredth(found):
    short = f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _short(found):
    """Return a style without spaces after its punctuation, unless it contains a quotation."""
    if "'" in found[1]:
        return found[0]
    return LONG_OPACITY.sub(r"\1", found[0].replace(": ", ":").replace("; ", ";"))


def _with_one_font(picture):
    """Return a picture that names its font only in its first tag, if all its words have the same font."""
    families = {found[1].strip() for found in FAMILY.finditer(picture)}
    if len(families) != 1:
        return picture
    return (
        f'{OPENING} style="font-family: {families.pop()}"{STYLE.sub(_without_font, picture[len(OPENING) :])}'
    )


def _without_font(found):
    """Return a style without its font family, which the whole picture defines."""
    return FAMILY.sub("", found[0])


def with_captions(body, prefix):
    """Return a page in which each picture of a notebook has a number, and its title as a caption."""
    count = iter(range(1, 1000))

    def captioned(found):
        before, words, after, title = found.groups()
        label = f"Figure {prefix}{next(count)}"
        width = re.search(r' width="(\d+)"', before)
        picture = f'{before}aria-label="{label}. {words}"{after}'
        if width:
            picture = readable(picture, int(width[1]), label)
        caption = f'<figcaption><span class="ch-caption-number">{label}.</span> {title or ""}</figcaption>'
        return f'<figure class="ch-static">{picture}{caption}</figure>'

    return DRAWN.sub(captioned, body)


def readable(picture, width, label):
    """Return a picture that scrolls instead of shrinking its words below 11 pixels.

    Exponents, which Matplotlib draws smaller than other text, do not count.
    """
    sizes = [float(size) for size in FONT.findall(picture)]
    least = width * 11 / min((size for size in sizes if size >= 12), default=14)
    style = f"--ch-natural-width:{width};--ch-min-width:{least:.0f}"
    scroll = f' tabindex="0" role="region" aria-label="{label}, to scroll"' if least > PHONE else ""
    return f'<div class="ch-view" style="{style}"{scroll}>{picture}</div>'
