"""Return the pictures that matplotlib drew with the same look in about two thirds of the bytes."""

import re

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


def lighter(page):
    """Return a page whose pictures have places to a hundredth of a pixel, and say their font once."""
    return PICTURE.sub(lambda found: _lighter(found[0]), page)


def _lighter(picture):
    picture = PLACED.sub(lambda found: f' {found[1]}="{_rounded(found[2])}"', picture)
    picture = "".join(
        part if number % 2 else EMPTY.sub("", WRAPPED.sub(r"\1", SPACE.sub("", part)))
        for number, part in enumerate(WORDS.split(picture))
    )
    return STYLE.sub(_short, _with_one_font(picture))


def _rounded(places):
    """Return numbers with two decimals at most, and one space where there was more."""
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
