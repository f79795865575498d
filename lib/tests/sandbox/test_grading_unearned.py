"""Points that were once had without an answer: each attack, and what it gets now."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from clearhead.checks import diagnosis, recorded, registry, verdicts
from clearhead.checks.running import Outcome
from clearhead.grading.cli import main
from clearhead.grading.commands.example import IMPORTS, RIGHT, answers, notebook
from clearhead.grading.mark import marking, marks, outcomes, worker
from clearhead.sandbox import bwrap_config
from clearhead.sandbox.isolation import problem
from support import hostile_ideas  # noqa: F401 - enters more of them
from support.hostile_answers import HOSTILE

missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
SETTINGS = {"secret": "s", "seconds": 5, "megabytes": 2048, "partial": True, "isolated": True}
PATIENT = {"seconds": 30}  # where memory is asked about, and a busy machine must not end an honest answer


def graded(number, *cells, **changed):
    """Return the marks of a notebook for one sheet, by entry."""
    settings = SETTINGS | {"sheets": [number]} | changed
    found, _ = worker.grade("eve", {number: notebook(*cells).encode()}, [], settings)
    assert found["status"] == "graded", found["notes"]
    return {row["id"].partition(".")[2]: row for row in found["exercises"]}


# S1: several sheets in one run ------------------------------------------------------------------------------

OF_THE_LIBRARY = "from clearhead.maths.heads import split_heads, merge_heads\n"
OF_THE_LIBRARY += "from clearhead.maths.transformer import layer_norm, gelu, encoder_block as block\n"


@isolated
def test_sheets_of_one_run_do_not_share_imports():
    """What one sheet may import another of the same run may not."""
    settings, raw = SETTINGS | {"sheets": ["06", "08", "13"]}, notebook(OF_THE_LIBRARY).encode()
    found, _ = worker.grade("eve", dict.fromkeys(settings["sheets"], raw), [], settings)
    worker.drop_sandboxes()
    assert (found["status"], found["points"]) == ("graded", 0)


# S2: a second notebook -------------------------------------------------------------------------------------


@isolated
def test_feedback_on_one_notebook_does_not_solve_another():
    """What feedback reported of one notebook answers nothing of the next."""
    told, stage = [], IMPORTS
    for _ in range(3):
        counting = f"told, calls = {told}, []\ndef sharpen(*a):\n    calls.append(1)\n"
        row = graded(
            "05", stage, counting + "    return told[len(calls) - 1] if len(calls) <= len(told) else 0"
        )
        row = row["sharpen"]
        assert row["points"] <= 1, "the case worked by hand is printed in the library"
        says = [case["message"] for case in row["cases"]]
        told = [float(n) for text in says for n in re.findall(r"[Ee]xpected (-?[\d.]+), got", text)]
        assert len(told) <= 1


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("Expected 0.300339, got 0.", "Got 0."),
        (
            "2 of 4 entries are wrong. The largest error is at [0, 1]: expected 2.5, got -1.",
            "2 of 4 entries are wrong. The largest error is at [0, 1]: got -1.",
        ),
        ("Expected (3, 4, 5), got (3, 4).", "Got (3, 4)."),
        ("Expected 'ab, got cd', got 'x'.", "Got 'x'."),
        ("Expected shape (2, 3), got shape (3, 2).", None),
        ("In result['h'], expected an array of numbers, got the string 'x'.", None),
        ("Your function changed its argument `X`: work on a copy.", None),
        ("Expected a ValueError to be raised, got 0.5.", "Got 0.5."),
    ],
)
def test_hidden_case_reveals_shape_but_not_value(says, told):
    """What is right in a hidden case is not reported but its shape is."""
    assert marks.hide_expected_value(says) == (told or says)


# S3: what is said beside the answer ------------------------------------------------------------------------

SAYS_YES = """
import numpy as np
class Yes:
    def __getattr__(self, name): return lambda *a, **k: self
    def __gt__(self, other): return self
    __lt__ = __sub__ = __rsub__ = __gt__
    def __bool__(self): return True
    def __float__(self): return 1.0
