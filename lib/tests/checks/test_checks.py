"""What a student sees: plain words for every answer, marks that are kept, nothing of ours that breaks."""

import dataclasses
import functools
import json
import linecache
import os
import re
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest

from clearhead import checks
from clearhead.checks import (
    check,
    diagnosis,
    display,
    feedback,
    hint,
    introspection,
    progress,
    ready,
    registry,
    report,
    running,
    score,
    verdicts,
)
from clearhead.checks.comparing import difference
from clearhead.checks.exercise import Case, Exercise, Mistake, Sheet
from clearhead.checks.explaining import explain
from clearhead.checks.from_text import namespace
from clearhead.checks.plain_data import NotPlainData, plain
from clearhead.maths.layers import linear

SOFTMAX = "00.softmax"
softmax = registry.exercise(SOFTMAX).reference
EXERCISES = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
NUMPY_EXERCISES = [exercise for exercise in EXERCISES if "torch" not in exercise.needs]


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    """An empty memory, a folder of its own, and learner's mode, for every test."""
    monkeypatch.setenv("CLEARHEAD_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("CLEARHEAD_STRICT", raising=False)
    monkeypatch.setattr(progress, "_memory", {})
    monkeypatch.setattr(progress, "_passed_in_session", set())
    return tmp_path


@pytest.fixture
def tell(capsys, monkeypatch):
    """Return what a call prints, its lines not broken."""
    monkeypatch.setattr(display, "LINE_WIDTH", 2000)

    def told(function, *arguments, **named):
        assert function(*arguments, **named) is None
        return capsys.readouterr().out

    return told


# Verdicts in words ------------------------------------------------------------------------------------------


def test_a_right_answer_is_told_so_with_its_seed(tell):
    assert re.fullmatch(
        r"✓ 00\.softmax: all 7 cases pass, 9 of 9 points \(seed \d+\)\.\n", tell(check, SOFTMAX, softmax)
    )


def test_mistake_message_has_values_advice_and_seed(tell):
    """A mistake is named with expected got advice and a way to repeat it."""
    told = tell(check, SOFTMAX, lambda z, axis: softmax(z, -1), seed=5)
    assert "This is a known mistake, always_the_last_axis:" in told
    assert "  ✓ the rows of a matrix" in told
    assert "  ✗ three axes, along the middle one" in told
    assert "Fix this first: the columns of a 2 by 3 matrix" in told
    assert re.search(r"The largest error is at \[\d, \d\]: expected 0\.\d+, got 0\.\d+", told)
    assert "About this case: With `axis=0`, each column must sum to 1." in told
    assert 'hint("00.softmax")' in told
    assert 'check("00.softmax", softmax, seed=5)' in told


def test_seed_repeats_inputs_and_no_seed_draws_new_ones(tell):
    """The seed makes the same numbers again and no seed makes new ones."""

    def wrong(z, axis):
        return -z

    assert tell(check, SOFTMAX, wrong, seed=3) == tell(check, SOFTMAX, wrong, seed=3)
    seeds = {re.search(r"seed=(\d+)", tell(check, SOFTMAX, wrong))[1] for _ in range(4)}
    assert len(seeds) > 1


def _stub(z, axis):
    raise NotImplementedError


def _partly(z, axis):
    if z.ndim > 1:
        raise NotImplementedError("later")
    return softmax(z, axis)


def _into_its_argument(z, axis):
    result = softmax(z, axis)
    z[...] = 0
    return result


def _own_error(z, axis):
    wrong = z.shape[7]
    return wrong


class _Unprintable(Exception):
    def __str__(self):
        raise RuntimeError


def _unprintable(z, axis):
    raise _Unprintable


class _Hostile:
    """A result whose every method raises."""

    def __getattr__(self, name):
        raise RuntimeError(name)


SAID = {
    "a stub": (_stub, ["not attempted yet"]),
    "done in part": (_partly, ["1 of 7 cases pass", "This case still raises NotImplementedError."]),
    "None": (lambda z, axis: None, ["Your function returned None: is a `return` missing?"]),
    "a wrong shape": (lambda z, axis: softmax(z, axis)[None], ["Expected shape (3,), got shape (1, 3)"]),
    "NaN": (lambda z, axis: z * np.nan, ["entries are NaN. The first is at"]),
    "infinity": (lambda z, axis: z * 0 + np.inf, ["entries are infinite. The first is at"]),
    "text": (lambda z, axis: "weights", ["got the string 'weights'"]),
    "true and false": (
        lambda z, axis: z > 0,
        ["Expected an array of numbers, got an array of booleans."],
    ),
    "objects": (lambda z, axis: np.array([z, None], dtype=object), ["an array of dtype object"]),
    "a generator": (lambda z, axis: (x for x in z), ["got a generator"]),
    "a dict": (lambda z, axis: {"weights": z}, ["got a dict with 1 key ('weights')"]),
    "whole numbers": (
        lambda z, axis: np.round(softmax(z, axis)).astype(int),
        ["your array holds integers, so it cannot hold decimals"],
    ),
    "a written argument": (_into_its_argument, ["changed its argument `z`"]),
    "an error of its own": (_own_error, ["IndexError: tuple index out of range", "wrong = z.shape[7]"]),
    "exit": (lambda z, axis: sys.exit(3), ["SystemExit: 3"]),
    "an error that cannot be read": (_unprintable, ["_Unprintable: (its message could not be read)"]),
    "a result whose methods raise": (lambda z, axis: _Hostile(), ["00.softmax: 0 of 7"]),
    "endless recursion": (lambda z, axis: SAID["endless recursion"][0](z, axis), ["RecursionError"]),
    "another number of arguments": (
        lambda z: z,
        ["00.softmax calls softmax(z, axis), but your function does not accept 2 arguments"],
    ),
}


#: An argument that holds an array two levels down, and the way to it.
HOLDERS = {
    "dict": (lambda: {"block": {"weight": np.ones(2)}}, lambda p: p["block"]["weight"]),
    "list": (lambda: [[np.ones(2)]], lambda p: p[0][0]),
    "tuple": (lambda: ((np.ones(2),),), lambda p: p[0][0]),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_an_answer_that_writes_inside_an_argument_is_told(holder, tell, monkeypatch):
    make, inner = HOLDERS[holder]

    def total(p):
        return inner(p).sum()

    def writes_deep_down(p):
        found = total(p)
        inner(p)[:] = 0
        return found

    exercise = Exercise(
        "00.total", "A sum", total, lambda rng: [Case("two", (make(),))], ("a", "b", "c"), (), (), 1, 1
    )
    monkeypatch.setattr(registry, "sheet", lambda number: Sheet("00", "One", (exercise,)))
    assert tell(check, "00.total", total).startswith("✓")
    assert "changed its argument `p`" in tell(check, "00.total", writes_deep_down)


def _adamw_in_place(w, g, m, v, t, rate, decay, of_the_weight=1.0):
    m *= 0.9
    m += 0.1 * g
    v *= 0.99
    v += 0.01 * g**2
    step = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return w - rate * (step + of_the_weight * decay * w), m, v


def _cache_in_place(x, K, V, W_q, W_k, W_v):
    K, V = np.vstack([K, x @ W_k]), np.vstack([V, x @ W_v])
    z = softmax(x @ W_q @ K.T / np.sqrt(K.shape[1]), -1) @ V
    x *= 0
    return z, K, V


@pytest.mark.parametrize(
    ("id", "answer", "names"),
    [("16.adamw_step", _adamw_in_place, "`m` and `v`"), ("12.kv_cache_step", _cache_in_place, "`x`")],
)
def test_writing_into_arguments_that_a_driver_makes_is_told(id, answer, names, tell):
    told = " ".join(tell(check, id, answer).split())
    assert "Your result is right, but your function changed its argument" in told
    assert names in told


def test_known_mistake_is_named_although_the_answer_writes_into_arguments(tell):
    """Writing into an argument is a second slip, which must not hide the first."""
    told = tell(check, "16.adamw_step", lambda *given: _adamw_in_place(*given, of_the_weight=0))
    assert "no_decay" in told


def _score_by_score(pieces):
    highest, total = -np.inf, 0.0
    for piece in pieces:
        for i in range(len(piece)):
            new = np.maximum(highest, piece[i])
            total = total * np.exp(highest - new) + np.exp(piece[i] - new)
            highest = new
    return highest, total


def test_measured_memory_hardly_slows_a_loop_over_scores():
    """Half a million scores, one at a time, take much of the time limit even where nothing is measured."""
    exercise = registry.exercise("12.online_softmax")
    case = verdicts.drawn_cases(exercise, 0)[-1]
    pieces = np.random.default_rng(0).normal(size=(512, 1024))
    begin = time.process_time()
    _score_by_score(pieces)
    alone = time.process_time() - begin
    outcome = running.run(exercise, _score_by_score, case.arguments)
    assert verdicts.judge(exercise, case, outcome).passed
    assert time.process_time() - begin - alone < 3 * alone


def test_integers_are_no_second_reason_beside_a_known_mistake(tell):
    """ReLU of integers is an integer; what is wrong is the ReLU."""
    told = " ".join(tell(check, "08.gelu", lambda x: np.maximum(x, 0)).split())
    assert "relu_instead" in told
    assert "holds integers" not in told


@pytest.mark.parametrize("factor", [2, 1 + 1e-5])
def test_float32_is_a_reason_only_of_differences_of_its_size(factor, tell):
    told = tell(check, SOFTMAX, lambda z, axis: np.float32(factor) * softmax(z, axis).astype(np.float32))
    assert ("7 digits" in told) == (factor < 1.5)


@pytest.mark.parametrize("system", ["with signals", "without, as on Windows"])
def test_time_during_which_other_programs_compute_does_not_count(monkeypatch, system):
    """An answer that needs little time of the processor may take longer by the clock."""
    if system != "with signals":
        monkeypatch.delattr(running.signal, "setitimer")
    begun = time.monotonic()
    with running.time_limit(0.2):
        while time.monotonic() - begun < 0.4:
            time.sleep(0.01)


@pytest.mark.parametrize("answer", SAID)
def test_every_kind_of_answer_gets_plain_words(answer, tell):
    function, expected = SAID[answer]
    told = tell(check, SOFTMAX, function)
    assert all(words in told for words in expected), told
    assert "Traceback" not in told
    assert "our fault" not in told


def test_the_line_said_is_the_students_where_the_library_raises(tell, monkeypatch):
    """Also where the package is installed editable, so that it lies in no folder of packages."""
    monkeypatch.setattr(introspection, "_LIBRARIES", ())

    def misfit(z, axis):
        return linear(z, np.ones((7, 8)))

    told = tell(check, SOFTMAX, misfit)
    assert re.search(r"In your code, line \d+: return linear\(z, np\.ones\(\(7, 8\)\)\)", told), told


def test_only_the_line_ends_of_python_break_a_line(tell):
    """A form feed and U+2028 end a line for `str.splitlines`, but not in Python nor in what is printed."""
    line = 'print("one\x0ctwo\u2028three"); return {}[1]  # four\x0cfive\u2028six'
    source = f"def odd(z, axis):\n    {line}\n"
    linecache.cache["<odd>"] = (len(source), None, source.split("\n"), "<odd>")
    names = {}
    exec(compile(source, "<odd>", "exec"), names)
    told = tell(check, SOFTMAX, names["odd"])
    assert f"In your code, line 2: {line}\n" in told
    assert "    one\x0ctwo\u2028three\n" in told


def test_an_answer_in_float32_is_accepted_or_told_why_not(tell):
    told = tell(check, SOFTMAX, lambda z, axis: softmax(z, axis).astype(np.float32))
    assert told.startswith("✓"), told
    told = tell(check, SOFTMAX, lambda z, axis: (softmax(z, axis) + 1e-5).astype(np.float32))
    assert "entries are slightly wrong (in float32, which keeps 7 digits: compute in float64)" in told, told


def test_short_floats_are_no_reason_in_an_exercise_about_them():
    """Where bfloat16 is expected, it is not the reason; and an error of a hundredth is not called slight."""
    want = np.array([1.0, 1.0078125, 256, -1.0078125])
    for error in ([0, 0, 2, 0], [0, 0.0078125, 0, 0]):
        told = difference(want + error, want, 1e-6).words
        assert "slightly" not in told, told
        assert "compute in float64" not in told, told
    told = difference(np.array([1.0078125, 2.9, 3]), np.array([1.01, 2.93, 3]), 1e-6).words
    assert "slightly" not in told, told
    short = np.array([0.33203125, 0.66796875])  # 1/3 and 2/3 in bfloat16
    told = difference(short, np.array([1, 2]) / 3, 1e-6).words
    assert "slightly wrong (with no more digits than bfloat16 keeps" in told, told


def test_position_of_a_single_wrong_entry_is_no_largest_error():
    told = difference(np.array([1.0, 2, 3]), np.array([1.0, 2, 4]), 1e-6).words
    assert told == "1 of 3 entries is wrong, at [2]: expected 4, got 3"
    told = difference(np.array([-np.inf, 2]), np.array([1.0, -np.inf]), 1e-6).words
    assert told == "1 of 2 entries is infinite but should be finite, at [0]: expected 1, got -inf"


def _told_of(id, mistake, seed=5):
    """Return the verdict on a wrong answer of a sheet as if it were not known."""
    exercise = registry.exercise(id)
    wrong = next(each for each in exercise.mistakes if each.name == mistake)
    unknown = dataclasses.replace(exercise, mistakes=())
    return feedback.words(verdicts.try_cases(unknown, wrong.answer, seed))


@pytest.mark.parametrize(
    ("id", "mistake", "told"),
    [
        (
            "11.greedy_translate",
            "index_in_the_flattened_table",
            "greedy_translate was called with source = [2, 3], start = 1, stop = 2, max_length = 9, and with "
            "a `step` that returns rows of a table of shape (97, 4).",
        ),
        (
            "10.beam_search",
            "one_beam_too_many",
            "ids = [0], length = 2, width = 1, and with a `step` that returns logits from a table of shape "
            "(3, 3, 3).",
        ),
        (
            "12.online_softmax",
            "total_not_rescaled",
            "was called with `pieces` that yield the `scores` [",
        ),
    ],
)
def test_driver_argument_is_told_as_what_the_answer_gets(id, mistake, told):
    said = _told_of(id, mistake)
    assert told in said, said
    assert "what_step_gives" not in said, said
    assert "was tried" not in said, said


def test_no_explanation_names_an_argument_that_the_student_never_saw():
    for exercise in EXERCISES:
        hidden = introspection.renamed_arguments(exercise)
        assert set(exercise.given) <= set(introspection.parameter_names(exercise)), exercise.id
        assert not any(f"`{name}`" in words for name in hidden for words in exercise.given.values())
    exercise = registry.exercise("10.generate")
    verdict = verdicts.try_cases(exercise, lambda *arguments: [], 0)
    for clause, kept in (
        ("`what_choose_says`", False),
        ("`what_choose_says.shape[0]`", False),
        ("`stop`", True),
    ):
        unused = f"when the check changed only {clause}, the expected result changed, but yours did not"
        told = " ".join(explain(dataclasses.replace(verdict, unused=unused)))
        assert ("when the check" in told.lower()) == kept, told


def test_seed_of_scores_is_called_a_seed():
    exercise = registry.exercise("12.online_softmax")
    case = next(each for each in exercise.cases(np.random.default_rng(0)) if type(each.arguments[0]) is int)
    only = dataclasses.replace(exercise, cases=lambda rng: [case], mistakes=())
    said = feedback.words(verdicts.try_cases(only, lambda pieces: (0.0, 0.0), 0))
    assert f"the `scores` drawn from the seed {case.arguments[0]}, and with" in said, said


def test_short_vectors_are_told_with_their_values():
    said = _told_of("19.speculative_sampling_step", "drawn_from_p")
    assert "called with p = [0.5, 0.3, 0.2], q = [0.2, 0.6, 0.2], drafted = 1, u = 0.51" in said, said
    said = _told_of("18.dpo_loss", "sides_swapped")
    assert "chosen = [-0.510826], rejected = [-2.30259]" in said, said
    said = _told_of("18.kl_regularized_policy", "all_to_the_power_of_beta")  # they are printed below it
    assert "p of shape (" in said, said
    assert "\n  p         [" in said, said


def test_matrices_are_printed_beside_a_number():
    said = _told_of("18.masked_loss", "negated")
    assert "logits of shape (3, 3), ids of shape (3,)" in said, said
    assert "\n  logits    [[0. " in said, said
    assert "\n  loss_mask [False False  True]" in said, said


@pytest.mark.parametrize(
    "argument",
    [
        {"h.0.attn.c_attn.bias": np.zeros(24), "h.0.attn.c_attn.weight": np.zeros((8, 24)), "h.1": {}},
        {
            "attention": {"key": {"bias": np.zeros(4), "weight": np.zeros((4, 4))}, "query": {}},
            "blocks": [{}],
        },
        {"decoder": [{"attention": {"key": {"bias": np.zeros(4), "weight": np.zeros((4, 4))}}}] * 3},
        [["a", "long", "sentence"], ["of", "words"]] * 9,
        ([1, 2], [3, 4], *[[5]] * 40),
        ["many words " * 9] * 3,
    ],
)
def test_long_arguments_are_shortened_with_their_brackets_closed(argument):
    text = feedback._in_short(argument)
    assert len(text) <= 80, text
    assert "..." in text, text
    pairs = {"}": "{", "]": "[", ")": "("}
    opened = []
    for sign in re.sub("'[^']*'", "", text):
        if sign in pairs.values():
            opened.append(sign)
        elif sign in pairs:
            assert opened.pop() == pairs[sign], text
    assert not opened, text


def test_what_a_student_prints_is_shown_once_and_shortened(tell):
    def chatty(z, axis):
        for i in range(100):
            print("line", i)
        return z

    told = tell(check, SOFTMAX, chatty)
    assert told.count("line 0") == 1
    assert "line 9" not in told
    assert "    ..." in told
    assert "line" not in tell(check, SOFTMAX, lambda z, axis: [print("line"), softmax(z, axis)][1])


def test_a_list_is_as_good_as_an_array(tell):
    assert tell(check, SOFTMAX, lambda z, axis: softmax(z, axis).tolist()).startswith("✓")


def test_numpy_warning_settings_of_student_do_not_last(tell):
    """The student may change NumPy warnings and it does not last."""

    def careless(z, axis):
        np.seterr(all="raise")
        return softmax(z, axis)

    before = np.geterr()
    tell(check, SOFTMAX, careless)
    assert np.geterr() == before


@pytest.mark.parametrize("system", ["with signals", "without, as on Windows"])
def test_endless_loop_is_stopped_even_if_errors_are_caught(tell, monkeypatch, system):
    """A loop that never ends is stopped once even where the answer catches errors."""
    monkeypatch.setattr("clearhead.checks.running.TIME_LIMIT", 0.2)
    if system != "with signals":
        monkeypatch.delattr(running.signal, "setitimer")

    def endless(z, axis):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    start, before = time.monotonic(), threading.active_count()
    told = tell(check, SOFTMAX, endless)
    assert time.monotonic() - start < 2
    assert "Still running after 0.2 seconds: is there a loop that never ends?" in told
    assert "  - the columns" in told
    assert threading.active_count() == before


def test_check_works_in_thread_without_signals(tell):
    """A check works in a thread where there are no signals."""

    def in_a_thread():
        thread = threading.Thread(target=check, args=(SOFTMAX, softmax))
        thread.start()
        thread.join()

    assert tell(in_a_thread).startswith("✓")


IN_A_THREAD = """
import sys, threading, time
from clearhead.checks import check, running

running.TIME_LIMIT = 0.2

def slow(*arguments):
    while True:
        pass

for answer in (slow, lambda z, axis: z):
    thread = threading.Thread(target=check, args=("00.softmax", answer))
    thread.start()
    thread.join()
sys.setprofile(lambda *arguments: None)
(lambda: None)()
sys.setprofile(None)
print("profiled")
"""


def test_after_a_check_in_a_thread_code_can_be_profiled():
    """An interruption that was withdrawn made profilers hang in Python 3.11, and the whole suite, too."""
    done = subprocess.run([sys.executable, "-c", IN_A_THREAD], capture_output=True, text=True, timeout=120)
    assert "a loop that never ends" in done.stdout
    assert done.stdout.endswith("profiled\n"), done.stderr


def test_a_console_without_ticks_gets_words(monkeypatch):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from clearhead.checks import check; check('{SOFTMAX}', lambda z, axis: z)",
        ],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("-- 00.softmax: 0 of 7 cases pass")
    assert done.stderr == ""


def test_a_broken_check_says_that_it_is_our_fault(tell, monkeypatch):
    monkeypatch.setattr(checks.notebook, "diagnose", lambda *arguments: 1 / 0)
    told = tell(check, SOFTMAX, softmax)
    assert told.startswith("The check itself failed (ZeroDivisionError")
    assert "our fault" in told


def test_missing_package_is_named_without_blame():
    """A package that is missing is named and is nobody's fault."""
    code = "import sys; sys.modules['torch'] = None\n"
    code += "from clearhead.checks import check; check('06.MultiHeadAttention', object)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "06.MultiHeadAttention needs PyTorch: pip install torch\n", done.stderr


def test_code_between_backticks_is_not_broken(capsys):
    display.print_text("  " + "word " * 13 + "then write `A @ B @ C + D`, in one line.")
    second = capsys.readouterr().out.splitlines()[1]
    assert second.startswith("  `A @ B @ C + D`,")


# What may be asked -----------------------------------------------------------------------------------------


UNCLEAR = {
    "a slip in the id": (("00.sofmax", softmax), "did you mean '00.softmax'?"),
    "an id without a number": (("softmax", softmax), "did you mean '00.softmax'?"),
    "a wrong number": (("77.softmax", softmax), "did you mean '00.softmax'?"),
    "an id like nothing": (("00.zzzzz", softmax), "sheet 00 has 00.to_column_convention"),
    "no id": ((3, softmax), "exercise id in quotes"),
    "the wrong order": ((softmax, SOFTMAX), "The id comes first"),
    "None": ((SOFTMAX, None), "run the cell that defines softmax"),
    "a name in quotes": ((SOFTMAX, "softmax"), "got the string 'softmax': pass the function itself"),
    "its result": ((SOFTMAX, np.zeros(3)), "a value of type ndarray: pass the function itself"),
    "a seed that is none": ((SOFTMAX, softmax, "x"), "The seed must be a non-negative integer"),
    "a negative seed": ((SOFTMAX, softmax, -1), "The seed must be a non-negative integer"),
}


@pytest.mark.parametrize("fault", UNCLEAR)
def test_a_call_that_makes_no_sense_gets_one_sentence(fault, tell, monkeypatch):
    arguments, expected = UNCLEAR[fault]
    told = tell(check, *arguments)
    assert expected in told
    assert told.count("\n") == 1
    monkeypatch.setenv("CLEARHEAD_STRICT", "1")
    with pytest.raises(checks.CheckFailed, match=re.escape(expected)):
        check(*arguments)


def test_hints_come_one_after_the_other_or_by_number(tell):
    exercise = registry.exercise(SOFTMAX)
    for number, words in enumerate(exercise.hints, 1):
        assert tell(hint, SOFTMAX) == f"Hint {number} of 3 for 00.softmax: {words}\n"
    assert "That was the last hint." in tell(hint, SOFTMAX)
    assert exercise.hints[0] in tell(hint, SOFTMAX, 1)
    for wrong in (0, 4, "2", True):
        assert "has the hints 1 to 3" in tell(hint, SOFTMAX, wrong)
    assert "did you mean" in tell(hint, "00.sofmax")


def test_hint_button_shows_hints_in_turn(monkeypatch, tell):
    """A button is for the line on hints and reads them in turn."""
    shown = []
    monkeypatch.setattr(display, "has_buttons", lambda: True)
    monkeypatch.setattr(display, "show_hint_button", shown.append)
    assert "in a new cell" not in tell(check, SOFTMAX, lambda z, axis: z)
    assert "in a new cell" not in tell(check, SOFTMAX, _stub)
    said = [shown[-1]() for _ in range(4)]
    assert [last for _, last in said] == [False, False, True, True]
    assert [words[:11] for words, _ in said] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]
    assert progress.records()[SOFTMAX]["hints"] == 3
    tell(check, SOFTMAX, softmax)
    assert len(shown) == 2  # none under an answer that is right


