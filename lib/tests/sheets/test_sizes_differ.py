"""In each run of a check every size has two values at least: a number typed in place of a size fails."""

from dataclasses import replace

import numpy as np
import pytest

from clearhead.checks import registry
from clearhead.checks.exercise import Case
from clearhead.checks.introspection import parameter_names
from clearhead.sheets.attention.attention_weights import EXERCISE as WEIGHTS

EXERCISES = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
SEEDS = range(25)
ONE_SIZE = {  # why one size is right
    ("16.adamw_step", "gradients", -3): "three steps, taken by the check: the answer makes one",
    ("17.round_to_mxfp4", "blocks", -1): "a block of this format has 32 entries",
    ("17.unpack_q4_1", "blocks", -1): "a block of this file has 20 bytes",
    ("17.unpack_q8_0", "blocks", -1): "a block of this file has 34 bytes",
}
NAMED_BY_A_FILE = {"15.copy_weights"}  # each tensor comes with its name and its shape: no size is typed


def _sizes(name, value, found):
    """Add the sizes in an argument to `found`: (name, axis from the end) -> one size for each case."""
    shape = getattr(value, "shape", None)
    if shape is not None and not callable(shape):
        for axis, size in enumerate(shape):
            found.setdefault((name, axis - len(shape)), []).append(int(size))
    elif isinstance(value, dict):
        for key, part in value.items():
            _sizes(f"{name}[{key}]", part, found)
    elif isinstance(value, list | tuple):
        found.setdefault((name, "length"), []).append(len(value))
        for part in value:
            if isinstance(part, dict) or hasattr(part, "shape"):  # a pair of words is no size
                _sizes(f"{name}[...]", part, found)
    elif isinstance(value, int | np.integer) and not isinstance(value, bool):
        found.setdefault((name, "value"), []).append(int(value))


def alike(exercise, seed):
    """Return the sizes that are the same in all cases of a run, as pairs (argument, axis)."""
    names, found = parameter_names(exercise), {}
    for case in exercise.cases(np.random.default_rng(seed)):
        for place, argument in enumerate(case.arguments):
            _sizes(names[place] if place < len(names) else f"argument {place + 1}", argument, found)
    return {key for key, sizes in found.items() if len(sizes) > 1 and len(set(sizes)) == 1}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_every_size_differs_in_each_run(exercise):
    if exercise.id in NAMED_BY_A_FILE:
        pytest.skip("each tensor comes with its name and its shape")
    fixed = {(name, axis) for id, name, axis in ONE_SIZE if id == exercise.id}
    found = [alike(exercise, seed) for seed in SEEDS]
    assert set().union(*found) == fixed  # what was said to be one size and is not is no exemption


def test_a_run_of_one_size_is_noticed():
    def of_one_size(rng):
        return [Case(str(n), (rng.normal(size=(n, 3)), rng.normal(size=(n + 1, 3)))) for n in (2, 4)]

    assert alike(replace(WEIGHTS, cases=of_one_size), 0) == {("Q", -1), ("K", -1)}
