"""An answer in float32 is accepted to the precision of float32, or told that it keeps 7 digits."""

import numpy as np
import pytest
import torch

from clearhead.checks import diagnosis, registry, verdicts
from clearhead.checks.comparing import difference
from clearhead.checks.exercise import Case, Exercise

EXERCISES = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
FUNCTIONS = [exercise for exercise in EXERCISES if not isinstance(exercise.reference, type)]
#: Cases whose inputs float32 cannot hold: the result is wrong by far more than its digits, so a check does
#: not give the dtype as the reason.
BEYOND_FLOAT32 = {
    ("04.temperature_for_top_weight", "scores 1e40 times larger"),  # float32 ends at 3e38
    ("08.layer_norm", "a gain of 1 and a bias of 0, with rows far from 0"),  # 1e8 has no decimals left
    ("10.softmax_with_temperature", "a temperature of 0 and two nearly equal logits"),  # they become equal
}


def shortened(value):
    """Return a value with every float64 in it as float32."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value.astype(np.float32)
    if isinstance(value, torch.Tensor) and value.dtype == torch.float64:
        return value.float()
    if isinstance(value, float):
        return np.float32(value)
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return type(value)(map(shortened, value)) if type(value) in (list, tuple) else value


def given_short(arguments):
    """Return arguments with every array in them in float32; a number is Python's own."""
    return tuple(shortened(each) if not isinstance(each, float) else each for each in arguments)


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda exercise: exercise.id)
def test_float32_is_accepted_or_told(exercise):
    def at_the_end(*arguments):
        return shortened(exercise.reference(*arguments))

    def throughout(*arguments):
        return shortened(exercise.reference(*given_short(arguments)))

    for answer in (at_the_end, throughout):
        for tried in verdicts.try_cases(exercise, answer, 0).tried:
            held = "at once" in tried.problem  # a copy in float32 takes memory, too, and that is measured
            fine = tried.passed or held or (exercise.id, tried.case.name) in BEYOND_FLOAT32
            assert fine or "float32" in tried.problem, (tried.case.name, tried.problem)


@pytest.mark.parametrize(
    ("got", "want", "told"),
    [
        (np.float32(1 / 3), 1 / 3, True),
        (np.float32(1 / 3), 2 / 3, False),
        (0.3, 1 / 3, False),
        (1 / 3 + 1e-3, 1 / 3, False),
        (np.inf, 1 / 3, False),
    ],
)
def test_only_rounding_to_float32_is_called_so(got, want, told):
    """A factor of 2 is not a matter of precision, whatever kind of float it stands in."""
    said = difference(float(got), want, 1e-9).words
    assert ("float32" in said) == told


@pytest.mark.parametrize(("kind", "name"), [(torch.float16, "float16"), (torch.bfloat16, "bfloat16")])
def test_half_precision_is_called_by_its_own_name(kind, name):
    want = np.random.default_rng(0).normal(size=(4, 5))
    got = torch.tensor(want).to(kind).double().numpy()
    said = difference(got, want, 1e-6).words
    assert f"with no more digits than {name} keeps: if you use it, compute in float64 instead" in said
    assert "float32" not in said
    assert "float" not in difference(np.round(want, 3), want, 1e-6).words


def test_float64_with_few_digits_is_not_called_bfloat16():
    """A count divided by 64, and not by 63, has few digits, but in float64."""
    said = difference(31 / 64, 31 / 63, 1e-6).words
    assert "in bfloat16" not in said
    assert "if you use it" in said


def test_a_whole_number_is_not_taken_for_float32():
    assert "float32" not in difference(538083072.0, 538083073.5, 1e-12).words
    assert "float32" in difference(float(np.float32(0.1)), 0.1, 1e-12).words


def test_float32_satisfies_properties_of_exercises_that_ask_for_it():
    """What must hold holds for float32 too where it is asked for."""
    kept = ("what is not 0 stays so", lambda out, x: bool(out.all()))
    cases = [Case("small", (np.array([1.0, 1e-30]),), properties=(kept,))]
    short = lambda x: x.astype(np.float32)  # noqa: E731
    exercise = Exercise("00.short", "", short, lambda rng: cases, ("",) * 3, (), (), 1, 1)
    cut = diagnosis.diagnose(exercise, lambda x: np.where(x < 1e-20, 0, x).astype(np.float32), 0)
    assert diagnosis.diagnose(exercise, short, 0).tried[0].passed
    assert "what is not 0 stays so" in cut.tried[0].problem