def test_every_sheet_is_found_by_any_form_of_number():
    """Every sheet is found by its number however it is written."""
    for sheet in registry.sheets():
        assert registry.sheet(int(sheet.number)) is registry.sheet(sheet.number) is sheet
        assert registry.sheet(f"{sheet.number}_some_name") is sheet


# Marks -----------------------------------------------------------------------------------------------------


def test_marks_survive_a_restart_and_the_best_one_counts(tell, monkeypatch, fresh):
    tell(check, SOFTMAX, softmax)
    tell(hint, SOFTMAX)
    monkeypatch.setattr(progress, "_memory", {})
    tell(check, SOFTMAX, _stub)
    told = tell(score, "00")
    assert "Sheet 00, Start here: 1 of 4 exercises done" in told
    assert re.search(r"✓ 00\.softmax +★★☆  9 of 9 points +1 of 3 hints read", told)
    assert re.search(r"○ 00\.matmul_shape +★★★  not attempted", told)
    assert f"Progress stored in: {fresh / 'state' / 'progress.json'}" in told
    assert progress.records()[SOFTMAX]["attempts"] == 1  # a stub is no attempt


def test_an_exercise_that_is_not_attempted_gets_no_cross(tell):
    tell(check, SOFTMAX, _stub)
    assert "Nothing has been checked yet" in tell(score)
    assert re.search(r"○ 00\.softmax +★★☆  not attempted", tell(score, "00"))
    tell(check, SOFTMAX, _partly)
    assert re.search(r"✗ 00\.softmax +★★☆  1 of 9 points", tell(score, "00"))


