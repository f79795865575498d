"""The table of known mistakes on the page *What the checks catch*, as Markdown."""

import numpy as np

from clearhead.authoring.proof import SEEDS
from clearhead.checks import registry

INTRODUCTION = """# What the checks catch

A check that cannot fail is worth nothing. Every exercise therefore has a list of wrong answers that people
really write. The tests of this book run each of them through its check with up to {seeds} different seeds,
and they fail unless the check rejects the wrong answer **and** calls it by its name, with every seed.

"""


def mistakes_table():
    """Return a page in Markdown that has a table of exercises and known mistakes for each sheet.

    The tests prove with `clearhead.authoring.proof.faults` that these mistakes are identified. This function
    does not repeat the proof, because that would take as long as the rest of the page.
    """
    parts, total = [INTRODUCTION.format(seeds=len(SEEDS))], 0
    for sheet in registry.sheets():
        parts += [
            f"## Sheet {sheet.number}: {sheet.title}\n\n",
            "| exercise | difficulty | cases | number of mistakes | known mistakes |\n",
            "|---|---|---|---|---|\n",
            *map(_row, sheet.exercises),
            "\n",
        ]
        total += sum(len(exercise.mistakes) for exercise in sheet.exercises)
    return "".join([*parts, f"In total, there are {total} known mistakes.\n"])


def _row(exercise):
    """Return the row of an exercise in the table."""
    cases = len(exercise.cases(np.random.default_rng(0)))
    names = ", ".join(f"`{mistake.name}`" for mistake in exercise.mistakes)
    count = len(exercise.mistakes)
    return f"| `{exercise.answer_name}` | {exercise.rating} | {cases} | {count} | {names} |\n"
