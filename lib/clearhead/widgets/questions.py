"""The questions of each chapter, read from a TOML file with the number of the chapter."""

import html
import tomllib
from functools import cache
from pathlib import Path

from clearhead.figures.words import symbols

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
    """Return plain text as HTML, escaped, with code between backticks, and the k of d_k as a subscript."""
    parts = text.split("`")
    parts[1::2] = [f"<code>{html.escape(part)}</code>" for part in parts[1::2]]
    parts[::2] = map(symbols, parts[::2])
    return "".join(parts)


def ended(sentence):
    """Return a sentence with a full stop at its end, unless it ends with a punctuation mark."""
    return sentence if sentence.endswith((".", "?", "!")) else sentence + "."
