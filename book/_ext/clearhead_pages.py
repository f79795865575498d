"""Each page: the loader of figures, slim widget state, no thebe, a description, and mended accessibility."""

import html
import re

from clearhead_live import STATE, has_figure, slim_page, slim_script
from docutils import nodes
from side_bar import side_bar
from sphinx.builders.html._assets import _JavaScript

#: What docutils writes and accessibility checkers refuse: a table's empty corner, roles for citations; and a
#: fold's name that is not what is seen on it.
REFUSED = (
    (re.compile(r'<th class="head">\s*<p>\s*</p>\s*</th>'), '<td class="head"></td>'),
    (re.compile(r'role="doc-biblioentry"'), 'role="listitem"'),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), '<summary aria-label="Code">'),
)


def page_context(app, pagename, templatename, context, doctree):
    """Mend what goes into the head of one page."""
    scripts = [script for script in context.get("script_files", []) if not _unwanted(script)]
    context["script_files"] = [_slimmed(app, script) for script in scripts]
    context["body"] = slim_page(app, context.get("body", ""))
    if has_figure(context.get("body", "")) and not any("clearhead-live" in str(s.filename) for s in scripts):
        context["script_files"].append(_JavaScript("_static/clearhead-live.js", defer="defer"))
    for pattern, better in REFUSED:
        context["body"] = pattern.sub(better, context.get("body", ""))
    if "generate_toctree_html" in context:
        context["generate_toctree_html"] = side_bar(app, pagename, context["generate_toctree_html"])
    if doctree and 'name="description"' not in context.get("metatags", ""):
        context["metatags"] = context.get("metatags", "") + _description(doctree)


def _unwanted(script):
    body = str(getattr(script, "attributes", {}).get("body", ""))
    return "thebe" in str(script.filename or "") or "THEBE" in body


def _slimmed(app, script):
    attributes = getattr(script, "attributes", {})
    if attributes.get("type") != STATE:
        return script
    rest = {name: value for name, value in attributes.items() if name != "body"}
    return _JavaScript(None, priority=script.priority, body=slim_script(app, attributes["body"]), **rest)


def _description(doctree):
    for paragraph in doctree.findall(nodes.paragraph):
        text = re.sub(r"\s+", " ", paragraph.astext()).strip()
        if len(text) > 60 and not paragraph.next_node(nodes.math):
            short = text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + " …"
            return f'<meta name="description" content="{html.escape(short, quote=True)}" />\n'
    return ""


def connect(app):
    """Run last, when every other extension has added its scripts."""
    app.connect("html-page-context", page_context, priority=990)
