"""Correct the HTML of docutils and extensions that checkers of accessibility reject."""

import re

#: An empty corner of a table, roles of citations, and the name of a fold that is not what is seen on it.
REFUSED = (
    (re.compile(r'<th class="head">\s*<p>\s*</p>\s*</th>'), '<td class="head"></td>'),
    (re.compile(r'role="doc-biblioentry"'), 'role="listitem"'),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), '<summary aria-label="Code">'),
)


def correct_html(app, pagename, templatename, context, doctree):
    """Replace the HTML in the body of a page that checkers reject."""
    for pattern, better in REFUSED:
        context["body"] = pattern.sub(better, context["body"])
