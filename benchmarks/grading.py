"""Compare the CPU seconds of grading a submission, of all processes, with nbgrader on the same sheet."""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path

from compare import Row, cost

ROOT = Path(__file__).parents[1]
GRADE = [sys.executable, "-c", "from clearhead.grading.cli import main; main()", "grade"]
NBGRADER = [sys.executable, "-m", "nbgrader"]
CROWD = 600  # so many that starting two workers instead of one counts for little
GOALS = {"05": 1.0, "06": 2.0}  # NumPy, PyTorch


def solution(number):
    """Return the path of a sheet's solutions."""
    return next((ROOT / "solutions").glob(f"{number}_*.ipynb"))


def ours(number, students, jobs):
    """Return the CPU seconds and the seconds of our grader for a class that hands in the solutions."""
    with tempfile.TemporaryDirectory() as folder:
        for student in range(students):
            place = Path(folder, "in", f"s{student:03}", solution(number).name)
            place.parent.mkdir(parents=True)
            place.write_bytes(solution(number).read_bytes())
        return cost([*GRADE, "in", "--out", "out", "-j", str(jobs)], folder)


def _marked_for_nbgrader(notebook):
    """Return a notebook whose answers and checks carry the metadata that nbgrader needs."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        checks, answers = source.startswith("check("), "# answer" in source
        if cell["cell_type"] == "code" and (checks or answers):
            facts = {"grade": checks, "solution": answers, "locked": checks, "task": False}
            cell["metadata"]["nbgrader"] = facts | {"grade_id": cell["id"], "schema_version": 3, "points": 1}
    return json.dumps(notebook)


def nbgrader(number, students):
    """Return the CPU seconds and the seconds of nbgrader for the same class."""
    with tempfile.TemporaryDirectory() as folder:
        text = _marked_for_nbgrader(json.loads(solution(number).read_text()))
        places = [
            Path(folder, "source", "sheet"),
            *(Path(folder, "submitted", f"s{i}", "sheet") for i in range(students)),
        ]
        for place in places:
            place.mkdir(parents=True)
            (place / "sheet.ipynb").write_text(text)
        cost([*NBGRADER, "generate_assignment", "sheet", "--create", "--force"], folder)
        return cost([*NBGRADER, "autograde", "sheet", "--create"], folder, CLEARHEAD_STRICT="1")


def rows(full, _options):
    """Yield the rows of this subject."""
    from clearhead.sandbox.isolation import problem

    if problem():
        print("grading: students' code cannot be isolated here, nothing to measure")
        return
    students = 60 if full else 20
    few = 20 if full else 5  # for both, so that each shares its start by as many
    for number, goal in GOALS.items():
        cpu, _ = ours(number, students, 1)
        what = f"sheet {number}, CPU per submission, {students} of them"
        yield Row("grading", what, cpu / students, goal, "s", "a fixed goal", 1.0)
        if importlib.util.find_spec("nbgrader"):
            (own, _), (theirs, _) = ours(number, few, 1), nbgrader(number, few)
            what = f"sheet {number}, CPU per submission, {few} of them"
            yield Row("grading", what, own / few, theirs / few, "s", "nbgrader autograde", 0.5)
        if full:
            (_, seconds), (_, shared) = (ours(number, CROWD, jobs) for jobs in (1, 2))
            what = f"sheet {number}, two workers, {CROWD} submissions"
            yield Row("grading", what, shared, seconds, "s", "one worker", 0.65)
