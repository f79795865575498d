"""The machine for a phone: one column from top to bottom."""

from . import ink
from .inside import inside
from .parts import SO_FAR, SOURCE
from .sheet import Sheet, nowhere

SPINE, LEFT, RIGHT, WIDTH = 34, 14, 312, 340


def narrow(address=nowhere):
    """Return the machine for a phone: one column from top to bottom."""
    sheet, y = Sheet(None, address), 0
    for draw in (_input, _encoder, _decoder, _output, _inside):
        y = draw(sheet, y)
    return sheet.svg("narrow", WIDTH, y)


def _input(sheet, y):
    """Draw the text, its ids, the embedding, and the positions."""
    for top, bottom, key in ((28, 42, ""), (70, 84, ""), (112, 135, "stream")):
        sheet.wire([(SPINE, y + top), (SPINE, y + bottom)], key)
    sheet.pill(LEFT, y, 200, 28, SOURCE.replace("|", " "))
    sheet.part("ids", LEFT, y + 42, 126, 28)
    sheet.part("embedding", LEFT, y + 84, 126, 28)
    sheet.wire([(176, y + 56), (162, y + 56), (162, y + 98), (140, y + 98)], "patches")
    sheet.wire([(176, y + 98), (140, y + 98)], "kinds")
    sheet.part("patches", 176, y + 42, 136, 28)
    sheet.part("kinds", 176, y + 84, 136, 28)
    sheet.wire([(176, y + 144), (SPINE + 9, y + 144)], "positions")
    sheet.part("positions", 176, y + 130, 136, 28)
    sheet.plus(SPINE, y + 144, "positions")
    sheet.wire([(SPINE, y + 153), (SPINE, y + 206)], "stream", "m-stream")
    sheet.words("shape", SPINE + 16, y + 184)
    return y + 206


def _encoder(sheet, y):
    """Draw the encoder's block, and return where the decoder begins."""
    bottom, _ = _block(sheet, "encoder", ["self", "feed"], y)
    sheet.wire([(SPINE, bottom), (SPINE, bottom + 14)], "stream", "m-stream", head=False)
    return bottom + 14


def _decoder(sheet, y):
    """Draw the second text and the decoder's block; keys and values come down the right edge."""
    begins = y + 132
    sheet.pill(LEFT, y + 16, 126, 28, SO_FAR)
    sheet.said = y + 30
    sheet.wire([(SPINE, y + 44), (SPINE, y + 58)])
    sheet.part("embedding", LEFT, y + 58, 126, 28)
    sheet.wire([(SPINE, y + 86), (SPINE, y + 100)], "stream")
    sheet.wire([(176, y + 109), (SPINE + 9, y + 109)], "positions")
    sheet.part("positions", 176, y + 95, 136, 28)
    sheet.wire([(SPINE, y + 109), (SPINE, begins)], "stream", "m-stream")
    sheet.plus(SPINE, y + 109, "positions")
    bottom, meets = _block(sheet, "decoder", ["masked", "cross", "feed"], begins)
    sheet.wire([(SPINE, bottom), (SPINE, bottom + 14)], "stream", "m-stream")
    _memory(sheet, y, meets)
    return bottom + 14


def _memory(sheet, y, meets):
    """Draw keys and values on their way down the right edge, from the encoder to the decoder."""
    sheet.wire([(SPINE, y - 14), (SPINE, y), (328, y), (328, y + 14)], "memory", "m-stream", head=False)
    for x, at, name, shift in ((322, 295, "key", -6), (334, 310, "value", 6)):
        way = [(328, y + 14), (x, y + 14), (x, meets + shift), (302, meets + shift)]
        sheet.wire(way, "memory", f"m-{name}")
        sheet.add(ink.put(at, y + 38, name[0].upper(), f"m-{name} m-letter"))


def _block(sheet, name, steps, y):
    """Draw a block: the stream runs down, a branch for each step leaves it and is added to it again."""
    bottom = y + 38 + 62 * len(steps)
    sheet.frame(name, LEFT, y, RIGHT - LEFT, bottom - y, SPINE + 14)
    sheet.wire([(SPINE, y), (SPINE, bottom)], "stream", "m-stream", head=False)
    middles = [y + 50 + 62 * i for i in range(len(steps))]
    for key, middle in zip(steps, middles, strict=True):
        sheet.add(ink.dot(SPINE, middle))
        sheet.wire([(SPINE, middle), (56, middle)], "stream", head=False)
        sheet.wire([(102, middle), (114, middle)], "stream")
        sheet.wire([(206, middle + 14), (206, middle + 31), (SPINE + 9, middle + 31)], "stream")
        sheet.link("norm", ink.box(56, middle - 13, 46, 26) + ink.put(79, middle + 5, "norm"))
        sheet.part(key, 114, middle - 14, 188, 28, "m-box" if key == "feed" else "m-box m-weight")
        sheet.plus(SPINE, middle + 31)
    return bottom, middles[1]


def _output(sheet, y):
    """Draw linear, softmax, the loss, the next word, and its way back into the text."""
    for top in (28, 70):
        sheet.wire([(SPINE, y + top), (SPINE, y + top + 14)])
    sheet.part("linear", LEFT, y, 126, 28)
    sheet.part("softmax", LEFT, y + 42, 126, 28)
    sheet.wire([(140, y + 56), (160, y + 56)], "loss")
    sheet.part("loss", 160, y + 42, 152, 28)
    sheet.wire([(LEFT, y + 98), (3, y + 98), (3, sheet.said), (LEFT, sheet.said)], "again")
    sheet.part("next", LEFT, y + 84, 126, 28)
    sheet.words("again", LEFT, y + 134)
    return y + 142


def _inside(sheet, y):
    """Draw the inside of attention under the machine."""
    inside(sheet, LEFT, y + 20, RIGHT - LEFT)
    return y + 351
