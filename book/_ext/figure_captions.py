"""Make the pictures of matplotlib smaller by a third and readable on a phone, with numbers and captions."""

import re

from conventions import CHAPTER

OPENING = '<svg class="ch-picture"'
PICTURE = re.compile(rf"{OPENING}.*?</svg>", re.S)
#: The words of a picture; what stands between them may change, they may not.
WORDS = re.compile(r"(<text\b.*?</text>|<style\b.*?</style>)", re.S)
SPACE = re.compile(r"(?:(?<=>)|^)\s*\n\s*(?=<|$)")
#: A group that holds one path, and one that holds nothing: nothing on a page refers to their names.
WRAPPED = re.compile(r'<g id="[\w-]+">(<path [^>]*/>)</g>')
EMPTY = re.compile(r'<g id="[\w-]+"\s*/>')
PLACED = re.compile(r' (d|x|y|transform)="([^"]*)"')
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
STYLE = re.compile(r' style="([^"]*)"')
FAMILY = re.compile(r"font-family:\s*([^;\"]*)(?:;\s*)?")
#: A picture as a notebook shows it: up to its label, the label, what is drawn, and its caption if it has one.
DRAWN = re.compile(
    r'<figure class="ch-drawn">(<svg class="ch-picture"[^>]*?)aria-label="([^"]*)"(.*?</svg>)'
    r"(?:<figcaption>(.*?)</figcaption>)?</figure>",
    re.S,
)
#: Where a style says the size of letters; the pixels that a picture has on a phone 390 pixels wide.
FONT, PHONE = re.compile(r"font(?:-size)?:[^;\"]*?([\d.]+)px"), 366


def add_captions(app, pagename, templatename, context, doctree):
    """Make the pictures of a page smaller, and add a number and a caption to each."""
    found = CHAPTER.match(pagename)
    body = lighter(context.get("body", ""))
    context["body"] = with_captions(body, f"{int(found[1])}." if found else "")


def lighter(page):
    """Return a page whose pictures have coordinates to a hundredth of a pixel, and name their font once."""
    return PICTURE.sub(lambda found: _lighter(found[0]), page)


def _lighter(picture):
    picture = PLACED.sub(lambda found: f' {found[1]}="{_rounded(found[2])}"', picture)
    picture = "".join(
        part if number % 2 else EMPTY.sub("", WRAPPED.sub(r"\1", SPACE.sub("", part)))
        for number, part in enumerate(WORDS.split(picture))
    )
    return STYLE.sub(_short, _with_one_font(picture))


def _rounded(places):
    """Return numbers with at most two decimals, and with single spaces."""
    return " ".join(LONG_NUMBER.sub(_to_a_hundredth, places).split())


def _to_a_hundredth(found):
    short = f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _short(found):
    """Return a style without the spaces behind its signs; one that quotes something stays as it is."""
    return found[0] if "'" in found[1] else found[0].replace(": ", ":").replace("; ", ";")


def _with_one_font(picture):
    """Return a picture that names its font in its first tag, where every word of it names the same font."""
    families = {found[1].strip() for found in FAMILY.finditer(picture)}
    if len(families) != 1:
        return picture
    return (
        f'{OPENING} style="font-family: {families.pop()}"{STYLE.sub(_without_font, picture[len(OPENING) :])}'
    )


def _without_font(found):
    """Return a style that leaves the font to the picture."""
    return FAMILY.sub("", found[0])


def with_captions(body, prefix):
    """Return a page in which each picture of a notebook has its number, and its title as its caption."""
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
    """Return a picture that does not shrink until its words are smaller than 11 pixels: it scrolls, instead.

    Powers of ten, which matplotlib writes smaller than the rest, do not count.
    """
    sizes = [float(size) for size in FONT.findall(picture)]
    least = width * 11 / min((size for size in sizes if size >= 12), default=14)
    style = f"--ch-natural-width:{width};--ch-min-width:{least:.0f}"
    scroll = f' tabindex="0" role="region" aria-label="{label}, to scroll"' if least > PHONE else ""
    return f'<div class="ch-view" style="{style}"{scroll}>{picture}</div>'
