"""The class grader: right marks, the same marks again, no zero for a fault of the grader's own."""

import ast
import contextlib
import csv
import errno
import json
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from clearhead.checks import judging, registry
from clearhead.grading import batch, collecting, exporting, marking, marks, worker
from clearhead.grading.cli import main
from clearhead.grading.example import SAMPLES, answers, write_submissions
from clearhead.grading.marking import seed_of
from clearhead.sandbox import linux, sandbox, shown, wire
from clearhead.sandbox.isolation import trouble
from clearhead.sandbox.room import python_folders

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "lib" / "clearhead"
missing = trouble()
isolated = pytest.mark.skipif(bool(missing), reason=f"students' code cannot be isolated here: {missing}")
SETTINGS = {"secret": "s", "seconds": 5, "megabytes": 2048, "partial": False, "isolated": True}
EXAMPLE = {
    "ada": 31,
    "boole": 21,
    "curie": 13,
    "dirac": 13,
    "euler": 26,
    "fermat": 19,
    "gauss": 19,
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


def test_the_example_has_the_marks_that_the_page_for_instructors_tells(example):
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


def test_another_secret_draws_other_cases_and_the_right_answer_still_passes():
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
    assert marks["points"] == marks["out_of"] > 0
    assert timing["attempts"] == 1
    worker.drop_sandboxes()


@isolated
def test_partial_marks_count_the_cases_that_pass():
    raw = SAMPLES["curie"].encode()
    whole, _ = worker.grade("c", {"05": raw}, [], SETTINGS | {"sheets": ["05"]})
    part, _ = worker.grade("c", {"05": raw}, [], SETTINGS | {"sheets": ["05"], "partial": True})
    assert whole["points"] < part["points"] < part["out_of"]
    worker.drop_sandboxes()


# faults of the grader --------------------------------------------------------------------------------------


def test_a_fault_of_the_grader_is_never_a_zero(tmp_path, monkeypatch):
    def broken(self):
        raise sandbox.Broken("no room today")

    monkeypatch.setattr(sandbox.Sandbox, "open", broken)
    marks, timing = worker.grade("ada", {"05": answers().encode()}, [], SETTINGS | {"sheets": ["05"]})
    assert marks["status"] == "grader_error"
    assert timing["attempts"] == worker.ATTEMPTS
    assert "points" not in marks
    row = exporting.as_csv([marks], ["05.qkv"]).splitlines()[1]
    assert row == "ada,grader_error,,,,,no room today"
    assert exporting.as_gradescope(marks) is None


def test_a_worker_that_dies_is_reported_and_the_run_goes_on(tmp_path, monkeypatch):
    def dies(*arguments):
        raise MemoryError

    monkeypatch.setattr(worker, "grade", dies)
    run = batch.Batch(tmp_path, SETTINGS | {"sheets": ["05"]})
    submissions = collecting.find(write_submissions(tmp_path / "in"))
    with ThreadPoolExecutor(2) as pool:
        run.grade(submissions, pool, 2)
    assert {m["status"] for m in run.marks_of(submissions)} == {"grader_error"}
    run.export(submissions, [])
    assert json.loads((tmp_path / "grades.json").read_text()) == list(run.marks_of(submissions))
    assert ",grader_error,,," in (tmp_path / "grades.csv").read_text()
    assert not list(tmp_path.glob("gradescope/*/results.json"))


def test_without_isolation_nothing_is_graded_and_the_way_out_is_said(tmp_path, monkeypatch):
    def broken(self):
        raise sandbox.Refused("unshare: Operation not permitted")

    monkeypatch.setattr(sandbox.Sandbox, "open", broken)
    done = grade("--example", "--out", tmp_path)
    assert done.exit_code == 1
    for word in ("sudo", "sysctl", "Docker", "--unsafe-no-sandbox"):
        assert word in done.output
    assert not list(tmp_path.glob("marks/*"))


@isolated
def test_a_fault_of_ours_is_not_taken_for_a_closed_machine(monkeypatch):
    """Else it would skip the very tests that are there to find it."""
    monkeypatch.setattr("clearhead.sandbox.isolation.python_folders", list)  # a room without Python
    with pytest.raises(sandbox.Broken, match="No room could be opened") as found:
        trouble()
    assert not isinstance(found.value, sandbox.Refused)


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOSYS, errno.ENOSPC, errno.EEXIST, errno.ENOENT])
def test_what_counts_as_a_refusal(number):
    with pytest.raises(OSError, match="mount") as found, linux._asked():
        raise OSError(number, "mount")
    assert isinstance(found.value, linux.NotAllowed) is (number not in (errno.EEXIST, errno.ENOENT))


