"""Chapter 8 in one picture: attention mixes the stream of four tokens, the feed-forward layer does not."""

from .ink import box, dot, fan, lane, plus, put, text, wire

ENDS = [0.16 + 0.2267 * i for i in range(4)]


def block(narrow):
    """Return the pieces of the picture, its width and its height."""
    return (_down(), 340, 464) if narrow else (_across(), 720, 266)


def _across():
    """Draw the stream from left to right, and over it an arch for each step."""
    body = [wire([(4, 208 + 8 * i), (716, 208 + 8 * i)], "m-stream") for i in range(4)]
    for i, (name, words, kind, inside) in enumerate(_steps()):
        x = 44 + 336 * i
        body += [text(x, 20, name, "m-strong"), text(x + 270, 20, words, "m-quiet", "end")]
        body += [
            *(dot(x + 36, 208 + 8 * j) for j in range(4)),
            wire([(x + 36, 232), (x + 36, 184)], head=False),
            wire([(x + 36, 152), (x + 36, 132)]),
        ]
        body += [box(x, 152, 72, 32), put(x + 36, 173, "norm"), box(x, 34, 270, 98, f"m-box {kind}".strip())]
        body += [
            *inside(x + 30, 44, 210, 78),
            wire([(x + 234, 132), (x + 234, 203)]),
            plus(x + 234, 220, radius=17),
        ]
    body += [text(4, 258, "x", "m-letter"), text(716, 258, "y", "m-letter", "end")]
    return [*body, put(360, 262, "the stream: one line for each token, never overwritten", "m-quiet")]


def _down():
    """Draw the stream from top to bottom, and beside it a branch for each step."""
    body = [wire([(14 + 8 * i, 2), (14 + 8 * i, 462)], "m-stream") for i in range(4)]
    for i, (name, words, kind, inside) in enumerate(_steps()):
        y = 22 + 222 * i
        body += [
            *(dot(14 + 8 * j, y + 18) for j in range(4)),
            wire([(14, y + 18), (96, y + 18)], head=False),
            box(96, y + 2, 72, 32),
        ]
        body += [put(132, y + 23, "norm"), wire([(168, y + 18), (218, y + 18), (218, y + 50)])]
        body += [box(96, y + 50, 243, 92, f"m-box {kind}".strip()), *inside(120, y + 62, 195, 68)]
        body += [text(96, y + 162, name, "m-strong"), text(339, y + 162, words, "m-quiet", "end")]
        body += [
            wire([(96, y + 96), (66, y + 96), (66, y + 188), (43, y + 188)]),
            plus(26, y + 188, radius=17),
        ]
    return body


def _steps():
    attention = "attention", "tokens talk to each other", "m-weight", _web
    return attention, ("feed-forward", "each token alone", "", _lanes)


def _web(x, y, width, height):
    """Return four dots at either end, each joined with each."""
    left, right = ([(at, y + height * end) for end in ENDS] for at in (x, x + width))
    rays = [fan(a, b, 1.5, "m-weight") for a in left for b in right]
    return rays + [dot(*place, 3.4) for place in left + right]


def _lanes(x, y, width, height):
    """Return four lanes that never meet, each wide in its middle."""
    return [lane(x, y + height * end, width, height * 0.17) for end in ENDS]
