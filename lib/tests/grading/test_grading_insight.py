"""What the class did not understand: counts, examples without names, answers to compare, pages to read."""

import contextlib
import json
import math
import re
import time
import tracemalloc
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from clearhead.checks import registry
from clearhead.errors import UserError
from clearhead.grading.collect import scripts
from clearhead.grading.collect.answers import _without_comment, answers_of, answers_of_submission, sources_of
from clearhead.grading.collect.cell_locator import CellLocator
from clearhead.grading.commands.example import IMPORTS, RIGHT, SAMPLES, UNSCALED, answers, notebook
from clearhead.grading.write import class_report, feedback
from clearhead.grading.write.class_report import pseudonymous_id_of
from clearhead.grading.write.class_statistics import ClassStatistics
from support.places import ROOT

IDS = [f"05.{name}" for name in RIGHT]
STARTED = (
    "def qkv(X, W_q, W_k, W_v):\n    '''Given.'''\n    # answer\n    raise NotImplementedError  # your turn\n"
)


def row(id, status="passed", mistake="", **more):
    case = {
        "name": "by hand",
        "status": status,
        "points": 4,
        "message": "Got 1.",
        "hint": "Look at `K`.",
        "line": "x = 1/0",
    }
    says = f"It is {mistake}." if mistake else ""
    points = 4 if status == "passed" else 0
    return {
        "id": id, "title": id[3:], "status": status, "points": points, "max_points": 4, "mistake": mistake,
        "message": says, "cases": [case],
    } | more  # fmt: skip


def student(name, rows, status="graded"):
    points, most = sum(r["points"] for r in rows), sum(r["max_points"] for r in rows)
    return {
        "student": name,
        "status": status,
        "points": points,
        "max_points": most,
        "exercises": rows,
        "notes": [],
    }


def a_class():
    """Return marks: seven right, one with a mistake, one who stopped after the first, one unreadable."""
    made = [student(f"right{i}", [row(id) for id in IDS]) for i in range(7)]
    wrong = [row(IDS[0]), row(IDS[1], "failed", "no_scaling"), *(row(id) for id in IDS[2:])]
    stopped = [row(IDS[0]), *(row(id, "not_attempted") for id in IDS[1:])]
    unreadable = [row(id, "unreadable") for id in IDS]
    return [
        *made,
        student("<b>curie", wrong),
        student("early", stopped),
        student("x", unreadable, "unreadable"),
    ]


def facts():
    made = ClassStatistics()
    for marks in a_class():
        made.add(marks)
    return made


def test_histogram_excludes_unreadable_submissions():
    """Marks are counted by tenths and what cannot be read is not a zero."""
    assert facts().histogram() == [0, 1, 0, 0, 0, 0, 0, 0, 1, 7]


def test_exercises_are_sorted_by_difficulty_with_discrimination():
    """The hardest exercise comes first and shows how well it discriminates."""
    first, *_, last = facts().exercises()
    counts = [first[name] for name in ("id", "solved", "attempted", "not_attempted", "absent")]
    assert counts == [IDS[1], 7, 8, 1, 0]
    assert first["share"] == 7 / 8
    assert first["discrimination"] is None  # whoever began it did all others
    assert (last["id"], last["share"], last["discrimination"]) == (max(IDS), 1.0, None)


def test_skipped_exercise_does_not_count_as_hard():
    """Eight do not hand in sheet 04, two do not begin 05.sharpen, three get 05.qkv wrong."""
    made = ClassStatistics()
    for place in range(10):
        rows = [row("05.qkv", "failed" if place < 3 else "passed")]
        rows.append(row("05.sharpen", "not_attempted" if place < 2 else "passed"))
        rows.append(row("04.soft_lookup", "passed" if place > 7 else "missing"))
        files = {"05": {}} | ({"04": {}} if place > 7 else {})
        made.add(student(f"s{place}", rows) | {"files": files})
    made.add(student("none", [row("04.blend", "missing")]) | {"files": {}})
    found = made.exercises()
    assert [each["id"] for each in found] == ["05.qkv", "04.soft_lookup", "05.sharpen", "04.blend"]
    assert [each["share"] for each in found] == [0.7, 1, 1, None]
    assert 0 < found[0]["discrimination"] < 1
    assert [(e["solved"], e["attempted"], e["not_attempted"], e["absent"]) for e in found] == [
        (7, 10, 0, 0), (2, 2, 0, 8), (8, 8, 2, 0), (0, 0, 0, 1),
    ]  # fmt: skip


