"""The questions at the end of a chapter, with which readers check themselves."""

import traitlets

from .figure import Figure, source
from .questions import ended, load, marked_up


class SelfCheck(Figure):
    """The questions at the end of a chapter; each wrong choice says why it is wrong."""

    _esm = source("self_check.js")
    chapter = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List(traitlets.Dict()).tag(sync=True)
    answers = traitlets.List(traitlets.Int()).tag(sync=True)
    wrong_choices = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)

    def __init__(self, chapter, **traits):
        questions = load(chapter)["selfcheck"]
        super().__init__(chapter=chapter, questions=questions, answers=[-1] * len(questions), **traits)

    @property
    def words(self):
        """Return the questions as one string."""
        return " ".join(["Check yourself.", *(question["question"] for question in self.questions)])

    @property
    def fallback(self):
        """Return HTML with a list of the questions, each with its explained choices, which are folded."""
        items = "".join(
            f"<li><p>{marked_up(question['question'])}</p><ul>{_texts(question)}</ul>"
            f"<details><summary>Answer {number}</summary><ul>{_explained(question)}</ul></details></li>"
            for number, question in enumerate(self.questions, 1)
        )
        return f'<div class="ch-fallback"><p><strong>Check yourself.</strong></p><ol>{items}</ol></div>'


def _texts(question):
    return "".join(f"<li>{marked_up(choice['text'])}</li>" for choice in question["choices"])


def _explained(question):
    return "".join(
        f"<li>{'Right' if choice.get('right') else 'Wrong'}: {marked_up(ended(choice['text']))} "
        f"{marked_up(choice['why'])}</li>"
        for choice in question["choices"]
    )
