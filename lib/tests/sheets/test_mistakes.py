"""Every check is proved: right answers pass, lazy ones do not, every known mistake is called by its name."""

import ast
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clearhead.authoring.proof import SEEDS, faults
from clearhead.checks import diagnosis, from_text, registry, verdicts
from clearhead.checks.exercise import Case, Exercise, Mistake, OneOf
from clearhead.checks.introspection import parameter_names
from clearhead.checks.running import run
from clearhead.checks.sheet_text import read_sheet
from clearhead.maths.softmax import softmax
from support.notebooks import code_cells
from support.places import ROOT

EXERCISES = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
SAMPLE = next(exercise for exercise in EXERCISES if exercise.id == "00.softmax")
FEW = range(3)
LARGE = {  # models and long texts take seconds a seed: as many as naming looks at, all in `make test-noise`
    "02.max_near_orthogonal", "06.MultiHeadAttention", "08.block", "11.encdec_forward",
    "12.chunked_attention", "12.linear_attention", "12.online_softmax", "13.vit_forward", "15.copy_weights",
    "15.numpy_gpt2", "15.train_step",
}  # fmt: skip


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_the_check_is_proved_over_many_seeds(exercise):
    assert faults(exercise, _seeds(exercise)) == []


def _seeds(exercise):
    """Return ten seeds; fewer where one costs seconds, or where only floats are returned.

    A wrong rule can give the right word or count by chance, but never the right floats. `make test-noise`
    tries all 25 seeds of every exercise.
    """
    if "CLEARHEAD_FUZZ" in os.environ:
        return SEEDS
    if exercise.id in LARGE:
        return FEW
    cases = exercise.cases(np.random.default_rng(0))
    kinds = [_kinds(run(exercise, exercise.reference, case.arguments).output) for case in cases]
    return range(4 if set().union(*kinds) == {"f"} else 10)


def test_words_and_counts_get_more_seeds_than_floats():
    got = {exercise.id: len(_seeds(exercise)) for exercise in EXERCISES}
    assert (got["02.bpe_encode"], got["03.layer_params"], got["05.attention_weights"]) == (10, 10, 4)


ROOTS_THAT_STAND = {  # the root of a number, and not of a size, is right; or layers are given, not asked for
    "01.ordinal_distance", "07.is_equivariant", "08.gelu", "08.feed_forward",
}  # fmt: skip
WHOLE_BUT_NO_IDS = {  # amounts, pixels and numbers of a table, which a float says as well
    "03.layer_params", "03.receptive_field", "06.mha_params",
    "08.count_parameters", "08.crossover_length", "11.architecture_from_mask", "12.attention_memory",
    "13.vit_params",
}  # fmt: skip
IN_NUMPY = [e for e in EXERCISES if not e.needs and e.id not in ROOTS_THAT_STAND]


def _with_roots_of(number, monkeypatch):
    """Make every square root of a whole number that of one number, and return the list of those asked for."""
    asked = []

    def fixed(root):
        def of(x, *rest, **named):
            if not isinstance(x, int | np.integer) or x < 1:
                return root(x, *rest, **named)
            asked.append(x)
            return root(number)

        return of

    monkeypatch.setattr(np, "sqrt", fixed(np.sqrt))
    monkeypatch.setattr(math, "sqrt", fixed(math.sqrt))
    return asked


@pytest.mark.parametrize("exercise", IN_NUMPY, ids=lambda exercise: exercise.id)
def test_no_constant_replaces_root_of_size(exercise):
    """No fixed number fits where the root of a size is."""
    for seed in FEW:
        cases = [_with_answer(exercise, case) for case in exercise.cases(np.random.default_rng(seed))]
        for number in range(2, 10):
            with pytest.MonkeyPatch.context() as patch:
                asked = _with_roots_of(number, patch)
                outcomes = [run(exercise, exercise.reference, case.arguments) for case in cases]
            if not asked:
                return
            judged = [verdicts.judge(exercise, *pair) for pair in zip(cases, outcomes, strict=True)]
            passed = all(tried.passed for tried in judged)
            assert not passed, f"√{number} fits all, seed {seed}: one case needs another size under the root"


def _plain(scores):
    """Return a softmax that overflows."""
    with np.errstate(all="ignore"):
        return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def _hard_where_large(scores):
    """Return a softmax that gives all the weight to the best where a score is large."""
    best = 1.0 * (scores == scores.max(axis=-1, keepdims=True))
    large = np.abs(scores[np.isfinite(scores)]).max(initial=0) > 300
    return best / best.sum(axis=-1, keepdims=True) if large else softmax(scores)


def _cut(scores):
    """Return a softmax of scores that were cut off at 700."""
    return _plain(np.where(np.isneginf(scores), scores, np.clip(scores, -700, 700)))


