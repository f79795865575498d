"""The table of what the checks catch, as Markdown for the book."""

import numpy as np

from clearhead.checks import registry

from .proof import mistake_faults

INTRODUCTION = """# What the checks catch

A check that cannot fail is worth nothing. So every exercise keeps a list of wrong answers that people
really write. This table is made by running each of them through its check, with {seeds} different seeds.
A mistake counts as caught when the check rejects it **and** calls it by its name, with every seed.

"""
SEEDS = range(3)


def mistakes_table(seeds=SEEDS):
    """Return a page in Markdown: a table a sheet, with a row for each exercise and the mistakes it knows."""
    parts = [INTRODUCTION.format(seeds=len(seeds))]
    total = caught = 0
    for sheet in registry.sheets():
        parts += [
            f"## Sheet {sheet.number}: {sheet.title}\n\n",
            "| exercise | difficulty | cases | catches | known mistakes |\n",
        ]
        parts.append("|---|---|---|---|---|\n")
        for exercise in sheet.exercises:
            kills = len(exercise.mistakes) - len(mistake_faults(exercise, seeds))
            total, caught = total + len(exercise.mistakes), caught + kills
            parts.append(_row(exercise, kills))
        parts.append("\n")
    return "".join([*parts, f"In all: {caught} of {total} known mistakes.\n"])


def _row(exercise, kills):
    """Return an exercise's row."""
    cases = len(exercise.cases(np.random.default_rng(0)))
    names = ", ".join(f"`{mistake.name}`" for mistake in exercise.mistakes)
    catches = f"{kills} of {len(exercise.mistakes)}"
    return f"| `{exercise.entry}` | {exercise.rating} | {cases} | {catches} | {names} |\n"
