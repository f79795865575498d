"""One slide: its content, the speaker's notes, and the time that it takes."""

import copy
from dataclasses import dataclass, field

WORDS_A_SECOND = 130 / 60
SECONDS = {"opening": 90, "guess": 90, "question": 60, "moving": 60, "figure": 20, "code": 30, "text": 10}


@dataclass
class Slide:
    """A slide of a lecture.

    Attributes
    ----------
    title, kicker : str
        HTML of the headline, and of the one above it, if any.
    kind : str
        opening, guess, question, moving, figure, code or text.
    said : list of bs4.Tag
        The sentence above, or the sentences of a slide of text.
    shown : list of bs4.Tag
        What is looked at: cells, figures, formulas, tables.
    kept : list of bs4.Tag
        The sentence below, which comes last.
    notes : list of bs4.Tag
        The prose of the chapter, for the speaker.
    """

    title: str
    kicker: str = ""
    kind: str = "text"
    said: list = field(default_factory=list)
    shown: list = field(default_factory=list)
    kept: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    @property
    def seconds(self):
        """Return the seconds for a slide: to read its prose aloud, and to look, guess or answer."""
        words = sum(len(note.get_text().split()) for note in self.notes)
        return round(SECONDS[self.kind] + words / WORDS_A_SECOND)

    def note(self, *prose):
        """Add prose to the speaker's notes."""
        self.notes.extend(copy.copy(each) for each in prose)


@dataclass
class Stack:
    """The slides of one section of a chapter."""

    title: str
    slides: list

    def count(self, *kinds):
        """Return the number of slides of these kinds."""
        return sum(slide.kind in kinds for slide in self.slides)

    @property
    def seconds(self):
        """Return the number of seconds planned for the section."""
        return sum(slide.seconds for slide in self.slides)


@dataclass
class Deck:
    """The lecture of one chapter."""

    name: str
    title: str
    stacks: list

    @property
    def slides(self):
        """Return every slide, in the order of the lecture."""
        return [slide for stack in self.stacks for slide in stack.slides]

    @property
    def minutes(self):
        """Return the number of minutes planned for the lecture."""
        return round(sum(stack.seconds for stack in self.stacks) / 60)

    @property
    def plan(self):
        """Yield the sections of the lecture: its stack, its first and last slide, the minute when it ends."""
        slides = seconds = 0
        for stack in self.stacks:
            first, slides, seconds = slides + 1, slides + len(stack.slides), seconds + stack.seconds
            yield stack, first, slides, round(seconds / 60)
