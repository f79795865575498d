"""The checks of a class edition hold no answer, and say the same words as those that do."""

import importlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from clearhead.authoring import class_sheets, leaks
from clearhead.checks import diagnosis, feedback, introspection, recorded, registry, verdicts
from clearhead.errors import UserError
from support.places import ROOT

#: CLEARHEAD_ALL_SHEETS=1 tries all, with every draw: five minutes.
ALL = "CLEARHEAD_ALL_SHEETS" in os.environ
SHEETS = registry.numbers() if ALL else ["00", "05", "11"]


@pytest.fixture(scope="module", autouse=True)
def few_draws():
    """Record two seeds instead of all."""
    before, recorded.DRAWS = recorded.DRAWS, int(os.environ.get("PAGE_DRAWS", 2))
    yield
    recorded.DRAWS = before


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    """Return a function: the exercises of a sheet of the class edition, by id."""
    place, libraries = tmp_path_factory.mktemp("class"), introspection._LIBRARIES
    sys.path.insert(0, str(place))
    introspection._LIBRARIES = (*libraries, str(place))  # no line of a driver is a student's line

    def exercises(number):
        folder = f"handed_out_{number}"
        for name, content in class_sheets.sheet_files(number).items():
            path = place / folder / Path(name).name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        stems = sorted(path.stem for path in (place / folder).glob("*.py"))
        modules = (importlib.import_module(f"{folder}.{stem}") for stem in stems)
        found = (getattr(module, "EXERCISE", None) for module in modules)
        return {exercise.id: exercise for exercise in found if exercise}

    yield exercises
    sys.path.remove(str(place))
    introspection._LIBRARIES = libraries


def answers(exercise):
    """Return the stub, right answers and every known mistake, by name."""

    def stub(*arguments):
        raise NotImplementedError

    right = {f"right {i}": each for i, each in enumerate((exercise.reference, *exercise.alternatives))}
    return {"stub": stub} | right | {mistake.name: mistake.answer for mistake in exercise.mistakes}


@pytest.mark.parametrize("number", SHEETS)
def test_the_words_are_the_same_without_answers(handed_out, number):
    out = handed_out(number)
    assert out.keys() == {exercise.id for exercise in registry.sheet(number).exercises}
    for exercise in registry.sheet(number).exercises:
        for name, answer in answers(exercise).items():
            for seed in range(recorded.DRAWS):
                whole = diagnosis.with_known_mistake(verdicts.try_cases(exercise, answer, seed))
                alone = diagnosis.with_known_mistake(verdicts.try_cases(out[exercise.id], answer, seed))
                assert feedback.words(alone) == feedback.words(whole), (exercise.id, name, seed)


def test_any_seed_draws_one_of_those_that_were_recorded(handed_out):
    exercise = handed_out("05")["05.qkv"]
    whole = registry.exercise("05.qkv")
    far = recorded.DRAWS * 1000 + 1
    shapes = [[np.shape(a) for a in case.arguments] for case in verdicts.drawn_cases(exercise, far)]
    assert shapes == [[np.shape(a) for a in c.arguments] for c in whole.cases(np.random.default_rng(1))]
    assert diagnosis.diagnose(exercise, whole.reference, far).passed
    mistake = diagnosis.diagnose(exercise, whole.mistakes[0].answer, far)
    assert mistake.certain
    assert mistake.mistake.name == whole.mistakes[0].name


def test_a_class_edition_cannot_mark_and_another_numpy_is_told(handed_out):
    exercise = handed_out("05")["05.qkv"]
    with pytest.raises(UserError, match="contains no answers"):
        exercise.reference(1, 2, 3, 4)
    cases = exercise.cases(np.random.default_rng(1))
    with pytest.raises(UserError, match="draws other inputs"):
        exercise.recorded.cases(cases, 0)


def test_recorded_sums_distinguish_outputs_from_similar_ones():
    """Outputs are known again by their sums and reported apart from near ones."""
    rng = np.random.default_rng(0)
    outputs = [rng.normal(size=(3, 4)), {"h": rng.normal(size=5)}, [np.ones(2), "a"], 3, True, None, "text"]
    for output in outputs:
        assert recorded._same(recorded._sums(output), output, 1e-6)
    one, (shape, kind) = outputs[0], ((4, 3), bool)
    near, strange = one.copy(), one.copy()
    near[1, 2] += 1e-4
    strange[0, 0] = np.nan
    for other in (near, strange, one.reshape(shape), one.astype(kind), one[::-1], list(one.ravel()), None):
        assert not recorded._same(recorded._sums(one), other, 1e-6)
    assert recorded._same(recorded._sums(strange), strange + 1e-9, 1e-6)


def test_no_file_that_students_get_holds_an_answer(tmp_path, monkeypatch):
    """The runtime of the pages is searched, packed as it is; the usual one is found out."""
    pytest.importorskip("sphinx")
    sys.path.append(str(ROOT / "book" / "_ext"))
    import browser_runtime

    monkeypatch.setattr(recorded, "DRAWS", 1)
    for edition in ("class", ""):
        monkeypatch.setenv("CLEARHEAD_EDITION", edition)
        browser_runtime.write_runtime(tmp_path / edition / "runtime", browser_runtime.parts())
    searched = [name for name, _ in leaks.texts(tmp_path / "class")]
    assert any(name.endswith("book.zip/clearhead/sheets/attention/qkv.json") for name in searched)
    assert any("numpy.zip/numpy/" in name for name in searched)
    assert leaks.leaks(ROOT, tmp_path / "class") == []
    found = leaks.leaks(ROOT, tmp_path / "runtime")
    assert len({line.split("solution of ")[1] for line in found}) > 80
