"""The files that a run over a class writes: a page and a Gradescope file per student, and the tables."""

from clearhead.files import private_folder, write_private

from ..run.store import as_json, file_name
from . import feedback, grade_table, gradescope


class Outputs:
    """The files in the folder OUT of a run that are made from the marks.

    `book` is the address of the book, to which the pages of students link; marks do not depend on it.
    """

    def __init__(self, out, book=""):
        self.out, self.book = out, book
        for name in ("feedback", "gradescope"):
            private_folder(out / name)

    def write_student(self, found):
        """Write the page and the Gradescope file of one student, each completely or not at all."""
        name = file_name(found["student"])
        write_private(self.out / "feedback" / f"{name}.html", feedback.page(found | {"book": self.book}))
        results, path = gradescope.as_gradescope(found), self.out / "gradescope" / name / "results.json"
        if results is None:
            path.unlink(missing_ok=True)
        else:
            write_private(path, as_json(results))

    def leftovers(self, submissions):
        """Return the pages and Gradescope files that do not belong to any submission of the class."""
        names = {file_name(submission.name) for submission in submissions}
        pages = [page for page in (self.out / "feedback").glob("*.html") if page.stem not in names]
        return pages + [path for path in (self.out / "gradescope").iterdir() if path.name not in names]

    def write_tables(self, run, submissions, part=""):
        """Write the tables of the whole class, or of one part of it, from the stored marks."""
        table, json_file = (self.out / f"grades{part}.{kind}" for kind in ("csv", "json"))
        write_private(table, grade_table.as_csv(run.marks_of(submissions), run.ids))
        write_private(json_file, grade_table.as_json_list(run.marks_of(submissions)))
