"""Notes in the margin, and optional sections that are folded.

A paragraph that is entirely in parentheses is shown beside the one before it, if there is room. On a narrow
page, on paper and for a screen reader, it follows that paragraph. A section that begins with a line in
italics, *Optional: ...*, is folded behind that line. The notebook itself is not changed.
"""

import html

from docutils import nodes

NOTE = '<div class="margin ch-note" role="note">', "</div>"
FOLD = '<details class="ch-optional"><summary>{}</summary>', "</details>"
#: The nodes beside which a note can be placed.
NOTED = nodes.paragraph | nodes.bullet_list | nodes.enumerated_list | nodes.math_block


def make_asides(app, doctree, docname):
    """Move the notes of a page into its margin, and fold its optional sections."""
    for paragraph in [each for each in doctree.findall(nodes.paragraph) if is_note(each)]:
        section, at = paragraph.parent, paragraph.parent.index(paragraph)
        if isinstance(section[at - 1], NOTED):
            without_brackets(paragraph)
            note = [raw(NOTE[0]), paragraph, raw(NOTE[1])]
            section[at - 1 : at + 1] = [nodes.container("", section[at - 1], *note, classes=["ch-with-note"])]
    for mark in [each for each in doctree.findall(nodes.paragraph) if is_mark(each)]:
        section = mark.parent
        section.remove(mark)
        section.insert(1, raw(FOLD[0].format(html.escape(mark.astext()))))
        section.append(raw(FOLD[1]))


def is_note(node):
    """Return True for a paragraph of a section that is entirely in parentheses."""
    if not isinstance(node.parent, nodes.section):
        return False
    text, depth = node.astext().strip(), 0
    if not (text.startswith("(") and text.endswith(".)")):
        return False
    for index, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return index == len(text) - 1
    return False


def without_brackets(paragraph):
    """Remove the parentheses around a paragraph."""
    for index, remaining in ((0, slice(1, None)), (-1, slice(-1))):
        text = list(paragraph.findall(nodes.Text))[index]
        text.parent.replace(text, nodes.Text(text[remaining]))


def is_mark(node):
    """Return True for the line in italics below a heading that calls its section optional."""
    if not isinstance(node.parent, nodes.section):
        return False
    alone = len(node) == 1 and isinstance(node[0], nodes.emphasis) and node.parent.index(node) == 1
    return alone and node.astext().startswith("Optional")


def raw(text):
    """Return a node that contains this HTML."""
    return nodes.raw("", text, format="html")