def test_ready_means_that_the_last_check_of_this_session_passed(capsys, monkeypatch):
    assert ready(SOFTMAX) is False
    assert "Not yet: 00.softmax must pass first." in capsys.readouterr().out
    check(SOFTMAX, softmax)
    assert ready(SOFTMAX) is True
    check(SOFTMAX, _stub)
    assert ready(SOFTMAX) is False
    assert "00.softmax passed earlier, but not now" in capsys.readouterr().out
    check(SOFTMAX, softmax)
    monkeypatch.setattr(progress, "_passed_in_session", set())  # as a restart does
    capsys.readouterr()
    assert ready(SOFTMAX, "00.matmul_shape") is False
    told = capsys.readouterr().out
    assert "Not yet: 00.matmul_shape must pass first." in told
    assert "00.softmax passed earlier, but not now: run the answer and check again." in told


@pytest.mark.parametrize("content", ["", "{", "[]", '{"00.softmax": 3}', '{"00.softmax": {"points": "x"}}'])
def test_a_broken_progress_file_is_taken_for_an_empty_one(content, tell, fresh):
    (fresh / "state").mkdir()
    (fresh / "state" / "progress.json").write_text(content)
    assert "Nothing has been checked yet" in tell(score)
    tell(check, SOFTMAX, softmax)
    assert "1 of 4 exercises done" in tell(score)


