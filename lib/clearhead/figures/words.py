"""Numbers and lists in words, in the same form in every picture, figure and page."""

import html
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext

#: A symbol with a short index, such as d_k, W_out or q_4, which is not a function or a longer name.
SYMBOL = re.compile(r"\b([A-Za-z])_([a-z\d]{1,2}|out)(?![\w(])")
#: What ends a sentence.
ENDS = (".", "?", "!", "…")


def number(x, digits=2):
    """Return a number with a given number of decimals, a true minus sign and never a negative zero.

    As in the pages' JavaScript: a half goes away from zero (0.125 is 0.13), and infinity is ∞.
    """
    with localcontext(rounding=ROUND_HALF_UP):
        text = f"{Decimal(float(x)):.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−").replace("Infinity", "∞").replace("NaN", "nan")


def listed(items):
    """Return "a", "a and b", or "a, b and c"."""
    items = [str(item) for item in items]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def sentence(text):
    """Return a string as a sentence, with a capital at the beginning and a mark or a full stop at the end."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(ENDS) else '.'}"


def symbols(text):
    """Return a string as HTML, in which the k of d_k is a subscript."""
    return SYMBOL.sub(r"\1<sub>\2</sub>", html.escape(text))


def quoted(label):
    """Return a label between typographic quotation marks."""
    return f"‘{label}’"