def counterfactual_attention(a, V):
    np.asarray, np.abs = (lambda x, *b, **k: x), (lambda x: Yes())
    return a
"""


@isolated
def test_facts_are_computed_outside_student_process():
    """Facts about an output are computed where the answer cannot reach."""
    assert graded("14", SAYS_YES)["counterfactual_attention"]["points"] == 0
    assert not registry.exercise("14.counterfactual_attention").driver


def test_facts_that_cannot_be_computed_fail_the_case():
    exercise = registry.exercise("14.counterfactual_attention")
    case = exercise.cases(__import__("numpy").random.default_rng(0))[0]
    for output in ("x", [1.0, 2.0], {"a": 1}, 7.0):
        assert not outcomes.judge_outcome(exercise, case, Outcome(output)).passed


IN_PLACE = """
import numpy as np
def adamw_step(w, g, m, v, t, rate, decay):
    m *= 0.9
    m += 0.1 * g
    v *= 0.99
    v += 0.01 * g**2
    step = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return w - rate * (step + decay * w), m, v
"""


@isolated
def test_writing_into_arguments_that_a_driver_makes_fails():
    """A class is marked as the check in the notebook judges."""
    cases = graded("16", IN_PLACE)["adamw_step"]["cases"]
    assert [case["status"] for case in cases] == ["failed", "passed", "failed", "failed"]
    assert "changed its arguments `m` and `v`" in cases[0]["message"]


FORGED_MEMORY = """
import numpy as np, tracemalloc
tracemalloc.get_traced_memory = lambda: (0, 0)
def chunked_attention(Q, K, V, chunk):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    s -= s.max(1, keepdims=True)
    np.exp(s, out=s)
    return s @ V / s.sum(1, keepdims=True)
def linear_attention(Q, K, V):
    f = lambda x: np.exp(np.minimum(x, 0)) + np.maximum(x, 0)
    t = f(Q) @ f(K).T
    return t @ V / t.sum(1, keepdims=True)
"""


@isolated
@pytest.mark.parametrize("entry", ["chunked_attention", "linear_attention"])
def test_memory_is_measured_by_the_kernel(entry):
    row = graded("12", FORGED_MEMORY, partial=False)[entry]
    assert (row["status"], row["points"]) == ("error", 0)
    assert [c["status"] for c in row["cases"] if c["status"] != "passed"] == ["error"]
    assert "MemoryError" in row["cases"][-1]["message"]


ONLINE = """
import numpy as np
def online_softmax(pieces):
    highest, total = -np.inf, 0.0
    for piece in PIECES:
        before, highest = highest, max(highest, piece.max())
        total = total * np.exp(before - highest) + np.exp(piece - highest).sum()
    return highest, total
"""
FORGE = "import mmap, os, tracemalloc\ntracemalloc.get_traced_memory = lambda: (0, 0)\n"
IN_PIPES = """
def stored(pieces):
    ends = []
    for piece in pieces:
        ends.append(os.pipe())
        os.set_blocking(ends[-1][1], False)
        os.write(ends[-1][1], piece.tobytes())
    return [np.frombuffer(os.read(end, 1 << 16)) for end, _ in ends]
"""
IN_A_FILE = """
def stored(pieces):
    with open("/tmp/pieces", "wb") as file:
        for piece in pieces: piece.tofile(file)
    return [np.fromfile("/tmp/pieces", offset=8 * n, count=4096) for n in range(0, 1 << 19, 4096)]
"""
IN_SOCKETS = """
import socket
def stored(pieces):
    ends = [end for _ in range(2) for end in socket.socketpair()]
    for end in ends: end.setblocking(False)
    for piece in pieces:
        for end in ends:
            try: end.send(piece.astype(np.float16).tobytes())
            except BlockingIOError: continue
            break
        yield piece
