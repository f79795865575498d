"""Follow-through marks: an honest mistake is paid for once, and nothing is had by a trick."""

import ast
import json
import time
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest

from clearhead.checks import registry
from clearhead.checks.comparing import same
from clearhead.checks.plain_data import plain
from clearhead.checks.running import run
from clearhead.grading.commands.example import OVER_QUERIES, RIGHT, UNSCALED, VANISHES, answers, notebook
from clearhead.grading.mark import follow_through, marks, right_helpers, worker
from clearhead.grading.mark.marking import Marking
from clearhead.sandbox.isolation import problem
from support.places import ROOT

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
SETTINGS = {"secret": "s", "seconds": 2, "megabytes": 2048, "partial": False, "isolated": True, "cap": 0.6}


def graded(text, number="05", **settings):
    """Return the marks of the exercises of a notebook, by the names of the answers."""
    found, _ = worker.grade("ada", {number: text.encode()}, [], SETTINGS | {"sheets": [number]} | settings)
    assert found["status"] == "graded", found["notes"]
    return {row["id"].partition(".")[2]: row for row in found["exercises"]}


def points(rows):
    return sum(row["points"] for row in rows.values())


# what is earned -------------------------------------------------------------------------------------


@isolated
@pytest.mark.parametrize("wrong", [UNSCALED, OVER_QUERIES])
def test_follow_through_gives_points_up_to_cap(wrong):
    """One mistake is paid for once up to the cap and the rule is reported."""
    rows = graded(answers(attention_weights=wrong))
    assert [rows[n]["rule"] for n in ("qkv", "attention_weights")] == ["own", "own"]
    for name in ("self_attention", "column_attention", "attention_backward"):
        row = rows[name]
        assert (row["rule"], row["own_points"]) == ("follow-through", 0)
        assert row["points"] == int(0.6 * row["max_points"])
        assert row["follow_through"]["right_helpers"] == ["attention_weights"]
        assert (row["follow_through"]["uncapped_points"], row["follow_through"]["status"]) == (
            row["max_points"],
            "passed",
        )
        assert "Right with a right `attention_weights`, which counts for 60 % at most" in row["rule_message"]
        assert row["status"] == "failed"
    assert points(rows) == 13 + 8


@isolated
def test_cap_may_be_any_fraction_or_zero():
    """The cap can be any part and none turns the rule off."""
    text = answers(attention_weights=UNSCALED)
    assert points(graded(text, cap=1.0)) == 31 - 4
    rows = graded(text, cap=0)
    assert points(rows) == 13
    assert all(row["follow_through"] is None and row["rule"] == "own" for row in rows.values())


@isolated
def test_what_is_wrong_in_itself_stays_wrong_and_says_so():
    wrong = "def self_attention(X, W_q, W_k, W_v):\n    Q, K, V = qkv(X, W_q, W_k, W_v)\n"
    wrong += "    return attention_weights(K, Q) @ V\n"
    row = graded(answers(attention_weights=UNSCALED, self_attention=wrong))["self_attention"]
    assert (row["points"], row["rule"], row["follow_through"]["status"]) == (0, "own", "failed")
    assert "With a right `attention_weights`, it is not right" in row["rule_message"]


@pytest.mark.parametrize(("status", "begins"), [("passed", "Right with"), ("failed", "Right in part with")])
def test_partly_right_answer_is_called_right_in_part(status, begins):
    row = {"max_points": 5, "own_points": 0, "points": 0}
    followed = marks.with_follow_through(row, ["qkv"], 2, status, cap=1.0)
    assert followed["rule_message"].startswith(f"{begins} a right `qkv`: 2 of 5 points.")


@isolated
def test_helper_right_given_another_is_not_replaced():
    """A helper that is right given another stays the student's own."""
    rows = graded(answers(attention_weights=UNSCALED))
    assert rows["column_attention"]["follow_through"]["right_helpers"] == ["attention_weights"]
    two = "def self_attention(X, a, b, c):\n    return attention_weights(X @ a, X @ b) @ X @ c * 2\n"
    rows = graded(answers(self_attention=two))
    assert rows["column_attention"]["follow_through"]["right_helpers"] == ["self_attention"]
    assert rows["column_attention"]["points"] == 2


@isolated
def test_helper_may_be_called_with_other_arguments():
    """A helper may be called by names or with more than the right one takes."""
    own = "def attention_weights(Q, K, *, scale=1.0):\n    return softmax(scale * Q @ K.T)\n"
    calls = "def self_attention(X, W_q, W_k, W_v):\n    Q, K, V = qkv(X, W_q, W_k, W_v)\n"
    for how in ("K=K, Q=Q", "Q, K, scale=1.0", "Q, K=K"):
        text = f"{calls}    return attention_weights({how}) @ V\n"
        rows = graded(answers(attention_weights=own, self_attention=text))
        assert rows["self_attention"]["points"] == 3, rows["self_attention"]["rule_message"]