def _with_answer(exercise, case):
    """Return a case that holds what is right, so that the reference may be changed."""
    known = case.expected is not None
    return case if known else replace(case, expected=run(exercise, exercise.reference, case.arguments).output)


def _passes_with(other, exercise, cases):
    """Return True where the reference passes with another softmax, None where it takes none."""
    taken = []

    def instead(scores):
        taken.append(True)
        return other(np.asarray(scores, dtype=float))

    with pytest.MonkeyPatch.context() as patch:
        for module in [each for name, each in sys.modules.items() if name.startswith("clearhead.")]:
            if getattr(module, "softmax", None) is softmax:
                patch.setattr(module, "softmax", instead)
        outcomes = [run(exercise, _made_anew(exercise), case.arguments) for case in cases]
    passed = all(verdicts.judge(exercise, *pair).passed for pair in zip(cases, outcomes, strict=True))
    return passed if taken else None


def _made_anew(exercise):
    """Return the reference, which imports what the library's modules hold now, and not when it was read."""
    return from_text.namespace(exercise).answer(exercise.answer_name, exercise.text.answer)


#: Here a softmax that overflows passes: 04.attention_single comes before the section on large scores, as its
#: statement says; in 07 the function is given; in 10 the reference itself subtracts the largest logit; in 16
#: the scores of normed rows stay below √d.
NO_LARGE_SCORES = {
    "04.attention_single",
    "07.is_equivariant",
    "10.softmax_with_temperature",
    "16.qk_norm_weights",
}


def test_a_softmax_that_overflows_or_gives_up_passes_nowhere():
    asked = set()
    for exercise in (each for each in EXERCISES if not each.needs and each.id not in NO_LARGE_SCORES):
        for seed in range(2):
            cases = [_with_answer(exercise, case) for case in exercise.cases(np.random.default_rng(seed))]
            passed = _passes_with(_plain, exercise, cases)
            assert not passed, (exercise.id, seed, "overflows")
            if passed is False:
                asked.add(exercise.id)
                assert not _passes_with(_hard_where_large, exercise, cases), (exercise.id, seed)
                assert not _passes_with(_cut, exercise, cases), (exercise.id, seed)
    assert {"05.attention_weights", "06.mha_forward", "11.cross_attention", "15.numpy_gpt2"} <= asked


@pytest.mark.parametrize("sheet", registry.sheets(), ids=lambda sheet: sheet.number)
def test_a_check_names_the_arguments_as_the_sheet_does(sheet):
    """Else it says what the driver makes of them."""
    cells = code_cells(ROOT / "exercises" / f"{registry.file_stem(sheet.number)}.ipynb")
    parts = [part for cell in cells if "your turn" in cell.source for part in ast.parse(cell.source).body]
    stubs = {part.name: part.args for part in parts if isinstance(part, ast.FunctionDef)}
    for exercise in sheet.exercises:
        if exercise.answer_name in stubs:
            names = [each.arg for each in stubs[exercise.answer_name].args]
            assert (parameter_names(exercise) != names) == bool(exercise.given), exercise.id


def test_what_picks_a_row_must_be_whole():
    for exercise in EXERCISES:
        cases = exercise.cases(np.random.default_rng(0))
        kinds = [_kinds(run(exercise, exercise.reference, case.arguments).output) for case in cases]
        whole = set().union(*kinds) - {"U", "O"} == {"i"}
        assert exercise.ids or whole == (exercise.id in WHOLE_BUT_NO_IDS), exercise.id
        assert not (exercise.ids and exercise.id in WHOLE_BUT_NO_IDS), exercise.id


def _kinds(output):
    """Return the kinds of value in plain data: "i" for whole numbers, "f" for floats, "U" for text."""
    if isinstance(output, dict | list):
        parts = output.values() if isinstance(output, dict) else output
        return set().union(*map(_kinds, parts))
    return {np.asarray(output).dtype.kind}


@pytest.mark.parametrize("sheet", registry.sheets(), ids=lambda sheet: sheet.number)
def test_a_sheet_is_numbered_as_its_exercises_are(sheet):
    ids = [exercise.id for exercise in sheet.exercises]
    assert len(set(ids)) == len(ids) >= 1
    assert {id.split(".")[0] for id in ids} == {sheet.number}


FOLDERS = [Path(package.__file__).parent for package in registry.packages().values()]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_exercise_is_text_and_module_of_cases(folder):
    """An exercise is a text and a module of its cases."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "drivers", "shared"}
    texts = {path.stem for path in folder.glob("*.md")} - {"sheet"}
    sheet = read_sheet(folder)
    assert modules == texts == set(sheet.by_stem)
    assert {stem: _file_of(text.answer_name) for stem, text in sheet.by_stem.items()} == {
        s: s for s in sheet.by_stem
    }
    found = [exercise.answer_name for exercise in registry.sheet(sheet.number).exercises]
    assert found == list(sheet.answer_names)


def _file_of(entry):
    """Return the name of the file of an exercise: MultiHeadAttention stands in multi_head_attention."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", entry).lower()


