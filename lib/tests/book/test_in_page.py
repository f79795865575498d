"""Python in the page, from disk, all outside requests blocked: it runs, stops, checks, and loses nothing."""

import contextlib
import importlib.util
import io
import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from support.places import ROOT

pytest.importorskip("sphinx")
sys.path.append(str(ROOT / "book" / "_ext"))

import browser_runtime
import conventions
import python_in_page
import runnable_cells

from clearhead.checks import check, display, registry
from clearhead.grading.commands.example import notebook
from support import (
    in_page_chapters,
    in_page_site,
    student_cells,
)
from support.in_page_errors import ERRORS, KILLS_PYTHON

RIGHT = """def attention_weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(K.shape[-1]))
"""
SELF_ATTENTION = """def self_attention(X, W_q, W_k, W_v):
    A = softmax(X @ W_q @ (X @ W_k).T / np.sqrt(W_q.shape[1]))
    return A @ X @ W_v
"""
UNSCALED = "def attention_weights(Q, K):\n    return softmax(Q @ K.T)\n"
#: Two sheets whose first cell imports PyTorch as well; CLEARHEAD_ALL_SHEETS=1 tries all.
ALL = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))
SHEETS = ALL if os.environ.get("CLEARHEAD_ALL_SHEETS") else ["06_multi_head", "15_capstone"]
CHAPTERS = [path.stem for path in sorted((ROOT / "chapters").glob("*.ipynb"))]
CHAPTERS = CHAPTERS if os.environ.get("CLEARHEAD_ALL_SHEETS") else ["05_attention", "08_block"]
# Also what is folded.
IN_THE_RESULT = """(result) => {
    result.querySelectorAll('details').forEach((each) => { each.open = true; });
    const parts = [...result.querySelectorAll('pre, .ch-count, .ch-headline, .ch-headline + .ch-message')];
    return parts.map((each) => each.innerText).join('\\n\\n');
}"""
START = 120_000  # milliseconds: a busy machine starts Python slowly
KEPT = """text => Object.values(localStorage).some((record) =>
    record.includes('"text":' + JSON.stringify(text)))"""


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    """Keep the progress of these tests out of the user's own."""
    monkeypatch.setenv("CLEARHEAD_STATE", str(tmp_path))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of one sheet's page."""
    return in_page_site.write_site(tmp_path_factory.mktemp("site"))


class Reader:
    """A page, with what it asked for and what it complained about."""

    def __init__(self, context, address):
        self.asked, self.errors = [], []
        self.context, self.page = context, context.new_page()
        self.page.route("**/*", self._from_disk)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.address = address
        self.load()

    def _from_disk(self, route):
        self.asked.append(route.request.url)
        if route.request.url.startswith(("file:", "data:", "blob:")):
            return route.continue_()
        return route.abort()

    def load(self):
        self.page.goto(self.address)
        self.page.wait_for_selector("html[data-ch-python=ready]", state="attached")

    def close(self):
        self.page.evaluate("localStorage.clear()")
        self.page.close()

    def run(self, code, limit=30):
        return self.page.evaluate("([code, limit]) => clearhead.run(code, {limit})", [code, limit])

    def at(self, exercise):
        return self.page.locator(f'[data-exercise="{exercise}"]')

    def write(self, exercise, text):
        place = self.at(exercise)
        if place.get_by_role("button", name="Edit").is_visible():
            place.get_by_role("button", name="Edit").click()
        place.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def check(self, exercise):
        return self.press(self.at(exercise), "Check")

    def press(self, place, name):
        """Press Check or Run, and return the result once the button, Stop for so long, has its name again."""
        button = place.get_by_role("button", name=name, exact=True)
        button.click()
        button.wait_for(timeout=START)
        result = place.locator(".ch-result")
        result.locator("pre").first.wait_for(timeout=5000, state="attached")
        return result.evaluate(IN_THE_RESULT)