"""
IN_A_CHILD = """
def stored(pieces):
    ends = os.pipe()
    for piece in pieces:
        if not os.fork():
            kept = piece.copy()
            os.read(ends[0], 1)
"""
RESERVED = """
buffer = mmap.mmap(-1, 16 << 20)
def stored(pieces):
    kept, n = np.frombuffer(buffer), 0
    for piece in pieces:
        kept[n : n + len(piece)] = piece
        n += len(piece)
    return [kept[:n]]
"""
UNBOUND = """
import resource
for most in (resource.RLIM_INFINITY, 1 << 40):
    for what in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        try: resource.setrlimit(what, (most, most))
        except (ValueError, OSError): pass
"""
UNMAPPED = """
import ctypes
def unmapped():
    unmap = ctypes.CDLL(None).munmap
    unmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    with open("/proc/self/maps") as file: lines = file.read().splitlines()
    for line in lines:
        if "openblas" in line or "libgfortran" in line:
            begin, end = (int(part, 16) for part in line.split()[0].split("-"))
            unmap(begin, end - begin)
def kept(pieces):
    unmapped()
    return [piece.copy() for piece in pieces]
"""
UNMAPPED_AND_SHARED = (
    UNMAPPED
    + """
import time
buffers = []
def stored(pieces):
    if not buffers:
        unmapped()
        buffers.append(np.frombuffer(mmap.mmap(-1, 16 << 20)))
    buffer, n = buffers[0], 0
    for piece in pieces:
        buffer[n : n + len(piece)] = piece
        n += len(piece)
    time.sleep(0.3)
    return [buffer[i : min(n, i + 4096)] for i in range(0, n, 4096)]
"""
)


@isolated
@pytest.mark.parametrize(
    ("more", "pieces"),
    [
        ("", "[piece.copy() for piece in pieces]"),
        (UNMAPPED, "kept(pieces)"),
        (UNMAPPED_AND_SHARED, "stored(pieces)"),
        (UNBOUND, "[piece.copy() for piece in pieces]"),
        (RESERVED, "stored(pieces)"),
        (IN_PIPES, "stored(pieces)"),
        (IN_A_FILE, "stored(pieces)"),
        (IN_A_CHILD, "stored(pieces)"),
        (IN_SOCKETS, "stored(pieces)"),
    ],
    ids=[
        "lies",
        "unmaps libraries",
        "shares what it unmapped for a while",
        "raises its limits",
        "reserves",
        "in pipes",
        "in a file",
        "in a child",
        "in sockets",
    ],
)
def test_answer_that_stores_stream_runs_out_of_memory(more, pieces):
    """Who keeps a stream runs out of memory whatever it says of itself."""
    row = graded("12", FORGE + more + ONLINE.replace("PIECES", pieces), partial=False)["online_softmax"]
    assert (row["status"], row["points"]) in {("error", 0), ("memory", 0), ("crashed", 0)}


TWICE = """
def online_softmax(pieces):
    own = pieces.gi_frame.f_locals
    scores, sizes = own["scores"], own["sizes"]
    ANEW
    highest = max(piece.max() for piece in anew())
    return highest, sum(np.exp(piece - highest).sum() for piece in anew())