def test_one_sheet_is_imported_without_the_others():
    code = "import sys; from clearhead.checks import registry; registry.exercise('05.qkv')\n"
    code += (
        "print(*{name.split('.')[2] for name in sys.modules if name.count('.') == 3 and '.sheets.' in name})"
    )
    code += "\nprint('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["attention", "False"]


def _cases_without(names):
    """Return SAMPLE's cases, without those of that name."""
    return lambda rng: [case for case in SAMPLE.cases(rng) if case.name not in names]


ALL = {case.name for case in SAMPLE.cases(np.random.default_rng(0))}
SABOTAGED = {
    "no cases": ({"cases": lambda rng: []}, "the reference does not pass"),
    "only one case": ({"cases": _cases_without(ALL - {"three scores, worked by hand"})}, "passes with seed"),
    "no hard case": (
        {"cases": _cases_without({"scores near 10,000 and near -10,000", "scores of minus infinity"})},
        "mistake overflow passes",
    ),
    "a tolerance that accepts all": ({"tolerance": 1e9}, "is taken for always_the_last_axis"),
    "no mistakes": ({"mistakes": ()}, "fewer than three known mistakes"),
    "no hints": ({"hints": ()}, "three hints"),
    "no alternative": ({"alternatives": ()}, "accepts no alternative"),
    "a wrong alternative": ({"alternatives": (lambda z, axis: z,)}, "alternative 1 does not pass"),
    "a wrong reference": ({"reference": lambda z, axis: np.exp(z)}, "the reference does not pass"),
    "a mistake that is none": (
        {
            "mistakes": (
                *SAMPLE.mistakes,
                Mistake("none", SAMPLE.reference, "This one is right, so it must pass."),
            )
        },
        "the mistake none passes",
    ),
    "one mistake twice": (
        {"mistakes": (*SAMPLE.mistakes, replace(SAMPLE.mistakes[0], name="another_name"))},
        "another_name is taken for always_the_last_axis",
    ),
}


@pytest.mark.parametrize("fault", SABOTAGED)
def test_the_proof_notices_a_sabotaged_exercise(fault):
    changes, told = SABOTAGED[fault]
    assert any(told in said for said in faults(replace(SAMPLE, **changes), FEW))


def test_the_proof_notices_a_judge_that_lets_everything_pass(monkeypatch):
    monkeypatch.setattr(verdicts, "_wrong", lambda *arguments: "")
    said = " ".join(faults(SAMPLE, FEW))
    assert "lazy answer 'zeros' passes" in said
    assert "the mistake overflow passes" in said


def test_two_mistakes_at_once_still_get_the_nearer_name():
    def both(z, axis):  # sums over everything, and fails on the edge cases
        return np.exp(z) / np.exp(z).sum()

    verdict = diagnosis.diagnose(SAMPLE, both, 0)
    assert (verdict.mistake.name, verdict.certain) == ("axis_never_used", False)


def _half_right(*mistakes):
    """Return an exercise that gives back a number, with these mistakes."""
    numbers = (1, 2, 3, 11)
    cases = lambda rng: [Case(str(n), (n,)) for n in (*numbers, int(rng.integers(20, 99)))]  # noqa: E731
    said = tuple(Mistake(name, answer, "This is what came back here.") for name, answer in mistakes)
    return Exercise("00.half", "", lambda x: x, cases, ("",) * 3, said, (), 1, 1)


def test_mistake_that_fails_passed_case_is_not_named():
    """A mistake that breaks a case which passed is not named."""
    exercise = _half_right(("one_more", lambda x: x + 1))
    assert diagnosis.diagnose(exercise, lambda x: x + 1 if x > 1 else x, 0).mistake is None


def test_mistake_is_certain_only_over_three_seeds():
    """A mistake is certain only where it is the same with three seeds."""
    third = int(np.random.default_rng(2).integers(20, 99))
    exercise = _half_right(("one_more", lambda x: x + 1))
    assert diagnosis.diagnose(exercise, lambda x: x + 1, 0).certain
    verdict = diagnosis.diagnose(exercise, lambda x: x + (2 if x == third else 1), 0)
    assert (verdict.mistake.name, verdict.certain) == ("one_more", False)


