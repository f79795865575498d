"""Exercises and sheets are read from Markdown; what cannot be understood is named with its place."""

import importlib.util
import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest

from clearhead.authoring.proof import faults
from clearhead.authoring.solutions import solution_cells
from clearhead.checks import edits, exercise_text, from_text
from clearhead.checks.sheet_text import read_sheet
from clearhead.errors import UserError

CONTRIBUTING = (
    next(p for p in Path(__file__).resolve().parents if (p / "solutions").is_dir()) / "CONTRIBUTING.md"
)
TEXT = '''---
title: The mean of each row
stars: 2
minutes: 15
builds_on: total
---
Return the mean of each row of `x` (T, D).

```python
EPSILON = 0
```

```python
def mean(x):
    """Return the mean (T,) of each row of x (T, D)."""
    # answer
    return total(x) / x.shape[-1]
```

## Hints

1. Add up, then
   divide.
2. How many entries has a row?
3. x.sum(axis=-1) / x.shape[-1]

## Names

```python
from math import prod
```

## Steps

```python
def mean(x):
    count = x.shape[-1]
    added = total(x)
    return added / count
```

## Other right answers

```python
def by_numpy(x):
    return x.mean(axis=-1)
```

## Wrong answers

```edits
divided_by_rows: x.shape[-1] => len(x)
    You divided by the number of rows.
    Divide by the number of columns.
of_everything: total(x) => x.sum()
    return added / count => return added / prod(x.shape)
    You took one mean over all entries. Return one for each row.
no_normalization: ` / count` =>
    You returned the sums. Divide them by the number of entries in a row.
one_too_few: count = x.shape[-1]\\n => count = x.shape[-1]\\n    count -= 1\\n
    You divided by D - 1. A mean divides by D.
always_zero:
    | def mean(x):
    |     return np.zeros(len(x))
    You returned zeros. Compute the means.
```
'''
TOTAL = '''---
title: The sum of each row
stars: 1
minutes: 5
---
Return the sum of each row.

```python
def total(x):
    """Return the sum (T,) of each row of x (T, D)."""
    # answer
    return x.sum(axis=-1)
```

## Hints

1. One.
2. Two.
3. Three.

## Wrong answers

```edits
down: axis=-1 => axis=0
    You added up the columns. Add up the rows.
```
'''
SHEET = """---
number: 77
title: Rows
---
# Exercises: rows

Two exercises.

```python
import numpy as np
import os.path
```

[total](total.md)

[mean](mean.md)

## Plug it in

First.

+++

Second.

```python
from clearhead.maths.softmax import softmax
```
"""
X = np.array([[1.0, 3], [2, 6], [10, 30]])


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a sheet of two exercises."""
    for name, text in {"sheet.md": SHEET, "mean.md": TEXT, "total.md": TOTAL}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def exercise(folder):
    """Return the exercise `mean`."""
    return from_text.exercise_from_text(str(folder / "mean.py"), lambda rng: [], tolerance=1e-9)


def test_the_head_and_the_hints_of_an_exercise_are_read(exercise):
    assert (exercise.id, exercise.title, exercise.stars, exercise.minutes) == (
        "77.mean", "The mean of each row", 2, 15,
    )  # fmt: skip
    assert exercise.hints[0] == "Add up, then divide."
    assert exercise.tolerance == 1e-9


def test_right_answers_run_with_the_answers_that_they_build_on(exercise):
    assert exercise.reference(X).tolist() == [2, 4, 20]
    assert [answer.__name__ for answer in exercise.alternatives] == ["by_numpy"]
    assert exercise.alternatives[0](X).tolist() == [2, 4, 20]
    assert str(inspect.signature(exercise.reference)) == "(x)"


def test_answers_use_the_cells_that_a_statement_gives(folder):
    text = TEXT.replace("return total(x) / x.shape[-1]", "return total(x) / x.shape[-1] + EPSILON")
    assert text.count("EPSILON") == 2
    (folder / "mean.md").write_text(text.replace("EPSILON = 0", "EPSILON = 1"))
    made = from_text.exercise_from_text(str(folder / "mean.py"), lambda rng: [])
    assert made.reference(X).tolist() == [3, 5, 21]


def test_earlier_answer_is_found_in_differently_named_file(folder):
    """The head names what the student writes, such as a class, whose file has a name of its own."""
    (folder / "total.md").rename(folder / "adding_up.md")
    (folder / "sheet.md").write_text(SHEET.replace("[total](total.md)", "[adding_up](adding_up.md)"))
    made = from_text.exercise_from_text(str(folder / "mean.py"), lambda rng: [])
    assert made.reference(X).tolist() == [2, 4, 20]


def test_each_wrong_answer_is_the_right_one_with_its_edits(exercise):
    found = {mistake.name: np.asarray(mistake.answer(X)).round(2).tolist() for mistake in exercise.mistakes}
    assert found == {
        "divided_by_rows": [1.33, 2.67, 13.33],
        "of_everything": round(52 / 6, 2),
        "no_normalization": [4, 8, 40],
        "one_too_few": [4, 8, 40],
        "always_zero": [0, 0, 0],
    }
    message = "You divided by the number of rows. Divide by the number of columns."
    assert exercise.mistakes[0].message == message


def test_nothing_is_compiled_before_it_is_called(folder):
    text = TEXT.replace("from math import prod", "import a_package_that_is_missing")
    (folder / "mean.md").write_text(text)
    made = from_text.exercise_from_text(str(folder / "mean.py"), lambda rng: [])
    with pytest.raises(ModuleNotFoundError):
        made.mistakes[0].answer(X)


def test_backslashes_and_spaces_in_edits_can_be_written():
    right = 'def say(x):\n    return "a\\n" + x\n'
    found = edits.parse('other: "a\\\\n" => `"b " `\n    Say a.\n', right)
    assert found[0].source == 'def say(x):\n    return "b "  + x\n'


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("wrong: y => z\n    Words.\n", "wrong: 'y' does not occur in the answer"),
        ("wrong: x => z\n    x => q\n    Words.\n", "or no longer after the edits before it"),
        ("wrong: x => z\n", "wrong: it has no message"),
        ("wrong: x => x\n    Words.\n", "wrong: it changes nothing"),
        ("a: x => y\n    Words.\na: x => z\n    Words.\n", "a: two wrong answers have this name"),
        ("x => y\n    Words.\n", "stands before the first name"),
    ],
    ids=["absent", "gone", "silent", "nothing", "twice", "no name"],
)
def test_an_edit_that_cannot_be_made_is_refused(block, said):
    with pytest.raises(UserError, match=said):
        edits.parse(block, "def f(x):\n    return x\n")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("---\ntitle", "title", "must begin with a head"),
        ("stars: 2\n", "", "the head lacks stars"),
        ("## Hints", "## Hint", "there is no section 'Hint'"),
        ("## Steps", "## Names", "a section occurs twice"),
        ("## Wrong answers", "## Steps 2", "there is no section 'Steps 2'"),
        ("    # answer\n", "", "one block of Python with `# answer`"),
        ("return added / count\n```", "return added / \n```", "Steps: line 4 is not Python"),
        ("def by_numpy", "import numpy\n\ndef by_numpy", "imports belong to Names"),
        ("total(x) => x.sum()", "sum(x) => x.sum()", "mean.md, wrong answers: of_everything"),
    ],
)
def test_a_text_that_cannot_be_read_names_file_and_part(old, new, said):
    assert old in TEXT
    with pytest.raises(UserError, match=said) as raised:
        exercise_text.parse(TEXT.replace(old, new), "mean.md")
    assert str(raised.value).startswith("mean.md")


def test_a_sheet_becomes_the_cells_of_its_solutions(folder):
    sheet = read_sheet(folder)
    cells = [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in solution_cells(sheet)]
    assert [id for id, _, _ in cells] == [
        "exercises-rows-two-exercises", "import-numpy-as-np-import",
        "total-statement", "total", "total-check", "mean-statement", "epsilon-0", "mean", "mean-check",
        "plug-it-in-first", "second", "from-clearhead-maths-softmax-import",
    ]  # fmt: skip
    texts = {id: text for id, _, text in cells}
    assert texts["mean-statement"] == (
        "## 2. The mean of each row\n\n★★☆ · 15 minutes\n\nReturn the mean of each row of `x` (T, D)."
    )
    assert texts["mean-check"] == 'check("77.mean", mean)'
    assert texts["second"] == "Second."
    assert json.dumps(texts)


def test_sheet_knows_order_imports_and_dependencies(folder):
    """A sheet knows its order its imports and what builds on what."""
    sheet = read_sheet(folder)
    assert (sheet.number, sheet.title, sheet.answer_names) == ("77", "Rows", ("total", "mean"))
    assert sheet.uses == ("numpy", "os.path")
    assert sheet.builds_on == {"mean": ("total",)}


def test_the_exercise_that_contributing_shows_is_proved(tmp_path):
    """Its text and its cases are taken from the page as they are."""
    page = CONTRIBUTING.read_text("utf-8")
    text = re.search(r"````markdown\n(.*?)````", page, re.S)[1]
    cases = re.search(r'```python\n("{3}Cases of 05.row_entropy.*?)```', page, re.S)[1]
    (tmp_path / "sheet.md").write_text(SHEET.replace("77", "05").replace("[mean](mean.md)", ""))
    for name, content in {"row_entropy.md": text, "row_entropy.py": cases, "total.md": TOTAL}.items():
        (tmp_path / name).write_text(content)
    spec = importlib.util.spec_from_file_location("row_entropy", tmp_path / "row_entropy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.EXERCISE.id == "05.row_entropy"
    assert faults(module.EXERCISE) == []
