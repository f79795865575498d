"""Drawings of what a norm, a feed-forward network, a class token and attention do to the rows of a model."""

import numpy as np

from .. import style
from ..shapes import box, drawing, line, sign, words


def normalised_row(row, title=None):
    """Return a drawing of the entries of a row on number lines: as given, centred, and normalised.

    Parameters
    ----------
    row : (D) float
        The row. Entries that are equal are drawn above each other.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    row = np.asarray(row, dtype=float)
    centred = row - row.mean()
    normed = centred / centred.std()
    steps = [("the row", row), ("minus its mean", centred), ("divided by its\nstandard deviation", normed)]
    most = np.ceil(max(np.abs(values).max() for _, values in steps) + 0.2)
    unit, zero = 124 / most, 306

    def draw(axes):
        for i, (name, values) in enumerate(steps):
            y, spread = 56 + 84 * i, unit * values.std()
            words(axes, 10, y, name, anchor="left")
            line(axes, (zero - unit * most, y), (zero + unit * most, y))
            for tick in np.arange(-most, most + 1):
                line(axes, (zero + unit * tick, y - 4), (zero + unit * tick, y + 4))
                words(axes, zero + unit * tick, y + 18, f"{tick:.0f}".replace("-", "−"))
            mean = zero + unit * values.mean()
            line(axes, (mean - spread, y + 32), (mean + spread, y + 32), colour=style.WEIGHT, width=3)
            heights = {}
            for value in values:
                heights[value] = heights.get(value, -1) + 1
                sign(axes, zero + unit * value, y - 9 - 15 * heights[value], "", 6, style.INK, 0.35)
        words(
            axes, 218, 56 + 84 * 2 + 54, "purple: the mean, one standard deviation to each side", style.WEIGHT
        )

    ends = ", ".join(f"{value:g}" for value in normed)
    description = (
        f"Three number lines with the {len(row)} entries of a row as dots. Their mean is {row.mean():g} and "
        f"their standard deviation {row.std():g}; then the mean is 0, and last the standard deviation is 1 "
        f"as well: the entries are {ends}."
    )
    return drawing(436, 290, draw, description, title)


def gated_unit(title=None):
    """Return a drawing of a feed-forward network with a gate, as in SwiGLU, read from the bottom."""

    def draw(axes):
        box(axes, 220, 266, 90, 30, "x")
        for x, name in ((110, "gate"), (330, "up")):
            line(axes, (220, 250), (220, 238), (x, 238), (x, 222), head=True)
            box(axes, x, 204, 96, 34, name)
        line(axes, (110, 186), (110, 160), head=True, colour=style.WEIGHT)
        box(axes, 110, 142, 96, 34, "SiLU", style.WEIGHT, 0.3)
        line(axes, (110, 124), (110, 96), (203, 96), head=True, colour=style.WEIGHT, width=2)
        line(axes, (330, 186), (330, 96), (237, 96), head=True)
        sign(axes, 220, 96, "×", 16)
        line(axes, (220, 80), (220, 56), head=True)
        box(axes, 220, 38, 96, 34, "down")
        line(axes, (220, 20), (220, 4), head=True)
        words(axes, 100, 76, "how far the gate\nis open", style.WEIGHT)
        words(axes, 338, 76, "what could\npass through it")

    description = (
        "The row x goes into two linear maps side by side. The output of the first passes through SiLU and "
        "becomes the gate; the output of the second is multiplied by it, entry by entry. A third map brings "
        "the product back to the width of x."
    )
    return drawing(440, 286, draw, description, title)


def questions_and_replies(token, row, columns, questions, answers, replies, title=None):
    """Return a drawing of a feed-forward network that reads one row, and of what it adds to it.

    Parameters
    ----------
    token : str
        The token to which the row belongs.
    row : (D) float
        The row.
    columns : list of str
        The meaning of each entry of the row.
    questions : list of str
        The question of each hidden unit.
    answers : (F) float
        The hidden units after the activation, where 0 means "no".
    replies : (F, D) float
        The vector that each hidden unit adds to the row if its answer is 1.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    row, change = np.asarray(row, dtype=float), np.asarray(answers) @ np.asarray(replies)

    def draw(axes):
        words(axes, 220, 16, f"the row of {token}", fontweight="bold")
        _row(axes, 44, row, columns, style.INK)
        for i, (question, answer) in enumerate(zip(questions, answers, strict=True)):
            x, yes = 112 + 216 * i, answer > 0
            colour = style.WEIGHT if yes else style.INK
            line(axes, (220, 84), (220, 100), (x, 100), (x, 122), head=True)
            box(axes, x, 142, 204, 38, question, colour, 0.3 if yes else 0.04)
            line(axes, (x, 162), (x, 182), head=True, colour=colour)
            words(axes, x, 197, f"yes, {answer:g}" if yes else "no, 0", colour)
            line(axes, (x, 210), (x, 230), (220, 230), (220, 250), head=yes, colour=colour, dashed=not yes)
        words(axes, 220, 262, "the reply that is added", fontweight="bold")
        _row(axes, 290, change, columns, style.WEIGHT)

    said = "; ".join(f"‘{q}’: {'yes' if a > 0 else 'no'}" for q, a in zip(questions, answers, strict=True))
    added = ", ".join(f"{value:g}" for value in change)
    description = (
        f"From top to bottom: the row of {token}, two hidden units that each put a question to it ({said}), "
        f"and the reply that is added to the row: {added}."
    )
    return drawing(440, 332, draw, description, title)


