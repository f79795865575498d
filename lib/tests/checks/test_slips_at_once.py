"""What a check says of an ordinary slip, and of two mistakes at once, explains every result."""

from dataclasses import replace

import numpy as np
import pytest

from clearhead.checks import diagnosis, feedback, from_text, ordinary_slips, registry, slips_at_once
from clearhead.maths.softmax import softmax


def _told(id, answer, seed=4):
    """Return the first lines of what a check says about an answer, up to the first case to fix."""
    verdict = diagnosis.diagnose(registry.exercise(id), answer, seed)
    return feedback.words(verdict).partition("Fix this first")[0], verdict


def nearest_as_a_table(q, K, V):
    best = np.linalg.norm(K - q, axis=1).argmin()
    return V[[best]]


def log_of_the_weight_times_the_gap(q, k_near, k_far, weight):
    return np.log(weight) * ((q @ k_near - q @ k_far) / np.sqrt(len(q)))


def diagonal_and_swapped(dZ, Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    A = softmax(S)
    dS = A * (1 - A) * (dZ @ V.T) / np.sqrt(Q.shape[1])
    return dS.T @ Q, dS @ K, A.T @ dZ


def transposed_and_twice(X, W_q, W_k, W_v):
    A = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1]))
    return softmax(A).T @ (X @ W_v)


PAIRS = {
    "04.hard_lookup": (nearest_as_a_table, {"nearest_key", "a_table_of_one_row"}),
    "05.sharpen": (log_of_the_weight_times_the_gap, {"log_of_the_weight", "multiplied_by_the_gap"}),
    "05.attention_backward": (diagonal_and_swapped, {"diagonal_only", "dQ_and_dK_swapped"}),
    "05.self_attention": (transposed_and_twice, {"weights_transposed", "softmax_twice"}),
}


@pytest.mark.parametrize("id", PAIRS)
def test_two_known_mistakes_at_once_are_both_named(id):
    answer, names = PAIRS[id]
    said, verdict = _told(id, answer)
    assert {each.name for each in verdict.slips} == names
    assert verdict.mistake is None
    assert "two mistakes at once" in said
    assert all(name in said for name in names)


def test_nothing_is_called_right_where_two_mistakes_meet():
    """The message "all three arrays are right, but you swapped" does not hold for arrays that are wrong."""
    said, _ = _told("05.attention_backward", diagonal_and_swapped)
    assert "You swapped `dQ` and `dK`" in said
    assert "right, but" not in said


def without_parentheses(joint):
    a, b = joint.sum(axis=1), joint.sum(axis=0)
    cells = [(i, j) for i in range(len(a)) for j in range(len(b)) if joint[i, j] > 0]
    return float(sum(joint[i, j] * np.log(joint[i, j] / a[i] * b[j]) for i, j in cells))


def parentheses_too_many(conditional, unconditional, guidance):
    return (unconditional + guidance) * (conditional - unconditional)


SLIPS = {
    "20.unmasking_cost": (without_parentheses, ordinary_slips.TIMES),
    "20.classifier_free_guidance": (parentheses_too_many, ordinary_slips.ORDER),
}


@pytest.mark.parametrize("id", SLIPS)
def test_an_ordinary_slip_needs_no_entry_in_the_sheet(id):
    answer, sentence = SLIPS[id]
    said, verdict = _told(id, answer)
    assert [each.message for each in verdict.slips] == [sentence]
    assert sentence in said


def scaled_queries_and_one_matrix_twice(X, W_q, W_k, W_v):
    return X @ W_q / np.sqrt(W_q.shape[1]), X @ W_q, X @ W_v


def test_a_known_mistake_and_an_ordinary_slip_are_both_told():
    said, verdict = _told("05.qkv", scaled_queries_and_one_matrix_twice)
    assert [each.name for each in verdict.slips] == ["queries_scaled_already", slips_at_once.ORDINARY]
    assert "Your result is what one gets with `W_q` where `W_k` belongs." in said


def _with_wrong(id, *names):
    """Return an exercise that knows only some of its wrong answers, each as (name, name in the sheet)."""
    exercise = registry.exercise(id)
    edits = {each.name: each for each in exercise.text.wrong}
    mistakes = {each.name: each for each in exercise.mistakes}
    return replace(
        exercise,
        text=replace(exercise.text, wrong=tuple(replace(edits[old], name=new) for new, old in names)),
        mistakes=tuple(replace(mistakes[old], name=new) for new, old in names),
    )


def test_of_several_pairs_only_what_they_share_is_told():
    """Two names for one mistake make two pairs that explain as well: the other mistake of both is certain."""
    twins = [("one", "log_of_the_weight"), ("other", "log_of_the_weight")]
    exercise = _with_wrong("05.sharpen", *twins, ("gap", "multiplied_by_the_gap"))
    verdict = diagnosis.diagnose(exercise, log_of_the_weight_times_the_gap, 4)
    said = feedback.words(verdict)
    assert ([each.name for each in verdict.slips], verdict.one_unknown) == (["gap"], True)
    assert "Your answer makes two mistakes at once, and one of them is the known mistake gap:" in said


def test_pairs_with_nothing_in_common_are_not_named():
    twins = [(f"{name} {n}", name) for name in ("log_of_the_weight", "multiplied_by_the_gap") for n in "12"]
    verdict = diagnosis.diagnose(_with_wrong("05.sharpen", *twins), log_of_the_weight_times_the_gap, 4)
    assert verdict.slips == ()


