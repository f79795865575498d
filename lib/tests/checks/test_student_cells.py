"""What `check` accepts in Jupyter, the page and the grader accept: one table of cells for all readers."""

import ast
import gc
import json
import re
import subprocess
import sys
from time import process_time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clearhead.checks import diagnosis, registry
from clearhead.grading.commands.example import IMPORTS, RIGHT, answers, notebook
from clearhead.grading.mark import worker
from clearhead.sandbox import reading, student_process, syntax
from clearhead.sandbox.isolation import problem
from support.places import ROOT
from support.student_cells import ALL, CELLS

pytest.importorskip("IPython")
isolated = pytest.mark.skipif(bool(problem()), reason="needs bubblewrap")
EXERCISE = registry.exercise("05.sharpen")
SETTINGS = {
    "sheets": ["05"],
    "secret": "s",
    "seconds": 5,
    "megabytes": 1024,
    "partial": False,
    "isolated": True,
}


class Silent:
    """Takes what a student process sends."""

    def send(self, head, value=None):
        """Drop it."""


def passes(namespace):
    """Return whether the answer in a namespace is right."""
    found = namespace.get(EXERCISE.answer_name)
    return callable(found) and diagnosis.diagnose(EXERCISE, found, 1).passed


@pytest.fixture(scope="module")
def shell():
    """IPython's own shell."""
    from IPython.core.interactiveshell import InteractiveShell

    made = InteractiveShell()
    made.enable_matplotlib = lambda *_, **__: ("", "")
    return made


@pytest.mark.parametrize("name", CELLS)
def test_jupyter_says_what_the_table_says(shell, name, capsys):
    shell.reset(new_session=False)
    for source in ALL[name][0]:
        shell.run_cell(source)
    assert passes(shell.user_ns) is ALL[name][1]


@pytest.mark.parametrize("name", ALL)
def test_the_grader_says_what_jupyter_says(name):
    cells, right = ALL[name]
    namespace, _ = student_process._run_cells(Silent(), cells, set(), {"sharpen"}, False)
    assert passes(namespace) is right


@pytest.mark.parametrize("name", ALL)
def test_with_definitions_only_an_answer_is_the_same_or_missing(name):
    cells, right = ALL[name]
    namespace, _ = student_process._run_cells(Silent(), cells, set(), {"sharpen"}, True)
    assert "sharpen" not in namespace or passes(namespace) is right


@pytest.mark.parametrize("name", ALL)
def test_the_page_finds_the_answer_that_counts(name):
    cells, right = ALL[name]
    found, said = reading.answers(notebook(*cells).encode(), {"05.sharpen": "sharpen"}, other_cells=[IMPORTS])
    namespace, _ = student_process._run_cells(
        Silent(), [IMPORTS, found.get("05.sharpen", "")], set(), {"sharpen"}, False
    )
    assert passes(namespace) is right
    assert found or said


@isolated
def test_last_definition_counts_in_real_run():
    """The last word of a student counts in a real run."""

    def marks(*cells):
        rows = worker.grade("ada", {"05": notebook(IMPORTS, *cells).encode()}, [], SETTINGS)[0]["exercises"]
        return {row["id"]: row["status"] for row in rows}["05.sharpen"]

    assert marks(*ALL["an alias after a wrong def"][0]) == "passed"
    assert marks(*ALL["wrong by a later lambda"][0]) != "passed"


def manager():
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager()


def theirs(source):
    """Return the statements that IPython makes of a cell, or None."""
    try:
        return ast.dump(ast.parse(manager().transform_cell(source)))
    except (SyntaxError, ValueError):
        return None


def ours(source):
    """Return the statements that we make of a cell, or None."""
    try:
        return ast.dump(syntax.module(source)[0])
    except SyntaxError:
        return None


LINES = [
    "x = 1",
    "    y = 2",
    "if x:",
    "    !ls",
    "\t!ls",
    "!ls",
    "!!ls -l",
    "!echo it's",
    "!echo (",
    '!echo """',
    "%time f(x)",
    "%matplotlib inline",
    "x = !ls",
    "a, b = !ls",
    "x = %timeit -o 1",
    "x = %time \\",
    "x = \\",
    "!pip install \\",
    "   numpy",
    "?np",
    "np?",
    "np.log??",
    "np.l*?",
    "%time?",
    "!ls?",
    "x = np?",
    "x = 'what?'",
    "x = 5  # really?",
    "'''",
    "s = '''",
    '"""!ls',
    "x = (1 +",
    "%b)",
    "[",
    "]",
    "def f():",
    "    return 1",
    ">>> x = 1",
    "... y = 2",
    "In [1]: x = 1",
    "   ...: y = 2",
    "",
    "   ",
    "await f()",
    "x %= 3",
    "x != 2",
    "y = f'{x!r}'",
    "lambda a=1: a",
    "/f a b",
    ",f a b",
    ";f a b",
    "# comment (",
    "x;",
    "é = 1",
    "é?",
    "$x",
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=7))
def test_a_cell_is_rewritten_as_ipython_rewrites_it(lines):
    source = "\n".join(lines)
    assume(not re.search(r"= \\\n.*\?$", source, re.M))  # a question that is assigned over two lines
    unclosed = re.search(r'echo [("]|^x = \(1|^\[$', source, re.M)
    assume(not ("?" in source and unclosed))  # there IPython drops the lines before the question
    expected, found = theirs(source), ours(source)
    docstring = ">>>" in source and expected is None  # we read more of what mixes prompts and strings
    assert found == expected or docstring