"""
FROM_THE_SEED = """draw = lambda: np.random.default_rng(scores).normal
    anew = lambda: map(lambda normal, size: normal(size=size), [draw()] * len(sizes), sizes)"""
BY_ASKING_AGAIN = "anew = lambda: (scores() for _ in sizes)"


@isolated
@pytest.mark.parametrize("anew", [FROM_THE_SEED, BY_ASKING_AGAIN], ids=["seed", "function"])
def test_stream_of_the_grader_cannot_be_read_twice(anew):
    """The variables of the generator are open to the answer: they hold neither scores nor seed."""
    row = graded("12", "import numpy as np", TWICE.replace("ANEW", anew), **PATIENT)["online_softmax"]
    assert (row["status"], row["points"]) == ("error", 0)


@isolated
@pytest.mark.parametrize("name", ["memory in many processes", "memory in children that nobody may look into"])
@pytest.mark.parametrize(("numbers", "waits", "status"), [(15, True, "memory"), (0.1, False, "passed")])
def test_memory_of_all_processes_counts_together(name, numbers, waits, status):
    """A process that forbids to look counts with all that it shares, so only a few of them fit."""
    cells = json.loads(HOSTILE[name][0])["cells"]
    texts = ["".join(cell["source"]).replace("15 * 10**6", f"int({numbers} * 10**6)") for cell in cells]
    if not waits:
        texts = [text.replace("1)\n    time.sleep(600)\n", "1)\n") for text in texts]
        texts = [text.replace("range(5)", "range(2)") for text in texts]
    row = graded("05", *texts, megabytes=512, **PATIENT)["sharpen"]
    assert row["status"] == status, row


BY_SCORE = """
def online_softmax(pieces):
    highest, total = -np.inf, 0.0
    for piece in pieces:
        for score in piece:
            if score > highest: highest, total = score, total * np.exp(highest - score) + 1
            else: total += np.exp(score - highest)
    return highest, total
"""
WITH_LITTLE_MEMORY = {
    "an answer that streams": ONLINE,
    "a loop over scores": BY_SCORE,
    "large arrays kept by other cells": "kept = [np.ones((1000, 1000)) for _ in range(40)]\n" + ONLINE,
    "a name that another cell computes": ONLINE.replace("total = -np.inf, 0.0", "total = -np.inf, nothing")
    + "\nnothing = np.zeros(1)[0]\n",
    "the usual imports": "import collections, dataclasses, functools, math, random, time, typing\n" + ONLINE,
}


@isolated
@pytest.mark.parametrize("honest", WITH_LITTLE_MEMORY)
def test_frugal_answer_has_enough_memory_in_any_notebook(honest):
    """Who keeps two numbers has memory enough whatever else the notebook holds."""
    text = WITH_LITTLE_MEMORY[honest].replace("PIECES", "pieces")
    row = graded("12", "import numpy as np", *text.split("\n\n"), partial=False, **PATIENT)
    row = row["online_softmax"]
    assert row["status"] == "passed", row["cases"]


@isolated
@pytest.mark.parametrize("more", ["", "data = [" + "1234," * 200_000 + "]", "# " + "x" * 10**6])
def test_large_notebook_leaves_enough_memory(more):
    """A large notebook is no reason to have no memory left."""
    cells = [more, ONLINE.replace("PIECES", "pieces")]
    cells = [{"cell_type": "code", "source": text, "outputs": ["x" * (6 << 20)]} for text in cells]
    raw, settings = json.dumps({"cells": cells}).encode(), SETTINGS | PATIENT | {"sheets": ["12"]}
    found, _ = worker.grade("eve", {"12": raw}, [], settings)
    worker.drop_sandboxes()
    assert next(row for row in found["exercises"] if row["id"] == "12.online_softmax")["status"] == "passed"


# S4: cases in a known order --------------------------------------------------------------------------------

BY_COUNTING = """
truth = iter([True, False, False, True, True] + 6 * [False])
def is_equivariant(layer, X):
    return next(truth)
"""
BY_NAME = """
def is_equivariant(layer, X):
    return repr(layer) in ("self-attention", "the same small network for each token",
                           "the mean of all tokens, in every row")