@isolated
def test_a_regrade_gives_the_same_marks():
    text = answers(attention_weights=UNSCALED)
    assert graded(text) == graded(text)


# what a wrong helper of any sheet costs -------------------------------------------------------------

SPOIL = """
_right = {name}
def {name}(*arguments, **named):
    def spoiled(value):
        if isinstance(value, tuple):
            return tuple(map(spoiled, value))
        return value[..., ::-1] * 0.7 + value if getattr(value, "ndim", 0) else value + 1
    return spoiled(_right(*arguments, **named))
"""


def solution(number):
    return json.loads((ROOT / "solutions" / f"{registry.file_stem(number)}.ipynb").read_text())["cells"]


def callers():
    """Yield sheet, helper and those answers of the solution that call it, for every declared helper."""
    for number in registry.numbers():
        body = {}
        for cell in solution(number):
            source = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
            for part in ast.parse(source).body:
                if isinstance(part, ast.FunctionDef | ast.ClassDef):
                    body[part.name] = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
        entries = [e.answer_name for e in registry.sheet(number).exercises]
        for place, helper in enumerate(entries):
            found = [name for name in entries[place + 1 :] if helper in body[name]]
            yield number, helper, found


CALLED = [(number, helper, found) for number, helper, found in callers() if found]


@pytest.mark.parametrize(("number", "helper", "found"), CALLED)
def test_what_a_solution_builds_on_is_declared(number, helper, found):
    declared = right_helpers.declared(number)
    assert [name for name in found if helper not in declared.get(name, ())] in ([], ["count_parameters"])


@isolated
@pytest.mark.parametrize(("number", "helper", "found"), [c for c in CALLED if c[2] != ["count_parameters"]])
def test_every_sheet_gives_follow_through_marks(number, helper, found):
    """In every sheet a right answer on a wrong one gets its part."""
    if number == "06":
        pytest.importorskip("torch")
    cells = ["".join(c["source"]) for c in solution(number) if c["cell_type"] == "code"]
    place = next(i for i, c in enumerate(cells) if f"def {helper}(" in c)
    rows = graded(notebook(*cells[: place + 1], SPOIL.format(name=helper), *cells[place + 1 :]), number)
    assert rows[helper]["status"] != "passed"
    for name in found:
        assert rows[name]["own_points"] == 0
        assert rows[name]["points"] == int(0.6 * rows[name]["max_points"]) > 0, rows[name]["rule_message"]
        assert helper in rows[name]["follow_through"]["right_helpers"]


PAIRS = [
    (f"{number}.{name}", f"{number}.{helper}")
    for number in registry.numbers()
    for name, helpers in right_helpers.declared(number).items()
    for helper in helpers
]


@pytest.mark.parametrize(("id", "helper"), PAIRS)
def test_declared_helper_precedes_exercise_and_does_not_solve_it(id, helper):
    """A declared helper comes before and does not the work of the exercise itself."""
    order = [e.id for e in registry.sheet(id[:2]).exercises]
    assert order.index(helper) < order.index(id)
    exercise, right = registry.exercise(id), registry.exercise(helper).reference
    declared = right_helpers.declared(id[:2])
    assert set(declared.get(helper.partition(".")[2], ())) <= set(declared[id.partition(".")[2]])
    cases = exercise.cases(np.random.default_rng(0))
    count = len(right_helpers._names(registry.exercise(helper)))
    for chosen in permutations(range(len(cases[0].arguments)), min(count, len(cases[0].arguments))):
        assert not all(_same_as(exercise, case, right, chosen) for case in cases), chosen


def _same_as(exercise, case, helper, chosen):
    """Return whether a helper, called with some of the arguments, gives the right output of a case."""
    expected = run(exercise, exercise.reference, case.arguments).output
    try:
        with np.errstate(divide="ignore", invalid="ignore"):  # most arguments are not meant for the helper
            return same(plain(helper(*(case.arguments[i] for i in chosen))), expected, exercise.tolerance)
    except Exception:
        return False


# attacks --------------------------------------------------------------------------------------------