@pytest.mark.parametrize("line", LINES)
def test_each_line_alone_is_rewritten_as_ipython_rewrites_it(line):
    assert ours(line) == theirs(line)


HUGE = [
    "!echo (\n",
    "(",
    '!echo """\n',
    "x?\n",
    "'\n",
    "'''a\n",
    "x = !(\n",
    ">>> x\n",
    "a.",
    "%%time\n",
    "!a\\\n",
    "x(?\n",
    "\\'",
    '!\\"',
    "x = \\\n",
    " ",
]


@pytest.mark.parametrize("part", HUGE)
def test_the_cost_of_a_cell_grows_with_its_length_only(part):
    """The least of three measurements counts, without the collector, whose cost is that of other tests."""

    def seconds(count):
        measured = []
        for _ in range(3):
            begun = process_time()
            ours(part * count + "?")
            measured.append(process_time() - begun)
        return min(measured)

    gc.collect()
    gc.disable()
    try:
        assert seconds(8000) < 40 * max(seconds(1000), 0.02)
    finally:
        gc.enable()


@pytest.mark.parametrize("cell", ["x = '{}'", 'x = """{}"""', "x ={}1", "!echo '{}"])
def test_reading_a_long_cell_takes_little_memory(cell):
    """A group of a regular expression that repeats for each character takes a hundred times the text."""
    text = cell.format((" " if "{}1" in cell else "x") * (4 << 20))
    code = "import resource, sys; from clearhead.sandbox import syntax; text = sys.stdin.read()\n"
    code += "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; syntax.python_of(text)\n"
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) << 10 < 20 * len(text)


def test_a_line_number_is_that_of_the_cell():
    with pytest.raises(SyntaxError) as error:
        syntax.module("\n\n%%time\n!a \\\n b\nx = (\n")
    assert error.value.lineno == 6
    tree, _ = syntax.module("\n%%time\n!a \\\n b\nx = 1\n")
    assert tree.body[-1].lineno == 5


BROKEN = [None, 5, [], {}, {"cell_type": "code"}, {"cell_type": "code", "source": None}]
BROKEN += [{"cell_type": "code", "source": text} for text in (7, {"a": 1}, [None, 3, "x = 1\n"], "\ud800")]


@pytest.mark.parametrize("broken", [None, 5, [], {}, {"cells": None}, {"cells": 1}, {"cells": [None]}])
def test_broken_worksheet_of_nbformat_3_costs_no_other(broken):
    whole = {"cells": [{"cell_type": "code", "input": RIGHT["qkv"]}]}
    raw = json.dumps({"worksheets": [broken, whole, broken], "nbformat": 3}).encode()
    assert [text for text in reading.sources(raw)[0] if text] == [RIGHT["qkv"]]


@isolated
@pytest.mark.parametrize("cell", BROKEN, ids=json.dumps)
def test_a_broken_cell_costs_no_other(cell):
    book = json.loads(answers())
    book["cells"].insert(1, cell)
    book["metadata"] = {"x": float("nan")}
    marks, _ = worker.grade("ada", {"05": json.dumps(book).encode()}, [], SETTINGS)
    assert marks["points"] == marks["max_points"]


@isolated
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_notebook_in_another_unicode_is_read(encoding):
    marks, _ = worker.grade("ada", {"05": answers().encode(encoding)}, [], SETTINGS)
    assert marks["points"] == marks["max_points"]


def _raw():
    book = json.loads(answers())
    next(cell for cell in book["cells"] if "def sharpen" in cell["source"])["cell_type"] = "raw"
    return json.dumps(book)


NOTED = {
    "a raw cell": (_raw(), "A raw cell with `def sharpen` was not run: in Jupyter, change its type to Code."),
    "two lists of cells": (
        answers()[:-2] + ', "cells": []}',
        "The file has several lists of cells; as in Jupyter, only the last one counts.",
    ),
    "merge marks": (
        answers().replace('"cells"', '\n<<<<<<< HEAD\n"cells"', 1),
        "The file contains the markers of an unfinished merge (<<<<<<<, >>>>>>>): resolve it in git.",
    ),
    "cut short": (answers()[:-40], "its JSON is damaged, perhaps cut short."),
    "a magic that keeps no names": (
        answers(sharpen="%%timeit\n" + RIGHT["sharpen"]),
        "`%%timeit` keeps no names, in Jupyter as here: take it out.",
    ),
}


@isolated
@pytest.mark.parametrize("name", NOTED)
def test_a_student_is_told_why_nothing_was_found(name):
    text, words = NOTED[name]
    marks, _ = worker.grade("ada", {"05": text.encode()}, [], SETTINGS)
    assert marks["points"] < marks["max_points"]
    assert words in " ".join(marks["notes"])


