"""SVG in a few words. Colours, letters and strokes come from book/static/machine.css, through classes."""

from html import escape
from itertools import pairwise
from math import dist

HEAD, ROUND = 7, 8  # the length of an arrow head, the radius of a corner


def text(x, y, words, kind="", anchor="start"):
    """Return words at a position; `anchor` says which end of them is there."""
    return f'<text{_class(kind)} x="{short(x)}" y="{short(y)}"{_anchor(anchor)}>{escape(words)}</text>'


def put(x, y, words, kind=""):
    """Return words centred at a position."""
    return text(x, y, words, kind, "middle")


def label(x, y, number, words, anchor="start"):
    """Return a chapter's number, quiet, and words behind it, if there are any."""
    behind = f' <tspan dx="3">{escape(words)}</tspan>' if words else ""
    return (
        f'<text x="{short(x)}" y="{short(y)}"{_anchor(anchor)}>'
        f'<tspan class="m-number">{number}</tspan>{behind}</text>'
    )


def box(x, y, width, height, kind="m-box", corner=6):
    """Return a rectangle with round corners."""
    size = f'width="{short(width)}" height="{short(height)}"'
    return f'<rect{_class(kind)} x="{short(x)}" y="{short(y)}" {size} rx="{short(corner)}"/>'


def dot(x, y, radius=3, kind="m-dot"):
    """Return a small filled circle."""
    return f'<circle{_class(kind)} cx="{short(x)}" cy="{short(y)}" r="{short(radius)}"/>'


def plus(x, y, kind="m-plus", radius=9):
    """Return the sign of an addition: a circle with a cross in it."""
    cross = f'<path class="m-cross" d="M{short(x - 5)} {short(y)}h10M{short(x)} {short(y - 5)}v10"/>'
    return f'<circle{_class(kind)} cx="{short(x)}" cy="{short(y)}" r="{radius}"/>{cross}'


def wire(points, kind="", head=True, width=None):
    """Return a line through the points, its corners round, with an arrow head at its end."""
    (x, y), *rest = points
    path = f"M{short(x)} {short(y)}"
    for here, after in pairwise(rest):
        near = min(ROUND, dist((x, y), here) / 2, dist(here, after) / 2)
        (ax, ay), (bx, by) = _towards(here, (x, y), near), _towards(here, after, near)
        path += f"L{short(ax)} {short(ay)}Q{short(here[0])} {short(here[1])} {short(bx)} {short(by)}"
        x, y = here
    end = rest[-1]
    stop = _towards(end, (x, y), HEAD - 1) if head else end
    thick = f' style="stroke-width:{short(width)}"' if width else ""
    line = f'<path class="m-wire {kind}"{thick} d="{path}L{short(stop[0])} {short(stop[1])}"/>'
    return line.replace(' "', '"') + (_head(end, (x, y), kind) if head else "")


def fan(start, end, width, kind, across=True):
    """Return a curve from one point to another that leaves and arrives straight: one ray of a fan."""
    (x, y), (to_x, to_y) = start, end
    first, second = ((x + to_x) / 2, y), ((x + to_x) / 2, to_y)
    if not across:
        first, second = (x, (y + to_y) / 2), (to_x, (y + to_y) / 2)
    curve = "C" + " ".join(f"{short(a)} {short(b)}" for a, b in (first, second, end))
    return (
        f'<path class="m-ray {kind}" style="stroke-width:{short(width)}" d="M{short(x)} {short(y)}{curve}"/>'
    )


def arch(start, end, y, rise):
    """Return an arc that leaves a level at one place and comes back to it at another."""
    curve = f"C{short(start)} {short(y + rise)} {short(end)} {short(y + rise)} {short(end)} {short(y)}"
    return f'<path class="m-ray m-soft" d="M{short(start)} {short(y)}{curve}"/>'


def cells(x, y, side, shades, kind="m-weight"):
    """Return a table of little squares; a shade from 0 to 1 is how full each one is, None leaves it out."""
    drawn = [
        f'<rect x="{short(x + side * j)}" y="{short(y + side * i)}" width="{short(side - 1)}" '
        f'height="{short(side - 1)}" style="fill-opacity:{short(0.1 + 0.9 * shade, 2)}"/>'
        for i, row in enumerate(shades)
        for j, shade in enumerate(row)
        if shade is not None
    ]
    return f'<g class="m-cells {kind}">{"".join(drawn)}</g>'


def pixel(x, y, side, number, most, chosen=False):
    """Return a square with a number in it, the darker the larger the number."""
    kind = "m-pixel m-first" if chosen else "m-pixel"
    square = f'<rect class="{kind}" x="{short(x)}" y="{short(y)}" width="{side}" height="{side}" rx="3" '
    shade = f'style="fill-opacity:{short(0.06 + 0.33 * number / most, 2)}"/>'
    return (
        square
        + shade
        + put(x + side / 2, y + side / 2 + 5, str(number), "m-weight m-strong" if chosen else "")
    )


def lane(x, y, width, swell):
    """Return a lane from left to right that is wide in its middle."""
    thin, half, third = 2, swell / 2, width * 0.35
    upper = f"M{short(x)} {short(y - thin)}L{short(x + third)} {short(y - half)}H{short(x + width - third)}"
    turn = f"L{short(x + width)} {short(y - thin)}V{short(y + thin)}"
    lower = f"L{short(x + width - third)} {short(y + half)}H{short(x + third)}L{short(x)} {short(y + thin)}z"
    return f'<path class="m-lane" d="{upper}{turn}{lower}"/>'


def _head(end, before, kind):
    (x, y), (bx, by) = end, _towards(end, before, HEAD)
    dx, dy = (by - y) * 0.52, (x - bx) * 0.52
    points = f"{short(x)} {short(y)} {short(bx + dx)} {short(by + dy)} {short(bx - dx)} {short(by - dy)}"
    return f'<polygon class="{("m-head " + kind).strip()}" points="{points}"/>'


def _towards(here, there, length):
    share = length / (dist(here, there) or 1)
    return tuple(a + (b - a) * share for a, b in zip(here, there, strict=True))


def short(number, digits=1):
    """Return a number as SVG needs it: few decimals, and none that says nothing."""
    return f"{number:.{digits}f}".rstrip("0").rstrip(".") or "0"


def _class(kind):
    return f' class="{kind}"' if kind else ""


def _anchor(anchor):
    return "" if anchor == "start" else f' text-anchor="{anchor}"'