def test_a_damaged_progress_file_is_kept_aside_and_told(tell, fresh):
    tell(check, SOFTMAX, softmax)
    (fresh / "state" / "progress.json").write_text('{"00.softmax": {"points"')
    told = tell(check, SOFTMAX, softmax)
    aside = fresh / "state" / "progress.damaged-1.json"
    assert aside.read_text() == '{"00.softmax": {"points"'
    assert "Your progress file was damaged. It is kept as" in told
    (fresh / "state" / "progress.json").write_text("{")
    tell(check, SOFTMAX, softmax)
    assert (fresh / "state" / "progress.damaged-2.json").read_text() == "{"
    kept = json.loads((fresh / "state" / "progress.json").read_text())
    (fresh / "state" / "progress.json").write_text(json.dumps(kept | {"00.swap": 3}))
    tell(check, SOFTMAX, softmax)
    assert (fresh / "state" / "progress.damaged-3.json").exists()
    assert progress.records().keys() == {SOFTMAX}


def test_a_seed_may_be_an_integer_of_numpy(tell):
    wrong = lambda z, axis: z  # noqa: E731
    assert tell(check, SOFTMAX, wrong, seed=np.int64(3)) == tell(check, SOFTMAX, wrong, seed=3)
    assert "The seed must be" in tell(check, SOFTMAX, wrong, seed=np.float64(3))
    assert "The seed must be" in tell(check, SOFTMAX, wrong, seed=np.True_)


