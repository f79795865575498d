"""The audit of an exercise finds the changed answers that pass, and those that no message names."""

import ast

import numpy as np
import pytest

from clearhead.authoring import audit, mutants
from clearhead.checks import registry

SOURCE = '''
def scaled(x, factor=2.0):
    """Return x (T,) times the factor, its last entry left out."""
    y = x[:-1] * factor
    return y.sum(axis=0) / len(x)
'''


def test_mutants_are_python_that_differs_from_the_answer():
    found = list(mutants.mutants(SOURCE))
    assert len({mutant.source for mutant in found}) == len(found) > 60
    assert all(ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(SOURCE)) for mutant in found)


@pytest.mark.parametrize(
    "line",
    [
        "y = x[:-1] / factor",
        "y = x * factor",
        "y = x[:-1 + 1] * factor",
        "return y.mean(axis=0) / len(x)",
        "return y.sum() / len(x)",
        "return y.sum(axis=0) / len(factor)",
        "return len(x) / y.sum(axis=0)",
        "def scaled(x, factor=3.0):",
        "x = x[::-1]",
    ],
)
def test_the_slips_of_students_are_among_the_mutants(line):
    assert line in {mutant.line for mutant in mutants.mutants(SOURCE)}


def _only(names):
    """Return the exercise 05.attention_weights with only some of its cases."""
    whole = registry.exercise("05.attention_weights")
    return _changed(whole, cases=lambda rng: [case for case in whole.cases(rng) if case.name in names])


def _changed(exercise, **fields):
    """Return an exercise with other fields, whose text still counts as its own."""
    from dataclasses import replace

    made = replace(exercise, **fields)
    made.cases.__module__ = exercise.cases.__module__
    return made


def test_a_hole_in_the_cases_is_found():
    """Without large scores, a softmax that overflows passes; with only one size, a fixed one does."""
    whole = registry.exercise("05.attention_weights")
    names = {case.name for case in whole.cases(np.random.default_rng(0))}
    found = audit.audit(_only(names - {"scores in the thousands, by hand"}), 30)
    lines = {each.line: where for each, where in found.passed}
    overflows = "return np.exp(Q @ K.T / np.sqrt(Q.shape[-1])) / np.exp(Q @ K.T / np.sqrt(Q.shape[-1])).sum("
    where = next(where for line, where in lines.items() if line.startswith(overflows))
    assert where.endswith("a thousand times as large")
    whole_audit = audit.audit(whole, 30)
    assert not any(mutant.line.startswith(overflows) for mutant, _ in whole_audit.passed)
    assert whole_audit.equal > 0


def test_wrong_behaviours_are_counted_by_what_they_are_told():
    found = audit.audit(registry.exercise("05.attention_weights"), 120)  # seconds, of which a tenth is needed
    assert found.left == 0
    assert found.named >= 10
    silent = _changed(registry.exercise("05.attention_weights"), mistakes=())
    again = audit.audit(silent, 120)
    assert again.named < found.named  # what is named without them are ordinary slips
    assert len(again.unnamed) > len(found.unnamed)


def test_time_that_is_up_is_said():
    found = audit.audit(registry.exercise("05.attention_weights"), 0)
    assert found.tried == 0
    assert found.left > 100
    assert "The time was up" in list(found.lines())[1]
