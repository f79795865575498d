"""Chapter 5 in one picture: one query's rays to all keys, the weights, and the values on their way to z."""

from .ink import box, fan, put, text
from .numbers import TOKENS, W_K, W_Q, W_V, X, attention, vector

SAYS = (
    ("query", "its query"),
    ("key", "all keys"),
    ("weight", "weights"),
    ("value", "values"),
    ("", "the mixture"),
)


def queries(narrow):
    """Return the pieces of the picture, its width and its height."""
    asked, keys, values, weights, mixed = attention(X, W_Q, W_K, W_V)
    tokens = list(zip(TOKENS, map(vector, keys), weights[3], map(vector, values), strict=True))
    ends = vector(asked[3]), vector(mixed[3], 1)
    return (_down(tokens, *ends), 340, 332) if narrow else (_across(tokens, *ends), 720, 278)


def _across(tokens, asked, mixed):
    """Draw the picture from left to right: a row for each token."""
    rows, cards = [], []
    for j, (token, key, weight, value) in enumerate(tokens):
        y = 58 + 54 * j
        rows += [
            _ray((124, 139), (220, y), weight, "m-weight", True),
            _ray((534, y), (596, 139), weight, "m-value", True),
        ]
        cards += [
            box(220, y - 16, 140, 32, "m-chip m-key"),
            text(229, y + 5, token),
            text(351, y + 5, key, "m-key", "end"),
        ]
        cards += [put(396, y + 5, f"{weight:.2f}", "m-weight m-strong")]
        cards += [box(432, y - 16, 102, 32, "m-chip m-value"), put(483, y + 5, value, "m-value")]
    cards += _card(62, 139, 124, "cleverest", asked, "m-query") + _card(658, 139, 124, "z", mixed)
    heads = zip((62, 290, 396, 483, 658), SAYS, strict=True)
    cards += [put(x, 18, words, f"{'m-' * bool(kind)}{kind} m-strong".strip()) for x, (kind, words) in heads]
    return (
        rows
        + cards
        + [put(x, 272, step, "m-quiet") for x, step in ((172, "compare"), (396, "weigh"), (565, "mix"))]
    )


def _down(tokens, asked, mixed):
    """Draw the picture from top to bottom: a column for each token."""
    rows, cards = [], []
    for j, (token, key, weight, value) in enumerate(tokens):
        x = 42 + 85 * j
        rows += [
            _ray((170, 62), (x, 122), weight, "m-weight", False),
            _ray((x, 226), (170, 286), weight, "m-value", False),
        ]
        cards += [*_card(x, 144, 78, token, key, "m-key"), put(x, 187, f"{weight:.2f}", "m-weight m-strong")]
        cards += [box(x - 39, 198, 78, 28, "m-chip m-value"), put(x, 217, value, "m-value")]
    cards += _card(170, 40, 120, "cleverest", asked, "m-query") + _card(170, 308, 120, "z", mixed)
    cards += [text(0, 45, "its query", "m-query m-strong"), text(0, 313, "the mixture", "m-strong")]
    return (
        rows + cards + [text(340, 45, "compare", "m-quiet", "end"), text(340, 313, "mix", "m-quiet", "end")]
    )


def _ray(start, end, weight, kind, across):
    """Return a ray as thick as its weight."""
    return fan(start, end, 1 + 13 * weight, kind, across)


def _card(x, y, width, word, numbers, kind=""):
    """Return a box around a place, with a word, and under it a vector."""
    frame = box(x - width / 2, y - 22, width, 44, f"m-chip {kind or 'm-plain'}")
    return [frame, put(x, y - 4, word), put(x, y + 14, numbers, kind)]
