"""The notes for a student on a notebook: errors with their cells, and what to fix first."""

from functools import cached_property

from clearhead.sandbox.reading import CELLS

from ..collect.cell_locator import CellLocator
from ..collect.untrusted_text import clean

MAX_NOTES = 40


class NotebookNotes:
    """The notes on the notebook of one sheet."""

    def __init__(self, number, raw):
        self.number, self.raw = number, raw
        self.notes = []
        self.problems = {}  # by the number of a cell, what went wrong in it

    @cached_property
    def locator(self):
        """The CellLocator that describes the cells to which notes refer."""
        return CellLocator(self.raw)

    def note(self, text):
        """Add a note on the sheet for the student, unless it repeats one or there are MAX_NOTES already."""
        text = f"Sheet {self.number}: {text}"
        if text not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(text)

    def add_errors(self, errors):
        """Add notes on the errors in a student's cells; errors in the sheet's own cells are ignored."""
        for pair in errors[:MAX_NOTES] if isinstance(errors, list) else []:
            known = isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int
            if known and not self.locator.is_given(pair[0]):
                words = self.locator.error(pair[0], clean(pair[1], 200))
                self.problems.setdefault(pair[0], words)
                self.note(f"{self.locator.label(pair[0])}: {words}.")

    def remarks(self, sentences):
        """Add notes on the notebook as a whole; entries that are not strings are ignored."""
        for words in sentences[:MAX_NOTES] if isinstance(sentences, list) else []:
            if isinstance(words, str):
                self.note(clean(words, 200))

    def why_missing(self, answer_name):
        """Return why an answer is missing: the error in the cell that should define it, if any."""
        for number, words in self.problems.items():
            if self.locator.defines(number, answer_name):
                return f"its cell has an error. {words}."
        return "was its cell deleted, or is it still the stub?"

    def say_what_to_fix_first(self, exercises, tried):
        """Add notes on answers that call others that are not right yet, and on cells beyond the limit."""
        wrong = [e for e in exercises if not all(t.passed for t in tried[e.id])]
        for exercise in wrong:
            others = [other.answer_name for other in wrong if other is not exercise]
            called = self.locator.called(exercise.answer_name, others)
            if called:
                first = " and ".join(f"`{name}`" for name in called)
                self.note(f"`{exercise.answer_name}` calls {first}: fix that first, it is not right yet.")
        if wrong and len(self.locator.cells) > CELLS:
            self.note(f"Only the first {CELLS} of its {len(self.locator.cells)} cells were read.")
