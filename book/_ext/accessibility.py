"""Corrections of the HTML of docutils and of extensions that accessibility checkers reject."""

import re

#: An empty corner of a table, the role of citations, and the name of a fold that differs from its text.
REFUSED = (
    (re.compile(r'<th class="head">\s*<p>\s*</p>\s*</th>'), '<td class="head"></td>'),
    (re.compile(r'role="doc-biblioentry"'), 'role="listitem"'),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), '<summary aria-label="Code">'),
)


def correct_html(app, pagename, templatename, context, doctree):
    """Replace the HTML in the body of a page that accessibility checkers reject."""
    for pattern, better in REFUSED:
        context["body"] = pattern.sub(better, context["body"])
