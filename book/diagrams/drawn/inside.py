"""The inside of every attention box, small: queries, keys, values, the weights, heads behind heads."""

from . import ink

SHADES = [
    [0.9, 0.2, 0.1, 0.1, 0],
    [0.3, 0.5, 0.1, 0.3, 0],
    [0.1, 0.6, 0.4, 0, 0.1],
    [0, 0.2, 0.1, 0.8, 0.1],
    [0.2, 0, 0.7, 0.1, 0.4],
]


def inside(sheet, x, y, width=260, apart=None):
    """Draw what every attention box holds, and a link to each chapter that looks inside.

    The chapters on models of today stand `apart`, one under the other from that place, or in three last rows.
    """
    sheet.add(ink.text(x, y + 16, "Inside every attention box", "m-strong"))
    card, heads = width - 16, f"m-card {sheet.mark('heads')}".strip()
    sheet.add(*(ink.box(x + 8 * i, y + 44 - 7 * i, card, 88, heads, 8) for i in (2, 1, 0)))
    for i, name in enumerate(("query", "key", "value")):
        top = y + 51 + 26 * i
        sheet.add(ink.box(x + 12, top, 24, 22, f"m-chip m-{name}", 4))
        sheet.add(ink.text(x + 24, top + 16, name[0].upper(), f"m-{name} m-letter", "middle"))
    table, out = x + card / 2 - 30, x + card - 38
    sheet.wire([(x + 36, y + 62), (table - 5, y + 62)], "", "m-query")
    sheet.wire([(x + 36, y + 88), (table - 5, y + 88)], "", "m-key")
    sheet.wire([(x + 36, y + 114), (out + 12, y + 114), (out + 12, y + 91)], "", "m-value")
    sheet.wire([(table + 60, y + 79), (out, y + 79)], "", "m-weight")
    sheet.add(ink.cells(table, y + 51, 11, SHADES), ink.box(out, y + 67, 24, 24, "m-chip", 4))
    if sheet.mark("cost"):
        sheet.add(ink.box(table - 3, y + 48, 60, 60, "m-frame m-open m-here", 3))
    sheet.add(ink.put(out + 12, y + 84, "Z", "m-letter"))
    for i, key in enumerate(("before", "dictionary", "qkv", "heads", "cost", "explained")):
        sheet.part(key, x + (width + 8) / 2 * (i % 2), y + 144 + 32 * (i // 2), (width - 8) / 2, 26)
    for i, key in enumerate(("changed", "opened", "tuned", "served", "denoised")):
        left = apart[0] if apart else x + (width + 8) / 2 * (i % 2)
        top = apart[1] + 26 * i if apart else y + 240 + 32 * (i // 2)
        sheet.part(key, left, top, 116 if apart else (width - 8) / 2, 22 if apart else 26)
