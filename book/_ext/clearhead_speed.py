"""The directive `speed`: the table and the pictures of a file in benchmarks/results."""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

HEAD = ("what", "ours", "against", "ratio", "goal")
MARK = {True: "✓ ", False: "✗ ", None: ""}


def number(x):
    """Return a number with three digits that count."""
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


class Speed(SphinxDirective):
    """A section a subject, with a row for each comparison; then the machine on which it was measured."""

    required_arguments = 1

    def run(self):
        path = Path(self.env.srcdir) / "benchmarks" / "results" / self.arguments[0]
        self.env.note_dependency(str(path))
        found = json.loads(path.read_text("utf-8"))
        subjects = dict.fromkeys(row["subject"] for row in found["rows"])
        sections = [
            self.section(name, [row for row in found["rows"] if row["subject"] == name]) for name in subjects
        ]
        return [*sections, self.machine(found["machine"])]

    def section(self, name, rows):
        made = nodes.section("", nodes.title(text=name.capitalize()), ids=[nodes.make_id(f"speed-{name}")])
        self.state.document.note_explicit_target(made)
        table, group = nodes.table(classes=["ch-speed"]), nodes.tgroup(cols=len(HEAD))
        group += [nodes.colspec(colwidth=width) for width in (38, 16, 26, 10, 10)]
        group += nodes.thead("", self.row(HEAD))
        group += nodes.tbody("", *(self.row(self.words(row)) for row in rows))
        table += group
        made += table
        return made

    def words(self, row):
        goal = "" if row["goal"] is None else f"{MARK[row['holds']]}at most {number(row['goal'])}"
        ours, peer = (f"{number(row[key])} {row['unit']}" for key in ("ours", "peer"))
        what = row["what"] + (f" ({row['note']})" if row["note"] else "")
        return what, ours, f"{row['against']}: {peer}", number(row["ratio"]), goal

    def row(self, entries):
        return nodes.row("", *(nodes.entry("", nodes.paragraph(text=each)) for each in entries))

    def machine(self, facts):
        words = "; ".join(f"{name} {value}" for name, value in facts.items())
        return nodes.paragraph("", f"Measured on: {words}.")


def setup(app):
    app.add_directive("speed", Speed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
