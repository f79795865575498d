"""The tutor: what it says of an attempt, its policy and its log, and the server with a client of its own."""

import asyncio
import json
import os
import sys

import pytest
from click.testing import CliRunner

from clearhead.errors import UserError
from clearhead.grading.cli import main
from clearhead.grading.gradebook import policy_file
from clearhead.grading.gradebook.policy import TutorPolicy, TutorRule
from clearhead.grading.tutor import trying
from clearhead.grading.tutor.log import Log
from clearhead.grading.tutor.sheet import Tutor
from clearhead.sandbox.isolation import problem
from support.places import LIBRARY
from support.tutoring import tutor_for, write_notebook
from support.users import GRADE

RIGHT = "def qkv(X, W_q, W_k, W_v):\n    return X @ W_q, X @ W_k, X @ W_v\n"
SWAPPED = "def qkv(X, W_q, W_k, W_v):\n    return X @ W_q, X @ W_v, X @ W_k\n"

needs_sandbox = pytest.mark.skipif(bool(problem()), reason="there is no sandbox here")


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    """Keep the progress of the person who runs the tests."""
    monkeypatch.setenv("CLEARHEAD_STATE", str(tmp_path / "state"))


def test_exercises_and_statements_are_those_of_the_notebook(tmp_path):
    tutor = tutor_for(tmp_path, "05")
    said = tutor.exercises()
    assert said.startswith("Sheet 05, Scaled dot-product attention, has 7 exercises.")
    assert "05.qkv: “Three projections”" in said
    assert str(tmp_path / "log.jsonl") in said
    statement = tutor.statement("qkv")
    assert statement == tutor.statement("05.qkv")
    assert "def qkv(X, W_q, W_k, W_v):" in statement
    assert "raise NotImplementedError  # your turn" in statement
    assert "return X" not in statement


def test_notebook_of_no_sheet_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "notes.ipynb"
    path.write_text('{"cells": []}')
    with pytest.raises(UserError, match="contains no check of an exercise"):
        Tutor(path, Log(tmp_path / "log.jsonl"))


@needs_sandbox
def test_check_names_the_mistake_in_the_saved_notebook(tmp_path):
    tutor = tutor_for(tmp_path, "05", {"qkv": SWAPPED})
    said = tutor.check("qkv")
    assert said.startswith("05.qkv: 0 of 3 cases pass.\nThis is a known mistake, `values_before_keys`.")
    assert "- random tokens: does not pass" in said
    assert "Which single line" in tutor.question("qkv")
    write_notebook(tmp_path, "05", {"qkv": RIGHT})
    assert tutor.check("qkv").startswith("05.qkv: your answer passes all 3 cases.")
    assert "Your answer passed its last check." in tutor.exercises()


@needs_sandbox
def test_check_tries_given_code_with_the_answers_of_the_notebook(tmp_path):
    weights = "def attention_weights(Q, K):\n    return softmax(Q @ K.T / np.sqrt(Q.shape[1]))\n"
    tutor = tutor_for(tmp_path, "05", {"qkv": RIGHT, "attention_weights": weights})
    code = (
        "def self_attention(X, *W):\n    Q, K, V = qkv(X, *W)\n    A = attention_weights(Q, "
        "K)\n    return A @ V\n"
    )
    assert "passes all" in tutor.check("self_attention", code)


@needs_sandbox
def test_error_is_explained_without_words_of_the_student_process(tmp_path):
    code = "def qkv(X, W_q, W_k, W_v):\n    return X.T @ W_q, X, X\n"
    said = tutor_for(tmp_path, "05").check("qkv", code)
    assert "Your function raised a ValueError in line 2 of your cell. The inner sizes of a product" in said
    code = "def qkv(X, W_q, W_k, W_v):\n    raise ValueError('the secret word')\n"
    said = tutor_for(tmp_path, "05").check("qkv", code)
    assert "raised a ValueError in line 2" in said
    assert "secret" not in said


@needs_sandbox
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "still raises NotImplementedError"),
        ("del qkv", "does not define `qkv`"),
        ("def qkv(*a):\n    while True: pass", "is there a loop that never ends"),
        ("def qkv(*a):\n    import os; os._exit(3)", "ended its own process"),
        ("def qkv(*a): return None", "Is a `return` missing?"),
        ("def qkv(X, q, k, v): return X @ q", "3 values"),
    ],
)
def test_every_kind_of_failure_has_its_sentence(tmp_path, code, words, monkeypatch):
    monkeypatch.setitem(trying.SETTINGS, "seconds", 1.0)
    assert words.lower() in tutor_for(tmp_path, "05").check("qkv", code).lower()


# hints and the policy ---------------------------------------------------------------------------------------


def attempts(count, begin=0):
    """Return different wrong answers."""
    return [f"def qkv(X, W_q, W_k, W_v):\n    return {number}\n" for number in range(begin, begin + count)]


@needs_sandbox
def test_hints_come_after_different_tries_and_the_last_one_never(tmp_path):
    tutor = tutor_for(tmp_path, "05")
    assert "after 1 more different attempt:" in tutor.hint("qkv")
    tutor.check("qkv", attempts(1)[0])
    assert tutor.hint("qkv").startswith("Hint 1 of 2 for 05.qkv: Tokens are rows.")
    for spaces in ("", " ", "  # again"):
        tutor.check("qkv", attempts(1)[0] + spaces)
    assert "after 2 more different attempts" in tutor.hint("qkv")
    for code in attempts(4, 1):
        tutor.check("qkv", code)
    assert tutor.hint("qkv").startswith("Hint 2 of 2 for 05.qkv: X has shape (T, D)")
    for _ in range(3):
        said = tutor.hint("qkv")
        assert said.startswith("These were all hints that the tutor gives")
        assert "in the order Q, K, V" not in said