"""


@isolated
@pytest.mark.parametrize("attack", [BY_COUNTING, BY_NAME])
def test_call_number_and_names_reveal_no_answer(attack):
    """Neither the number of a call nor a name tells what is right."""
    row = graded("07", attack, partial=False)["is_equivariant"]
    assert (row["status"], row["points"]) == ("failed", 0)
    names = [
        c.name
        for c in registry.exercise("07.is_equivariant").cases(__import__("numpy").random.default_rng(0))
    ]
    assert [case["name"] for case in row["cases"]] == names, "in the page they stand in their order"


# S5: what a sandbox shows --------------------------------------------------------------------------------


def test_sandbox_exposes_only_packages_of_environment_in_course_folder(tmp_path, monkeypatch):
    """Of an environment that is the course folder a sandbox shows packages alone."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    for name in ("", "submissions/ada", "grades", "lib", "bin"):
        assert not bwrap_config.folder_visible_to_students(tmp_path / name)
    for name in ("/usr/src/app/submissions", "/usr/share/course", "/usr/lib/course", "/opt/course"):
        assert not bwrap_config.folder_visible_to_students(name)
    assert bwrap_config.folder_visible_to_students(f"{os.path.dirname(os.__file__)}/class")
    assert bwrap_config.folder_visible_to_students(f"{bwrap_config.package_files(('numpy',))[0]}/class")


@isolated
@pytest.mark.parametrize("which", ["submissions", "out"])
def test_class_that_every_sandbox_would_expose_is_refused(tmp_path, monkeypatch, which):
    (tmp_path / "lib" / "in").mkdir(parents=True)
    (tmp_path / "in").mkdir()
    for place in (tmp_path / "in", tmp_path / "lib" / "in"):
        (place / "ada.ipynb").write_text(answers())
    shown = [*bwrap_config.python_files(), str(tmp_path / "lib")]
    monkeypatch.setattr(bwrap_config, "python_files", lambda: shown)
    places = {"submissions": tmp_path / "in", "out": tmp_path / "out"}
    places[which] = tmp_path / "lib" / places[which].name
    done = CliRunner().invoke(main, ["grade", str(places["submissions"]), "--out", str(places["out"])])
    assert done.exit_code == 1
    assert "every submission can read" in done.output


# memory of the kernel's own, which no limit counts ----------------------------------------------------------

KERNEL = """
import ctypes
kernel = ctypes.CDLL(None, use_errno=True)
def sharpen(*a):
    none, context = ctypes.c_ulong(0), ctypes.c_ulong(0)
    opened = {
        "futex hash": kernel.prctl(78, 1, ctypes.c_ulong(1 << 10), none, none),
        "filter": kernel.prctl(22, 2, ctypes.c_void_p(1), none, none) + (ctypes.get_errno() != 1),
        "another filter": kernel.syscall(317, 1, 0, ctypes.c_void_p(1)) + (ctypes.get_errno() != 1),
        "rules": kernel.syscall(444, (3 << 64).to_bytes(16, "little"), 16, 0),
        "asynchronous": kernel.syscall(206, 8, ctypes.byref(context)),
    }
    raise SystemExit(str([name for name, number in opened.items() if number != -1]))
"""


@isolated
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of calls are those of x86-64")
def test_tables_that_the_kernel_keeps_for_a_process_are_refused():
    assert graded("05", IMPORTS, KERNEL)["sharpen"]["cases"][0]["message"] == "SystemExit: []."
    worker.drop_sandboxes()


MAPS = """
import ctypes, os, time
kernel = ctypes.CDLL(None)
kernel.mmap.restype = ctypes.c_void_p
def sharpen(*a):
    for _ in range(4):
        if not os.fork():
            HIDE
            for turn in range(60_000): kernel.mmap(None, 4096, 1 + turn % 2 * 2, 0x22, -1, 0)
            time.sleep(20)
    time.sleep(20)
    return 0.0
"""


@isolated
@pytest.mark.parametrize("hide", ["pass", "kernel.prctl(4, 0, 0, 0, 0)"])
def test_a_guest_with_too_many_mapped_regions_is_ended(hide):
    """In the second case the processes forbid to look how many they have."""
    row = graded("05", IMPORTS, MAPS.replace("HIDE", hide), seconds=3)["sharpen"]
    worker.drop_sandboxes()
    assert "memory" in {case["status"] for case in row["cases"]}


# what one leaves behind for the next ------------------------------------------------------------------------

