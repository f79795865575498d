"""Statistics on the marks of a class, as plain data."""

from collections import Counter, defaultdict
from statistics import StatisticsError, correlation

from clearhead.checks import registry

from ..mark.marks import caused_by_helper

BINS, MISTAKES, FEW = 10, 10, 8  # bins of the histogram; mistakes listed; students that a correlation needs
NOT_ATTEMPTED = ("not_attempted", "missing")
LATE = 0.4  # the part of a sheet, at its end, that nobody leaves out by chance


class ClassStatistics:
    """The counts for a class, updated student by student, because a large class may not fit into memory."""

    def __init__(self):
        self.parts, self.max_points, self.statuses = [], 0, Counter()
        # By exercise, for each student who attempted it: the fraction of its points, and of all other points:
        self.shares = defaultdict(list)
        self.solved, self.not_attempted, self.absent, self.titles = Counter(), Counter(), Counter(), {}
        self.mistakes, self.stopped = defaultdict(list), []

    def add(self, marks):
        """Count the marks of one student."""
        rows = [row for row in marks.get("exercises", []) if row["status"] != "unreadable"]
        self.statuses[marks["status"]] += 1
        if marks["status"] == "grader_error" or not rows:
            return
        points, most = sum(row["points"] for row in rows), sum(row["max_points"] for row in rows)
        self.parts.append(points / most if most else 0.0)
        self.max_points = max(self.max_points, marks["max_points"])
        handed_in = _handed_in(marks, rows)
        points, most = (
            sum(row[k] for row in rows if row["id"][:2] in handed_in) for k in ("points", "max_points")
        )
        for row in rows:
            id, max_points, rest = row["id"], row["max_points"], most - row["max_points"]
            self.titles[id] = row["title"]
            if id[:2] not in handed_in:
                self.absent[id] += 1
                continue
            if row["status"] in NOT_ATTEMPTED:
                self.not_attempted[id] += 1
                continue
            self.solved[id] += row["status"] == "passed"
            self.shares[id].append(
                (
                    row["points"] / max_points if max_points else 0,
                    (points - row["points"]) / rest if rest else 0,
                )
            )
            if row["mistake"] and not caused_by_helper(row):
                self.mistakes[id, row["mistake"], row["message"]].append(marks["student"])
        self.stopped += _stopped(marks["student"], rows)

    def histogram(self):
        """Return the number of students in each tenth of the points; full points count in the last."""
        counts = Counter(min(int(part * BINS), BINS - 1) for part in self.parts)
        return [counts[bin] for bin in range(BINS)]

    def exercises(self):
        """Return a list of one dict per exercise, hardest first, in which `share` may be None.

        The `share`, the mean fraction of the points, includes only students who attempted the exercise, and
        is None if there are none. Students who did not attempt it, or did not hand in its sheet, are counted
        separately.
        """
        made = []
        for id, title in self.titles.items():
            pairs = self.shares[id]
            share = sum(points for points, _ in pairs) / len(pairs) if pairs else None
            made.append({
                "id": id, "title": title, "share": share, "solved": self.solved[id], "attempted": len(pairs),
                "not_attempted": self.not_attempted[id], "absent": self.absent[id],
                "discrimination": _discrimination(pairs),
            })  # fmt: skip
        return sorted(made, key=lambda each: (each["share"] is None, each["share"] or 0, each["id"]))

    def frequent_mistakes(self):
        """Return a list of dicts on the most frequent known mistakes, with the students who made them."""
        found = sorted(self.mistakes.items(), key=lambda item: (-len(item[1]), item[0]))
        return [
            {
                "id": id,
                "title": self.titles[id],
                "name": name,
                "message": message,
                "students": students,
                "example": "",
            }
            for (id, name, message), students in found[:MISTAKES]
        ]


def _handed_in(marks, rows):
    """Return the numbers of the sheets that a student has handed in."""
    if "files" in marks:
        return {*marks["files"]}
    return {row["id"][:2] for row in rows if row["status"] != "missing"}


def _discrimination(pairs):
    """Return the correlation of the points in an exercise with those in all others, or None if undefined."""
    if len(pairs) < FEW:
        return None
    try:
        return correlation(*zip(*pairs, strict=True))
    except StatisticsError:  # all the same
        return None


def _stopped(student, rows):
    """Return an entry for each sheet that a student began, but did not attempt at its end."""
    made = []
    for number in sorted({row["id"][:2] for row in rows}):
        order = [exercise.id for exercise in registry.sheet(number).exercises]
        own_rows = sorted((row for row in rows if row["id"] in order), key=lambda row: order.index(row["id"]))
        attempted = [index for index, row in enumerate(own_rows) if row["status"] not in NOT_ATTEMPTED]
        if attempted and attempted[-1] + 1 <= (1 - LATE) * len(own_rows):
            made.append(
                {
                    "student": student,
                    "sheet": number,
                    "last": own_rows[attempted[-1]],
                    "left": len(own_rows) - attempted[-1] - 1,
                }
            )
    return made
