"""The results of `benchmarks/` as tables with a column per kind of processor, pictures, and sentences."""

import json
from pathlib import Path

from .charts import bars
from .ratios import ratios
from .words import listed

NAMES = {"avx2": "AVX2", "avx512": "AVX-512", "amx": "AMX"}
MADE_BY = {"full": "`make bench-full`", "card": "`benchmarks/on_card.py`"}
NOTHING = "*Not measured yet.*"
READ = (
    "Our cost in {} divided by the peer's, so that below 1 ours is lower. The line beside each point is its "
    "limit: a filled circle keeps the limit, and an open diamond does not."
)


class Words(str):
    """A string of Markdown, which a notebook displays as Markdown."""

    def _repr_markdown_(self):
        return str(self)


def markdown_table(head, lines):
    """Return a table in Markdown."""
    return Words("\n".join("| " + " | ".join(each) + " |" for each in [head, ["---"] * len(head), *lines]))


def short(x):
    """Return a number with three significant digits or, from 1000 on, as an integer with commas."""
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.3g}"


class Comparison(dict):
    """One comparison, a dict with a row for each kind of processor on which it was measured."""

    @property
    def any(self):
        """The row of one kind of processor, for values that are the same on all kinds."""
        return next(iter(self.values()))

    @property
    def worst(self):
        """The row of the kind of processor with the worst result, preferably one that misses its goal."""
        return max(self.values(), key=lambda row: (row["holds"] is False, row["ratio"]))

    @property
    def holds(self):
        """Whether the goal is reached on every kind of processor, or None if there is no goal."""
        return None if self.any["goal"] is None else all(row["holds"] for row in self.values())


