"""The machine for a desk: two lanes from left to right, the encoder above the decoder."""

from . import ink
from .inside import inside
from .parts import SO_FAR, SOURCE
from .sheet import Sheet, nowhere


def wide(today=None, address=nowhere):
    """Return the machine for a desk: two lanes from left to right, the encoder above the decoder."""
    sheet = Sheet(today, address)
    first, second = 186, 376
    _source(sheet, first, second)
    _lane(sheet, "encoder", first, 146, 130, ["self", "feed"], 410)
    _target(sheet, second)
    _lane(sheet, "decoder", second, 190, 136, ["masked", "cross", "feed"], 662)
    _memory(sheet, first, second)
    _outputs(sheet, second)
    inside(sheet, 460, 0, apart=(604, 239))
    return sheet.svg("wide", 720, 502)


def _source(sheet, first, second):
    """Draw the path of the first text at the left, other inputs, and the positions of both texts."""
    sheet.wire([(365, 32), (365, 44), (125, 44), (125, 115), (116, 115)], "kinds")
    sheet.wire([(217, 32), (217, 44), (125, 44), (125, 115), (116, 115)], "patches")
    for top, bottom, key in ((44, 58, ""), (84, 102, ""), (128, first - 9, "stream")):
        sheet.wire([(58, top), (58, bottom)], key)
    sheet.pill(0, 0, 116, 44, SOURCE)
    sheet.part("ids", 0, 58, 116, 26)
    sheet.part("embedding", 0, 102, 116, 26)
    sheet.part("patches", 146, 6, 148, 26)
    sheet.part("kinds", 306, 6, 120, 26)
    middle = (first + second) / 2
    sheet.wire([(58, middle - 13), (58, first + 9)], "positions")
    sheet.wire([(58, middle + 13), (58, second - 9)], "positions")
    sheet.part("positions", 0, middle - 13, 116, 26)


def _target(sheet, second):
    """Draw the path of the second text, from the bottom to the stream."""
    for bottom, top, key in ((474, 460, ""), (434, 422, ""), (396, second + 9, "stream")):
        sheet.wire([(58, bottom), (58, top)], key)
    sheet.pill(0, 474, 116, 28, SO_FAR)
    sheet.part("ids", 0, 434, 116, 26)
    sheet.part("embedding", 0, 396, 116, 26)


def _lane(sheet, block, y, left, pitch, steps, end):
    """Draw one block: the stream as a straight line, and over it an arch for each step."""
    right = left + pitch * (len(steps) - 1) + 122 + 12
    sheet.frame(block, left - 12, y - 126, right - left + 12, 140, left)
    leads_on = [(end, y + 20)] if block == "decoder" else []
    sheet.wire([(58, y), (end, y), *leads_on], "stream", "m-stream", head=bool(leads_on))
    sheet.plus(58, y, "positions")
    for i, key in enumerate(steps):
        x = left + pitch * i
        sheet.wire([(x + 30, y), (x + 30, y - 22)], "stream", head=False)
        sheet.wire([(x + 30, y - 44), (x + 30, y - 56)], "stream")
        sheet.wire([(x + 100, y - 56), (x + 100, y - 9)], "stream")
        sheet.add(ink.dot(x + 30, y))
        sheet.link("norm", ink.box(x, y - 44, 60, 22, "m-box") + ink.put(x + 30, y - 28, "norm"))
        sheet.part(key, x, y - 98, 122, 42, "m-box m-weight" if key != "feed" else "m-box")
        sheet.plus(x + 100, y)


def _memory(sheet, first, second):
    """Draw the path from the encoder to the decoder: its result becomes keys and values."""
    fork, top = first + 38, second - 98
    sheet.wire([(410, first), (424, first), (424, fork)], "memory", "m-stream", head=False)
    for x, name, beside in ((408, "key", -14), (440, "value", 14)):
        sheet.wire([(424, fork), (x, fork), (x, top)], "memory", f"m-{name}")
        sheet.add(ink.put(x + beside, fork + 24, name[0].upper(), f"m-{name} m-letter"))


def _outputs(sheet, second):
    """Draw the parts at the right: linear, softmax, the next word, the loss, and the backward pass."""
    for top, bottom in ((422, 434), (460, 474)):
        sheet.wire([(662, top), (662, bottom)])
    sheet.part("linear", 604, 396, 116, 26)
    sheet.part("softmax", 604, 434, 116, 26)
    sheet.wire([(604, 447), (586, 447)], "loss")
    sheet.part("loss", 430, 434, 156, 26)
    sheet.wire([(604, 488), (116, 488)], "again")
    sheet.part("next", 604, 474, 116, 28)
    sheet.words("again", 364, 480, "middle")
    sheet.wire([(147, 404), (147, 383)], "shape", head=False)
    sheet.words("shape", 140, 420)
