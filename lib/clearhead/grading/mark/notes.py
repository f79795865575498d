"""What a student is told of a notebook, beside the marks: errors with their cells, and what to fix first."""

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
        """The locator of the cells that a note is about."""
        return CellLocator(self.raw)

    def note(self, text):
        """Keep a note for the student, with the number of the sheet; each once, and not too many."""
        text = f"Sheet {self.number}: {text}"
        if text not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(text)

    def add_errors(self, said):
        """Note what the cells said of their errors, as far as it is text, and theirs."""
        for pair in said[:MAX_NOTES] if isinstance(said, list) else []:
            known = isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int
            if known and not self.locator.is_given(pair[0]):
                words = self.locator.error(pair[0], clean(pair[1], 200))
                self.problems.setdefault(pair[0], words)
                self.note(f"{self.locator.label(pair[0])}: {words}.")

    def remarks(self, said):
        """Note what was remarked of the notebook as a whole, as far as it is text."""
        for words in said[:MAX_NOTES] if isinstance(said, list) else []:
            if isinstance(words, str):
                self.note(clean(words, 200))

    def why_missing(self, answer_name):
        """Return why an answer is not there: the error in the cell that should define it, if any."""
        for number, words in self.problems.items():
            if self.locator.defines(number, answer_name):
                return f"its cell has an error. {words}."
        return "was its cell deleted, or is it still the stub?"

    def say_what_to_fix_first(self, exercises, tried):
        """Note which answers call others that are not right yet, and whether cells were left out."""
        wrong = [e for e in exercises if not all(t.passed for t in tried[e.id])]
        for exercise in wrong:
            others = [other.answer_name for other in wrong if other is not exercise]
            called = self.locator.called(exercise.answer_name, others)
            if called:
                first = " and ".join(f"`{name}`" for name in called)
                self.note(f"`{exercise.answer_name}` calls {first}: fix that first, it is not right yet.")
        if wrong and len(self.locator.cells) > CELLS:
            self.note(f"Only the first {CELLS} of its {len(self.locator.cells)} cells were read.")