@needs_sandbox
def test_policy_sets_hints_names_and_examples(tmp_path):
    rule = TutorRule(hints_after=(), mistake_after=2, examples=0)
    tutor = tutor_for(tmp_path, "05", policy=TutorPolicy(exercises={"05.qkv": rule}))
    assert "known mistake" not in tutor.check("qkv", SWAPPED)
    tutor.check("qkv", attempts(1)[0])
    assert "known mistake" in tutor.check("qkv", SWAPPED)
    assert tutor.hint("qkv").startswith("There are no hints here for 05.qkv.")
    assert tutor.example("qkv").startswith("There is no example to show for 05.qkv.")
    assert "expected result" in tutor.example("attention_weights")


def test_policy_file_has_a_table_for_the_tutor(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text(
        'count = "best"\n[tutor]\nhints_after = [2]\nmistake_after = 3\n'
        '[tutor.exercises."05.qkv"]\nexamples = 0\n'
    )
    policy = policy_file.read(path).tutor
    assert policy.rule("05.sharpen") == TutorRule((2,), 3, 1)
    assert policy.rule("05.qkv") == TutorRule((2,), 3, 0)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("hints = 3", "unknown entry 'hints'"),
        ("hints_after = 3", "must be a list"),
        ("hints_after = [3, 1]", "must not decrease"),
        ("hints_after = [1.5]", "must be an integer"),
        ("examples = 9", "from 0 to 2"),
        ('exercises = {"05.nothing" = {}}', "no exercise '05.nothing'"),
        ('exercises = {"05.qkv" = 3}', "must be a table"),
    ],
)
def test_wrong_entry_of_the_policy_is_named(tmp_path, entry, words):
    path = tmp_path / "policy.toml"
    path.write_text(f"[tutor]\n{entry}\n")
    with pytest.raises(UserError, match=r"policy\.toml: ") as caught:
        policy_file.read(path)
    assert words in str(caught.value)


# the log ----------------------------------------------------------------------------------------------------


@needs_sandbox
def test_log_is_private_readable_and_remembers_earlier_sessions(tmp_path):
    tutor = tutor_for(tmp_path, "05")
    tutor.check("qkv", SWAPPED)
    said = tutor.hint("qkv")
    path = tmp_path / "log.jsonl"
    first, *entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert "nothing in it is sent anywhere" in first["about"]
    assert entries[0]["code"] == SWAPPED
    assert entries[-1]["said"] == said
    assert path.stat().st_mode & 0o777 == 0o600
    assert "1 different attempt and 1 hint" in tutor_for(tmp_path, "05").exercises()


def test_damaged_log_is_kept_and_ignored(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"about": 1}\n[]\nnot JSON\n{"exercise": "05.qkv", "attempt": 3, "hint": "x"}\n')
    tutor = tutor_for(tmp_path, "05")
    assert "has not seen an attempt" in tutor.exercises()
    assert path.read_text().startswith('{"about": 1}\n[]\nnot JSON\n')


def test_log_that_cannot_be_written_is_kept_in_memory(tmp_path):
    log = Log(tmp_path)  # a folder
    log.add(exercise="05.qkv", attempt="a")
    assert log.tries("05.qkv") == 1
    assert not log.writable


# the command and the server ---------------------------------------------------------------------------------


def test_missing_package_is_named_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = CliRunner().invoke(main, ["tutor", str(write_notebook(tmp_path, "05"))])
    assert done.exit_code == 1
    assert done.output == "Error: The tutor needs one more package: pip install 'clearhead[tutor]'\n"


@needs_sandbox
def test_real_client_gets_help_over_stdio(tmp_path):
    """The client of the official package starts the command, and calls each tool and each resource."""
    mcp = pytest.importorskip("mcp")
    stdio = pytest.importorskip("mcp.client.stdio")
    notebook = write_notebook(tmp_path, "05", {"qkv": SWAPPED + "print('to standard output')\n"})
    (tmp_path / "policy.toml").write_text("[tutor]\nhints_after = [0]\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(LIBRARY), *filter(None, sys.path)])}
    command = stdio.StdioServerParameters(
        command=sys.executable, args=["-c", GRADE, "tutor", str(notebook)], env=dict(environment)
    )

    async def talk():
        async with mcp.Client(command) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            said = {"list": (await client.call_tool("list_exercises", {})).content[0].text}
            for name in tools - {"list_exercises"}:
                result = await client.call_tool(name, {"exercise": "05.qkv"})
                said[name] = result.content[0].text
            wrong = await client.call_tool("get_hint", {"exercise": "../../solutions"})
            resource = await client.read_resource("tutor://statement/qkv")
            return said, wrong.content[0].text, resource.contents[0].text, client.instructions

    said, wrong, resource, instructions = asyncio.run(talk())
    assert "known mistake, `values_before_keys`" in said["check_answer"]
    assert said["get_hint"].startswith("Hint 1 of 1 for 05.qkv")
    assert said["get_statement"] == resource
    assert "is no exercise of this sheet" in wrong
    assert "Teach, and do not solve" in instructions
    assert set(said) == {
        "list",
        "check_answer",
        "get_example",
        "get_hint",
        "get_question",
        "get_section",
        "get_statement",
    }
    assert (tmp_path / "state" / "tutor_05_attention.jsonl").is_file()