def test_feedback_names_rule_only_for_marked_exercises():
    """`missing` answers were not marked with anybody's code."""
    told = {"rule": "own", "rule_message": "Marked with your own code."}
    rows = [row(IDS[0], "missing", **told) | {"message": "`qkv` is not defined (NameError)."}]
    assert "Marked with" not in feedback.page(student("ada", rows))
    assert "Marked with" in feedback.page(student("ada", [row(IDS[1], "failed", **told)]))
    by_hand = {"rule": "manual", "rule_message": "Marked by hand: 2 of 4 points."}
    rows = [row(IDS[2], "unreadable", **by_hand) | {"message": "It cannot be read (JSONDecodeError)."}]
    page = feedback.page(student("ada", [*rows, row(IDS[3], "passed", **by_hand) | {"message": "No stop"}]))
    assert "(JSONDecodeError). Marked by hand: 2 of 4 points." in page
    assert "No stop. Marked by hand" in page
    assert ".." not in page.partition("<main>")[2]


def test_who_stopped_early_is_named_with_the_last_exercise():
    (found,) = facts().stopped
    assert (found["student"], found["last"]["id"], found["left"]) == ("early", IDS[0], 6)


def test_an_answer_is_taken_without_what_was_given():
    code = 'def qkv(X, *W):\n    """Given."""\n    # answer\n    x = X  # mine\n    return x\nprint(1)'
    assert answers_of(notebook(IMPORTS, code).encode(), ["qkv"]) == {
        "qkv": "def qkv(X, *W):\n    x = X\n    return x"
    }
    assert answers_of(notebook(STARTED).encode(), ["qkv"]) == {}


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"cells": 3}', b"\xff" * 50, b'{"cells": [{"source": 1}]}'])
def test_what_is_no_notebook_holds_no_answer(raw):
    assert answers_of_submission(Handed("x", raw), "05", ["qkv"], True) == {}


class Handed:
    def __init__(self, name, text, path="05_attention.ipynb"):
        self.name, self.text, self.path = name, text, path

    def copies_for(self, number, alone):
        return [self]

    notebook_for = lambda self, number, alone: self  # noqa: E731

    def read(self):
        return self.text if isinstance(self.text, bytes) else self.text.encode()


def test_a_script_of_cells_is_read_as_a_notebook_is():
    script = "# %%\nimport numpy as np\n# %%\ndef qkv(X):\n    return X @ X\n"
    found = answers_of_submission(Handed("x", script, "05_attention.py"), "05", ["qkv"], True)
    assert found == {"qkv": "def qkv(X):\n    return X @ X"}


@pytest.fixture
def written(tmp_path):
    handed = [Handed("<b>curie", answers(attention_weights=UNSCALED)), Handed("x", SAMPLES["jacobi"])]
    return class_report.write(a_class(), handed, {"sheets": ["05"], "secret": "s"}, tmp_path)[0]


def test_class_page_shows_mistake_with_anonymous_example(written):
    """The page shows a mistake with an example and without the name."""
    page = written.read_text()
    mistakes = page.partition("named mistakes")[2].partition("Who stopped early")[0]
    assert "It is no_scaling." in mistakes
    assert "return softmax(Q @ K.T)\n" in mistakes.replace("</code>", "\n")
    assert "curie" not in page
    assert "early" in page


def test_mistake_is_counted_only_where_it_was_made(tmp_path):
    """One missing square root filled four of the ten places, three with code that is right."""
    own, given = row(IDS[1], "failed", "no_scaling"), {"status": "passed", "points": 3}
    inherited = row(IDS[3], "failed", "no_scaling", follow_through=given)
    still_wrong = row(IDS[4], "failed", "no_scaling", follow_through=given | {"status": "failed"})
    curie = student("curie", [own, inherited, still_wrong])
    facts = ClassStatistics()
    facts.add(curie)
    assert {each["id"] for each in facts.frequent_mistakes()} == {IDS[1], IDS[4]}
    page = class_report.write([curie], [], {"sheets": ["05"], "secret": "s"}, tmp_path)[0].read_text()
    assert page.count("To teach again: ") == 2