@isolated
def test_a_file_that_only_root_may_write_is_a_fault_of_ours_and_no_refusal(monkeypatch):
    """The room of an ordinary user once failed so, and sent people to their administrators for nothing."""
    monkeypatch.setattr("clearhead.sandbox.isolation.own_packages", lambda: [5])  # no path at all
    with pytest.raises(sandbox.Broken) as found:
        trouble()
    assert not isinstance(found.value, sandbox.Refused)


def test_on_another_system_the_grader_refuses(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Linux" in trouble()


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


def test_machines_with_one_secret_share_a_class_out_and_nothing_is_graded_twice(example, tmp_path):
    """Each has a folder of its own, as the page for instructors says; one of them gathers the marks."""
    outs = [tmp_path / "one", tmp_path / "two"]
    common = ["-j", 1, "--timeout", 1]
    for part, out in enumerate(outs, 1):
        refused = grade(example / "submissions", "--out", out, *common, "--shard", f"{part}/2")
        assert refused.exit_code == 1
        for word in ("same secret", "--seed", str(out / "secret_seed.txt")):
            assert word in " ".join(refused.output.split())
        assert not [p for p in out.iterdir() if p.is_file()], "a refused shard leaves no secret behind"
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
    assert ": 2 submissions" in lines[0]
    assert len(json.loads((tmp_path / "out" / "timings.json").read_text())) == 3
    assert "another secret" not in grade(tmp_path / "in", *common, "--seed", "other", "--resume").stderr
    assert "another secret" not in grade(tmp_path / "in", *common, "--seed", "third").stderr


def test_a_shard_may_use_the_secret_that_its_folder_holds(tmp_path):
    with pytest.raises(batch.Stopped, match="same secret"):
        batch.secret_of(tmp_path, "", "1/2")
    assert not list(tmp_path.iterdir())
    assert batch.secret_of(tmp_path, "given", "1/2") == "given"
    kept = batch.secret_of(tmp_path, "")
    assert batch.secret_of(tmp_path, "", "1/2") == kept


def test_an_empty_secret_is_refused_and_a_secret_is_written_whole(tmp_path, monkeypatch):
    (tmp_path / "secret_seed.txt").write_text("\n")
    with pytest.raises(batch.Stopped, match=r"secret_seed\.txt is empty"):
        batch.secret_of(tmp_path, "")
    (tmp_path / "secret_seed.txt").unlink()

    def crash(length):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(batch.secrets, "token_hex", crash)
        with pytest.raises(KeyboardInterrupt):
            batch.secret_of(tmp_path, "")
    assert not (tmp_path / "secret_seed.txt").exists()
    assert len(batch.secret_of(tmp_path, "")) == 32
    assert [p.name for p in tmp_path.iterdir()] == ["secret_seed.txt"]


def test_the_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    first = batch.secret_of(tmp_path, "")
    assert batch.secret_of(tmp_path, "") == first
    assert (tmp_path / "secret_seed.txt").stat().st_mode & 0o077 == 0
    assert batch.secret_of(tmp_path, "mine") == "mine"


def test_submissions_are_found_in_folders_files_and_archives(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "05_attention.ipynb").write_text(answers())
    (tmp_path / "ada" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "ada" / ".ipynb_checkpoints" / "05_attention-checkpoint.ipynb").write_text("old")
    (tmp_path / "bob_123_05_attention.ipynb").write_text(answers())
    (tmp_path / "notes").mkdir()
    with zipfile.ZipFile(tmp_path / "cleo.zip", "w") as archive:
        archive.writestr("deep/er/05_attention.ipynb", answers())
    found = {s.name: s for s in collecting.find(tmp_path)}
    assert list(found) == ["ada", "bob_123_05_attention", "cleo", "notes"]
    assert collecting.sheets_in(list(found.values())) == ["05"]
    for name in ("ada", "bob_123_05_attention", "cleo"):
        assert found[name].notebook_for("05", True).read() == answers().encode()
    assert found["notes"].faults == (collecting.NOTHING,)
    whole = tmp_path.parent / "class.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("ada/05_attention.ipynb", answers())
        archive.writestr("bob.ipynb", answers())
        archive.writestr("../eve/05_attention.ipynb", answers())
    names = {s.name: s for s in collecting.find(whole)}
    assert list(names) == ["ada", "bob", "eve 05_attention"]
    assert names["eve 05_attention"].files == ()


@pytest.mark.parametrize("shard", ["0/2", "3/2", "x", "1/"])
def test_a_shard_that_is_none_is_refused_in_one_sentence(shard):
    with pytest.raises(batch.Stopped, match="i/n"):
        batch.shared_out([1, 2], shard)


def test_shards_share_out_every_submission_once():
    parts = [batch.shared_out(list(range(10)), f"{i}/3") for i in (1, 2, 3)]
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


def received(frame):
    """Return head and value of a frame, read as from a sandbox."""
    at = 0

    def read(count):
        nonlocal at
        at += count
        if at > len(frame):
            raise wire.Malformed("too short")
        return frame[at - count : at]

    return wire.unpack(*wire.receive(read))


@given(VALUES)
@settings(max_examples=60, deadline=None)
def test_plain_data_arrives_as_it_was(value):
    text = json.dumps(value).encode("utf-8", "replace")
    assert received(wire.pack({"is": "x"}, json.loads(text))) == ({"is": "x"}, json.loads(text))


@given(VALUES)
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("id", ["05.qkv", "05.sharpen", "02.bpe_encode", "05.attention_backward"])
def test_whatever_comes_back_is_judged_and_never_a_fault_of_the_grader(id, value):
    exercise = registry.exercise(id)
    tried = [
        marking._judged(exercise, case, marking._outcome({"is": "outcome"}, value))
        for case in exercise.cases(np.random.default_rng(0))
    ]
    row = marks.row(exercise, 0, tried, False)
    assert row["status"] == "failed"
    assert row["points"] == 0


@pytest.mark.parametrize("dtype", sorted(wire._DTYPES))
def test_arrays_arrive_with_dtype_and_shape(dtype):
    for shape in [(), (0, 3), (2, 3, 4)]:
        array = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
        _, got = received(wire.pack({}, [array, np.array(["a", "bc"])]))
        assert got[0].dtype == array.dtype
        assert got[0].shape == shape
        assert np.array_equal(got[0], array)
        assert got[1].tolist() == ["a", "bc"]


@given(st.binary(max_size=200), st.binary(max_size=50))
@settings(max_examples=200, deadline=None)
def test_noise_is_malformed_and_nothing_else(head, body):
    with contextlib.suppress(wire.Malformed):
        wire.unpack(head, body)


@pytest.mark.parametrize(
    "value",
    [
        {"array": "object", "shape": [1]},
        {"array": "float64", "shape": [-1]},
        {"array": "float64", "shape": [2**62, 4]},
        {"array": "float64", "shape": [1.5]},
        {"array": "float64", "shape": [True]},
        {"array": "float64"},
        {"array": ["float64"], "shape": []},
        {"texts": ["x" * 10_000] * 1000, "shape": [1000]},
        {"texts": ["x"], "shape": [2]},
        {"bytes": 3},
        {"callback": 1, "name": "f"},
        {"tensor": {"array": "float64", "shape": []}, "grad": False},
        {"dict": [["a"]]},
        {"dict": [[1, 2]]},
        {"list": {"a": 1}},
        {"pickle": "gASVBQAAAAAAAAB9lC4="},
        {"list": [None] * 200_000},
        10**400,
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_forged_value_is_malformed(value):
    with pytest.raises(wire.Malformed):
        wire.unpack(json.dumps({"value": value}).encode(), bytes(16))


def test_lists_too_deep_are_malformed():
    for text in ('{"value": ' + '{"list": [' * 60 + "]}" * 60 + "}", "[" * 100_000):
        with pytest.raises(wire.Malformed):
            wire.unpack(text.encode(), b"")


# what stands in the sandbox --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", registry.numbers())
def test_nothing_of_the_answers_is_sent_into_the_sandbox(number):
    config = worker.config(SETTINGS | {"sheets": [number]}, number)
    sent = {module for module, _, _ in config["modules"]}
    package = registry.packages()[number].__name__
    assert {module for module in sent if module.startswith("clearhead.sheets")} <= {f"{package}.drivers"}
    assert {exercise["driver"][0] for exercise in config["exercises"].values() if exercise["driver"]} <= sent
    assert SETTINGS["secret"] not in (config["exercises"], config["limits"])
    assert "mistake" not in json.dumps(config)


def answers_in(modules, exercises):
    """Return which functions of modules pass which exercises, also those that begin with an underscore."""
    found = [value for name in modules for value in vars(import_module(name)).copy().values()]
    functions = {value for value in found if isinstance(value, FunctionType | type)}
    return {(e.id, f.__name__) for e in exercises for f in functions if judging.try_cases(e, f, 0).passed}


@pytest.mark.parametrize("number", registry.numbers())
def test_no_function_that_a_room_shows_passes_an_exercise_of_its_sheet(number):
    shown_there = [m for m, _, _ in worker.config(SETTINGS | {"sheets": [number]}, number)["modules"]]
    assert answers_in(shown_there, registry.sheet(number).exercises) == set()


def test_an_answer_that_a_room_shows_is_found():
    modules = [module for module, _, _ in shown.modules(["clearhead.maths.transformer"])]
    found = answers_in(modules, registry.sheet("08").exercises)
    assert {("08.layer_norm", "layer_norm"), ("08.gelu", "gelu")} <= found


def test_a_module_is_shown_whole_after_what_it_imports_and_nothing_else_is():
    modules = shown.modules(["clearhead.maths.heads"])
    names = [name for name, _, _ in modules]
    assert names[-1] == "clearhead.maths.heads"
    assert names.index("clearhead.contracts.tables") < names.index("clearhead.maths.attention")
    assert not {"clearhead.maths.models", "clearhead.maths.vision"} & set(names)
    assert modules[-1][1:] == ("clearhead.maths", (PACKAGE / "maths" / "heads.py").read_text())
    assert "numpy" in shown.packages(modules)


@pytest.mark.parametrize("number", registry.numbers())
def test_a_sheet_uses_the_modules_that_its_notebook_imports(number):
    path = ROOT / "exercises" / f"{registry.file_stem(number)}.ipynb"
    assert sorted(imported(json.loads(path.read_text())["cells"])) == list(registry.packages()[number].USES)


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


def test_the_room_shows_no_folder_of_the_repository_but_python():
    assert not any(ROOT.is_relative_to(folder) for folder in python_folders())


def test_a_server_that_cannot_start_says_why():
    config = worker.config(SETTINGS | {"sheets": ["05"]}, "05") | {"packages": ["no_such_package"]}
    with pytest.raises(sandbox.Broken, match="no_such_package"):
        sandbox.Sandbox(config).open()


def test_the_grader_process_itself_never_imports_a_submission():
    code = "import sys, clearhead.grading.worker; print('torch' in sys.modules, 'IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@isolated
def test_python_may_lie_under_tmp_as_the_rooms_own_folder_does(tmp_path, monkeypatch):
    (tmp_path / "venv").mkdir()
    folders = sorted({*python_folders(), str(tmp_path / "venv")})
    monkeypatch.setattr("clearhead.sandbox.isolation.python_folders", lambda: folders)
    assert trouble() == ""