HEAD = "def attention_weights(Q, K):\n    "
SILLY = {
    "zeros": "return np.zeros((len(Q), len(K)))",
    "one number": "return np.full((len(Q), len(K)), 1 / len(K) if len(K) == 3 else 0.25) * 0 + 7",
    "another shape": "return softmax(K @ Q.T)",
    "nothing": "return None",
    "an error": "raise ValueError('no')",
    "chance": "return np.random.default_rng().random((len(Q), len(K)))",
    "the shape alone": "return np.arange(len(Q) * len(K)).reshape(len(Q), len(K)) / 100.0",
    "what it is given": "return Q",
    "a function": "return softmax",
}


@isolated
@pytest.mark.parametrize("body", SILLY.values(), ids=SILLY)
def test_missing_helper_costs_as_much_as_wrong_one(body):
    """What builds on it was work of its own; and else deleting such a helper would gain points."""
    rows = graded(answers(attention_weights=HEAD + body + "\n"))
    assert rows["attention_weights"]["points"] == 0
    assert points(rows) == 13 + 8


@isolated
@pytest.mark.parametrize("gone", ["deleted", "stub", "ends its process", "never ends"])
def test_missing_helper_costs_what_a_wrong_one_costs(gone):
    texts = {
        "deleted": None,
        "stub": "def attention_weights(Q, K):\n    raise NotImplementedError\n",
        "ends its process": VANISHES.replace("def qkv(X, W_q, W_k, W_v)", "def attention_weights(Q, K)"),
        "never ends": "def attention_weights(Q, K):\n    while True:\n        pass\n",
    }
    rows = graded(answers(attention_weights=texts[gone]))
    assert rows["attention_weights"]["points"] == 0
    assert points(rows) == 13 + 8, {name: row["rule_message"] for name, row in rows.items()}


@isolated
def test_answers_earn_marks_with_all_helpers_missing():
    """All helpers missing leave the part of what builds on them."""
    rows = graded(answers(attention_weights=None, qkv=None))
    assert rows["self_attention"]["follow_through"]["right_helpers"] == ["qkv", "attention_weights"]
    assert rows["self_attention"]["points"] == 3


@isolated
def test_what_an_answer_asks_right_helpers_for_is_bounded():
    """Else every argument and result is kept, and a notebook of two kilobytes fills the memory."""
    asks = "def self_attention(X, W_q, W_k, W_v):\n    big = np.ones((1000, 500))\n"
    asks += "    for _ in range(200):\n        attention_weights(big[:20], big)\n"
    asks += "    Q, K, V = qkv(X, W_q, W_k, W_v)\n    return attention_weights(Q, K) @ V\n"
    row = graded(answers(attention_weights=UNSCALED, self_attention=asks))["self_attention"]
    assert row["points"] == 0
    assert row["follow_through"]["status"] == "failed"


@isolated
def test_outputs_far_larger_than_expected_are_not_kept():
    large = {name: f"def {name}(*a):\n    return np.zeros(2 << 20)\n" for name in RIGHT if name != "sharpen"}
    settings = SETTINGS | {"sheets": ["05"], "cap": 0}
    marking = Marking(worker.sandbox_for(settings, "05"), settings, "ada", answers(**large).encode()).run()
    assert all(row.status != "passed" for row in marking.tried["05.qkv"])
    assert marking.kept < 1 << 20
    said = [tried for cases in marking.tried.values() for tried in cases if tried.outcome.returned]
    assert said
    assert all("array of shape (2097152,)" in tried.outcome.returned for tried in said)


@isolated
def test_budget_is_one_for_both_markings():
    """A notebook that sleeps, and sleeps again where it is given right helpers, has no second budget."""
    sleeps = "def {}(*a):\n    import time\n    time.sleep(1000)\n"
    texts = {name: sleeps.format(name) for name in RIGHT}
    begun = time.monotonic()
    graded(answers(**texts), budget=8)
    assert time.monotonic() - begun < 12


ALIASES = {
    "the helper": "self_attention = column_attention = attention_row = attention_weights",
    "the helper under another name": "other = attention_weights\n"
    "def self_attention(X, a, b, c):\n    return other(X @ a, X @ b) @ X @ c",
    "the library": "try:\n    from clearhead.maths.attention import scaled_dot_product_attention as s\n"
    "except ImportError:\n    s = None\ndef self_attention(X, a, b, c):\n"
    "    attention_weights(X @ a, X @ b)\n    return s(X @ a, X @ b, X @ c)[0]",
    "the checks": "def self_attention(X, a, b, c):\n    attention_weights(X @ a, X @ b)\n"
    "    from clearhead.sheets.attention.self_attention import EXERCISE\n"
    "    return EXERCISE.reference(X, a, b, c)",
    "the reference behind the helper": "def self_attention(X, a, b, c):\n"
    "    w = attention_weights\n    for name in ('_own', '__wrapped__', '_function', 'function', 'gave'):\n"
    "        got = getattr(w, name, None)\n        if got is not None and got is not w:\n"
    "            return got(X @ a, X @ b) @ X @ c\n    raise ValueError",
    "other helpers by callback": "def self_attention(X, a, b, c):\n    line = attention_weights._connection\n"
    "    for number in [*range(20), *range(1001, 1020)]:\n"
    "        line.send({'is': 'callback', 'number': number}, ([X, a, b, c], {}))\n"
    "        head, value = line.receive()\n        if not head.get('error'):\n            return value\n"
    "    raise ValueError",
}