def _row(axes, y, values, columns, colour):
    """Draw a row of numbers with the names of its entries below them."""
    wide = 96
    left = 220 - wide * len(values) / 2
    for i, (value, name) in enumerate(zip(values, columns, strict=True)):
        x = left + wide * (i + 0.5)
        box(axes, x, y, wide - 6, 26, f"{value:g}".replace("-", "−"), colour, 0.3 if value else 0.04)
        words(axes, x, y + 26, name, fontsize=12)


def class_token(patches, title=None):
    """Return a drawing of how a class token passes through a vision transformer and collects information.

    Parameters
    ----------
    patches : int
        The number of patches of the image.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    count = patches + 1
    places = [104 + 328 * i / (count - 0.5) for i in range(count)]

    def draw(axes):
        words(axes, 72, 262, "embeddings", anchor="right")
        words(axes, 72, 176, "blocks", anchor="right")
        words(axes, 72, 44, "logits", anchor="right")
        box(axes, (places[0] + places[-1]) / 2, 176, places[-1] - places[0] + 44, 96, "", style.INK, 0.05)
        for i, x in enumerate(places):
            colour = style.WEIGHT if i == 0 else style.INK
            box(axes, x, 262, 34, 28, "cls" if i == 0 else f"{i}", colour, 0.3 if i == 0 else 0.08)
            line(axes, (x, 247), (x, 216), colour=colour)
            if i:
                line(axes, (x, 214), (places[0] + 3, 142), colour=(style.WEIGHT, 0.7), width=1.6)
                line(axes, (x, 136), (x, 112), colour=(style.INK, 0.4), dashed=True)
            line(axes, (x, 214), (x, 138), colour=colour, width=2 if i == 0 else 1.3)
        line(axes, (places[0], 138), (places[0], 62), colour=style.WEIGHT, width=2, head=True)
        box(axes, places[0] + 84, 44, 190, 32, "one score for each class", style.WEIGHT, 0.3)
        words(axes, (places[2] + places[-1]) / 2, 96, "these rows are not read")
        words(axes, (places[1] + places[-1]) / 2, 292, f"the {patches} patches")

    description = (
        f"At the bottom, a class token beside {patches} patches. Inside the blocks, lines lead from all "
        "patches to the class token. Only its row leaves the blocks, and becomes the logits at the top."
    )
    return drawing(440, 306, draw, description, title)


def reversed_sentence(tokens, title=None):
    """Return a drawing of attention without positions, applied to a sentence and to its reverse.

    Parameters
    ----------
    tokens : list of str
        The tokens of the sentence, three at most.
    title : str, optional
        One sentence that says what to see: the caption under the picture.
    """
    strengths = dict(zip(tokens, (0.12, 0.32, 0.58), strict=False))

    def draw(axes):
        for left, order in ((12, tokens), (236, tokens[::-1])):
            middle = left + 33 * len(order)
            for i, token in enumerate(order):
                x = left + 33 + 66 * i
                box(axes, x, 162, 58, 30, token, style.WEIGHT, strengths[token])
                line(axes, (x, 146), (x, 120), head=True)
                line(axes, (x, 82), (x, 58), head=True)
                box(axes, x, 40, 58, 34, f"z {token}", style.WEIGHT, strengths[token], fontsize=12)
            box(axes, middle, 101, 66 * len(order) - 8, 36, "attention", style.INK, 0.06)

    description = (
        f"Left, the sentence {' '.join(tokens)} passes through attention; right, the sentence "
        f"{' '.join(tokens[::-1])}. Each word has the same vector in both, only in another row."
    )
    return drawing(440, 186, draw, description, title)
