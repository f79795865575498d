"""Drawings of the machine: the directives `{machine}` and `{machine-close-up}`, and those in each chapter."""

import sys

from conventions import CHAPTER, ROOT
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

DIAGRAMS = ROOT / "book" / "diagrams"
sys.path.append(str(DIAGRAMS))

import machine  # noqa: E402
from drawn.parts import CHAPTERS  # noqa: E402

MADE_FROM = [*sorted(DIAGRAMS.rglob("*.py")), __file__]


class Drawing(nodes.General, nodes.Element):
    """A placeholder for a drawing, which is drawn with its links when the page is written.

    Its `form` is "whole" for the map, "strip" for the opening of a chapter and "close-up" for a figure 1.
    """


class Machine(SphinxDirective):
    """The directive that puts the whole machine into a page."""

    def run(self):
        """Return the placeholder of the drawing."""
        _depends(self.env)
        return [Drawing("", chapter=None, form="whole")]


class CloseUp(SphinxDirective):
    """The directive that puts an enlarged part of the machine, that of a chapter, into a page."""

    required_arguments = 1

    def run(self):
        """Return the placeholder of the drawing."""
        chapter = self.arguments[0]
        if chapter not in machine.CLOSE_UPS:
            names = ", ".join(machine.CLOSE_UPS)
            raise self.error(f"There is no close-up for {chapter!r}; there is one for {names}.")
        _depends(self.env)
        return [Drawing("", chapter=chapter, form="close-up")]


def open_chapter(app, doctree):
    """Insert the strip after a chapter's title, and its close-up, if any, before the first box."""
    found = CHAPTER.match(app.env.docname)
    section = doctree.next_node(nodes.section)
    if not found or section is None or found[1] not in CHAPTERS:
        return
    _depends(app.env)
    there = [drawing["form"] for drawing in doctree.findall(Drawing)]
    if found[1] in machine.CLOSE_UPS and "close-up" not in there:
        parent, index = _before_the_box(section)
        parent.insert(index, Drawing("", chapter=found[1], form="close-up"))
    section.insert(1, Drawing("", chapter=found[1], form="strip"))


def _before_the_box(section):
    """Return the parent and the index at which a chapter's first figure is inserted.

    It comes before the first box or, if there is none, after the first paragraphs.
    """
    box = section.next_node(nodes.admonition)
    if box is not None:
        return box.parent, box.parent.index(box)
    words = nodes.title, nodes.paragraph
    after = (i for i, child in enumerate(section) if not isinstance(child, words))
    return section, next(after, len(section))


def _depends(env):
    for path in MADE_FROM:
        env.note_dependency(str(path))


def write(self, node):
    """Write a drawing in which each part links to its chapter, if the book has that chapter."""
    pages = {found[1]: name for name in self.builder.env.found_docs if (found := CHAPTER.match(name))}

    def address(chapter):
        page = pages.get(chapter)
        return page and (self.builder.get_relative_uri(self.builder.current_docname, page) or "#")

    if node["form"] == "whole":
        drawn = machine.page_figure(address)
    elif node["form"] == "strip":
        first = self.builder.config.root_doc
        map_address = self.builder.get_relative_uri(self.builder.current_docname, first) + "#map"
        drawn = machine.strip_figure(node["chapter"], map_address)
    else:
        drawn = machine.close_up_figure(node["chapter"])
    self.body.append(drawn)
    raise nodes.SkipNode


def leave_out(self, node):
    """Write nothing, because drawings appear only on web pages."""
    raise nodes.SkipNode


def add_style(app, pagename, templatename, context, doctree):
    """Add the style sheet of the machine to the pages that have a drawing."""
    if 'class="ch-machine' in context.get("body", ""):
        app.add_css_file("machine.css")
