"""Say how texts, or lists of them, differ: in their order, at one end, in spaces, in what is missing."""

from ..comparing import same
from ..plain_data import as_array

ITEMS = {  # what came back, made from what was expected
    "the {0}s are right, but stand from back to front": lambda want: want[::-1],
    "the {0}s are right, but the first one is missing": lambda want: want[1:],
    "the {0}s are right, but the last one is missing": lambda want: want[:-1],
    "only the first {0} came back": lambda want: want[:1],
    "only the last {0} came back": lambda want: want[-1:],
    "the {0}s stand twice, one after the other": lambda want: want + want,
    "the {0}s are right, but in small letters": lambda want: want.lower(),
    "the {0}s are right, but in capitals": lambda want: want.upper(),
    "the {0}s are right, but without spaces and line ends": lambda want: "".join(want.split()),
    "the {0}s are right, but without spaces or line ends at an end": lambda want: want.strip(),
    "the {0}s are right, but without line ends": lambda want: want.replace("\n", ""),
    "the {0}s are right, but with spaces for line ends": lambda want: want.replace("\n", " "),
}
ITEMS_BACK = {  # what was expected, made from what came back
    "the {0}s are right, but the first one is too many": lambda got: got[1:],
    "the {0}s are right, but the last one is too many": lambda got: got[:-1],
    "the {0}s are right, but spaces or line ends stand at an end": lambda got: got.strip(),
    "the {0}s are right, but there are line ends": lambda got: got.replace("\n", ""),
    "the {0}s are right, but there are spaces": lambda got: got.replace(" ", ""),
}


def items(pairs):
    """Return the words for texts, or lists of them, that are right but for their order or for one end."""
    if not all(type(got) is type(want) and isinstance(want, str | list) for got, want in pairs):
        return ""
    if all(isinstance(want, list) and as_array(want) is not None for _, want in pairs):
        return ""
    if all(isinstance(want, list) and len(want) == 2 for _, want in pairs):
        turned = all(same(got, want[::-1], 1e-9) for got, want in pairs)
        return "the two results are exchanged" if turned else ""
    if max(len(want) for _, want in pairs) < 3:
        return ""
    noun = "letter" if isinstance(pairs[0][1], str) else "item"
    for words, change in ITEMS.items():
        if all(_fits(change, want, got) for got, want in pairs):
            return words.format(noun)
    for words, change in ITEMS_BACK.items():
        if all(_fits(change, got, want) for got, want in pairs):
            return words.format(noun)
    return _in_part(pairs, noun)


def _fits(change, one, other):
    """Return True where a change makes one piece of data the other; one that fails makes nothing."""
    try:
        return same(change(one), other, 1e-9)
    except AttributeError:  # lists have no capitals
        return False


def _in_part(pairs, noun):
    """Return the words for items of which some are missing, too many, or in another place."""
    if all(_within(got, want) for got, want in pairs):
        return f"some {noun}s are missing; the others are right, and in the right order"
    if all(_within(want, got) for got, want in pairs):
        return f"all {noun}s that were expected are there, in order; some others are too many"
    if noun == "item" and all(sorted(map(repr, got)) == sorted(map(repr, want)) for got, want in pairs):
        return "the items are right, but stand in another order"
    return ""


def _within(few, many):
    """Return True where one row of items is another one, without some."""
    left = iter(many)
    return 0 < len(few) < len(many) and all(any(same(item, other, 1e-9) for other in left) for item in few)
