"""Exercise sheets are what their solutions make, leak no answer, and never replace a learner's work."""

import json
import re

import pytest
from click.testing import CliRunner

from clearhead.authoring.build_exercises import (
    MARK,
    build,
    generate,
    source_of,
    stale,
    without_answers,
    worked_on,
)
from clearhead.errors import UserError
from clearhead.grading.cli import main
from support.places import ROOT

SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))


def notebook(*sources):
    """Return the text of a notebook with these code cells."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "metadata": {"trusted": True},
            "source": s,
            "outputs": [1],
            "execution_count": 3,
        }
        for i, s in enumerate(sources)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


ANSWER = 'def double(x):\n    """Return twice x."""\n    # answer\n    return 2 * x'
GOOD = notebook(ANSWER, 'check("00.double", double)')


@pytest.fixture
def place(tmp_path):
    """A small repository with one solution and its exercise sheet."""
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "00_double.ipynb").write_text(GOOD)
    assert build(tmp_path) == ["exercises/00_double.ipynb written."]
    return tmp_path


def test_no_sheet_of_the_repository_is_stale():
    assert stale(ROOT) == []


@pytest.mark.parametrize("left", [0, 1, 90, -1], ids=lambda left: f"{left} bytes")
@pytest.mark.parametrize("filled", [b"", b"\0" * 4096], ids=["short", "filled with zeros"])
def test_a_sheet_that_was_cut_off_is_made_anew(place, left, filled):
    target = place / "exercises" / "00_double.ipynb"
    whole = target.read_bytes()
    target.write_bytes(whole[:left] + filled)
    assert "cut off" in stale(place)[0] or left == -1
    assert build(place) == [
        "exercises/00_double.ipynb had been cut off while it was written, and is whole again."
    ]
    assert [(p.name, p.read_bytes()) for p in target.parent.iterdir()] == [("00_double.ipynb", whole)]


def test_damaged_sheet_with_possible_work_is_kept_and_reported(place):
    """A damaged sheet that may hold work is kept and said to be damaged."""
    target = place / "exercises" / "00_double.ipynb"
    work = target.read_text().replace("raise NotImplementedError", "return x + x # raise")[:-40]
    target.write_text(work)
    assert "is damaged: run" in stale(place)[0]
    assert build(place)[0].startswith(
        "exercises/00_double.ipynb is damaged: Jupyter cannot open it, but it may hold"
    )
    assert target.read_text() == work
    assert (target.parent / "00_double.new.ipynb").exists()


def test_a_full_disk_leaves_the_sheet_that_was_there(place, monkeypatch):
    target = place / "exercises" / "00_double.ipynb"
    before = target.read_bytes()
    (place / "solutions" / "00_double.ipynb").write_text(GOOD.replace("twice", "two times"))

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        done = CliRunner().invoke(main, ["build-exercises", "--root", str(place)])
    assert (done.exit_code, "the disk is full" in done.output) == (1, True)
    assert [(p.name, p.read_bytes()) for p in target.parent.iterdir()] == [("00_double.ipynb", before)]
    assert build(place) == ["exercises/00_double.ipynb written."]


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_no_line_of_an_answer_is_in_the_exercise_sheet(path):
    made = generate(path.read_text(encoding="utf-8"), path.name)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    exercise = {line.strip() for cell in json.loads(made)["cells"] for line in source_of(cell).splitlines()}
    answers = [source_of(cell) for cell in cells if any(MARK.match(s) for s in source_of(cell).splitlines())]
    assert answers
    for source in answers:
        for block in re.split(r"^\s*# answer\s*\n", source, flags=re.M)[1:]:
            body = [line.strip() for line in block.splitlines() if len(line.strip()) > 12]
            assert not exercise.intersection(body)


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_generation_is_stable_and_keeps_the_ids(path):
    text = path.read_text(encoding="utf-8")
    made = generate(text, path.name)
    assert made == generate(json.dumps(json.loads(text), indent=3), path.name)
    before, after = json.loads(text)["cells"], json.loads(made)["cells"]
    assert [cell["id"] for cell in before] == [cell["id"] for cell in after]


def test_outputs_counts_and_passing_metadata_are_dropped():
    cell = json.loads(generate(GOOD, "x"))["cells"][0]
    assert (cell["outputs"], cell["execution_count"], cell["metadata"]) == ([], None, {})


def test_an_answer_becomes_a_line_that_raises():
    stub = "    raise NotImplementedError  # your turn"
    assert without_answers(ANSWER, "") == f'def double(x):\n    """Return twice x."""\n{stub}'


def test_answers_in_methods_are_removed_and_other_code_stays():
    """Answers in methods are taken out and what is between stays."""
    source = """class Head:
    def __init__(self, d):
        # answer
        self.d = d

        self.rows = 3

    size = 4

    def __call__(self, x):
        y = x + 1
        # answer
        if y:
            return y
        return x

