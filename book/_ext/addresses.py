"""Buttons, a sitemap and a redirect, which depend on the addresses in `_config.yml`.

With `repository: url`, each page gets buttons to the repository: its source, an edit, an issue, and for a
notebook Binder and Colab. With `html: baseurl`, the book gets a sitemap; canonical links come from Sphinx,
and previews of shared links from `page_head`, which `index.html` repeats for the first page. If both are
empty, the pages have none of these.
"""

import re
from urllib.parse import quote
from xml.sax.saxutils import escape

import translated_pages
from conventions import ROOT, SUBJECT

#: The branch that `book/launch.py` fills with notebooks whose first cell installs the library.
BRANCH = "launch"
GITHUB = "https://github.com/"
BINDER = "https://mybinder.org/v2/gh"
COLAB = "https://colab.research.google.com/github"


def use_repository(app, config):
    """Switch on the theme's buttons if the repository has an address, except in a class edition.

    A class edition contains no solutions, so it must not link to the repository, which contains them.
    """
    options = config.html_theme_options
    options["repository_url"] = url = (
        options.get("repository_url", "").strip().rstrip("/").removesuffix(".git")
    )
    wanted = bool(url) and not config.clearhead_edition
    options |= {f"use_{name}_button": wanted for name in ("repository", "edit_page", "issues")}


def add_buttons(app, pagename, templatename, context, doctree):
    """Add the buttons that open a notebook on a server, and correct the link of the edit button.

    The edit button of a sheet, or of a page in another language, leads to the file from which it is made.
    """
    options = app.config.html_theme_options
    url = options.get("repository_url", "")
    if not (options.get("use_repository_button") and doctree):
        return
    for button in _links(context["header_buttons"]):
        if button.get("label") == "source-edit-button" and (
            source := _sheet(pagename) or _catalogue(pagename)
        ):
            button["url"] = f"{url}/edit/{options.get('repository_branch') or 'main'}/{source}"
    if url.startswith(GITHUB) and context.get("page_source_suffix") == ".ipynb":
        context["header_buttons"].append(_launch(url.removeprefix(GITHUB), pagename))


def _links(buttons):
    """Yield all buttons, including those inside groups."""
    for button in buttons:
        yield button
        yield from button.get("buttons", [])


def _sheet(pagename):
    """Return the path of the Markdown from which the notebook of a sheet is made, or None."""
    if not pagename.startswith("exercises/"):
        return None
    number = SUBJECT.match(pagename)[1]
    for sheet in sorted((ROOT / "lib" / "clearhead" / "sheets").glob("*/sheet.md")):
        if f"\nnumber: {number}\n" in sheet.read_text("utf-8")[:200]:
            return sheet.relative_to(ROOT).as_posix()
    return None


def _catalogue(pagename):
    """Return the path of the catalogue from which a page in another language is made, or None."""
    found = translated_pages.PAGE.fullmatch(pagename)
    return found and f"book/locale/{found[1]}/LC_MESSAGES/{found[2]}.po"


def _launch(repository, pagename):
    """Return the group of buttons that open a notebook on a server that can run it."""
    notebook = f"{pagename}.ipynb"
    places = {
        "Binder": ("svg", f"{BINDER}/{repository}/{BRANCH}?urlpath={quote(f'lab/tree/{notebook}', safe='')}"),
        "Colab": ("png", f"{COLAB}/{repository}/blob/{BRANCH}/{notebook}"),
    }
    buttons = [
        {
            "type": "link",
            "text": name,
            "tooltip": f"Open this notebook in {name}",
            "icon": f"_static/images/logo_{name.lower()}.{kind}",
            "url": url,
        }
        for name, (kind, url) in places.items()
    ]
    return {
        "type": "group",
        "tooltip": "Run this notebook on a server",
        "icon": "fas fa-rocket",
        "buttons": buttons,
        "label": "launch-buttons",
    }


def write_sitemap(app):
    """Write a list of all pages for search engines, if the pages have an address."""
    if base := app.config.html_baseurl.rstrip("/"):
        pages = sorted(map(app.builder.get_target_uri, app.env.found_docs))
        entries = "".join(f"<url><loc>{escape(f'{base}/{page}')}</loc></url>\n" for page in pages)
        (app.outdir / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n',
            encoding="utf-8",
        )


def write_redirect(app):
    """Write index.html, which redirects to the first page and repeats its title, description and preview.

    A link to the book's address leads to this file, and previews of links do not follow a redirect.
    """
    first = app.builder.get_target_uri(app.config.root_doc)
    page = (app.outdir / first).read_text("utf-8")
    kinds = (
        "<title>.*?</title>",
        '<meta (?:[^>]*name="description"|property="og:)[^>]*>',
        '<link rel="canonical"[^>]*>',
    )
    shared = re.findall("|".join(kinds), page, re.S)
    lines = ['<meta charset="utf-8" />', f'<meta http-equiv="Refresh" content="0; url={first}" />', *shared]
    (app.outdir / "index.html").write_text(
        f'<!DOCTYPE html>\n<html lang="{app.config.language or "en"}">\n<head>\n'
        + "\n".join(lines)
        + f'\n</head>\n<body><p><a href="{first}">Open the book</a></p></body>\n</html>\n',
        encoding="utf-8",
    )
