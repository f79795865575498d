"""Drawings of how a word is composed of pieces, and of the receptive field of a stack of windows."""

from .. import style
from ..shapes import box, drawing, line, sign, words


def byte_pair_tree(word, merges, title=None):
    """Return a drawing of the merges that join the letters of a word, with the first merge lowest.

    Parameters
    ----------
    word : str
        The word, at most ten letters.
    merges : list of (str, str)
        The pairs that byte-pair encoding merges, in the order in which they were learned.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    pitch, top = 42, 34 + 44 * len(merges)
    pieces = [(letter, 24 + pitch * i, top) for i, letter in enumerate(word)]
    joins = []
    for number, pair in enumerate(merges):
        i = 0
        while i + 1 < len(pieces):
            (left, x, low), (right, to, low_right) = pieces[i : i + 2]
            if (left, right) == tuple(pair):
                y = top - 44 * (number + 1)
                joined = (left + right, (x + to) / 2, y)
                joins.append(((x, low), (to, low_right), joined, number + 1))
                pieces[i : i + 2] = [joined]
            i += 1
    ends = {piece[0] for piece in pieces}

    def draw(axes):
        for left, right, (_, x, y), _ in joins:
            for start, low in (left, right):
                line(axes, (start, low - 14), (start, y + 22), (x, y + 22), (x, y + 14))
        for _, _, (name, x, y), number in joins:
            colour = style.WEIGHT if name in ends else style.INK
            box(axes, x, y, 12 * len(name) + 16, 28, name, colour, 0.3 if name in ends else 0.08)
            words(axes, 24 + pitch * len(word), y, f"merge {number}", anchor="left")
        for i, letter in enumerate(word):
            box(axes, 24 + pitch * i, top, 30, 28, letter)
        words(axes, 24 + pitch * len(word), top, "letters", anchor="left")

    said = "; ".join(f"merge {number} makes {name}" for _, _, (name, *_), number in joins)
    left = " and ".join(piece for piece, *_ in pieces)
    description = f"A tree over the letters of {word}: {said}. The pieces {left} remain."
    return drawing(24 + pitch * len(word) + 70, top + 30, draw, description, title)


def receptive_field(window, layers, title=None):
    """Return a drawing of layers of windows, with the tokens on which the middle output depends.

    Parameters
    ----------
    window : int
        The number of tokens in a window, which is odd.
    layers : int
        The number of layers of windows.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    half, pitch, rise = window // 2, 34, 58
    across = 2 * half * layers + 3
    middle, left, low = across // 2, 22, 30 + rise * layers
    reach = [half * (layers - layer) for layer in range(layers + 1)]

    def place(i, layer):
        return left + pitch * i, low - rise * layer

    def draw(axes):
        for layer in range(layers + 1):
            for i in range(across):
                seen = abs(i - middle) <= reach[layer]
                if layer and half * layer <= i < across - half * layer:
                    for source in range(i - half, i + half + 1):
                        (x, y), (to, up) = place(source, layer - 1), place(i, layer)
                        colour = (style.WEIGHT, 0.8) if seen else (style.INK, 0.12)
                        line(axes, (x, y - 9), (to, up + 9), colour=colour)
                strength = 0.55 if seen else 0.05
                if half * layer <= i < across - half * layer:
                    sign(axes, *place(i, layer), "", 9, style.WEIGHT if seen else style.INK, strength)
            name = "tokens" if layer == 0 else f"layer {layer}"
            words(axes, left + pitch * across - 4, low - rise * layer, name, anchor="left")
        for layer in range(1, layers + 1):
            count = 1 + 2 * half * layer
            words(axes, left + pitch * across - 4, low - rise * layer + 19, f"sees {count}", anchor="left")

    counts = ", ".join(str(1 + 2 * half * layer) for layer in range(1, layers + 1))
    description = (
        f"Rows of circles, one for each layer of windows of {window}, over a row of tokens. Lines lead from "
        f"one output of layer {layers} to all that it depends on. After each layer it sees {counts} tokens."
    )
    return drawing(left + pitch * across + 66, low + 18, draw, description, title)


def overlapping_pieces(text, length, masked, title=None):
    """Return a drawing of a string and its overlapping pieces, one of which is masked.

    Parameters
    ----------
    text : str
        The string.
    length : int
        The number of letters in a piece; the next piece begins one letter later.
    masked : int
        The index of the piece that is masked, counted from 0.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    pitch, left = 44, 130
    pieces = [text[i : i + length] for i in range(len(text) - length + 1)]

    def draw(axes):
        words(axes, left - 40, 24, "string", anchor="right")
        for i, letter in enumerate(text):
            inside = masked <= i < masked + length
            colour, strength = (style.WEIGHT, 0.3) if inside else (style.INK, 0.06)
            box(axes, left + pitch * i, 24, 36, 30, letter, colour, strength)
        for row, piece in enumerate(pieces):
            y = 78 + 42 * row
            words(axes, left - 40, y, "masked" if row == masked else "visible", anchor="right")
            for i, letter in enumerate(piece):
                place = row + i
                copied = row != masked and masked <= place < masked + length
                colour = style.WEIGHT if copied or row == masked else style.INK
                name = "?" if row == masked else letter
                strength = 0.3 if copied else 0.03
                box(axes, left + pitch * place, y, 36, 30, name, colour, strength, dashed=row == masked)
        said = "purple: letters of the masked piece"
        words(axes, left - 20, 78 + 42 * len(pieces), said, style.WEIGHT, "left")

    description = (
        f"The string {text}, and under it its pieces {', '.join(pieces)}, each shifted by one letter. The "
        f"piece {pieces[masked]} is masked, but its neighbours contain all of its letters."
    )
    return drawing(left + pitch * len(text), 96 + 42 * len(pieces), draw, description, title)
