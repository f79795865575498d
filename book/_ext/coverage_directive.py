"""The directive `coverage`: the contents of the five source texts, and where the book covers them."""

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

HEAD = ("what the sources contain", "source", "section of this book")


class Coverage(SphinxDirective):
    """The directive that makes a section for each subject of coverage.toml, with a row for each item."""

    def run(self):
        path = Path(self.env.srcdir) / "book" / "coverage.toml"
        self.env.note_dependency(str(path))
        return [self.section(subject) for subject in tomllib.loads(path.read_text("utf-8"))["subject"]]

    def section(self, subject):
        made = nodes.section(
            "", nodes.title(text=subject["title"]), ids=[nodes.make_id(f"coverage-{subject['title']}")]
        )
        self.state.document.note_explicit_target(made)
        table, group = nodes.table(classes=["ch-coverage"]), nodes.tgroup(cols=len(HEAD))
        group += [nodes.colspec(colwidth=width) for width in (55, 12, 33)]
        group += nodes.thead("", self.row(*map(nodes.Text, HEAD)))
        group += nodes.tbody("", *(self.item(*item) for item in subject["items"]))
        table += group
        made += table
        return made

    def item(self, what, source, target, _):
        link = nodes.reference("", target, internal=True, place=target)
        return self.row(nodes.Text(what), nodes.Text(source), link)

    def row(self, *entries):
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", each)) for each in entries))


def headings(env, page):
    """Return a dict from the anchors of a page to their headings, with the page's own heading under ""."""
    entries = env.tocs[page].findall(nodes.reference)
    return {entry["anchorname"].lstrip("#"): entry.astext() for entry in entries}


def aim(app, doctree, docname):
    """Resolve the address and the heading of each link, after all pages have been read."""
    for link in (each for each in doctree.findall(nodes.reference) if "place" in each):
        page, _, anchor = link["place"].partition("#")
        link["refuri"] = f"{app.builder.get_relative_uri(docname, page)}#{anchor}"
        if page in app.env.tocs:
            sections = headings(app.env, page)
            number = page.rpartition("/")[2][:2]
            before = f"{int(number)} · " if number.isdigit() else f"{sections['']} · "
            link.children = [nodes.Text(before + sections.get(anchor, sections[""]))]