@pytest.fixture(scope="module")
def tabs(browser, site):
    """What most readers share: a page stays open, so that no process starts, and Python's code is ready."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.new_page().goto(f"{site.rpartition('/')[0]}/_static/python/python.css")
    yield context
    context.close()


@pytest.fixture(scope="module")
def python(tabs, site):
    """A page in which Python runs."""
    return Reader(tabs, site)


@pytest.fixture
def reader(tabs, site):
    """A fresh reader. The tabs that a test opens close with it: an open tab hears what later tests keep."""
    before = tabs.pages
    reader = Reader(tabs, site)
    yield reader
    for page in tabs.pages:
        if page not in (*before, reader.page):
            page.close()
    assert reader.errors == []
    reader.close()


# Without a browser


def test_the_runtime_is_what_its_checksums_say():
    spec = importlib.util.spec_from_file_location("make", ROOT / "book" / "runtime" / "make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert make.sums() == make.SUMS.read_text("utf-8")
    assert sum(path.stat().st_size for path in make.FILES.iterdir()) < 12e6


def test_the_scripts_are_the_same_each_time(tmp_path):
    for name in ("one", "two"):
        browser_runtime.write_runtime(tmp_path / name, browser_runtime.parts())
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / n).glob("*.js")} for n in ("one", "two"))
    assert one == two


def test_scripts_are_written_again_only_when_a_part_changed(tmp_path):
    part, folder = tmp_path / "runtime" / "book.zip.0.js", tmp_path / "runtime"
    browser_runtime.write_runtime(folder, {"book.zip": b"one"})
    first = part.read_text("utf-8")
    part.write_text("kept", "utf-8")
    browser_runtime.write_runtime(folder, {"book.zip": b"one"})
    assert part.read_text("utf-8") == "kept"
    browser_runtime.write_runtime(folder, {"book.zip": b"two"})
    assert part.read_text("utf-8") not in ("kept", first)
    (folder / "list.js").unlink()  # a build that was stopped
    part.write_text("half", "utf-8")
    browser_runtime.write_runtime(folder, {"book.zip": b"one"})
    assert part.read_text("utf-8") == first


def test_what_the_page_gets_of_the_library_needs_no_pytorch():
    names = browser_runtime.library_files()
    assert "clearhead/checks/__init__.py" in names
    assert not [name for name in names if name.startswith(("clearhead/nets", "clearhead/training"))]


def test_every_exercise_but_two_has_its_place():
    places = []
    for path in sorted((ROOT / "exercises").glob("*.ipynb")):
        code = [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
        pairs = zip(code, [*code[1:], None], strict=True)
        places += [python_in_page.live_cell_data(cell, after, registry.exercise) for cell, after in pairs]
    answers = [place for place in places if place["part"] == "answer"]
    assert {a["exercise"] for a in answers} == {e.id for s in registry.sheets() for e in s.exercises}
    assert {a["exercise"] for a in answers if a["needs"]} == {"06.MultiHeadAttention", "15.train_step"}


def uses(missing, text):
    """Return True where a cell uses a name that the page lacks; what it imports or makes of one is added."""
    return runnable_cells.part_that_runs(missing, text) == "none"


def test_cell_that_needs_pytorch_is_recognized_by_names():
    """A cell that needs PyTorch is known by the names that it uses."""
    missing = set()
    first = "import numpy as np\nimport torch\n\ntorch.manual_seed(0)\nx = torch.ones(2)\ny = np.ones(2)"
    assert not uses(missing, first)
    assert uses(missing, "z = x + 1")
    assert uses(missing, "def f():\n    return z")
    assert uses(missing, "f()")
    assert not uses(missing, "y + 1")
    assert not uses(missing, "from clearhead.figures import plane\nplane(y)")


def test_cell_reports_missing_package_through_names_of_other_cells():
    """A cell says which package it needs also through a name that another cell made."""
    origin = {}
    runnable_cells.needed(origin, "import torch\nfrom sklearn.svm import SVC")
    assert runnable_cells.needed(origin, "model = SVC()\nnumber = 1") == "scikit-learn"
    assert runnable_cells.needed(origin, "model.fit(number)") == "scikit-learn"
    assert runnable_cells.needed(origin, "torch.ones(2)") == "PyTorch"
    assert runnable_cells.needed(origin, "torch.ones(len(model))") == "PyTorch and scikit-learn"


def test_sheet_cell_that_cannot_run_in_page_says_so():
    """A cell of a sheet that the page cannot run says so."""
    noted = {}
    for sheet in ("01_vectorization", "06_multi_head"):
        env = SimpleNamespace(temp_data={})
        app = SimpleNamespace(config=SimpleNamespace(clearhead_run_chapters=True), env=env)
        source = [(ROOT / "exercises" / f"{sheet}.ipynb").read_text("utf-8")]
        python_in_page.note_live_cells(app, f"exercises/{sheet}", source)
        noted |= {place["cell"]: place for place in env.temp_data[conventions.LIVE_CELL].values()}
    assert noted["if-ready-06-multiheadattention-mine"]["needs"] == "PyTorch"
    assert "needs" not in noted["wines-growers-load-wine-return"]  # scikit-learn's wines come with the page


def test_local_and_redefined_names_are_not_missing():
    """Names inside a function and names made again are not missing."""
    missing = {"torch"}
    assert uses(missing, "def f(a):\n    x = torch.ones(a)\n    return x")
    assert missing == {"torch", "f"}
    assert not uses(missing, "x = 3\ny = [f for f in range(x)]")
    assert uses(missing, "y = f(x)\nz = 1")
    assert missing == {"torch", "f", "y", "z"}
    assert not uses(missing, "y = 2")
    assert not uses(missing, "y + 1")
    assert uses(missing, "z = 2 + z")
    assert not uses(missing, "for z in range(3):\n    print(z)")
    missing.add("z")
    assert uses(missing, "del z")
    missing |= {"y", "z"}
    assert uses(missing, "for z in z:\n    print(z)")
    missing |= {"y", "z"}
    assert not uses(missing, "for i in range(3):\n    y = i\n    print(y)")
    missing |= {"y", "z"}
    assert uses(missing, "for i in range(3):\n    print(y)\n    y = i")
    assert not uses({"error"}, "try:\n    f()\nexcept OSError as error:\n    print(error)")


@pytest.mark.pages
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_cell_that_the_page_offers_runs_there(browser, site, chapter):
    page = browser.new_page()
    page.goto(site)
    evaluate = "([code, limit, cell]) => clearhead.run(code, {limit, cell, skipUnavailable: true})"
    run = lambda code, limit, cell="cell": page.evaluate(evaluate, [code, limit, cell])  # noqa: E731
    assert in_page_chapters.problems(run, ROOT / "chapters" / f"{chapter}.ipynb") == []
    page.close()


def test_cells_known_to_fail_exist_in_book():
    """Cells that were tried and fail are cells of the book."""
    chapters = (json.loads(path.read_text("utf-8")) for path in (ROOT / "chapters").glob("*.ipynb"))
    ids = {cell["id"] for chapter in chapters for cell in chapter["cells"]}
    assert set(runnable_cells.ELSEWHERE) <= ids


def test_page_states_how_many_cells_run():
    """How many cells run is counted and said on a page."""
    run, all_cells = runnable_cells.cells_that_run()
    assert round(run / all_cells, 1) == 0.8  # four of five
    source = ["before <!-- cells that run in the page --> after"]
    kept = list(source)
    for builder, text in (("html", source), ("gettext", kept)):
        app = SimpleNamespace(builder=SimpleNamespace(name=builder))
        python_in_page.state_how_many_run(app, "book/how_to_read", text)
    assert kept == ["before <!-- cells that run in the page --> after"], "translators get the mark"
    assert source == [
        f"before {run} of the {all_cells} code cells of the chapters ({run / all_cells:.0%}) after"
    ]
    page = (ROOT / "book" / "how_to_read.md").read_text("utf-8")
    assert page.count("<!-- cells that run in the page -->") == 1


# With one


@pytest.mark.pages
def test_nothing_of_python_loads_before_the_first_run(reader):
    assert not [url for url in reader.asked if "/runtime/" in url or "/sheets/" in url]
    said = [words for words in reader.page.locator(".ch-status").all_inner_texts() if words]
    assert len(said) == 1, "a screen reader need not hear it at each exercise"
    assert said[0].startswith("Python loads at the first run")
    reader.run("1 + 1")
    assert [url for url in reader.asked if "numpy.zip" in url]
    assert all(url.startswith(("file:", "blob:")) for url in reader.asked)


@pytest.mark.pages
def test_python_and_checks_load_while_reader_writes(reader):
    """Reading the checks leaves no name in the reader's Python."""
    reader.write("05.attention_weights", RIGHT)
    reader.page.wait_for_function("clearhead.state === 'ready'", timeout=START)
    module = "clearhead.sheets.attention.attention_weights"
    found = reader.run(f"import sys; print({module!r} in sys.modules, 'registry' in dir())")
    assert found["text"] == "True False\n"


