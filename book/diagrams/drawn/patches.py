"""Chapter 13 in one picture: an image of four rows and six columns, cut into six patches, six tokens."""

from .ink import box, pixel, put, text, wire

SIDE = 30


def patches(narrow):
    """Return the pieces of the picture, its width and its height."""
    return (_down(), 340, 424) if narrow else (_across(), 720, 240)


def _across():
    body = [*_image(0, 70), text(0, 56, "an image of 4 × 6 numbers", "m-strong")]
    body += [wire([(208, 132), (262, 132)]), put(235, 122, "cut", "m-quiet")]
    body += [put(413, 14, "six tokens, four numbers each", "m-strong"), *_tokens(354, 28, 556)]
    words = "embedding,", "positions, encoder:", "as for words"
    return [*body, box(558, 28, 162, 208), *(put(639, 118 + 18 * i, line) for i, line in enumerate(words))]


def _down():
    body = [
        put(172, 14, "an image of 4 × 6 numbers", "m-strong"),
        *_image(79, 24),
        wire([(172, 158), (172, 182)]),
    ]
    body += [put(172, 202, "six patches, each a row of four", "m-strong"), *_tokens(88, 214, 236)]
    words = "embedding,", "positions,", "encoder"
    return [*body, box(238, 214, 100, 208), *(put(288, 304 + 18 * i, line) for i, line in enumerate(words))]


def _patch(p):
    """Return the four numbers of a patch, which say where they are in the image."""
    row, column = divmod(p, 3)
    return [6 * (2 * row + i) + 2 * column + j for i in (0, 1) for j in (0, 1)]


def _image(left, top):
    """Draw the image, with a gap between the patches."""
    body = []
    for p in range(6):
        for number in _patch(p):
            row, column = divmod(number, 6)
            x, y = left + SIDE * column + 5 * (column // 2), top + SIDE * row + 5 * (row // 2)
            body.append(pixel(x, y, SIDE - 2, number, 23, chosen=p == 0))
    return body


def _tokens(left, top, end):
    """Draw a row for each patch, and an arrow from each row."""
    body = []
    for p in range(6):
        y = top + 36 * p
        body.append(text(left - 14, y + 19, f"token {p + 1}", "m-weight m-strong" if p == 0 else "", "end"))
        body += [pixel(left + SIDE * k, y, SIDE - 2, n, 23, chosen=p == 0) for k, n in enumerate(_patch(p))]
        body.append(wire([(left + 4 * SIDE + 4, y + 14), (end, y + 14)]))
    return body
