"""The title and the head of each page: its number, its scripts, and its metadata for search and links."""

import html
import json
import re
import tomllib
from pathlib import Path

from conventions import CHAPTER, ROOT, SUBJECT
from docutils import nodes

FIRST_SCRIPT = ROOT / "book" / "static" / "first.js"
COVERS = ROOT / "book" / "static" / "covers"
#: Terms that the glossary lacks, or links to their first use instead of the page that teaches them.
TEACHES = ROOT / "book" / "teaches.toml"


def number_title(app, doctree):
    """Add a chapter's number before its title in the page, the sidebar and the search."""
    found = CHAPTER.match(app.env.docname)
    title = doctree.next_node(nodes.title)
    if found and title is not None and not title.astext()[:1].isdigit():
        title.insert(0, nodes.Text(f"{int(found[1])} "))


def leave_out_thebe(app, pagename, templatename, context, doctree):
    """Leave out the scripts of Thebe, which would ask a server for a kernel."""
    scripts = context.get("script_files", [])
    context["script_files"] = [script for script in scripts if not _is_of_thebe(script)]


def _is_of_thebe(script):
    body = str(getattr(script, "attributes", {}).get("body", ""))
    return "thebe" in str(script.filename or "") or "THEBE" in body


def describe(app, pagename, templatename, context, doctree):
    """Add the description of a page, which is its first paragraph that is long enough and has no formula."""
    if doctree and 'name="description"' not in context.get("metatags", ""):
        context["metatags"] = context.get("metatags", "") + _description(doctree)


def _description(doctree):
    for paragraph in doctree.findall(nodes.paragraph):
        text = re.sub(r"\s+", " ", paragraph.astext()).strip()
        if len(text) > 60 and not paragraph.next_node(nodes.math):
            short = text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + " …"
            return f'<meta name="description" content="{html.escape(short, quote=True)}" />\n'
    return ""


def add_metadata(app, pagename, templatename, context, doctree):
    """Add the script that runs before the first paint, and the metadata in the head, to a page."""
    found = SUBJECT.match(pagename)
    if body := context.get("body", ""):
        context["body"] = f"<script>{FIRST_SCRIPT.read_text('utf-8')}</script>{body}"
    context["metatags"] = context.get("metatags", "") + head(
        context, found and found[1], app.config.html_baseurl
    )


def head(context, chapter=None, base=""):
    """Return the HTML in the head of a page: the icon for phones, and the preview of shared links.

    The preview of a chapter or of its sheet shows their part of the machine, and other previews the cover.
    """
    title = html.escape(re.sub("<.*?>", "", str(context.get("title", ""))), quote=True)
    site = html.escape(str(context.get("docstitle", "")), quote=True)
    shared = {"og:title": title or site, "og:site_name": site, "og:type": "book"}
    if base and context.get("pageurl"):  # a picture needs an absolute address, which requires a base
        shows = f"covers/{chapter}.png" if chapter and (COVERS / f"{chapter}.png").exists() else "cover.png"
        shared |= {
            "og:url": context["pageurl"],
            "og:image": f"{base.rstrip('/')}/_static/{shows}",
        }
    icon = context["pathto"]("_static/icon.png", resource=True)
    return f'<link rel="apple-touch-icon" href="{icon}" />\n' + "".join(
        f'<meta property="{name}" content="{content}" />\n' for name, content in shared.items()
    )


def write_search_terms(app, pagename, templatename, context, doctree):
    """Add a table of terms and the pages that teach them to the search page."""
    if pagename == "search":  # in the head, because the list of scripts has already been replaced
        table = terms_with_pages((Path(app.srcdir) / "book" / "glossary.md").read_text("utf-8"))
        context["metatags"] += f"<script>var clearheadSearchTerms = {json.dumps(table)};</script>\n"


def terms_with_pages(glossary):
    """Return a dict from each term to the page that teaches it.

    The page is the one in teaches.toml or, for other terms, the first link in the glossary entry.
    """
    entries = re.findall(r"^(?!\s|```|#)(.+)\n((?:  .*\n?)+)", glossary, re.M)
    links = {term: re.search(r"\.\./(chapters/\w+)\.ipynb", text) for term, text in entries}
    table = {term: link[1] for term, link in links.items() if link}
    teaches = tomllib.loads(TEACHES.read_text("utf-8"))
    return table | {term: page for page, terms in teaches.items() for term in terms}
