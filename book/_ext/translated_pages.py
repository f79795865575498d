"""Pages in other languages, made from the lines of an English page and a gettext catalogue.

The page `book/es/how_to_read.md` holds only a description and the mark `<!-- translation of how_to_read -->`.
Its text is that of `book/how_to_read.md`, where each line that `book/locale/es/LC_MESSAGES/how_to_read.po`
translates is replaced. A line without a translation stays English, and `book/translations.py` reports it.
"""

import re
from html import escape

from babel.messages.pofile import read_po
from conventions import ROOT

LOCALE = ROOT / "book" / "locale"
MARK = re.compile(r"<!-- translation of (\w+) -->\n?")
PAGE = re.compile(r"book/(\w\w)/(\w+)")
FRONT = re.compile(r"\A---\n.*?\n---\n", re.S)
LINE = re.compile(r"(?P<before>\s*(?:#+ |\* |- |\d+\. )?)(?P<text>.*)")
#: A link to a file of the book, which lies one folder higher for a translated page.
LINK = re.compile(r"\]\((?!https?:|#|mailto:)")
#: The text of the link to a translation, in the language of the translation.
INVITATION = {"en": "Read this page in English", "es": "Leer esta página en español"}


def catalogue(language, name):
    """Return the catalogue of a page, a Babel object whose messages are lines of the English page."""
    with (LOCALE / language / "LC_MESSAGES" / f"{name}.po").open("rb") as file:
        return read_po(file, locale=language)


def translated(text, messages):
    """Return a page in another language, and a list of the entries that its catalogue lacks.

    Parameters
    ----------
    text : str
        The English page, in Markdown without front matter. Each paragraph and each item is one line.
    messages : babel.messages.Catalog
        The translation. An entry that is empty or marked as fuzzy does not count.

    Returns
    -------
    page : str
        The page, in which lines without translation stay as they are.
    lacking : list of str
        A sentence for each such line, and for each entry that no line of the page needs.
    """
    known = {each.id: each.string for each in messages if each.id and each.string and not each.fuzzy}
    used, lines, lacking = set(), [], []
    for number, line in enumerate(text.split("\n"), 1):
        before, english = LINE.fullmatch(line).groups()
        used.add(english)
        if english and english not in known:
            lacking.append(f"line {number} is not translated: {_short(english)}")
        lines.append(before + known.get(english, english))
    lacking += [f"no line needs the entry: {_short(each)}" for each in known if each not in used]
    return "\n".join(lines), lacking


def _short(text):
    return text if len(text) <= 60 else text[:57] + "..."


def english(name):
    """Return the Markdown of an English page in `book`, without its front matter."""
    return FRONT.sub("", (ROOT / "book" / f"{name}.md").read_text("utf-8")).strip("\n") + "\n"


def languages(name):
    """Return a list of the languages, other than English, in which a page of `book` exists."""
    return sorted(path.parent.name for path in (ROOT / "book").glob(f"??/{name}.md"))


def translate(app, docname, source):
    """Fill in a translated page, and link each page to its versions in other languages."""
    if app.builder.name == "gettext":
        return
    name = docname.removeprefix("book/")
    if found := PAGE.fullmatch(docname):
        language, name = found.groups()
        text, _ = translated(english(name), catalogue(language, name))
        for path in (ROOT / "book" / f"{name}.md", LOCALE / language / "LC_MESSAGES" / f"{name}.po"):
            app.env.note_dependency(str(path))
        text = LINK.sub("](../", _with_choice(text, [("en", f"../{name}.html")]))
        source[0] = MARK.sub(lambda mark: text, source[0])
    elif docname == f"book/{name}" and languages(name):
        links = [(language, f"{language}/{name}.html") for language in languages(name)]
        source[0] = _with_choice(source[0], links)


def _with_choice(text, links):
    """Return a page with links to its versions in other languages under its title."""
    each = "".join(
        f'<a lang="{language}" hreflang="{language}" href="{address}">{escape(INVITATION[language])}</a>'
        for language, address in links
    )
    choice = f'\n\n<nav aria-label="Language" class="ch-languages">{each}</nav>\n'
    return re.sub(r"^# .+$", lambda title: title[0] + choice, text, count=1, flags=re.M)


def mark_language(app, pagename, templatename, context, doctree):
    """Mark the text of a translated page with its language, and list all languages for search engines."""
    found = PAGE.fullmatch(pagename)
    name = found[2] if found else pagename.removeprefix("book/")
    others = languages(name) if pagename.startswith("book/") else []
    if not others:
        return
    if found:
        context["body"] = f'<div lang="{found[1]}">{context["body"]}</div>'
    pages = {"en": f"book/{name}"} | {language: f"book/{language}/{name}" for language in others}
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<link rel="alternate" hreflang="{language}" href="{_address(app, context, page)}" />\n'
        for language, page in pages.items()
    )


def _address(app, context, page):
    """Return the absolute address of a page if it is known, or the address relative to the present page."""
    base = app.config.html_baseurl.rstrip("/")
    return f"{base}/{page}.html" if base else context["pathto"](page)