def _of_tables(*mistakes):
    """Return an exercise that doubles a table of a drawn width, with these mistakes; one case is by hand."""
    drawn = lambda rng: [rng.normal(size=(2, int(n))) for n in rng.permutation(np.arange(2, 7))]  # noqa: E731
    hand = Case("by hand", (np.ones((2, 9)),))
    cases = lambda rng: [hand, *(Case(str(n), (x,)) for n, x in enumerate(drawn(rng)))]  # noqa: E731
    said = tuple(Mistake(name, answer, "This is what came back here.") for name, answer in mistakes)
    return Exercise("00.tables", "", lambda x: 2 * x, cases, ("",) * 3, said, (), 1, 1)


def _raises(x):
    raise ValueError("sizes do not meet")


@pytest.mark.parametrize("answer", [_raises, lambda x: 0 * x, lambda x: 0 * x + np.nan])
def test_same_error_or_zeros_make_no_certain_mistake(answer):
    """The same error or nothing but zeros is no certain name."""
    verdict = diagnosis.diagnose(_of_tables(("alike", answer)), lambda x: answer(x), 0)
    assert (verdict.mistake.name, verdict.certain) == ("alike", False)
    also_where_a_case_passes = lambda x: 2 * x if len(x.T) > 5 else answer(x)  # noqa: E731
    verdict = diagnosis.diagnose(
        _of_tables(("alike", also_where_a_case_passes)), lambda x: also_where_a_case_passes(x), 0
    )
    assert (verdict.mistake.name, verdict.certain) == ("alike", False)
    by_chance = _of_tables(("alike", lambda x: _raises(x) if len(x.T) > 2 else x))
    assert diagnosis.diagnose(by_chance, lambda x: _raises(x) if len(x.T) > 3 else x, 0).mistake is None


def test_mistake_that_passes_failed_case_is_not_named():
    """A mistake that passes where the answer fails is not named."""
    exercise = _of_tables(("alike_but_by_hand", lambda x: x * (2 if len(x.T) == 9 else 3)))
    assert diagnosis.diagnose(exercise, lambda x: 3 * x, 0).mistake is None


def test_a_mistake_that_agrees_at_one_size_is_not_named():
    exercise = _of_tables(("three_times", lambda x: 3 * x))
    assert diagnosis.diagnose(exercise, lambda x: x * np.sqrt(len(x.T)), 0).mistake is None
    few = replace(exercise, cases=lambda rng: [Case("drawn", (rng.normal(size=(2, rng.integers(9, 11))),))])
    seed = next(s for s in range(99) if len(few.cases(np.random.default_rng(s))[0].arguments[0].T) == 9)
    assert (
        diagnosis.with_known_mistake(verdicts.try_cases(few, lambda x: x * np.sqrt(len(x.T)), seed)).mistake
        is not None
    )
    apart = next(s for s in range(99) if [len(few.cases(np.random.default_rng(n))[0].arguments[0].T)
                 for n in range(s, s + 3)] == [9, 10, 10])  # fmt: skip
    assert diagnosis.diagnose(few, lambda x: x * np.sqrt(len(x.T)), apart).mistake is None


def test_one_number_that_came_back_often_is_no_name():
    exercise = _half_right(("too_large", lambda x: np.inf if x < 12 else 3 * x))
    assert diagnosis.diagnose(exercise, lambda x: np.inf if x < 12 else x + 2, 0).mistake is None


def test_one_of_several_right_outputs_is_enough():
    exercise = _half_right()
    tie = Case("a tie", (2,), expected=OneOf((np.array([1.0, 2]), np.array([3.0, 4]))))
    judged = [
        verdicts.judge(exercise, tie, run(exercise, lambda x, v=values: np.array(v), (2,)))
        for values in ([1, 2], [3, 4], [2, 3])
    ]
    assert [tried.passed for tried in judged] == [True, True, False]


def test_a_mistake_seen_in_few_failing_cases_is_not_named():
    def half(x):
        return x + 1 if x > 10 else -x

    exercise = Exercise(
        "00.half",
        "",
        lambda x: x,
        lambda rng: [Case(str(x), (x,)) for x in (1, 2, 3, 11)],
        ("",) * 3,
        (Mistake("one_more", lambda x: x + 1, "One too many came back here."),),
        (),
        1,
        1,
    )
    assert diagnosis.diagnose(exercise, half, 0).mistake is None


def test_one_agreeing_number_names_no_mistake():
    """A mistake is not named where only one and the same number agrees."""
    cases = lambda rng: [Case(str(x), (x,)) for x in (1, 2, 3, 4, 5)]  # noqa: E731
    never = Mistake("never", lambda x: np.inf, "Infinity came back for all of them.")
    exercise = Exercise("00.half", "", lambda x: x, cases, ("",) * 3, (never,), (), 1, 1)
    assert diagnosis.diagnose(exercise, lambda x: np.inf if x > 2 else x + 1, 0).mistake is None
    assert diagnosis.diagnose(exercise, lambda x: np.inf, 0).mistake is never