def test_page_says_which_answers_are_missing_and_why():
    """The page says which answers it did not find and why."""
    text = notebook(IMPORTS, "def qkv(X):\n    raise NotImplementedError", RIGHT["sharpen"], "x = 1")
    found, said = reading.answers(
        text.encode(), {"05.qkv": "qkv", "05.sharpen": "sharpen", "05.row": "row"}, [IMPORTS]
    )
    assert found == {"05.sharpen": RIGHT["sharpen"]}
    assert said == ["05.qkv: `qkv` is still the stub.", "05.row: no code cell defines `row`."]
    none, said = reading.answers(notebook("x = 1").encode(), {"05.qkv": "qkv"})
    assert none == {}
    assert said[0].startswith("It contains no answer to an exercise of this sheet.")


def test_a_scratch_cell_between_answer_and_check_is_no_answer():
    cells = [
        IMPORTS,
        RIGHT["sharpen"],
        "sharpen(np.ones(2), np.ones(2), np.zeros(2), 0.5)",
        "check('05.sharpen', sharpen)",
    ]
    text = notebook(*cells).replace('"metadata": {}', '"metadata": {"score": NaN}')
    found, _ = reading.answers(text.replace("\\n", "\\r\\n").encode(), {"05.sharpen": "sharpen"}, [IMPORTS])
    assert syntax.lines_of(found["05.sharpen"]) == syntax.lines_of(RIGHT["sharpen"])


def test_arrays_named_like_answers_are_not_loaded():
    """Arrays under the name of an answer are no answer to load."""
    cells = [RIGHT["attention_weights"], "attention_weights = attention_weights(np.eye(2), np.eye(2))"]
    found, _ = reading.answers(notebook(*cells).encode(), {"w": "attention_weights"})
    assert found == {"w": RIGHT["attention_weights"]}


BY_TORCH = """import torch
def attention_weights(Q, K):
    return torch.softmax(torch.tensor(Q @ K.T / np.sqrt(Q.shape[-1])), -1).numpy()
"""
BY_SCIPY = """from IPython.display import display
from scipy.special import softmax as rows
def attention_weights(Q, K):
    return rows(Q @ K.T / np.sqrt(Q.shape[-1]), axis=-1)
"""
DRAWS = """import matplotlib.pyplot as plt
def qkv(X, W_q, W_k, W_v):
    plt.figure()
    plt.title("one")
    plt.savefig("picture.png")
    plt.close()
    return X @ W_q, X @ W_k, X @ W_v
"""
PACKAGES = {
    "torch": {"attention_weights": BY_TORCH},
    "scipy": {"attention_weights": BY_SCIPY},
    "matplotlib": {"qkv": DRAWS},
}


@isolated
@pytest.mark.parametrize("package", PACKAGES)
def test_an_answer_may_use_what_the_course_has_installed(package):
    pytest.importorskip(package)
    marks, _ = worker.grade("ada", {"05": answers(**PACKAGES[package]).encode()}, [], SETTINGS)
    assert marks["points"] == marks["max_points"], marks["notes"]


@isolated
def test_submissions_cannot_change_state_of_packages():
    """What a package keeps is out of the reach of submissions."""
    here = (
        {ROOT.parts[2]} if ROOT.parts[:2] == ("/", "tmp") else set()
    )  # a copy in /tmp is shown at its place
    leaves = f"import os\nimport matplotlib\nleft = set(os.listdir('/tmp')) - {here}\nassert not left, left\n"
    text = notebook(IMPORTS, leaves + RIGHT["qkv"])
    marks, _ = worker.grade("ada", {"05": text.encode()}, [], SETTINGS)
    assert not any("AssertionError" in note for note in marks["notes"]), marks["notes"]


@pytest.mark.parametrize("number", registry.numbers())
def test_unchanged_sheet_needs_no_optional_package(number):
    """A sheet as it is given out asks for no large package."""
    raw = (ROOT / "exercises" / f"{registry.file_stem(number)}.ipynb").read_bytes()
    assert set(worker.optional_packages(number, raw)) <= {"sklearn"}
    raw = b"import torch\nfrom matplotlib import pyplot"
    assert worker.optional_packages("05", raw) == ("torch", "matplotlib")


def whole_numbers(value):
    """Return the largest integer of each array of integers in a case's arguments."""
    if isinstance(value, np.ndarray):
        return [int(np.abs(value.astype(object)).max())] if value.dtype.kind in "iu" and value.size else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return [largest for part in parts for largest in whole_numbers(part)]


@pytest.mark.parametrize("number", registry.numbers())
def test_squares_of_drawn_integers_fit_into_32_bits(number):
    """No check draws integers whose squares need more than 32 bits."""
    for exercise in registry.sheet(number).exercises:
        cases = [] if exercise.needs else exercise.cases(np.random.default_rng(0))
        if exercise.id == "11.shift_right":  # ids of tokens, which no answer multiplies
            continue
        assert all(n**2 < 2**31 for case in cases for n in whole_numbers(case.arguments)), exercise.id
