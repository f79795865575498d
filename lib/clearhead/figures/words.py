"""Numbers and lists in words, which have the same form in every picture, figure and page."""

import html
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext

#: A symbol with a short index, such as d_k, W_out or q_4, which is not a function or a longer name.
SYMBOL = re.compile(r"\b([A-Za-z])_([a-z\d]{1,2}|out)(?![\w(])")
#: What ends a sentence.
ENDS = (".", "?", "!", "…")


def number(x, digits=2):
    """Return a number with a given number of decimals, a true minus sign and never a negative zero.

    As in the JavaScript of the pages, halves are rounded away from zero (0.125 becomes 0.13), and infinity is
    written as ∞.
    """
    with localcontext(rounding=ROUND_HALF_UP):
        text = f"{Decimal(float(x)):.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−").replace("Infinity", "∞").replace("NaN", "nan")


def listed(items):
    """Return items as a list in words, such as "a", "a and b", or "a, b and c"."""
    items = [str(item) for item in items]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def sentence(text):
    """Return a string that begins with a capital and ends with a punctuation mark, by default a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(ENDS) else '.'}"


def symbols(text):
    """Return a string as HTML, in which an index such as the k of d_k is a subscript."""
    return SYMBOL.sub(r"\1<sub>\2</sub>", html.escape(text))


def quoted(label):
    """Return a label between typographic quotation marks."""
    return f"‘{label}’"
