"""What a student is told of a notebook, beside the marks: errors at their places, and what to mend first."""

from functools import cached_property

from clearhead.sandbox.reading import CELLS

from ..collect.cell_locator import CellLocator
from ..collect.untrusted_text import clean

MOST = 40


class NotebookNotes:
    """The notes on the notebook of one sheet."""

    def __init__(self, number, raw):
        self.number, self.raw = number, raw
        self.notes = []
        self.troubles = {}  # by the number of a cell, what went wrong in it

    @cached_property
    def places(self):
        """The places of the notebook, for those that something is told of."""
        return CellLocator(self.raw)

    def note(self, text):
        """Keep a note for the student, with the number of the sheet; each once, and not too many."""
        text = f"Sheet {self.number}: {text}"
        if text not in self.notes and len(self.notes) < MOST:
            self.notes.append(text)

    def troubles_of(self, said):
        """Note what the cells said of their errors, as far as it is text, and theirs."""
        for pair in said[:MOST] if isinstance(said, list) else []:
            known = isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int
            if known and not self.places.is_ours(pair[0]):
                words = self.places.error(pair[0], clean(pair[1], 200))
                self.troubles.setdefault(pair[0], words)
                self.note(f"{self.places.of(pair[0])}: {words}.")

    def remarks(self, said):
        """Note what was remarked of the notebook as a whole, as far as it is text."""
        for words in said[:MOST] if isinstance(said, list) else []:
            if isinstance(words, str):
                self.note(clean(words, 200))

    def why_missing(self, entry):
        """Return why an answer is not there: the error in the cell that should define it, if any."""
        for number, words in self.troubles.items():
            if self.places.defines(number, entry):
                return f"its cell has an error. {words}."
        return "was its cell deleted, or is it still the stub?"

    def what_comes_first(self, exercises, tried):
        """Note which answers call others that are not right yet, and whether cells were left out."""
        wrong = [e for e in exercises if not all(t.passed for t in tried[e.id])]
        for exercise in wrong:
            called = self.places.called(exercise.entry, [e.entry for e in wrong if e is not exercise])
            if called:
                first = " and ".join(f"`{name}`" for name in called)
                self.note(f"`{exercise.entry}` calls {first}: mend that first, it is not right yet.")
        if wrong and len(self.places.cells) > CELLS:
            self.note(f"Only the first {CELLS} of its {len(self.places.cells)} cells were read.")
