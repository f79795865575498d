"""The page of a class, and a folder of answers for programs that detect similar ones."""

import hashlib

from clearhead import __version__
from clearhead.checks import registry
from clearhead.files import private_folder, write_private

from ..collect import answers
from .class_statistics import ClassStatistics
from .feedback import read_again
from .grade_table import safe_cell
from .rendering import render


def write(all_marks, submissions, settings, out):
    """Write OUT/class.html and OUT/similarity/SHEET/*.py; return the page's path and outdated files.

    The files of answers contain no names; OUT/similarity/names.csv lists whose file is whose.
    """
    private_folder(out / "similarity")
    facts, sheets = ClassStatistics(), settings["sheets"]
    for marks in all_marks:
        facts.add(marks)
    mistakes, by_student = facts.frequent_mistakes(), {}
    for place, mistake in enumerate(mistakes):
        for student in mistake["students"]:
            by_student.setdefault(student, []).append(place)
    names, written = ["file,student"], set()
    for submission in submissions:
        anonymous = pseudonymous_id_of(submission.name, settings["secret"])
        held = _answers(submission, sheets)
        for number, answers_of_sheet in held.items():
            if answers_of_sheet:
                place = out / "similarity" / number / f"{anonymous}.py"
                write_private(place, "\n\n\n".join(answers_of_sheet.values()) + "\n")
                written.add(place)
        if any(held.values()):
            names.append(f'{anonymous}.py,"{_one_line(submission.name)}"')
        for place in by_student.get(submission.name, ()):
            number, _, answer_name = mistakes[place]["id"].partition(".")
            mistakes[place]["example"] = mistakes[place]["example"] or held[number].get(answer_name, "")
    write_private(out / "similarity" / "names.csv", "\n".join(names) + "\n")
    page = out / "class.html"
    text = render(
        "class.html.j2",
        facts=facts,
        mistakes=mistakes,
        teach_again=lambda mistake: read_again(mistake | {"cases": []})["text"],
        titles={number: registry.sheet(number).title for number in sheets},
        version=__version__,
    )
    write_private(page, text)
    return page, [path for path in (out / "similarity").glob("*/*.py") if path not in written]


def pseudonymous_id_of(student, secret):
    """Return a pseudonymous id of a student, which is the same in all runs with the same secret."""
    return "s" + hashlib.sha256(f"{secret}\0{student}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _answers(submission, sheets):
    """Return a dict from the number of each sheet to the answers of one submission."""
    answer_names = {number: [e.answer_name for e in registry.sheet(number).exercises] for number in sheets}
    alone = len(sheets) == 1
    return {
        n: answers.answers_of_submission(submission, n, names, alone) for n, names in answer_names.items()
    }


def _one_line(name):
    """Return a student's name, escaped for a quoted cell of a CSV table."""
    return str(safe_cell(name)).replace('"', '""')