print(Head)"""
    assert (
        without_answers(source, "")
        == """class Head:
    def __init__(self, d):
        raise NotImplementedError  # your turn

    size = 4

    def __call__(self, x):
        y = x + 1
        raise NotImplementedError  # your turn

print(Head)"""
    )


REFUSED = {
    "no mark": (
        notebook("def double(x):\n    return 2 * x", 'check("00.double", double)'),
        "no cell defines it with",
    ),
    "no function": (notebook('check("00.double", double)'), "no cell defines it with"),
    "nothing after it": (notebook("def double(x):\n    # answer\n"), "nothing follows"),
    "only less indented code after it": (
        notebook("def double(x):\n    # answer\n\nprint(3)"),
        "nothing follows",
    ),
    "outside a function": (notebook("# answer\nx = 3"), "must be inside a function"),
    "text that sticks out": (
        notebook('def f():\n    # answer\n    x = """\nout"""\n    return x'),
        "no Python any more",
    ),
    "no ids": (json.dumps({"cells": [{"cell_type": "markdown", "source": ""}]}), "has no id"),
    "no notebook": ("not json", "is not a notebook"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_unusable_solution_is_refused_in_one_sentence(fault):
    """A solution that cannot become an exercise is refused in one sentence."""
    text, told = REFUSED[fault]
    with pytest.raises(UserError, match=told) as caught:
        generate(text, "solutions/00_x.ipynb")
    assert str(caught.value).startswith("solutions/00_x.ipynb")
    assert "\n" not in str(caught.value)


def test_a_second_build_writes_nothing(place):
    assert build(place) == []
    assert stale(place) == []


def test_changed_solution_makes_sheet_stale_until_rebuilt(place):
    """A changed solution makes its sheet stale and a build repairs it."""
    (place / "solutions" / "00_double.ipynb").write_text(GOOD.replace("twice", "two times"))
    assert stale(place) == ["exercises/00_double.ipynb is stale: run `make exercises`."]
    assert build(place) == ["exercises/00_double.ipynb written."]
    assert stale(place) == []


@pytest.mark.parametrize("work", ["source", "outputs", "no hash", "no json"])
def test_what_a_learner_worked_on_is_never_overwritten(place, work):
    target = place / "exercises" / "00_double.ipynb"
    content = json.loads(target.read_text())
    if work == "source":
        content["cells"][0]["source"] = ["def double(x):\n", "    return x + x"]
    elif work == "outputs":
        content["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["my result"]}]
    else:
        del content["metadata"]["clearhead"]
    mine = "{broken" if work == "no json" else json.dumps(content)
    target.write_text(mine)
    assert worked_on(target)
    why = "is damaged: Jupyter cannot open it" if work == "no json" else "was worked on and stays as it is"
    (said,) = build(place)
    assert said.startswith(f"exercises/00_double.ipynb {why}")
    assert said.endswith("; the new one is 00_double.new.ipynb.")
    assert target.read_text() == mine
    beside = place / "exercises" / "00_double.new.ipynb"
    beside.write_text(mine)
    assert "00_double.new1.ipynb" in build(place)[0]
    assert beside.read_text() == mine


def test_opening_a_sheet_in_another_program_is_not_work(place):
    target = place / "exercises" / "00_double.ipynb"
    content = json.loads(target.read_text())
    content["metadata"]["language_info"]["version"] = "3.13"
    content["cells"][0]["source"] = source_of(content["cells"][0])
    target.write_text(json.dumps(content))
    assert not worked_on(target)


def test_build_command_reports_and_fails_when_stale(place):
    """The command says what it does and fails where it must."""
    command = CliRunner()
    fine = command.invoke(main, ["build-exercises", "--check", "--root", str(place)])
    assert (fine.exit_code, fine.output) == (
        0,
        "Every notebook is up to date with the Markdown of its sheet.\n",
    )
    (place / "exercises" / "01_alone.ipynb").write_text("{}")
    stale_one = command.invoke(main, ["build-exercises", "--check", "--root", str(place)])
    assert stale_one.exit_code == 1
    assert "01_alone.ipynb has no solution" in stale_one.output
    (place / "solutions" / "00_double.ipynb").write_text("{}")
    broken = command.invoke(main, ["build-exercises", "--root", str(place)])
    assert broken.exit_code == 1
    assert "Error: solutions/00_double.ipynb is not a notebook" in broken.output


def test_the_command_needs_a_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lost = CliRunner().invoke(main, ["build-exercises"])
    assert lost.exit_code == 1
    assert "--root" in lost.output
