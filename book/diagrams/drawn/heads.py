"""Chapter 6 in one picture: the same rows go into two heads, side by side, and the results are merged."""

from .ink import box, cells, put, text, wire
from .numbers import HEADS, X_4, attention

KINDS = "query", "key", "value"


def heads(narrow):
    """Return the pieces of the picture, its width and its height."""
    found = [attention(X_4, *head)[3:] for head in HEADS]
    return (_down(found), 340, 536) if narrow else (_across(found), 720, 280)


def _across(found):
    """Draw the heads one above the other, the way from left to right."""
    body = [put(47, 74, "X", "m-letter"), cells(0, 86, 24, _shades(X_4), "m-plain")]
    for i, ((weights, mixed), at, name) in enumerate(
        zip(found, (17, 272), ("which noun?", "which article?"), strict=True)
    ):
        y = 24 + 124 * i
        body += [box(136, y, 344, 108, "m-frame", 10), text(136, at, f"head {i}: {name}", "m-strong")]
        body += [wire([(100, 134), (118, 134), (118, y + 52), (136, y + 52)])]
        body += [wire([(480, y + 52), (500, y + 52), (500, 118 + 32 * i), (518, 118 + 32 * i)])]
        for k, kind in enumerate(KINDS):
            body += _letter(168, y + 25 + 29 * k, kind)
        body += [
            wire([(184, y + 25), (258, y + 25)], "m-query"),
            wire([(184, y + 54), (258, y + 54)], "m-key"),
        ]
        body += [cells(264, y + 16, 19, weights), wire([(344, y + 54), (404, y + 54)], "m-weight")]
        body += [wire([(184, y + 83), (222, y + 83), (222, y + 99), (425, y + 99), (425, y + 87)], "m-value")]
        body += [cells(410, y + 22, 16, _shades(mixed), "m-value")]
        body += [cells(524 + 50 * i, 86, 24, _shades(mixed), "m-value")]
    body += [put(572, 74, "merged", "m-strong"), wire([(626, 134), (646, 134)])]
    return [*body, box(646, 112, 74, 44), put(683, 131, "mixed"), put(683, 148, "by W_o")]


def _down(found):
    """Draw the heads beside each other, the way from top to bottom."""
    body = [put(60, 62, "X", "m-letter"), cells(122, 10, 24, _shades(X_4), "m-plain")]
    for i, ((weights, mixed), name) in enumerate(zip(found, ("noun?", "article?"), strict=True)):
        x = 84 + 172 * i
        body += [
            wire([(170, 108), (170, 121), (x, 121), (x, 134)]),
            box(x - 82, 134, 164, 226, "m-frame", 10),
        ]
        body += [put(x, 156, f"head {i}: {name}", "m-strong")]
        for k, kind in enumerate(KINDS):
            body += _letter(x - 42 + 42 * k, 180, kind)
        body += [wire([(x, 194), (x, 206)]), cells(x - 36, 208, 18, weights), wire([(x, 282), (x, 294)])]
        body += [cells(x - 14, 296, 14, _shades(mixed), "m-value")]
        body += [wire([(x, 360), (x, 374), (146 + 48 * i, 374), (146 + 48 * i, 388)])]
        body += [cells(122 + 50 * i, 390, 24, _shades(mixed), "m-value")]
    body += [put(60, 442, "merged", "m-strong"), wire([(170, 488), (170, 504)])]
    return [*body, box(96, 504, 148, 30), put(170, 524, "mixed by W_o")]


def _letter(x, y, kind):
    """Return the sign of queries, keys or values."""
    return [
        box(x - 16, y - 12, 32, 24, f"m-chip m-{kind}", 4),
        put(x, y + 5, kind[0].upper(), f"m-{kind} m-letter"),
    ]


def _shades(rows):
    return [[min(1, abs(number) / 2) for number in row] for row in rows]
