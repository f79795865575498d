"""Descriptions of strings, or lists of strings, that differ in order, at one end, in spaces or in items."""

from ..comparing import same
from ..plain_data import as_array

ITEMS = {  # how the returned items are made from the expected ones
    "the {0}s are right, but in reverse order": lambda want: want[::-1],
    "the {0}s are right, but the first one is missing": lambda want: want[1:],
    "the {0}s are right, but the last one is missing": lambda want: want[:-1],
    "you returned only the first {0}": lambda want: want[:1],
    "you returned only the last {0}": lambda want: want[-1:],
    "your result is the expected one, twice in a row": lambda want: want + want,
    "the {0}s are right, but in lower case": lambda want: want.lower(),
    "the {0}s are right, but in upper case": lambda want: want.upper(),
    "the {0}s are right, but spaces and line breaks are missing": lambda want: "".join(want.split()),
    "the {0}s are right, but spaces or line breaks are missing at the beginning or the end": lambda want: (
        want.strip()
    ),
    "the {0}s are right, but line breaks are missing": lambda want: want.replace("\n", ""),
    "the {0}s are right, but there are spaces instead of line breaks": lambda want: want.replace("\n", " "),
}
ITEMS_BACK = {  # how the expected items are made from the returned ones
    "the {0}s are right, but there is an extra one at the beginning": lambda got: got[1:],
    "the {0}s are right, but there is an extra one at the end": lambda got: got[:-1],
    "the {0}s are right, but there are extra spaces or line breaks at the beginning or the end": lambda got: (
        got.strip()
    ),
    "the {0}s are right, but there are extra line breaks": lambda got: got.replace("\n", ""),
    "the {0}s are right, but there are extra spaces": lambda got: got.replace(" ", ""),
}


def items(pairs):
    """Return the clause about strings or lists that are right except for order, an end, spaces or case."""
    if not all(type(got) is type(want) and isinstance(want, str | list) for got, want in pairs):
        return ""
    if all(isinstance(want, list) and as_array(want) is not None for _, want in pairs):
        return ""
    if all(isinstance(want, list) and len(want) == 2 for _, want in pairs):
        turned = all(same(got, want[::-1], 1e-9) for got, want in pairs)
        return "the two results are swapped" if turned else ""
    if max(len(want) for _, want in pairs) < 3:
        return ""
    noun = "character" if isinstance(pairs[0][1], str) else "item"
    for words, change in ITEMS.items():
        if all(_fits(change, want, got) for got, want in pairs):
            return words.format(noun)
    for words, change in ITEMS_BACK.items():
        if all(_fits(change, got, want) for got, want in pairs):
            return words.format(noun)
    return _in_part(pairs, noun)


def _fits(change, one, other):
    """Return True if a change turns one piece of data into the other, and False if it cannot be applied."""
    try:
        return same(change(one), other, 1e-9)
    except AttributeError:  # lists have no capitals
        return False


def _in_part(pairs, noun):
    """Return the clause about items of which some are missing, extra or in the wrong order."""
    if all(_within(got, want) for got, want in pairs):
        return f"some {noun}s are missing; the others are right, and in the right order"
    if all(_within(want, got) for got, want in pairs):
        return f"all expected {noun}s are there, in the right order, but there are extra ones"
    if noun == "item" and all(sorted(map(repr, got)) == sorted(map(repr, want)) for got, want in pairs):
        return "the items are right, but in the wrong order"
    return ""


def _within(few, many):
    """Return True if one sequence of items is another one with some items left out."""
    left = iter(many)
    return 0 < len(few) < len(many) and all(any(same(item, other, 1e-9) for other in left) for item in few)
