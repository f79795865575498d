"""A sheet for the machine: boxes that are links, lines that belong to a part, today's part marked."""

from html import escape

from . import ink
from .parts import CHAPTERS, PARTS, WORDS

TITLE = "A map of the transformer"


def nowhere(chapter):
    """Return no address: a part is then drawn without a link."""


class Sheet:
    """A drawing that grows by chapter: parts become links, and the current chapter's are marked."""

    def __init__(self, today, address):
        self.here = today
        self.today = set(CHAPTERS[today].parts.split()) if today else set()
        self.address = address
        self.body = []
        self.reached = set()
        self.said = None  # where the second text stands, once it is drawn

    def add(self, *pieces):
        """Take up pieces of SVG."""
        self.body += pieces

    def wire(self, points, key="", kind="", **options):
        """Draw a line that belongs to a part, if it has one."""
        self.add(ink.wire(points, f"{kind} {self.mark(key)}".strip(), **options))

    def mark(self, key):
        """Return the class of what belongs to today's chapter, or nothing."""
        return "m-here" if {"stream": "shape"}.get(key, key) in self.today else ""

    def link(self, key, inside, part=None):
        """Draw a part as a link to its chapter; a keyboard stops at the first link to each chapter only."""
        part = part or PARTS[key]
        name = part.name.replace("|", " ")
        spoken = f"{name}, chapter {int(part.chapter)}: {part.words}"
        title = f"<title>{escape(spoken)}</title>"
        there, kind = self.address(part.chapter), f"m-part {self.mark(key)}".strip()
        if not there:
            return self.add(f'<g class="{kind}">{title}{inside}</g>')
        extra = ' tabindex="-1"' if part.chapter in self.reached else ""
        extra += ' aria-current="page"' if part.chapter == self.here else ""
        self.reached.add(part.chapter)
        return self.add(f'<a class="{kind}" href="{escape(there)}"{extra}>{title}{inside}</a>')

    def part(self, key, x, y, width, height, kind="m-box", part=None):
        """Draw a part as a box with its chapter's number and its name; a high box has two lines."""
        given = part or PARTS[key]
        first, second = given.name.replace("|", " "), ""
        if height > 36:
            first, second = given.name.split("|") if "|" in given.name else ("", given.name)
        at = y + height / 2 + (-3.5 if second else 5)
        words = ink.label(x + 10, at, int(given.chapter), first)
        self.link(
            key,
            ink.box(x, y, width, height, kind) + words + (second and ink.text(x + 10, at + 17, second)),
            part,
        )

    def words(self, key, x, y, anchor="start"):
        """Draw a part that is only its number and its name."""
        self.link(key, ink.label(x, y, int(PARTS[key].chapter), PARTS[key].name, anchor))

    def plus(self, x, y, key="addition"):
        """Draw an addition."""
        self.add(ink.plus(x, y, f"m-plus {self.mark(key)}".strip()))

    def pill(self, x, y, width, height, words):
        """Draw a box with rounded ends, with the text that is an input or an output of the machine."""
        lines = words.split("|")
        self.add(ink.box(x, y, width, height, "m-pill", min(height / 2, 14)))
        for i, line in enumerate(lines):
            at = y + height / 2 + 5 + 17 * (i - (len(lines) - 1) / 2)
            self.add(ink.put(x + width / 2, at, line, "m-said"))

    def frame(self, key, x, y, width, height, label_x):
        """Draw the frame of a block and its name, a link."""
        self.add(ink.box(x, y, width, height, f"m-frame {self.mark(key)}".strip(), 10))
        self.words(key, label_x, y + 20)

    def svg(self, kind, width, height, left=0):
        """Return the drawing as one SVG element with a title and a description of its own."""
        name = f"machine-{self.here or 'all'}-{kind}"
        look = f"m-{kind} m-today" if self.here else f"m-{kind}"
        says = CHAPTERS[self.here].words + " " + WORDS if self.here else WORDS
        return (
            f'<svg class="{look}" xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="{left} -1 {width} {ink.short(height + 2)}" role="group" aria-label="{TITLE}" '
            f'aria-describedby="{name}-words"><title>{TITLE}</title>'
            f'<desc id="{name}-words">{escape(says)}</desc>\n' + "\n".join(self.body) + "\n</svg>"
        )