def test_one_mistake_that_explains_everything_is_preferred_to_two():
    """What can be written as two edits is one mistake, if one explains it as well."""
    exercise = registry.exercise("05.self_attention")
    for mistake in exercise.mistakes[:12]:
        verdict = diagnosis.diagnose(exercise, mistake.answer, 4)
        assert verdict.mistake is not None
        assert verdict.slips == ()


def changed_in_place(x, denoised, sigma):
    denoised -= x
    return denoised / sigma[:, None] ** 2


def test_a_right_result_beside_a_changed_argument_is_no_slip():
    said, verdict = _told("20.score_from_denoiser", changed_in_place)
    assert verdict.slips == ()
    assert "parentheses" not in said


def stacked_on_the_last_axis(x, num_heads):
    size = x.shape[1] // num_heads
    return np.stack([x[:, h * size : (h + 1) * size] for h in range(num_heads)], axis=-1)


def test_one_reason_for_all_entries_is_preferred_to_two_mistakes():
    said, verdict = _told("06.split_heads", stacked_on_the_last_axis)
    assert verdict.slips == ()
    assert "Your entries are right, but the axes are in the wrong order." in said


def test_a_right_answer_and_a_certain_mistake_cost_no_search(monkeypatch):
    def never(*arguments):
        raise AssertionError("there is nothing to look for")

    monkeypatch.setattr(diagnosis, "slips_at_once", never)
    exercise = registry.exercise("05.sharpen")
    assert diagnosis.diagnose(exercise, exercise.reference, 4).passed
    assert diagnosis.diagnose(exercise, exercise.mistakes[0].answer, 4).certain


def test_a_search_that_runs_out_of_time_says_nothing(monkeypatch):
    monkeypatch.setattr(slips_at_once, "SECONDS", -1)  # the clock of a page is coarse
    assert _told("05.sharpen", log_of_the_weight_times_the_gap)[1].slips == ()


def test_a_class_edition_names_no_pair():
    """The sources of right and wrong answers are not there."""
    exercise = replace(registry.exercise("05.sharpen"), recorded=object())
    assert slips_at_once.slips_at_once(exercise, (), True) == ((), False)


def test_numbers_that_came_back_by_chance_have_no_explanation():
    rng = np.random.default_rng(0)
    verdict = _told("05.sharpen", lambda q, near, far, weight: rng.normal())[1]
    assert verdict.slips == ()


LOOP = """
def total(x, n):
    found = 0
    for i in range(n):
        found = found + x[i] * (i - 1) / np.sqrt(2)
    return -found
"""


def test_slips_of_an_answer_are_made_one_at_a_time():
    """Each slip is one change of the right answer, which itself stays as it was."""
    names, right = {"np": np}, {}
    exec(LOOP, names | {}, right)
    x, found = np.array([3.0, 5, 7, 11]), {}
    for slip in ordinary_slips.slips(LOOP):
        exec(slip.code, names)
        try:
            with np.errstate(all="ignore"):
                found.setdefault(slip.message, set()).add(round(float(names["total"](x, 4)), 9))
        except (IndexError, TypeError, ZeroDivisionError):
            found.setdefault(slip.message, set())
    terms = x * (np.arange(4) - 1) / 2**0.5
    assert round(float(terms.sum()), 9) in found[ordinary_slips.SIGN]
    assert found[ordinary_slips.INSIDE] == {round(-float(terms[0]), 9)}
    assert round(-float(terms[:3].sum()), 9) in found[ordinary_slips.EARLY]
    assert round(-float((x * np.arange(4) - 1 / 2**0.5).sum()), 9) in found[ordinary_slips.ORDER]
    assert round(-float((x * (np.arange(4) - 1) / 2).sum()), 9) in found["`np.sqrt` is missing."]


@pytest.mark.parametrize("sheet", registry.numbers())
def test_every_slip_of_every_sheet_is_python(sheet):
    """Each sentence ends like one, and a slip never shows the line of the right answer."""
    for exercise in registry.sheet(sheet).exercises:
        messages = {slip.message for slip in ordinary_slips.slips(exercise.text.steps)}
        assert all(message.endswith(".") for message in messages)
        lines = [line.strip() for line in exercise.text.steps.splitlines() if " = " in line]
        assert not any(line in message for line in lines for message in messages)


def test_a_candidate_that_never_ends_is_given_up(monkeypatch):
    """A loop that a slip makes endless costs half a second of the time for the search."""
    monkeypatch.setattr(slips_at_once, "ONE_CASE", 0.05)
    exercise = registry.exercise("05.sharpen")
    case = exercise.cases(np.random.default_rng(0))[0]
    endless = from_text.namespace(exercise).run(
        "def sharpen(q, k_near, k_far, weight):\n    while True: pass\n"
    )
    search = slips_at_once._Search(exercise, ())
    tried = diagnosis.CaseResult(case, diagnosis.Outcome(1.0), "wrong")
    assert not search._does_the_same(endless["sharpen"], tried)


def test_names_of_known_mistakes_are_never_taken_by_a_slip():
    names = {edit.name for sheet in registry.sheets() for each in sheet.exercises for edit in each.text.wrong}
    assert slips_at_once.ORDINARY not in names
