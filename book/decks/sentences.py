"""The sentence of a paragraph that a slide shows; its markup stays, and so do its formulas."""

import copy
import re

from bs4 import BeautifulSoup, NavigableString

#: A sentence ends here, and a new one begins: after a full stop that is followed by a capital or a tag.
END = re.compile(r"[.?!:][\"”’)]*(?=\s+[\"“‘(]?[A-Z0-9]|\s*$)")
LEAD = 40  # a sentence in bold and so short is a title: the next one belongs to it


def sentences(paragraph):
    """Return the sentences of a paragraph, each as a paragraph."""
    return [_paragraph(nodes) for nodes in _parts(paragraph)]


def _parts(paragraph):
    """Return the sentences of a paragraph, each as a list of nodes."""
    found, current = [], []
    for child in paragraph.children:
        if not isinstance(child, NavigableString):
            current.append(copy.copy(child))
            if child.name == "strong" and END.search(child.get_text().strip()):
                found, current = [*found, current], []
            continue
        text, start = str(child), 0
        for end in END.finditer(text):
            rest = text[end.end() :]
            if not rest.strip() and child.next_sibling is not None and "\n" not in rest:
                continue  # "e.g. " before a tag, in the middle of a line
            current.append(NavigableString(text[start : end.end()]))
            found, current, start = [*found, current], [], end.end()
        if text[start:].strip() or current:
            current.append(NavigableString(text[start:]))
    return [each for each in [*found, current] if _text(each)]


def _text(nodes):
    return "".join(node if isinstance(node, NavigableString) else node.get_text() for node in nodes).strip()


def one_sentence(paragraph):
    """Return the sentence that introduces: the last before a colon, else the first with its title."""
    parts = _parts(paragraph)
    if not parts:
        return None
    if _text(parts[-1]).endswith(":"):
        return _paragraph(parts[-1])
    is_lead = parts[0] and getattr(parts[0][0], "name", "") == "strong" and len(_text(parts[0])) < LEAD
    return _paragraph([node for part in parts[: 2 if is_lead else 1] for node in part])


def _paragraph(parts):
    made = BeautifulSoup("<p></p>", "html.parser").p
    for part in parts:
        made.append(part)
    return made