def test_the_folder_for_comparing_has_answers_without_names(written):
    folder = written.parent / "similarity"
    (file,) = (folder / "05").glob("*.py")
    assert file.stem == pseudonymous_id_of("<b>curie", "s")
    assert "curie" not in file.read_text()
    assert "import" not in file.read_text()
    compile(file.read_text(), file.name, "exec")
    assert f"{file.name}," in (folder / "names.csv").read_text()


def test_feedback_links_to_book_only_if_address_is_given():
    """Feedback says what to read again and links only where a book is."""
    look = "The section 'Backwards, by hand' of the chapter has every step."
    case = {"name": "c", "status": "error", "points": 4, "message": "No.", "hint": look, "line": "x = 1/0"}
    marks = student("ada", [row("05.attention_backward", "failed") | {"cases": [case]}])
    assert "“Backwards, by hand” in chapter 5" in feedback.page(marks)
    assert "<a " not in feedback.page(marks)
    linked = feedback.page(marks | {"book": "https://b.org/"})
    assert 'href="https://b.org/chapters/05_attention.html#backwards-by-hand"' in linked
    assert "0 of 4" in linked
    assert "<code>x = 1/0</code>" in linked


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit(browser, written, width, scheme):
    own = student(
        "Ada " + "x" * 150, [row(IDS[0]), row(IDS[1], "failed", "no_scaling"), row(IDS[2], "not_attempted")]
    )
    for text in (written.read_text(), feedback.page(own | {"book": "https://b.org"})):
        page = browser.new_page(
            viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
        )
        page.set_content(text)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(page)
        assert json.dumps([v["id"] for v in found.response["violations"]]) == "[]"
        page.close()


PAPER = {"A4": (680, 1001), "Letter": (702, 935)}  # what margins leave, in pixels of CSS


@pytest.mark.parametrize("size", PAPER)
def test_printed_feedback_is_black_on_white_and_compact(browser, size):
    """Feedback on paper is black on white and leaves no page half empty."""
    case = {"name": "random tokens", "status": "failed", "points": 1, "line": "x = " + "y" * 120}
    case |= {"message": "24 of 24 entries are wrong. " * 3, "hint": "Compare the shapes."}
    rows = [row(name, "failed", "no_scaling") | {"cases": [case] * 7} for name in IDS]
    (width, height), page = PAPER[size], browser.new_page(color_scheme="dark")
    page.set_content(feedback.page(student("ada", rows) | {"book": "https://b.org"}))
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground, ink = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    assert (ground, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    assert page.get_by_text("0 of 1").count() == 7 * len(rows)
    assert page.evaluate("getComputedStyle(document.querySelector('a'), '::after').content") != "none"
    needed = page.evaluate("document.documentElement.scrollHeight") / height
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size)))
    page.close()
    assert pages <= math.ceil(1.15 * needed)


def test_sections_named_in_sheets_exist_in_chapters():
    """Feedback links to it by its words."""
    named = 0
    for number in registry.numbers():
        chapter = ROOT / "chapters" / f"{registry.file_stem(number)}.ipynb"
        cells = json.loads(chapter.read_text())["cells"]
        headings = re.findall(r"^#+ (.*)$", "\n".join("".join(cell["source"]) for cell in cells), re.M)
        folder = Path(registry.packages()[number].__file__).parent
        for said in re.findall(feedback._SECTION, "".join(p.read_text() for p in folder.glob("*.py"))):
            named += 1
            assert said in headings, f"{folder.name} names {said!r}"
    assert named


