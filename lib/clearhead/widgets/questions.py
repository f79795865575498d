"""Questions on the page: guess before the experiment, and check yourself at the end of a chapter."""

import html
import re
import tomllib
from functools import cache
from pathlib import Path

import traitlets

from .figure import Figure, source

FOLDER = Path(__file__).parent / "questions"


@cache
def load(chapter):
    """Return the questions of one chapter: {"predict": [...], "selfcheck": [...]}."""
    file = FOLDER / f"{chapter}.toml"
    if not file.exists():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.toml"))) or "none yet"
        raise ValueError(f"There are no questions for chapter {chapter!r}; chapters with questions: {known}.")
    return {"predict": [], "selfcheck": [], **tomllib.loads(file.read_text("utf-8"))}


def find(question_id):
    """Return one predict question by its id, such as "05.scaling"."""
    questions = load(str(question_id).partition(".")[0])["predict"]
    for question in questions:
        if question["id"] == question_id:
            return question
    known = ", ".join(question["id"] for question in questions) or "none"
    raise ValueError(f"There is no question {question_id!r}; this chapter has: {known}.")


def marked_up(text):
    """Return plain text as HTML: escaped, with `code` between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def ended(sentence):
    """Return a sentence with one mark at its end: its own, or a full stop."""
    return sentence if sentence.endswith((".", "?", "!")) else sentence + "."


class Predict(Figure):
    """One question to answer before an experiment; the guess is kept in the reader's browser."""

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

    @property
    def words(self):
        """Return the question and its options."""
        return f"Predict: {self.question} " + " / ".join(self.options)

    @property
    def fallback(self):
        """Return the question with its answer folded."""
        listed = "".join(f"<li>{marked_up(option)}</li>" for option in self.options)
        answer = f"<p>{marked_up(ended(self.options[self.answer]))} {marked_up(self.reveal)}</p>"
        return (
            f'<div class="ch-fallback"><p><strong>Predict.</strong> {marked_up(self.question)}</p>'
            f"<ul>{listed}</ul><details><summary>Answer</summary>{answer}</details></div>"
        )


class SelfCheck(Figure):
    """The questions at the end of a chapter; each wrong choice says why it is wrong."""

    _esm = source("self_check.js")
    chapter = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List(traitlets.Dict()).tag(sync=True)
    answers = traitlets.List(traitlets.Int()).tag(sync=True)
    met = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)

    def __init__(self, chapter, **traits):
        questions = load(chapter)["selfcheck"]
        super().__init__(chapter=chapter, questions=questions, answers=[-1] * len(questions), **traits)

    @property
    def words(self):
        """Return the questions."""
        return " ".join(["Check yourself.", *(question["question"] for question in self.questions)])

    @property
    def fallback(self):
        """Return the questions as a list, each with its explained choices folded."""
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
        f"<li>{'Right' if choice.get('right') else 'Not right'}: {marked_up(ended(choice['text']))} "
        f"{marked_up(choice['why'])}</li>"
        for choice in question["choices"]
    )