class Comparisons:
    """All benchmark results in a folder.

    Parameters
    ----------
    folder : path
        The folder with a file `full-KIND.json` for each kind of processor, which `benchmarks/run.py` writes.
    what : str
        The beginning of the names of the files; "card" stands for the files `card-KIND.json` that
        `benchmarks/on_card.py` writes.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    """

    def __init__(self, folder, what="full"):
        files = {path.stem.removeprefix(f"{what}-"): path for path in Path(folder).glob(f"{what}-*.json")}
        if not files:
            raise FileNotFoundError(f"{folder} holds no {what}-KIND.json: run {MADE_BY[what]} first.")
        self.kinds = [*(kind for kind in NAMES if kind in files), *sorted(files.keys() - NAMES)]
        self.found = {kind: json.loads(files[kind].read_text()) for kind in self.kinds}
        self.subjects = list(dict.fromkeys(row["subject"] for kind in self.kinds for row in self._rows(kind)))

    def _rows(self, kind):
        return self.found[kind]["rows"]

    def named(self, kind, row=None):
        """Return the name of a kind of processor, with a note if the processor or a row was simulated."""
        simulated = "simulated" in self.found[kind]["machine"].get("instructions", "")
        simulated |= (row or {}).get("simulated", False)
        name = self.found[kind]["machine"].get("card", NAMES.get(kind, kind))
        return name + " (simulated)" * simulated

    def machines(self):
        """Return a Markdown table of the machines on which the benchmarks ran."""
        facts = [self.found[kind]["machine"] for kind in self.kinds]
        lines = [[name, *(str(each.get(name, "")) for each in facts)] for name in facts[-1]]
        return markdown_table(["", *map(self.named, self.kinds)], lines)

    def measured(self):
        """Return sentences on the kinds of processor that have results, and on those that have none."""
        missing = [name for kind, name in NAMES.items() if kind not in self.kinds]
        gap = f" **Not measured: {listed(missing)}.** The conclusions may not hold there." if missing else ""
        return Words(f"Kinds of processor in this page: {listed(map(self.named, self.kinds))}.{gap}")

    def of(self, subject):
        """Return a list of the comparisons of a subject."""
        together = {}
        for kind in self.kinds:
            for row in self._rows(kind):
                if row["subject"] == subject:
                    key = row["what"], row["against"], row["unit"]
                    together.setdefault(key, Comparison())[kind] = row
        return list(together.values())

    def table(self, subject, most=None):
        """Return the table of a subject, with all rows or only with the rows nearest to their limits."""
        every = self.of(subject)
        if most:
            every = sorted(every, key=lambda each: -each.worst["ratio"])[:most]
        if not every:
            return Words(NOTHING)
        shown = [kind for kind in self.kinds if any(kind in each for each in every)]
        head = ["what", "goal", *map(self.named, shown)]
        return markdown_table(head, [_line(each, shown) for each in every])

    def picture(self, subject, title=None):
        """Return a picture of the ratios of a subject, each on the kind of processor with its worst result.

        The default title explains how to read a ratio.
        """
        shown = [each.worst for each in self.of(subject) if each.holds is not None]
        if not shown:
            return Words(NOTHING)
        names = [f"{row['what']}\nagainst {row['against']}{_broken(row)}" for row in shown]
        kept = [row["holds"] for row in shown]
        values, goals = [row["ratio"] for row in shown], [row["goal"] for row in shown]
        return ratios(names, values, goals, title or READ.format(subject), kept)

    def bars(self, subject, title, xlabel=None):
        """Return a picture of our results in a subject, with a bar for each comparison."""
        rows = [each.any for each in self.of(subject)]
        if not rows:
            return Words(NOTHING)
        return bars([row["what"] for row in rows], [row["ours"] for row in rows], title, xlabel)

    def sentences(self, subject, tell, unit=None):
        """Return a Markdown list of the sentences `tell(row)`, for the worst row of each comparison."""
        rows = [each.worst for each in self.of(subject)]
        return Words("\n".join(f"* {tell(row)}" for row in rows if unit in (None, row["unit"])) or NOTHING)

    def verdict(self, each):
        """Return a clause on where a goal is reached or missed, with the ratios."""
        goal = short(each.any["goal"])
        missed = {kind: row for kind, row in each.items() if not row["holds"]}
        if missed:
            where = [
                f"{self.named(kind, row)} ({short(row['ratio'])}{_broken(row)})"
                for kind, row in missed.items()
            ]
            return f"**falls short** on {listed(where)}, asked {goal}"
        where = listed(self.named(kind, row) for kind, row in each.items())
        return f"holds on {where}: {short(each.worst['ratio'])} or less, asked {goal}"

    def verdicts(self, subject):
        """Return a Markdown list with a sentence for each goal of a subject."""
        goals = [each for each in self.of(subject) if each.holds is not None]
        told = [
            "* {what}, against {against}: ".format(**each.any) + f"{self.verdict(each)}." for each in goals
        ]
        return Words("\n".join(told) or NOTHING)

    def kept(self, subjects):
        """Return a Markdown list with the number of goals that hold in each of some subjects."""
        counts = {name: [each.holds for each in self.of(name)] for name in subjects}
        told = [
            f"* {name}: {sum(each)} of {len(each)} keep their limit." for name, each in counts.items() if each
        ]
        return Words("\n".join(told) or NOTHING)

    def what_falls_short(self):
        """Return how many goals hold on every kind of processor, and a sentence on each other goal."""
        goals = [each for subject in self.subjects for each in self.of(subject) if each.holds is not None]
        missed = [each for each in goals if not each.holds]
        held = [len(each) for each in goals if each.holds]
        alone = held.count(1) if len(self.kinds) > 1 else 0
        head = f"Of {len(goals)} goals, {len(held)} hold on every kind that measured them."
        head += f" {alone} of these were measured on only one kind." if alone else ""
        told = [
            "* {subject}, {what}, against {against}: ".format(**each.any) + self.verdict(each)
            for each in missed
        ]
        return Words(head + "\n\n" + "\n".join(told))

    def not_measured(self, subjects):
        """Return a Markdown list of the subjects that were not measured, or not on some kind."""
        absent = [subject for subject in subjects if subject not in self.subjects]
        told = [f"Not measured yet: {', '.join(absent)}."] if absent else []
        for kind in self.kinds:
            every = {subject: self.of(subject) for subject in subjects if subject not in absent}
            lacks = {name: sum(kind not in each for each in found) for name, found in every.items()}
            some = [f"{name} ({n} of {len(every[name])})" for name, n in lacks.items() if n]
            told += [f"Not measured on {self.named(kind)}: {', '.join(some)}."] if some else []
        told = told or ["Everything was measured on every kind of processor here."]
        return Words("\n".join(f"* {each}" for each in told))


def _broken(row):
    """Return a note for a row whose ratio is low enough, but of which another condition is broken."""
    return ", but a condition is broken" if row["holds"] is False and row["ratio"] <= row["goal"] else ""


def _together(words):
    """Return words joined by non-breaking spaces."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def _cell(row, told):
    mark = {True: " ✓", False: " ✗", None: ""}[row["holds"]]
    took = f"{short(row['ours'])} : {short(row['peer'])} {row['unit']}"
    best = f"at best {short(row['limit'])}" if row["limit"] else ""
    numbers = [f"**{short(row['ratio'])}**{mark}", took, best, "simulated" * row.get("simulated", False)]
    return "<br>".join(filter(None, [*map(_together, numbers), "" if row["note"] == told else row["note"]]))


def _line(each, shown):
    notes = {row["note"] for row in each.values()}
    told = notes.pop() if len(notes) == 1 else ""
    row = each.any
    goal = _together(f"≤ {short(row['goal'])}") if row["goal"] else ""
    what = row["what"] + (f" ({told})" if told else "") + f"<br>*against {row['against']}*"
    return [what, goal, *(_cell(each[kind], told) if kind in each else "" for kind in shown)]
