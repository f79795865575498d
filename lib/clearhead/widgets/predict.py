"""A question before an experiment, which the reader answers before seeing the result."""

import traitlets

from .. import in_lab
from .figure import Figure, source
from .questions import ended, find, marked_up


class Predict(Figure):
    """One question to answer before an experiment; the guess is stored in the reader's browser."""

    _esm = source("predict.js")
    question_id = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    answer = traitlets.Int(0).tag(sync=True)
    reveal = traitlets.Unicode().tag(sync=True)
    guess = traitlets.Int(-1).tag(sync=True)

    def __init__(self, question_id, **traits):
        asked = dict(find(question_id))
        super().__init__(question_id=asked.pop("id"), **asked, **traits)
        in_lab.fold_results_after(self)

    @property
    def words(self):
        """Return the question and its options."""
        return f"Predict: {self.question} " + " / ".join(self.options)

    @property
    def fallback(self):
        """Return HTML with the question, its options, and its answer, which is folded."""
        listed = "".join(f"<li>{marked_up(option)}</li>" for option in self.options)
        answer = f"<p>{marked_up(ended(self.options[self.answer]))} {marked_up(self.reveal)}</p>"
        return (
            f'<div class="ch-fallback"><p><strong>Predict.</strong> {marked_up(self.question)}</p>'
            f"<ul>{listed}</ul><details><summary>Answer</summary>{answer}</details></div>"
        )
