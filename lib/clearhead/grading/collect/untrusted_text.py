"""Sanitising of untrusted strings for terminals and pages."""


def clean(text, most):
    """Return an untrusted string, cut to `most` characters, in which control characters are replaced."""
    text = text if isinstance(text, str) else ""
    text = text[: 4 * most].encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)[:most]


def one_line(text, most):
    """Return a cleaned string as one line, so that a name cannot pretend to be further rows in a terminal."""
    return clean(text, most).replace("\n", " ")