@isolated
@pytest.mark.parametrize("text", ALIASES.values(), ids=ALIASES)
def test_helpers_do_not_leak_solution(text):
    """Nothing but the helpers of an exercise is to be had and they do not do its work."""
    wrong = answers(attention_weights=UNSCALED, self_attention=None)
    cells = [cell["source"] for cell in json.loads(wrong)["cells"]]
    assert graded(notebook(*cells, RIGHT["self_attention"]))["self_attention"]["points"] == 3
    assert graded(notebook(*cells, text))["self_attention"]["points"] == 0


@isolated
def test_hostile_helper_calls_harm_no_other_answer():
    """What a student asks a helper for ends neither the grader nor other answers."""
    bomb = "def onehot_matmul(E, ids):\n    one_hot(ids, 10**9)\n    return one_hot(ids, len(E)) @ E\n"
    wrong = "def one_hot(ids, size):\n    return np.eye(size)[ids][:, ::-1] if size < 1e6 else 0\n"
    right = "def image_to_vector(image):\n    return image.reshape(-1)\n"
    begun = time.monotonic()
    rows = graded(notebook("import numpy as np", wrong, bomb, right), "01")
    assert rows["onehot_matmul"]["points"] == 0
    assert rows["image_to_vector"]["status"] == "passed"
    assert time.monotonic() - begun < 30
    large = "def onehot_matmul(E, ids):\n    return one_hot(np.zeros(2**21, int), len(E)) @ E\n"
    rows = graded(notebook("import numpy as np", wrong, large, right), "01")
    assert "larger" in str(rows["onehot_matmul"]) or rows["onehot_matmul"]["points"] == 0


def test_sandboxes_of_students_and_helpers_are_separate():
    """The sandbox of a student has no right helper in it and that of helpers no student."""
    settings = SETTINGS | {"sheets": ["05"]}
    own, right = worker.config(settings, "05"), right_helpers.config(settings, "05")
    assert not [m for m in own["modules"] if m.endswith((".attention_weights", ".qkv", ".maths.attention"))]
    assert not [path for path in own["modules"].values() if str(path).endswith(".md")]
    assert set(right["exercises"]) == {"05.qkv", "05.attention_weights", "05.self_attention"}
    assert not [path for path in right["modules"].values() if "/sheets/attention/" in str(path)]


def test_answer_that_leaves_work_to_helper_earns_nothing():
    """No declared helper can, so this is shown on a made-up pair."""
    X, Y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    case, outcome = SimpleNamespace(arguments=(X, 3)), SimpleNamespace(output=Y)
    passed = [SimpleNamespace(passed=True, case=case, outcome=outcome)] * 2
    found = follow_through.FollowThrough.__new__(follow_through.FollowThrough)
    found.exercises = {"a": SimpleNamespace(tolerance=1e-6)}
    found.right = SimpleNamespace(gave={"b": [([X], Y)]})
    assert found._did_all("a", passed)
    for other in (([X], X), ([X + 1], Y)):
        found.right.gave = {"b": [other]}
        assert not found._did_all("a", passed)
    row = {"own_points": 0, "max_points": 5, "rule": "own"}
    row = marks.with_follow_through(row, ["b"], 5, "refused", 0.6, follow_through.DID_ALL)
    assert row["follow_through"]["points"] == 0
    assert row["rule"] == "own"
    assert "no work was left" in row["rule_message"]


@isolated
def test_sleeping_notebook_stays_within_budget():
    """A notebook that only sleeps is done within its budget and later answers are tried."""
    sleeps = {
        name: f"def {name}(*a):\n    import time\n    time.sleep(1000)\n"
        for name in ("qkv", "attention_weights")
    }
    begun = time.monotonic()
    rows = graded(answers(**sleeps), budget=8)
    assert time.monotonic() - begun < 14
    assert rows["qkv"]["status"] == "timeout"
    assert rows["attention_row"]["status"] == rows["sharpen"]["status"] == "passed"