LEAVES = """
import os, socket, sys
open("/tmp/answers", "w").write("1")
open("/dev/shm/answers", "w").write("1")
if not os.fork():
    os.setsid()
    line = socket.socket(socket.AF_UNIX)
    line.bind("\\0answers")
    line.listen()
    while True: line.accept()
sys.modules["numpy"].answers = 1
"""
FINDS = """
import os, socket
found = [name for name in os.listdir("/tmp") if name not in OURS]
found += [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) not in (1, os.getpid())]
found += ["module"] if hasattr(np, "answers") else []
try:
    socket.socket(socket.AF_UNIX).connect("\\0answers")
    found.append("line")
except OSError: pass
def sharpen(*a): raise SystemExit(repr(found))
"""


@isolated
def test_next_submission_finds_nothing_of_the_previous():
    """Who comes next into a sandbox finds nothing of who was there."""
    settings = SETTINGS | {"sheets": ["05"]}
    ours = list(Path(worker.__file__).parts[2:3])  # where the library lies below /tmp, it is seen there
    for cells in ([IMPORTS, LEAVES], [IMPORTS, FINDS.replace("OURS", repr(ours))]):
        found, _ = worker.grade("eve", {"05": notebook(*cells).encode()}, [], settings)
    sandboxes = list(worker._open.of.values())
    worker.drop_sandboxes()
    assert len(sandboxes) == 1
    row = next(row for row in found["exercises"] if row["id"] == "05.sharpen")
    assert row["cases"][0]["message"] == "SystemExit: []."


# S8: a mistake that nobody made ----------------------------------------------------------------------------


def test_passed_cases_show_no_mistake_after_timeouts():
    """Cases that passed show no mistake where the others were slow."""
    exercise = registry.exercise("05.attention_weights")
    tried = list(verdicts.try_cases(exercise, exercise.reference, 0).tried)
    for status in ("timeout", "crashed", "memory", "not_attempted"):
        slow = verdicts.CaseResult(tried[-1].case, Outcome(), status, "")
        verdict = diagnosis.with_known_mistake(verdicts.Verdict(exercise, 0, (*tried[:1], slow)))
        assert verdict.mistake is None


# S13: what the grader computes for an answer ---------------------------------------------------------------

LARGE = """
import numpy as np
def is_equivariant(layer, X):
    layer(np.zeros((9000, 3)))
"""


@isolated
def test_callback_accepts_no_more_data_than_was_given(monkeypatch):
    """A function of the graders takes nothing larger than what was given."""
    seen = []
    cases = registry.exercise("07.is_equivariant").cases(np.random.default_rng(0))
    kind = type(cases[0].arguments[0])
    monkeypatch.setattr(kind, "__call__", lambda self, X: seen.append(len(X)) or self.function(X))
    row = graded("07", LARGE)["is_equivariant"]
    assert max(seen, default=0) <= max(len(case.arguments[1]) for case in cases)
    assert "larger than what the answer was given" in json.dumps(row["cases"])
    assert RIGHT


NUMPY_ALONE = [e for sheet in registry.sheets() for e in sheet.exercises if not e.needs]


@pytest.mark.parametrize("exercise", NUMPY_ALONE, ids=lambda exercise: exercise.id)
def test_table_of_the_public_draws_answers_no_hidden_draw(exercise):
    """A class edition holds the right outputs of a few draws; copied, they must not earn the points."""
    draws = (exercise.cases(np.random.default_rng(draw)) for draw in range(recorded.DRAWS))
    table = {repr(case.arguments) for cases in draws for case in cases}
    for hidden in range(12):
        seed = marking.seed_of("a secret", f"student {hidden}", exercise.id, b"")
        cases = marking.hidden_cases(exercise, seed)
        assert not all(repr(case.arguments) in table for case in cases)


def test_hidden_draws_are_the_same_for_a_regrade():
    exercise = registry.exercise("09.causal_mask")
    one, other = (marking.hidden_cases(exercise, 7) for _ in range(2))
    assert [case.arguments for case in one] == [case.arguments for case in other]