def test_a_folder_that_cannot_be_written_costs_nothing(tell, fresh, monkeypatch):
    (fresh / "file").write_text("")
    monkeypatch.setenv("CLEARHEAD_STATE", str(fresh / "file" / "below"))
    assert tell(check, SOFTMAX, softmax).startswith("✓")
    assert "Progress stored in: memory only" in tell(score)


def test_a_report_is_written_beside_older_ones_and_escapes_everything(tell, fresh):
    tell(check, SOFTMAX, softmax, seed=11)
    tell(hint, SOFTMAX)
    name = '<script>alert("x")</script>'
    for _ in range(2):
        told = tell(report, "00", fresh, name)
    assert "clearhead-00-report-2.html" in told
    assert sorted(path.name for path in fresh.glob("clearhead*")) == [
        "clearhead-00-report-2.html",
        "clearhead-00-report-2.json",
        "clearhead-00-report.html",
        "clearhead-00-report.json",
    ]
    facts = json.loads((fresh / "clearhead-00-report.json").read_text())
    row = next(row for row in facts["exercises"] if row["id"] == SOFTMAX)
    assert (row["points"], row["out_of"], row["passed"], row["hints"], row["seed"]) == (9, 9, True, 1, 11)
    assert {"python", "numpy", "clearhead"} <= facts["versions"].keys()
    page = (fresh / "clearhead-00-report.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "There is no folder" in tell(report, "00", fresh / "nowhere")


def test_a_report_escapes_what_somebody_wrote_into_the_progress_file(tell, fresh):
    tell(check, SOFTMAX, softmax)
    file = fresh / "state" / "progress.json"
    kept = json.loads(file.read_text())
    kept[SOFTMAX] |= {"seed": "<img src=x onerror=alert(1)>", "attempts": 9}
    file.write_text(json.dumps(kept))
    tell(report, "00", fresh)
    assert "<img" not in (fresh / "clearhead-00-report.html").read_text()


# In strict mode, and what it costs ------------------------------------------------------------------------


def test_strict_mode_raises_without_a_traceback_of_ours(monkeypatch):
    monkeypatch.setenv("CLEARHEAD_STRICT", "1")
    check(SOFTMAX, softmax)
    with pytest.raises(checks.CheckFailed, match="not attempted yet") as caught:
        check(SOFTMAX, _stub)
    assert " ".join(caught.value._render_traceback_()).split() == str(caught.value).split()


def test_needed_packages_are_imported_before_time_limit_starts():
    """A package that an exercise needs is imported before the clock starts."""
    pytest.importorskip("torch")
    code = "import sys; from clearhead.checks import registry, running\n"
    code += "exercise = registry.exercise('06.MultiHeadAttention')\n"
    code += "say = lambda seconds: print('clock:', 'torch' in sys.modules, file=sys.__stdout__)\n"
    code += "running.time_limit = say\n"
    code += "running.run(exercise, None, ())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "clock: True\n", done.stderr


def test_numpy_sheets_import_neither_torch_nor_matplotlib_nor_ipython():
    """Checks of NumPy sheets import neither PyTorch nor pictures nor IPython."""
    code = f"""import sys
from clearhead.checks import check, registry, verdicts
for id in {[exercise.id for exercise in NUMPY_EXERCISES]}:
    exercise = registry.exercise(id)
    check(id, exercise.reference)
    cases = verdicts.drawn_cases(exercise, 0)
    for mistake in exercise.mistakes:
        verdicts.cached_outcome(exercise, mistake.answer, cases[0])
check("05.attention_weights", lambda *arguments: None)
print("loaded:", *sys.modules)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.partition("loaded: ")[2].split())
    assert "numpy" in loaded
    assert not loaded & {"torch", "matplotlib", "IPython", "ipywidgets", "nbformat", "click"}


EVERYTHING = """
import cProfile, sys
from clearhead.checks import check, hint, registry

def stub(*arguments):
    raise NotImplementedError

for exercise in registry.sheet(sys.argv[1]).exercises:
    try:
        check(exercise.id, exercise.reference, seed=123456)  # what is imported at first does not count
    except UserError:  # a package is missing
        continue
    check(exercise.id, stub, seed=123456)
    for _ in exercise.hints:
        hint(exercise.id)
    for mistake in exercise.mistakes[::int(sys.argv[2])]:
        with cProfile.Profile() as profile:
            check(exercise.id, mistake.answer, seed=123456)
        print("calls:", sum(entry.callcount for entry in profile.getstats()), exercise.id, mistake.name)
"""


@functools.cache
def all_that_is_told(number):
    """Return all that the checks of a sheet print, and how many functions each call of them has called."""
    step = "1" if "CLEARHEAD_FUZZ" in os.environ else "6"  # each sixth mistake; all in `make test-noise`
    command = [sys.executable, "-c", EVERYTHING, number, step]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    return [line for line in lines if not line.startswith("calls: ")], re.findall(
        r"^calls: (\d+) (.*)", done.stdout, re.MULTILINE
    )


@pytest.mark.parametrize("number", registry.numbers())
def test_a_check_answers_in_lines_of_78_characters(number):
    lines, _ = all_that_is_told(number)
    assert max(map(len, lines)) > 40
    assert [line for line in lines if len(line) > 78] == []


@pytest.mark.parametrize("number", registry.numbers())
def test_a_check_is_a_small_piece_of_work(number):
    """Calls of functions are counted, and not seconds, so that a busy machine does not matter."""
    _, calls = all_that_is_told(number)
    assert len(calls) >= 3
    assert [each for each in calls if int(each[0]) > 400_000] == []  # about a quarter of a second


# Plain data ------------------------------------------------------------------------------------------------


class Liar(np.ndarray):
    """An array that says it equals everything."""

    def __array_function__(self, function, types, arguments, named):
        return True

    def __eq__(self, other):
        return np.ones(self.shape, dtype=bool)


def test_an_array_that_lies_is_judged_by_its_numbers(tell):
    assert "0 of 7 cases pass" in tell(check, SOFTMAX, lambda z, axis: (z * 0 - 1).view(Liar))


def test_plain_data_is_a_copy_of_base_types_alone():
    array = np.arange(3.0)
    copied = plain(array.view(Liar))
    array[0] = 9
    assert type(copied) is np.ndarray
    assert copied[0] == 0
    assert plain((np.float64(2.5), np.array(3), [True, None])) == [2.5, 3, [True, None]]
    for foreign in (object(), {1, 2}, 10**400, iter(()), np.array([1j])):
        with pytest.raises(NotPlainData):
            plain(foreign)


def test_outputs_of_one_shape_may_come_stacked():
    outputs = np.arange(12.0).reshape(2, 3, 2)
    assert difference(plain(outputs), plain(list(outputs)), 1e-9) is None
    wrong = difference(plain(outputs + 1), plain(list(outputs)), 1e-9)
    assert "in result[0], 6 of 6 entries are wrong" in wrong.words


@pytest.mark.parametrize("want", [[1.0, 2.0], [np.zeros(3), np.zeros(3)]])
def test_a_huge_array_for_a_list_takes_no_memory(want):
    """Comparing lengths comes first: as a list, the array takes ten times the bytes that were sent."""
    got = np.zeros((1 << 20, *np.shape(want[0])), np.int8)
    tracemalloc.start()
    try:
        found = difference(got, want, 1e-9)
        assert found.words.endswith(f"got an array of shape {got.shape}")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


DIFFERENT = {
    "numbers": (1.0, 1.5, "expected 1.5, got 1"),
    "numbers alike in six digits": (0.1234567, 0.1234568, "expected 0.1234568, got 0.1234567"),
    "a number for a truth": (1, True, "expected True, got 1"),
    "length": ([1, 2], [1, 2, 3], "expected (1, 2, 3), got (1, 2)"),
    "one output for two": (np.zeros(3), [np.zeros(3), np.zeros(2)], "got an array of shape (3,)"),
    "one of two outputs, as long as both": (
        np.zeros((2, 2)),
        [np.zeros((2, 2))] * 2,
        "got an array of shape (2, 2)",
    ),
    "inside": (
        [np.zeros(2), np.ones(2)],
        [np.zeros(2), np.zeros(2)],
        "in result[1], 2 of 2 entries are wrong",
    ),
    "inside a dict": ({"a": (1, 2)}, {"a": [2, 1]}, "in result['a'], expected (2, 1), got"),
    "keys": ({"a": 1}, {"b": 1}, "wrong keys: it lacks 'b', and it should not have 'a'"),
    "text": ("no", "yes", "expected 'yes', got 'no'"),
    "NaN and infinity": (
        np.array([np.inf, np.nan, 1]),
        np.zeros(3),
        "2 of 3 entries are NaN or infinite. The first is at [0]",
    ),
    "infinite where minus infinity was expected": (
        np.array([np.inf]),
        np.array([-np.inf]),
        "the only entry is wrong",
    ),
    "the other way round": (np.zeros((2, 3)), np.zeros((3, 2)), "the same sizes in reverse order"),
    "a number in an array": (
        np.array([2.5]),
        2.5,
        "the number is right, but it is inside an array of shape (1,)",
    ),
    "a number in a list": ([2.5], 2.5, "right, but it is inside a list: return just the number"),
    "a truth in an array": (
        np.array([[True]]),
        True,
        "the value is right, but it is inside an array of shape",
    ),
    "a wrong number in an array": (np.array([2.4]), 2.5, "expected 2.5, got an array of shape (1,)"),
    "many numbers for one": (np.full(3, 2.5), 2.5, "expected 2.5, got an array of shape (3,)"),
}


@pytest.mark.parametrize("pair", DIFFERENT)
def test_a_difference_is_said_in_words(pair):
    got, want, words = DIFFERENT[pair]
    assert words in difference(plain(got), plain(want), 1e-9).words
    assert difference(plain(want), plain(want), 1e-9) is None


@pytest.mark.filterwarnings("error")
def test_integers_instead_of_infinity_are_reported_without_warning():
    """Whole numbers where infinity was expected are reported without a warning."""
    got, want = np.array([0, 0]), np.array([-np.inf, 0.5])
    assert "holds integers" in difference(got, want, 1e-6).words
    assert "holds integers" not in difference(got, np.array([-np.inf, 2.0]), 1e-6).words


# Errors --------------------------------------------------------------------------------------------------

Q, K = np.ones(2), np.ones((3, 2))


def test_branch_without_return_differs_from_missing_return(tell):
    """A branch that gives nothing is reported apart from a return that is missing."""
    told = " ".join(tell(check, SOFTMAX, lambda z, axis: softmax(z, axis) if axis == 0 else None).split())
    assert "but a value in other cases: does every branch `return` something?" in told
    assert "is a `return` missing?" not in told


def test_nothing_of_the_answer_runs_again_to_find_a_shape(tell):
    calls = []

    def counted():
        calls.append(1)
        return Q

    def wrong(z, axis):
        return counted() @ K

    tell(check, SOFTMAX, wrong)
    cases = len(registry.exercise(SOFTMAX).cases(np.random.default_rng(0)))
    assert len(calls) == cases


def test_no_matrices_are_printed_where_the_shape_is_wrong(tell):
    told = tell(check, SOFTMAX, lambda z, axis: softmax(z, axis)[None])
    assert "Expected shape (3,), got shape (1, 3)" in told
    assert not re.search(r"^  (z|expected|got) +\[", told, re.M)
    assert re.search(r"^  expected +\[", tell(check, SOFTMAX, lambda z, axis: -z), re.M)


# Sheet 04: what readers wrote, and what passed --------------------------------------------------------------


def _between(cold, hot):
    """Return an answer to 04.temperature_for_top_weight that searches between two temperatures alone."""
    search = namespace(registry.exercise("04.temperature_for_top_weight")).run("")["searched_between"]
    return lambda scores, top: search(scores, top, cold, hot)


@pytest.mark.parametrize("limits", [(0, 1.5), (0, 2), (0, 3), (0, 5), (0, 100), (0.01, 1e6), (1e-3, 1e3)])
def test_insufficient_temperature_search_never_passes(limits):
    """A search for the temperature that cannot reach it never passes."""
    exercise = registry.exercise("04.temperature_for_top_weight")
    assert not any(verdicts.try_cases(exercise, _between(*limits), seed).passed for seed in range(20))


def test_places_against_places_and_columns_against_columns_are_named(tell):
    def compare_columns(X):
        A = softmax(X.T @ X, -1)
        return A @ X, A

    def no_new_axis(x, X, Y, bandwidth):
        return softmax(-((x - X) ** 2).sum(axis=1) / (2 * bandwidth**2), -1) @ Y

    told = tell(check, "04.simple_self_attention", compare_columns)
    assert "You compared columns of `X`. Words are rows" in told
    told = tell(check, "04.nadaraya_watson", no_new_axis)
    assert "`x[:, None, :] - X` has the shape (T, S, d)" in told


# A sheet with a driver -------------------------------------------------------------------------------------


def test_a_class_is_checked_through_its_driver(tell, monkeypatch):
    class Double:
        def __call__(self, x):
            return 2 * x

    class Triple:
        def __call__(self, x):
            return 3 * x

    exercise = Exercise(
        "00.Double",
        "A class",
        Double,
        lambda rng: [Case("three", (np.arange(3.0),), expected=np.array([0.0, 2.0, 4.0]))],
        ("a", "b", "c"),
        (Mistake("triple", Triple, "Three times, and it should be two times."),),
        (),
        1,
        1,
        driver=lambda made, x: made()(x),
    )
    monkeypatch.setattr(registry, "sheet", lambda number: Sheet("00", "One", (exercise,)))
    assert tell(check, "00.Double", Double).startswith("✓")
    assert "This is a known mistake, triple" in tell(check, "00.Double", Triple)


def test_long_case_is_tried_with_one_seed(tell, monkeypatch):
    """A case that takes long is tried with one seed and the others with three."""
    seen = []

    def cases(rng):
        small, large = rng.normal(size=3), rng.normal(size=300)
        return [Case("small", (small,)), Case("large", (large,), once=True)]

    def tripled(x):
        seen.append(len(x))
        return 3 * x

    mistake = Mistake("triple", lambda x: 3 * x, "Three times, and it should be two times.")
    exercise = Exercise("00.double", "Twice", lambda x: 2 * x, cases, ("a", "b", "c"), (mistake,), (), 1, 1)
    monkeypatch.setattr(registry, "sheet", lambda number: Sheet("00", "One", (exercise,)))
    assert "This is a known mistake, triple" in tell(check, "00.double", tripled)
    assert sorted(seen) == [3, 3, 3, 300]


# Two slips, and the student's own names --------------------------------------------------------------------


def sines_first(length, d_model):
    """Return all sines before all cosines, and refuse no odd number of columns: two slips at once."""
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2)[None] / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def test_a_verdict_begins_with_what_is_wrong(tell):
    """The known mistake comes first, or what all failed cases have in common; the cases come last."""
    told = tell(check, SOFTMAX, lambda z, axis: softmax(z, -1), seed=5)
    order = ["This is a known mistake", "Fix this first", "All cases:", "Stuck?"]
    assert sorted(order, key=told.index) == order
    told = tell(check, "05.attention_weights", lambda Q, K: 3 * softmax(Q @ K.T / np.sqrt(len(Q[0])), -1))
    order = ["In all cases that failed:", "Fix this first", "All cases:", "Stuck?"]
    assert sorted(order, key=told.index) == order


def test_slips_that_no_pair_explains_leave_the_first_case_explained(tell):
    def three_slips(length, d_model):
        code = sines_first(length, d_model)
        code[3:] *= 2  # beyond the first case
        return code

    told = tell(check, "07.sinusoidal_pe", three_slips)
    assert "In this case, your answer does the same as a known mistake, sines_then_cosines:" in told
    assert "This does not explain all cases that fail." in told


def only_rows_of_logarithms(x, y, temperature):
    """Return the loss of the rows alone, from logarithms of a softmax that can be 0: two slips at once."""
    x, y = (z / np.linalg.norm(z, axis=1, keepdims=True) for z in (x, y))
    exponentials = np.exp(x @ y.T / temperature - 1 / temperature)
    return -np.log(np.diag(exponentials / exponentials.sum(axis=1, keepdims=True))).mean()


def test_two_slips_are_told_apart_where_one_number_is_returned(tell):
    told = tell(check, "14.info_nce", only_rows_of_logarithms, seed=1)
    assert "Your answer makes two mistakes at once, only_rows and log_of_softmax:" in told


def test_one_integer_agrees_with_a_mistake_by_chance(tell):
    """A count that happens to be right for a mistake in the case that is shown names none."""
    right = registry.exercise("08.count_parameters").reference
    told = tell(check, "08.count_parameters", lambda *sizes, **more: right(*sizes, **more) + 1, seed=1)
    assert "does the same as a known mistake" not in told


@pytest.mark.parametrize("seed", range(3))
def test_likely_mistake_never_contradicts_the_case_shown(seed, tell):
    def top_p(z, p):
        order = np.argsort(-z)
        kept = np.cumsum(z[order]) - z[order] < p  # of logits, where probabilities should be added up
        cut = np.full(len(z), -np.inf)
        cut[order[kept]] = z[order[kept]]
        return cut

    told = tell(check, "10.top_p", top_p, seed=seed)
    assert "only_the_likeliest" not in told
    assert "`softmax` is missing" in told


def test_values_are_named_as_the_students_return_names_them(tell):
    def lstm_step(x, h, c, W, U, b):
        h_new, c_new = registry.exercise("03.lstm_step").reference(x, h, c, W, U, b)
        h_new = h_new + 1
        return h_new, c_new

    told = tell(check, "03.lstm_step", lstm_step)
    assert "In the first value that you return (h_new)" in told
    assert "Only the first value that you return (h_new) is wrong" in told
    assert "result[" not in told


def test_values_without_a_name_are_counted(tell):
    right = registry.exercise("03.lstm_step").reference
    told = tell(check, "03.lstm_step", lambda *given: tuple(part + 1 for part in right(*given)))
    assert "In the first value that you return (h)" in told
    told = tell(check, "04.soft_lookup", lambda *given: (np.zeros(2), np.zeros(3)))
    assert "In the first item of your result" in told


def test_result_with_too_few_values_is_said_to_lack_them(tell):
    """The driver unpacks what an answer returns: the student has no line in which names lack values."""
    told = tell(check, "03.lstm_step", lambda x, h, c, W, U, b: h)
    assert "your result has fewer values than are needed (not enough values to unpack" in told
    told = tell(check, "03.lstm_step", lambda x, h, c, W, U, b: 0.5)
    assert "your result is a single value, but several values are needed" in told

    def unpacks(x, h, c, W, U, b):
        one, two = [x]
        return one, two

    told = tell(check, "03.lstm_step", unpacks)
    assert "there are fewer values than names to unpack them into" in told


def test_booleans_have_a_first_wrong_entry_and_no_largest_error(tell):
    told = tell(check, "09.causal_mask", lambda T: np.ones((T, T), dtype=bool))
    assert "The first is at [0, 1]: expected False, got True" in told


class _TextInDisguise:
    """Pretends to be an array, and becomes a string without axes where it is converted."""

    __class__ = property(lambda self: np.ndarray)
    dtype = np.dtype(float)

    def __array__(self, *_, **__):
        return np.array("a ValueError is raised")


@pytest.mark.parametrize(
    "text",
    [
        "a ValueError is raised",
        np.str_("a ValueError is raised"),
        np.array("a ValueError is raised"),
        _TextInDisguise(),
    ],
    ids=lambda text: type(text).__name__,
)
@pytest.mark.parametrize("id", ["13.num_patches", "13.patchify", "07.sinusoidal_pe"])
def test_text_that_is_returned_is_no_error_that_was_raised(id, text):
    exercise = registry.exercise(id)

    def answer(*arguments):
        try:
            return exercise.reference(*arguments)
        except ValueError:
            return text

    assert diagnosis.diagnose(exercise, exercise.reference, 0).passed
    assert not diagnosis.diagnose(exercise, answer, 0).passed


def test_error_for_every_input_is_no_refusal():
    def patchify(image, P):
        rows, columns = image.shape
        return image[:rows, :columns]

    verdict = diagnosis.diagnose(registry.exercise("13.patchify"), patchify, 0)
    assert verdict.points == 0
    assert "raises this error for every input" in verdict.tried[-1].problem


def test_error_that_a_driver_caught_is_shown(tell):
    def num_patches(height, width, P):
        rows, columns = [height // P]
        return rows * columns

    told = tell(check, "13.num_patches", num_patches)
    assert "Expected 6, but a ValueError is raised. The error was: ValueError: there are fewer values" in told
    assert "rows, columns = [height // P]" in told
    assert "always_raises" not in told


def test_slow_import_is_not_called_an_endless_loop(tell, tmp_path, monkeypatch):
    (tmp_path / "slow_package.py").write_text("import time\ntime.sleep(9)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(running, "TIME_LIMIT", 0.2)

    def answer(z, axis):
        import slow_package

        return slow_package

    told = tell(check, SOFTMAX, answer)
    assert "Still importing slow_package after 0.2 seconds: import it in a separate cell" in told
    assert "never ends" not in told


def test_not_implemented_error_of_a_library_is_no_stub():
    """PyTorch raises it for integers; an answer that meets it was begun."""
    torch = pytest.importorskip("torch")

    def answer(z, axis):
        return torch.softmax(torch.ones(2, dtype=torch.int64), -1)

    def stub(z, axis):
        raise NotImplementedError  # your turn

    exercise = registry.exercise(SOFTMAX)
    assert {each.status for each in verdicts.try_cases(exercise, answer, 0).tried} == {"error"}
    assert {each.status for each in verdicts.try_cases(exercise, stub, 0).tried} == {"not_attempted"}
