"""The drawn machine in the pages: `{machine}`, `{machine-close-up}`, and both by themselves in chapters."""

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
    """The place of a drawing; what stands there is drawn when the page is written, with its links."""


class Machine(SphinxDirective):
    """Put the whole machine into a page: with a chapter's number, that chapter's part in colour."""

    optional_arguments = 1

    def run(self):
        """Return the place of the drawing."""
        return self.place(self.arguments[0] if self.arguments else None, CHAPTERS)

    def place(self, chapter, known, close=False):
        """Return the place of a drawing of a chapter that is known."""
        if chapter is not None and chapter not in known:
            raise self.error(f"There is no drawing for {chapter!r}; there is one for {', '.join(known)}.")
        _depends(self.env)
        return [Drawing("", chapter=chapter, close=close)]


class CloseUp(Machine):
    """Put one part of the machine into a page, large: a chapter's number says which."""

    required_arguments = 1
    optional_arguments = 0

    def run(self):
        """Return the place of the drawing."""
        return self.place(self.arguments[0], machine.CLOSE_UPS, close=True)


def open_chapter(app, doctree):
    """Put today's part after a chapter's title, and its close-up, if any, before the first box."""
    found = CHAPTER.match(app.env.docname)
    section = doctree.next_node(nodes.section)
    if not found or section is None or found[1] not in CHAPTERS:
        return
    _depends(app.env)
    there = [drawing["close"] for drawing in doctree.findall(Drawing)]
    if found[1] in machine.CLOSE_UPS and True not in there:
        place, index = _before_the_box(section)
        place.insert(index, Drawing("", chapter=found[1], close=True))
    if False not in there:
        section.insert(1, Drawing("", chapter=found[1], close=False))


def _before_the_box(section):
    """Return the parent and the place of a chapter's first box; without one, the place after its words."""
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
    """Write a drawing: each part leads to its chapter, if the book has that chapter."""
    pages = {found[1]: name for name in self.builder.env.found_docs if (found := CHAPTER.match(name))}

    def address(chapter):
        page = pages.get(chapter)
        return page and (self.builder.get_relative_uri(self.builder.current_docname, page) or "#")

    chapter = node["chapter"]
    self.body.append(
        machine.close_up_figure(chapter) if node["close"] else machine.page_figure(chapter, address)
    )
    raise nodes.SkipNode


def leave_out(self, node):
    """Write nothing: a drawing is for pages."""
    raise nodes.SkipNode


def add_style(app, pagename, templatename, context, doctree):
    """Give the style to those pages that have a drawing."""
    if 'class="ch-machine' in context.get("body", ""):
        app.add_css_file("machine.css")