@pytest.mark.pages
def test_python_does_not_start_early_where_the_browser_saves_data(reader):
    reader.page.evaluate("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    reader.write("05.attention_weights", RIGHT)
    assert reader.page.evaluate("clearhead.state") == "none"
    assert "✓" in reader.check("05.attention_weights")


@pytest.mark.pages
@pytest.mark.parametrize(("code", "line", "words"), ERRORS)
def test_failure_is_reported_and_python_continues(python, code, line, words):
    """What goes wrong is said in a sentence and python goes on."""
    python.run("kept = 7")
    result = python.run(code, 3)
    assert result["line"] == line
    assert result["error"].startswith(words)
    assert words in result["text"]
    assert python.run("kept")["text"] == "7\n"


@pytest.mark.pages
def test_the_last_value_is_shown_and_long_output_is_cut(python):
    assert python.run("import numpy as np\nnp.arange(3)")["text"] == "array([0, 1, 2])\n"
    result = python.run("print('x' * 10_000_000)")
    assert len(result["text"]) < 210_000
    assert result["text"].endswith("... and 9,800,001 characters more, not shown\n")
    assert result["error"] is None


@pytest.mark.pages
def test_large_arrays_are_reused_and_drawn_integers_count(python):
    """NumPy asks for a symbol that the page must give, and refuses int64 as counts on a 32-bit machine."""
    assert python.run("x = np.arange(1e6)\n(x * x * x).sum()")["error"] is None
    drawn = "rng = np.random.default_rng(0)\nids = rng.integers(3, size=6)\n"
    assert python.run(drawn + "np.bincount(ids).tolist()")["text"] == "[3, 2, 1]\n"
    assert python.run(drawn + "ids")["text"] == "array([2, 1, 1, 0, 0, 0])\n"


@pytest.mark.pages
def test_the_data_of_other_packages_is_theirs(python):
    """Digits and wines are scikit-learn's to the last number; whatever else it has, the page lacks."""
    datasets = pytest.importorskip("sklearn.datasets")
    for name in ("load_digits", "load_wine"):
        found = getattr(datasets, name)()
        read = f"from sklearn.datasets import {name} as load\nX, y = load(return_X_y=True)\nload().data.shape"
        assert python.run(read)["text"] == f"{found.data.shape}\n"
        assert python.run(f"X.ravel().tolist() == {found.data.ravel().tolist()}")["text"] == "True\n"
        assert python.run(f"y.tolist() == {found.target.tolist()}")["text"] == "True\n"
    shape = "from sklearn.datasets import load_digits\nload_digits().images.shape"
    assert python.run(shape)["text"] == "(1797, 8, 8)\n"
    for other in ("from sklearn.datasets import load_iris", "from sklearn.linear_model import Ridge"):
        assert python.run(other)["error"].startswith("scikit-learn does not run in the page"), other


@pytest.mark.pages
def test_cell_runs_without_parts_that_page_lacks(python):
    """A cell of the book runs without what the page lacks."""
    first = "import numpy as np\nimport torch\nfrom clearhead.figures import plane\n"
    first += "torch.manual_seed(0)\nheld = 3"
    spare = "code => clearhead.run(code, {skipUnavailable: true})"
    assert python.page.evaluate(spare, first)["error"] is None
    assert python.run("held")["text"] == "3\n"
    assert python.run("plane(held).axes.plot(1)")["text"] == ""
    assert python.run("torch.ones(2)")["error"].startswith("PyTorch does not run in the page")


@pytest.mark.pages
def test_what_cannot_hear_is_ended_and_python_starts_again(python):
    """A recursion past the machine's own stack kills Python; the page says so, and begins anew."""
    result = python.run(KILLS_PYTHON, 10)
    assert result["stopped"]
    assert "All variables are lost" in result["error"]
    assert python.run("1 + 1")["text"] == "2\n"


@pytest.mark.pages
def test_stop_ends_what_runs(python):
    python.run("kept = 7")
    running = (
        "() => { window.going = clearhead.run('import time\\nwhile True: time.sleep(1)', {limit: 100}) }"
    )
    python.page.evaluate(running)
    python.page.wait_for_function("clearhead.state === 'running'")
    python.page.evaluate("clearhead.stop()")
    result = python.page.evaluate("going")
    assert result["stopped"]
    assert python.run("kept")["error"].startswith("NameError")


@pytest.mark.pages
def test_check_in_page_says_what_library_says(reader):
    """An exercise is refused named and passed in the words of the library."""
    said = reader.check("05.attention_weights")
    assert "not attempted yet" in said
    assert "answer, then press Check." in said
    assert "Stuck? The button Hint opens the next hint." in said
    assert "cell" not in said
    reader.write("05.attention_weights", UNSCALED)
    said = reader.check("05.attention_weights")
    library = library_verdict("05.attention_weights", UNSCALED, seed_in(said))
    assert sorted(re.findall(r"\w+", said)) == sorted(re.findall(r"\w+", library))
    assert "known mistake" in said
    headline = reader.at("05.attention_weights").locator(".ch-headline").inner_text()
    assert headline in " ".join(library.split())
    assert "√d" in headline
    reader.write("05.attention_weights", RIGHT)
    said = reader.check("05.attention_weights")
    assert said.strip() == library_verdict("05.attention_weights", RIGHT, seed_in(said)).strip()
    assert said.startswith("✓")
    assert "1 of 7 exercises done" in reader.page.locator(".ch-score").inner_text()


def seed_in(said):
    """Return the seed that a check's words name."""
    return int("".join(filter(str.isdigit, said.rpartition("seed")[2])))


def library_verdict(exercise, answer, seed):
    """Return what this Python's check says of an answer."""
    import linecache

    import numpy as np

    from clearhead.maths.softmax import softmax

    linecache.cache["<answer>"] = (len(answer), None, answer.splitlines(True), "<answer>")
    names = {"np": np, "softmax": softmax}
    exec(compile(answer, "<answer>", "exec"), names)
    with contextlib.redirect_stdout(io.StringIO()) as said, pytest.MonkeyPatch.context() as patch:
        patch.setattr(display, "LINE_WIDTH", 10_000)
        check(exercise, names[exercise.split(".")[1]], seed=seed)
    new_cell = f'Run hint("{exercise}") in a new cell to see the next hint.'
    words = said.getvalue().replace(new_cell, "The button Hint opens the next hint.")
    return words.replace("with the same inputs:", "with the same inputs, write under your answer:")


@pytest.mark.pages
def test_endless_loop_in_answer_is_reported_with_line(reader):
    """A loop without end in an answer is reported with its line."""
    reader.write("05.attention_weights", "def attention_weights(Q, K):\n    while True:\n        Q = Q + 0\n")
    said = reader.check("05.attention_weights")
    assert "Still running after 5 seconds: is there a loop that never ends?" in said
    assert "In your code, line " in said


@pytest.mark.pages
def test_what_was_written_and_passed_is_there_after_a_reload(reader):
    reader.write("05.attention_weights", RIGHT)
    reader.check("05.attention_weights")
    reader.write("05.qkv", "def qkv(X, W_q, W_k, W_v):\n    # half done\n")
    reader.load()
    assert "half done" in reader.at("05.qkv").locator(".cm-content").inner_text()
    assert "✓ passed, 4 of 4 points" in reader.at("05.attention_weights").locator(".ch-notes").inner_text()
    reader.at("05.qkv").get_by_role("button", name="Start again").click()
    assert "half done" not in reader.at("05.qkv").locator(".cm-content").inner_text()
    reader.at("05.qkv").get_by_role("button", name="Use that version").click()
    assert "half done" in reader.at("05.qkv").locator(".cm-content").inner_text()


@pytest.mark.pages
def test_a_tab_that_is_closed_in_the_middle_loses_nothing(reader):
    """It closes while Python runs, and before what was typed is kept by the clock."""
    other = Reader(reader.context, reader.address)
    other.page.evaluate("void clearhead.run('while True: pass', { limit: 60 })")
    other.page.wait_for_function("clearhead.state === 'running'", timeout=START)
    other.write("05.qkv", "# half a thought")
    other.page.close(run_before_unload=True)
    reader.load()
    assert "# half a thought" in reader.at("05.qkv").locator(".cm-content").inner_text()


@pytest.mark.pages
def test_two_tabs_lose_nothing_of_each_other(reader):
    """Both write into one cell, and the second goes on without having seen what the first wrote."""
    other = Reader(reader.context, reader.address)
    other.write("05.qkv", "# the second tab")
    reader.at("05.qkv").locator(".cm-content", has_text="# the second tab").wait_for()
    reader.write("05.qkv", "# the first tab")
    for tab in (reader, other):
        tab.page.wait_for_function(KEPT, arg="# the first tab", polling=50)
    other.page.keyboard.insert_text(", more")
    for tab in (other, reader):
        tab.page.wait_for_function(KEPT, arg="# the second tab, more", polling=50)
    for tab in (reader, other):
        tab.load()
        assert "# the second tab, more" in tab.at("05.qkv").locator(".cm-content").inner_text()
    other.at("05.qkv").get_by_role("button", name="Use that version").click()
    assert "# the first tab" in other.at("05.qkv").locator(".cm-content").inner_text()


@pytest.mark.pages
def test_two_tabs_keep_each_its_own_cell_and_what_passed(reader):
    other = Reader(reader.context, reader.address)
    reader.write("05.attention_weights", RIGHT)
    reader.check("05.attention_weights")
    other.write("05.qkv", "# mine")
    other.write("05.attention_weights", "# another idea")
    other.page.wait_for_timeout(500)
    for tab in (reader, other):
        tab.load()
        assert "1 of 7 exercises done" in tab.page.locator(".ch-score").inner_text()
        assert "# mine" in tab.at("05.qkv").locator(".cm-content").inner_text()


@pytest.mark.pages
def test_passed_exercises_are_ticked_in_every_tab(reader):
    """What passed is ticked in the side bar and on the maps of every tab."""
    other = Reader(reader.context, reader.address)
    assert other.page.locator(".ch-tick").count() == 0
    reader.write("05.attention_weights", RIGHT)
    reader.check("05.attention_weights")
    bar = other.page.locator(".bd-sidebar-primary > a")
    bar.nth(1).get_by_text("1/7").wait_for()
    assert "1 of 7 exercises passed" in bar.nth(0).inner_text()
    assert other.page.locator("svg .ch-tick").count() == 0
    rest = """version => { for (let i = 0; i < 9; i++) localStorage[
        `clearhead ${version} exercises/05_attention other-${i}`] = '{"text": "", "passed": true}' }"""
    reader.page.evaluate(rest, "another")
    reader.load()
    assert "1/7" in reader.page.locator(".bd-sidebar-primary > a").nth(1).inner_text()
    reader.page.evaluate(rest, "test")
    reader.load()
    for link in (0, 1):
        assert "✓" in reader.page.locator(".bd-sidebar-primary > a").nth(link).inner_text()
    assert reader.page.locator(".bd-sidebar-primary > a").nth(2).inner_text() == "6 Heads"
    assert reader.page.locator("svg .ch-tick").all_text_contents() == ["✓", "✓"]


@pytest.mark.pages
def test_progress_of_another_version_counts_once_seen(reader):
    """What another version kept counts in this one once it was seen."""
    reader.write("05.attention_weights", RIGHT)
    reader.check("05.attention_weights")
    older = """() => { for (const key of Object.keys(localStorage)) if (key.startsWith("clearhead test")) {
        localStorage[key.replace("test", "0.0.1")] = localStorage[key]; delete localStorage[key];
    } }"""
    reader.page.goto("about:blank")
    reader.load()
    reader.page.evaluate(older)
    reader.load()
    assert "1/7" in reader.page.locator(".bd-sidebar-primary > a").nth(1).inner_text()
    assert "✓ passed" in reader.at("05.attention_weights").locator(".ch-notes").inner_text()


KEYS = "() => Object.keys(localStorage).filter((key) => key.startsWith('clearhead '))"


@pytest.mark.pages
def test_two_copies_of_book_keep_separate_progress(reader):
    """Two copies of the book keep apart until the reader takes over."""
    reader.write("05.attention_weights", RIGHT)
    reader.check("05.attention_weights")
    reader.page.goto("about:blank")
    reader.load()
    reader.page.evaluate("""() => { for (const key of Object.keys(localStorage)) {
        const parts = key.split(" "); parts[2] = "/autumn/";
        localStorage[parts.join(" ")] = localStorage[key]; delete localStorage[key];
    } }""")
    reader.load()
    assert "✓ passed" not in reader.at("05.attention_weights").locator(".ch-notes").inner_text()
    assert reader.page.locator(".bd-sidebar-primary .ch-tick").count() == 0
    assert "1 exercise of this sheet" in reader.page.locator(".ch-other-copy").inner_text()
    reader.page.get_by_role("button", name="Copy it here").click()
    reader.page.get_by_text("✓ passed").first.wait_for()
    assert "softmax(Q" in reader.at("05.attention_weights").locator(".cm-content").inner_text()
    assert any(" /autumn/ " in key for key in reader.page.evaluate(KEYS)), "the other copy keeps its own"


@pytest.mark.pages
def test_progress_without_copy_id_belongs_to_first_copy(reader):
    """What was kept before copies were reported apart belongs to the first."""
    reader.write("05.attention_weights", RIGHT)
    reader.check("05.attention_weights")
    reader.page.goto("about:blank")
    reader.load()
    reader.page.evaluate("""() => { for (const key of Object.keys(localStorage)) {
        const parts = key.split(" "); parts.splice(2, 1);
        localStorage[parts.join(" ")] = localStorage[key]; delete localStorage[key];
    } }""")
    reader.load()
    assert "✓ passed" in reader.at("05.attention_weights").locator(".ch-notes").inner_text()
    # No script of ours runs here.
    reader.page.goto(reader.address.rpartition("/")[0] + "/_static/python/storage.js")
    reader.page.evaluate("""() => { localStorage["clearhead owner"] = "/another/";
        for (const key of Object.keys(localStorage))
            if (key.split(" ").length === 5) delete localStorage[key]; }""")
    reader.load()
    assert "✓ passed" not in reader.at("05.attention_weights").locator(".ch-notes").inner_text()
    assert reader.page.locator(".ch-other-copy").count() == 1


@pytest.mark.pages
def test_cell_knows_passed_exercises_after_reload(reader):
    """Python forgets what it checked, also where the answers themselves ran again for another cell."""
    reader.write("05.self_attention", SELF_ATTENTION)
    reader.at("05.self_attention").get_by_role("button", name="Hint").click()
    assert reader.check("05.self_attention").startswith("✓")
    reader.load()
    reader.check(reader.page.locator("[data-exercise]").last.get_attribute("data-exercise"))
    said = {}
    for asks in ('ready("05.self_attention")', 'score("05")'):
        said[asks] = reader.press(reader.page.locator(".ch-live-cell[data-part=plain]", has_text=asks), "Run")
    both = "".join(said.values())
    assert "must pass first" not in both
    assert "passed earlier" not in both
    assert "1 of 7 exercises done" in both
    assert re.search(r"✓ 05.self_attention .* 1 of 3 hints read", both)
    assert both.endswith("Progress stored in: this browser")


@pytest.mark.pages
def test_hint_button_leads_from_hints_to_the_solution(reader):
    """The first hint is not shown beside the button, and the solution is inside the last hint."""
    answer = reader.at("05.self_attention")
    folds = answer.locator("xpath=..").locator("details.ch-collapsible > summary")
    assert folds.count() == 4
    assert [fold.is_visible() for fold in folds.all()] == [False] * 4, "one way to a hint is enough"
    seen = []
    for _ in range(4):
        answer.get_by_role("button", name="Hint").click()
        seen.append([fold.inner_text() for fold in folds.all() if fold.is_visible()][-1])
    assert seen == ["Hint 2 of 3", "Hint 3 of 3", "Solution", "Solution"]
    assert reader.page.evaluate("document.activeElement.textContent") == "Solution"
    assert not answer.locator("xpath=..").locator("details.ch-solution").get_attribute("open")


@pytest.mark.pages
def test_passed_answer_can_be_compared_with_the_solution(reader):
    answer = reader.at("05.self_attention")
    compare = answer.get_by_role("button", name="Compare with the solution")
    assert compare.count() == 0
    reader.write("05.self_attention", SELF_ATTENTION)
    assert reader.check("05.self_attention").startswith("✓")
    compare.click()
    solution = answer.locator("xpath=..").locator("details.ch-solution")
    assert solution.get_by_text("the solution").is_visible()


@pytest.mark.pages
def test_storage_that_is_full_is_said(reader):
    full = "() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') } }"
    reader.page.evaluate(full)
    reader.write("05.qkv", "# not kept")
    reader.at("05.qkv").get_by_text("Not saved: this browser's storage is full").wait_for()


@pytest.mark.pages
def test_changed_book_cell_is_shown_beside_answer(reader):
    """A changed cell of the book is shown beside the answer."""
    reader.write("05.qkv", "# mine")
    reader.page.wait_for_timeout(500)
    older = """() => { for (const key of Object.keys(localStorage)) {
        localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), hash: "another" });
    } }"""
    reader.page.evaluate(older)
    reader.load()
    assert "has changed since you wrote yours" in reader.at("05.qkv").locator(".ch-notes").inner_text()
    reader.at("05.qkv").get_by_text("The book's version", exact=True).click()
    assert "raise NotImplementedError" in reader.at("05.qkv").locator(".ch-book").inner_text()


@pytest.mark.pages
def test_the_notebook_goes_out_with_the_answers_and_comes_back(reader, tmp_path):
    reader.write("05.attention_weights", RIGHT)
    with reader.page.expect_download() as begun:
        reader.page.get_by_role("button", name="Download as notebook").click()
    path = tmp_path / begun.value.suggested_filename
    begun.value.save_as(path)
    book = json.loads((ROOT / "exercises" / "05_attention.ipynb").read_text("utf-8"))
    mine = json.loads(path.read_text("utf-8"))
    changed = [cell for cell, old in zip(mine["cells"], book["cells"], strict=True) if cell != old]
    assert ["".join(cell["source"]) for cell in changed] == [RIGHT]
    reader.page.get_by_role("button", name="Start over on this page").click()
    reader.page.set_input_files("input[type=file]", path)
    reader.page.get_by_text("1 answer read from 05_attention.ipynb.").first.wait_for()
    assert "softmax(Q" in reader.at("05.attention_weights").locator(".cm-content").inner_text()
    (tmp_path / "no.ipynb").write_text("[]")
    reader.page.set_input_files("input[type=file]", tmp_path / "no.ipynb")
    reader.page.get_by_text("The file cannot be read as a notebook").first.wait_for()


@pytest.mark.pages
@pytest.mark.parametrize(
    "name", ["timed", "indented as a whole", "an alias after a wrong def", "a lambda", "waits, then assigns"]
)
def test_an_answer_of_jupyter_is_loaded_and_passes(reader, tmp_path, name):
    cells = [*student_cells.ALL[name][0], "sharpen(np.ones(2), np.ones(2), np.zeros(2), 0.5)"]
    text = notebook(*cells, "check('05.sharpen', sharpen)").replace(
        '"metadata": {}', '"metadata": {"x": NaN}'
    )
    (tmp_path / "mine.ipynb").write_text(text)
    reader.page.set_input_files("input[type=file]", tmp_path / "mine.ipynb")
    reader.page.get_by_text("1 answer read from mine.ipynb.").first.wait_for(timeout=START)
    assert "05.qkv: no code cell defines `qkv`." in reader.page.locator(".ch-sheet-message").inner_text()
    assert "Right" in reader.check("05.sharpen") or "✓" in reader.at("05.sharpen").inner_text()


@pytest.mark.pages
@pytest.mark.parametrize("name", student_cells.CELLS)
def test_the_page_says_what_jupyter_says_of_a_cell(python, name):
    cells, right = student_cells.ALL[name]
    python.run("sharpen = None")
    for source in cells:
        python.run(source)
    said = python.run("from clearhead.checks import check\ncheck('05.sharpen', sharpen)")["text"]
    assert ("✓" in said and "✗" not in said) is right, said


#: Nothing but the site's own scripts, WebAssembly, and the Worker made of them. No eval, no other host.
STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; "
STRICT += "style-src 'self' 'unsafe-inline'"


@pytest.mark.pages
def test_page_works_under_strict_policy_over_http(browser, site):
    """A strict policy over http refuses nothing that the page needs."""
    folder = Path(site.removeprefix("file://")).parent
    with in_page_site.under_policy(folder, STRICT) as address:
        page = browser.new_page()
        refused = []
        page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
        page.goto(f"{address}/05_attention.html")
        page.wait_for_selector("html[data-ch-python=ready]", state="attached")
        page.locator('[data-exercise="05.qkv"]').get_by_role("button", name="Edit").click()
        page.locator(".cm-content").wait_for()
        assert (
            page.evaluate("clearhead.run('import numpy as np\\nnp.arange(2)')")["text"] == "array([0, 1])\n"
        )
        assert [text for text in refused if "favicon" not in text] == []
        page.close()


@pytest.mark.pages
@pytest.mark.parametrize("lacking", ["DecompressionStream", "WebAssembly"])
def test_old_browser_learns_what_is_missing_and_page_works(browser, site, lacking):
    """An old browser is reported what it lacks and the rest of the page works."""
    context = browser.new_context()
    context.add_init_script(f"delete globalThis.{lacking}")
    reader = Reader(context, site)
    reader.write("05.qkv", "# mine")
    reader.at("05.qkv").get_by_role("button", name="Check").click()
    reader.at("05.qkv").get_by_text(f"this browser lacks {lacking}. Use Chrome").wait_for()
    reader.load()
    assert "# mine" in reader.at("05.qkv").locator(".cm-content").inner_text()
    context.close()


@pytest.mark.pages
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_in_the_places(reader, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    reader.page.set_viewport_size({"width": width, "height": 900})
    reader.write("05.attention_weights", UNSCALED)
    reader.check("05.attention_weights")
    found = axe.Axe().run(reader.page).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
    wide = "() => document.documentElement.scrollWidth <= innerWidth"
    assert reader.page.evaluate(wide)


@pytest.mark.pages
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_solved_sheet_is_loaded_and_passes(tabs, site, sheet):
    """The hand-written solutions, read as a reader's own notebook, pass; PyTorch is left to Jupyter."""
    solved = Reader(tabs, in_page_site.write_page(Path(site.removeprefix("file://")).parent, sheet))
    solved.page.set_input_files("input[type=file]", ROOT / "solutions" / f"{sheet}.ipynb")
    solved.page.get_by_text(f"read from {sheet}.ipynb.").first.wait_for()
    exercises = solved.page.eval_on_selector_all(
        "[data-exercise]:not([data-needs])", "all => all.map(e => e.dataset.exercise)"
    )
    said = {exercise: solved.check(exercise) for exercise in exercises}
    assert [text for text in said.values() if not text.startswith("✓")] == []
    assert f"{len(exercises)} of " in solved.page.locator(".ch-score").inner_text()
    for place in solved.page.locator("[data-needs]").all():
        assert "its check runs only in Jupyter" in place.inner_text()
        assert place.get_by_role("button", name="Check").count() == 0
    assert solved.errors == []
    solved.close()


@pytest.mark.pages
def test_keys_run_and_leave(reader):
    reader.write("05.attention_weights", RIGHT)
    place = reader.at("05.attention_weights")
    for keys in ("Shift+Enter", "Control+Enter"):
        place.locator(".ch-result").evaluate("result => result.replaceChildren()")
        reader.page.keyboard.press(keys)
        place.locator(".ch-result pre", has_text="✓").wait_for(timeout=START)
        place.get_by_role("button", name="Check", exact=True).wait_for()
    inside = "() => Boolean(document.activeElement.closest('.cm-editor'))"
    reader.page.keyboard.press("Tab")
    assert reader.page.evaluate(inside)
    reader.page.keyboard.press("Escape")
    reader.page.keyboard.press("Tab")
    assert not reader.page.evaluate(inside)


# Tables, as the chapters show them


@pytest.mark.parametrize("module", ["block_diagram", "recurrent_cells", "schematics"])
def test_drawings_of_every_module_of_figures_are_left_out(python, module):
    code = f"from clearhead.figures.{module} import anything\nanything([1], 'said')\n1 + 1"
    found = python.page.evaluate("code => clearhead.run(code, { skipUnavailable: true })", code)
    assert (found["error"], found["text"]) == (None, "2\n")


def test_tables_are_shown_and_drawings_are_left_out(python):
    """A table is a table and what draws is left out."""
    found = python.run("from clearhead.figures import bars, show\nbars([1], [2])\nshow(A=[[0.5, -1.0]])")
    assert found["error"] is None
    assert "<caption>A</caption>" in found["html"]
    assert found["text"].endswith(found["last"] + "\n")


def test_only_tables_of_html_output_reach_page(reader):
    """Of the html of a value only a table reaches the page."""
    bad = "<table><tr><td onclick='bad()' style='color:red'>7</td></tr></table><script>bad = 1</script>"
    bad += "<img src=x onerror='bad = 1'><a href='javascript:bad = 1'>x</a>"
    place = reader.page.locator(".ch-live-cell[data-part=plain]").first
    place.hover()
    place.get_by_role("button", name="Edit").click()
    place.locator(".cm-content").click()
    reader.page.keyboard.press("Control+A")
    reader.page.keyboard.insert_text(f"class Bad:\n    _repr_html_ = lambda self: {bad!r}\nBad()")
    place.get_by_role("button", name="Run", exact=True).click()
    cell = place.locator(".ch-result td")
    cell.wait_for(timeout=START)
    assert cell.evaluate("e => e.outerHTML") == "<td>7</td>"
    assert place.locator(".ch-result :is(script, img, a)").count() == 0
    assert reader.page.evaluate("typeof bad") == "undefined"


def test_run_stays_under_the_pointer_that_goes_to_it(reader):
    place = reader.page.locator(".ch-live-cell[data-part=plain]").first
    run, write = (place.get_by_role("button", name=name, exact=True) for name in ("Run", "Edit"))
    reader.page.mouse.move(0, 0)
    run.scroll_into_view_if_needed()
    before = run.bounding_box()
    run.hover()
    write.wait_for()
    assert run.bounding_box()["x"] == pytest.approx(before["x"], abs=1)
    assert write.bounding_box()["x"] + write.bounding_box()["width"] <= before["x"] + 1


def test_tap_on_run_does_not_open_editor(browser, site):
    """A tap on run runs and does not open the editor."""
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    reader = Reader(phone, site)
    place = reader.page.locator(".ch-live-cell[data-part=plain]").first
    place.get_by_role("button", name="Run", exact=True).tap()
    reader.page.locator(".ch-live-cell.ch-executed").first.wait_for(state="attached", timeout=START)
    assert place.locator(".ch-editor").count() == 0
    phone.close()


# A GPT that is trained in the page


CHAPTER = ROOT / "chapters" / "appendix_gpt_without_autograd.ipynb"


@pytest.fixture(scope="module")
def training():
    """The names of the chapter's cells that a training in the page needs, run by this Python."""
    known = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(python_in_page.program(str(CHAPTER)), known)
    return known


def test_a_training_a_few_steps_at_a_time_learns(training):
    start = training["start_run"](0, 16, 1)
    assert start["marks"] == sorted(start["marks"], reverse=True)
    losses = [loss for _ in range(8) for loss in training["train_steps"](5, 0.03, "none")["losses"]]
    assert losses[0] > 4
    assert training["evaluate"]()["held_out"] < start["marks"][1] < start["held_out"]
    assert training["run"]["step"] == len(losses) == 40


def test_wrong_gradients_of_figure_are_those_of_chapter(training):
    """Each wrong gradient of the figure is one of the chapter."""
    from clearhead.widgets import train_gpt

    assert set(train_gpt.WRONG[1:]) == set(training["mistakes"])
    for wrong in train_gpt.WRONG[1:]:
        ends = []
        for each in ("none", wrong):
            training["start_run"](0, 16, 1)
            ends.append(training["train_steps"](3, 0.02, each)["losses"][-1])
        assert ends[0] != ends[1], wrong


def test_the_button_trains_in_the_page(browser, site, tmp_path):
    from clearhead.widgets import TrainGpt
    from support.live_figures import MODEL, state_of

    figure = TrainGpt(width=2, blocks=0)  # wide: on a fast machine a narrow one is ready before anybody looks
    state = json.dumps(state_of(figure))
    names = ("worker.js", "kernel.js")
    scripts = "".join(f'<script defer src="_static/python/{name}"></script>' for name in names)
    program = python_in_page.in_script(python_in_page.program(str(CHAPTER)))
    page = f'<!doctype html><meta charset="utf-8">{scripts}<body>'
    page += f'<script type="application/json" id="ch-program">{program}</script>'
    draw = f"{MODEL} const figure = (await load({json.dumps(figure._esm)})).default;"
    draw += f"figure.render({{ model: new Model({state}), el: document.body }});"
    path = Path(site.removeprefix("file://")).with_name("train.html")
    path.write_text(f'{page}<script>addEventListener("load", async () => {{ {draw} }});</script>', "utf-8")
    reader = browser.new_page()
    reader.goto(path.as_uri())
    reader.get_by_role("button", name="Train").click()
    reader.get_by_text("Step 25:").wait_for(timeout=START)
    reader.get_by_role("button", name="Pause").click()
    reader.locator(".ch-line", has_text="training loss").wait_for()  # the line waits until the figure rests
    assert reader.locator("polyline").count() == 2
    reader.get_by_role("button", name="Start over").click()
    assert reader.get_by_role("button", name="Train").is_visible()
    assert reader.locator("polyline").count() == 0
    reader.close()
