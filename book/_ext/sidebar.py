"""The sidebar of each page, made from that of the first page instead of being computed for every page.

It has two levels, as set by `max_navbar_depth` in _config.yml: the pages of a part, and the pages below them.
"""

import posixpath
import re

from bs4 import BeautifulSoup

LINK = re.compile(r'<a class="(?:current )?reference internal" href="([^"]*)">')
LIST, LIST_UNDER, FOLD = '<ul class="nav bd-sidenav">', "<ul>", "<details>"
#: The HTML of each of these if it contains the open page.
MARKED = {
    LIST: '<ul class="current nav bd-sidenav">',
    LIST_UNDER: '<ul class="current">',
    FOLD: '<details open="open">',
}
ITEM, OPEN = re.compile(r'<li class="toctree-l(\d)'), " current active"


def make_once(app, pagename, templatename, context, doctree):
    """Make the theme's function for the sidebar compute it only once per build."""
    if "generate_toctree_html" in context:
        context["generate_toctree_html"] = sidebar(app, pagename, context["generate_toctree_html"])


def sidebar(app, pagename, generate):
    """Return a version of the theme's function for the sidebar that computes it only once per build."""

    def written(*arguments, **named):
        if app.builder.name != "html":
            return with_named_folds(generate(*arguments, **named))
        cache, key = vars(app.builder).setdefault("clearhead_side_bars", {}), repr((arguments, named))
        page = app.builder.get_target_uri(pagename)
        if key not in cache:
            cache[key] = closed(with_named_folds(generate(*arguments, **named)), page)
        return opened(cache[key], page)

    return written


def with_named_folds(sidebar):
    """Return the HTML of a sidebar in which each fold is labelled with the name of its page."""
    soup = BeautifulSoup(str(sidebar), "html.parser")
    for summary in soup.find_all("summary"):
        link = summary.find_parent("li").find("a")
        if link and not summary.get_text(strip=True):
            summary["aria-label"] = f"Pages under {link.get_text(strip=True)}"
    return str(soup)


def closed(bar, page):
    """Return the sidebar of a page without the marks of that page, and with links relative to the root."""
    folder = posixpath.dirname(page)

    def from_the_root(found):
        target = page if found[1] == "#" else posixpath.normpath(posixpath.join(folder, found[1]))
        return f'<a class="reference internal" href="{target}">'

    for plain, marked in MARKED.items():
        bar = bar.replace(marked, plain)
    return LINK.sub(from_the_root, bar.replace(OPEN, ""))


def opened(bar, page):
    """Return the sidebar of a page: the closed sidebar with the page and its parents marked and opened."""
    link_start, folder = bar.find(f'href="{page}"'), posixpath.dirname(page) or "."

    def from_the_page(found):
        if found[1] == page:
            return '<a class="current reference internal" href="#">'
        return f'<a class="reference internal" href="{posixpath.relpath(found[1], folder)}">'

    if link_start >= 0:
        for start, plain, marked in sorted(_changes(bar, link_start), reverse=True):
            bar = bar[:start] + marked + bar[start + len(plain) :]
    return LINK.sub(from_the_page, bar)


def _changes(bar, position):
    """Yield (start, plain text, marked text) for each mark of the open page, whose link is at `position`."""
    items = list(ITEM.finditer(bar, 0, position))
    own, top = items[-1], [item for item in items if item[1] == "1"][-1]
    following = bar.find('<li class="toctree-l1', top.end())
    yield top.end(), "", OPEN
    yield bar.rfind(LIST, 0, top.start()), LIST, MARKED[LIST]
    fold = bar.find(FOLD, top.start(), following if following >= 0 else len(bar))
    if fold >= 0:
        yield fold, FOLD, MARKED[FOLD]
    if own is not top:
        yield own.end(), "", OPEN
        yield bar.rfind(LIST_UNDER, 0, own.start()), LIST_UNDER, MARKED[LIST_UNDER]
