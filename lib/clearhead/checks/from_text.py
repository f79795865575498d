"""Exercises made from a Markdown file, which holds right and wrong answers, and from a module of cases.

The module of cases lies beside the Markdown file and ends with a line such as

    EXERCISE = exercise_from_text(__file__, cases, tolerance=1e-9)
"""

import ast
import inspect
from pathlib import Path

import numpy as np

from . import recorded, registry
from .exercise import Exercise, Mistake
from .sheet_text import read_exercise, read_sheet


def exercise_from_text(file, cases, **more):
    """Return the Exercise whose text is in the Markdown file beside a module of the same name.

    Answers are compiled when they are first called. In a class edition the text holds no answers, and a file
    beside it records their outcomes.

    Parameters
    ----------
    file : str
        The module's `__file__`.
    cases : callable
        See `Exercise.cases`.
    **more
        Further fields of the Exercise, such as `driver` or `tolerance`.

    Raises
    ------
    UserError
        If the text cannot be parsed.
    """
    path = Path(file).with_suffix(".md")
    text, sheet = read_exercise(path), read_sheet(path.parent)
    kept = path.with_suffix(".json")
    if kept.is_file():
        make = _withheld
        more["recorded"] = recorded.Recorded(str(kept))
    else:
        make = Namespace(text, path).answer
    return Exercise(
        id=f"{sheet.number}.{text.answer_name}",
        title=text.title,
        reference=make(text.answer_name, text.answer),
        cases=cases,
        hints=text.hints,
        mistakes=tuple(
            Mistake(edit.name, make(text.answer_name, edit.source, text.answer), edit.message)
            for edit in text.wrong
        ),
        alternatives=tuple(make(name, source) for name, source in text.others),
        stars=text.stars,
        minutes=text.minutes,
        text=text,
        **more,
    )


def namespace(exercise):
    """Return the Namespace in which the answers of an exercise run."""
    folder = Path(registry.packages()[exercise.id[:2]].__file__).parent
    return Namespace(exercise.text, folder / f"{exercise.cases.__module__.rpartition('.')[2]}.md")


class Namespace:
    """The names that an exercise's answers may use: NumPy, earlier answers, given cells, and *Names*."""

    def __init__(self, text, path):
        self.text, self.path, self._names = text, path, None

    def answer(self, answer_name, source, signature_of=None):
        """Return the function named `answer_name` in a source, which is compiled when it is first called.

        Its signature is read from `signature_of` if that is given, and from the source otherwise.
        """
        made = []

        def answer(*arguments, **named):
            if not made:
                made.append(self.run(source)[answer_name])
            return made[0](*arguments, **named)

        answer.__name__ = answer.__qualname__ = answer_name
        answer.__signature__ = signature(signature_of or source, answer_name)
        return answer

    def run(self, source):
        """Run a piece of source, or its compiled code, and return the names that it defines."""
        if self._names is None:
            names = {"np": np, "__name__": f"clearhead.sheets.{self.path.parent.name}.{self.path.stem}"}
            names |= self._earlier()
            for given in self.text.given:
                self._execute(given, names)
            self._execute(self.text.names, names)
            self._names = names
        names = dict(self._names)
        self._execute(source, names)
        return names

    def _execute(self, source, names):
        exec(compile(source, str(self.path), "exec") if isinstance(source, str) else source, names)

    def _earlier(self):
        """Return a dict of the right answers on which this exercise builds, by their names."""
        exercises = read_sheet(self.path.parent).exercises if self.text.builds_on else {}
        texts = (exercises[answer_name] for answer_name in self.text.builds_on)
        return {
            each.answer_name: Namespace(each, self.path).answer(each.answer_name, each.answer)
            for each in texts
        }


def signature(source, answer_name):
    """Return the signature of a function or class, for which only its default values are evaluated."""
    part = next(node for node in ast.parse(source).body if getattr(node, "name", "") == answer_name)
    first = 0
    if isinstance(part, ast.ClassDef):
        inits = [node for node in part.body if getattr(node, "name", "") == "__init__"]
        if not inits:
            return inspect.Signature()
        part, first = inits[0], 1
    arguments = part.args
    for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        each.annotation = None
    body = ast.unparse(ast.Lambda(args=arguments, body=ast.Constant(None)))
    made = eval(body, {"np": np})
    found = inspect.signature(made)
    return found.replace(parameters=list(found.parameters.values())[first:])


def _withheld(answer_name, source, signature_of=None):
    """Return a placeholder for an answer that a class edition withholds, with the answer's signature."""

    def answer(*arguments, **named):
        return recorded.withheld_answer()

    answer.__name__ = answer.__qualname__ = answer_name
    answer.__signature__ = signature(signature_of or source, answer_name)
    return answer
