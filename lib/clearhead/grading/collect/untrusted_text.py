"""Make untrusted texts harmless."""


def clean(text, most):
    """Return an untrusted text, short and without characters that steer a terminal or a page."""
    text = text if isinstance(text, str) else ""
    text = text[: 4 * most].encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)[:most]


def one_line(text, most):
    """Return `clean` of a text as one line: in a terminal, a name cannot pretend to be further rows."""
    return clean(text, most).replace("\n", " ")
