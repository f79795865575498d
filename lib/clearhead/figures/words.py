"""Numbers and lists in words, the same in every picture, figure and page."""


def number(x, digits=2):
    """Return a number with so many decimals, with a true minus sign and never a negative zero."""
    text = f"{float(x):.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def listed(items):
    """Return "a", "a and b", or "a, b and c"."""
    items = [str(item) for item in items]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def quoted(label):
    """Return a label between typographic quotation marks."""
    return f"‘{label}’"