HARD = {
    "blank lines": lambda n: "\n" * n,
    "comments": lambda n: "    x = 1" + " #" * n + "\n",
    "spaces before a letter": lambda n: " " * n + "x\n",
    "quotes": lambda n: "    x = " + "'" * n + "\n",
    "triple quotes": lambda n: "    " + (chr(34) * 3 + chr(39) * 3) * n + "\n",
    "lines of spaces": lambda n: (" " * 40 + "\n") * (n // 40),
    "definitions": lambda n: "def qkv(X):\n    return X\n\n" * (n // 20),
    "headings": lambda n: "# a\n" * n,
    "signs of code": lambda n: "    `" * n + "\n",
}


def _seconds_to_read(text):
    """Return the processor time that everything outside of the sandbox takes to read such an answer."""
    begin = "def qkv(X, W_q, W_k, W_v):\n    y = X\n"
    raw = notebook(begin + text + "    return y\n", "## heading\n" + text).encode()
    begun = time.process_time()
    answers_of(raw, list(RIGHT))
    locator = CellLocator(raw)
    locator.label(1)
    locator.defines(1, "qkv")
    locator.called("qkv", list(RIGHT))
    locator.error(1, "no (<a>, line 3)")
    scripts.as_notebook(text.encode())
    return time.process_time() - begun


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_reading_a_strangers_text_takes_time_in_proportion_to_it(text):
    """Eight times the text may take sixteen times the time, and not the sixty-four of a quadratic pattern."""
    n = 20_000
    short = min(_seconds_to_read(text(n)) for _ in range(3))
    long = _seconds_to_read(text(8 * n))
    assert long < max(0.3, 24 * short), (short, long)


@pytest.mark.parametrize(
    "text", ["x\n", "\n", "# %%\n", "# %%\nx\n", "# %% [markdown]\n# a\n", "\r", "# a\n"]
)
def test_a_script_is_read_in_little_memory(text):
    """A list of all lines or cells would take twenty to thirty times as much."""
    raw = (text * (2_000_000 // len(text))).encode()
    tracemalloc.start()
    try:
        with contextlib.suppress(UserError):
            scripts.as_notebook(raw)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(raw)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", ["# %%\nx = 1\n" * 30_000, "x = '" + "\0" * (6 << 20) + "'"])
def test_a_script_that_nobody_wrote_is_refused_in_words(text):
    with pytest.raises(UserError, match=r"more than 20000 cells|larger than 30 megabytes"):
        scripts.as_notebook(text.encode())


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("    x = 1  # one", "    x = 1"),
        ("    # all of it", ""),
        ("    x = '#'  # one", "    x = '#'"),
        ("    x = 'a # b'", "    x = 'a # b'"),
        ("    x = y#z", "    x = y#z"),
        ("    x = 1\t# one # two", "    x = 1"),
        ("", ""),
    ],
)
def test_comment_at_the_end_of_a_line_is_left_out(line, left):
    assert _without_comment(line) == left


# the code beside the feedback -------------------------------------------------------------------------------


def test_code_of_an_answer_is_shown_whole_with_its_helpers():
    """A cell is divided among the answers that it defines, and the last definition of each counts."""
    cell = "import numpy as np\n\ndef half(x):\n    return x / 2\n\n@np.vectorize\ndef first(x):\n"
    cell += "    return half(x)\n"
    cell += "\ndef other():\n    pass\n\n# mine\nsecond = lambda x: 2 * x\nassert second == second"
    found = sources_of(
        notebook("first = None", cell, "class third:\n\ta = 1").encode(), ["first", "second", "third"]
    )
    assert found == {
        "first": cell.partition("\n\n# mine")[0],
        "second": "# mine\nsecond = lambda x: 2 * x\nassert second == second",
        "third": "class third:\n    a = 1",
    }


def test_code_that_is_long_or_hostile_is_cut_and_cleaned():
    long = "def first():\n" + "    x = 1\n" * 10_000
    found = sources_of(notebook(long, "def second():\n    '\u202e\x1b[2J'").encode(), ["first", "second"])
    assert len(found["first"]) < 8100
    assert found["first"].endswith("# only the first 8000 letters are shown")
    assert found["second"] == "def second():\n    '\ufffd\ufffd[2J'"


@pytest.mark.parametrize(
    "line", ["first" + " " * 1_000_000, "# x\n" * 200_000, "@x\ndef first(): 0\n" * 50_000]
)
def test_code_of_any_form_is_found_in_linear_time(line):
    raw, begun = notebook(line).encode(), time.process_time()
    sources_of(raw, ["first", "second"])
    assert time.process_time() - begun < 2


def test_code_of_any_form_is_found_with_little_memory():
    raw = notebook("def first(): 0\n" * 100_000).encode()
    tracemalloc.start()
    sources_of(raw, ["first", "second"])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 12 * len(raw)
