"""In JupyterLab: links lead somewhere, keys stay in figures, and what a reader wrote is never lost."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from importlib.metadata import PackageNotFoundError, distribution

import nbformat
import pytest
from packaging.specifiers import SpecifierSet

import lab
import sizes
from clearhead import widgets
from clearhead.checks import registry
from clearhead.widgets import questions
from support.notebooks import read

LINK = re.compile(r"\]\(<?([^)\s>]+)|^```\{(?:image|figure)\}\s+(\S+)|(?:src|href)=\"([^\"]+)\"", re.M)
COPIES = sorted(
    path for part in ("chapters", "exercises", "book") for path in (lab.ROOT / part).glob("*.ipynb")
)
SECONDS = 60  # to wait at most
SETTINGS = {  # every cell is in the page, and Lab asks for no news
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}


def links(path):
    """Return the links of a notebook to other files, each as its cells have it, without #anchors."""
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    found = {next(filter(None, groups)).partition("#")[0] for groups in LINK.findall(text)}
    return sorted(link for link in found if link and not re.match(r"\w+:", link))


@pytest.fixture(scope="module")
def my(tmp_path_factory):
    """A reader's copy of the notebooks."""
    folder = tmp_path_factory.mktemp("reader") / "my"
    assert lab.fill(folder) == []
    return folder


# ---- The copy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", COPIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_notebook_link_leads_to_served_file(path, my):
    """Every link of a notebook leads to a file that the server shows."""
    place = (my / path.relative_to(lab.ROOT)).parent
    lost = [link for link in links(path) if not (place / link).is_file()]
    outside = [link for link in links(path) if not (place / link).resolve().is_relative_to(my.resolve())]
    assert (lost, outside) == ([], [])


def test_every_file_that_a_cell_reads_is_there(my):
    found = 0
    for path in COPIES:
        for cell in read(path).cells:
            for name in re.findall(r'"(\.\./[^"]+)"', cell.source if cell.cell_type == "code" else ""):
                assert (my / path.relative_to(lab.ROOT)).parent.joinpath(name).exists(), (path, name)
                found += 1
    assert found


def test_links_are_found():
    assert len([link for path in COPIES for link in links(path)]) > 100


@pytest.fixture
def small(tmp_path):
    """A repository of one chapter, and the reader's copy of it."""
    chapter = tmp_path / "chapters" / "00_start_here.ipynb"
    chapter.parent.mkdir()
    chapter.write_text("first")
    assert lab.fill(tmp_path / "my", tmp_path) == []
    return chapter, tmp_path / "my" / "chapters" / "00_start_here.ipynb"


def refill(chapter):
    """Return what a second `make lab` says."""
    return lab.fill(chapter.parents[1] / "my", chapter.parents[1])


def test_a_copy_that_nobody_touched_is_renewed(small):
    chapter, copy = small
    chapter.write_text("second")
    assert (refill(chapter), copy.read_text()) == ([], "second")


def test_work_of_reader_is_never_overwritten(small):
    """What a reader wrote is never overwritten and is said once."""
    chapter, copy = small
    copy.write_text("mine")
    assert (refill(chapter), copy.read_text()) == ([], "mine")
    for number, text in (("", "second"), ("2", "third")):
        chapter.write_text(text)
        beside = copy.with_name(f"00_start_here.new{number}.ipynb")
        assert refill(chapter) == [
            "You worked on chapters/00_start_here.ipynb: it stays as it is, "
            f"and the new version is {beside.name}."
        ]
        assert (copy.read_text(), beside.read_text()) == ("mine", text)
        beside.write_text("mine, too")
        assert refill(chapter) == []
        assert beside.read_text() == "mine, too"


def test_only_unedited_notebooks_are_updated(small):
    """A notebook that was only run is renewed and one that was written in is not."""
    chapter, copy = small

    def write(path, source, *outputs):
        cell = nbformat.v4.new_code_cell(source, outputs=list(outputs), id="one")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)

    write(chapter, "x = 1")
    refill(chapter)
    result = nbformat.v4.new_output("stream", text="a result")
    write(copy, "x = 1", result)
    assert refill(chapter) == []
    assert "a result" in copy.read_text()  # nothing is new: results stay
    write(chapter, "x = 2")
    assert refill(chapter) == []
    assert read(copy).cells[0].source == "x = 2"
    write(copy, "x = 3", result)
    write(chapter, "x = 4")
    assert len(refill(chapter)) == 1
    assert read(copy).cells[0].source == "x = 3"


def test_box_becomes_quotation_in_copy():
    """A box of the book is a quotation in the copy."""
    text = "Before.\n\n:::{admonition} A slip: $x$\n:class: warning\nFirst.\n\nSecond.\n:::\n\nAfter."
    assert lab.without_boxes(text) == "Before.\n\n> **A slip: $x$**\n>\n> First.\n>\n> Second.\n\nAfter."


def test_copy_collapses_code_that_solves_exercise(my):
    """Code that a sheet asks for is closed in the copy and its exercise is above."""
    cells = read(my / "chapters" / "09_masking_and_training.ipynb").cells
    at = next(i for i, cell in enumerate(cells) if cell.source.startswith("def causal_mask("))
    assert cells[at].metadata.jupyter.source_hidden
    assert "[exercise 09.causal_mask](../exercises/09_masking_and_training.ipynb)" in cells[at - 1].source


MYST = re.compile(r":::|^```\{|\{[a-z:-]+\}`|^\(\S+\)=$|\$\$ *\(\S+\)$|\[\^", re.M)


@pytest.mark.parametrize(
    "source", [":::{note}", "```{image} a.svg", "see {ref}`a`", "(a)=", "$$x$$ (a)", "text[^1]"]
)
def test_what_only_myst_reads_is_found(source):
    assert MYST.search(source)


def test_no_notebook_of_the_copy_needs_an_extension(my):
    boxes = 0
    for path in COPIES:
        cells = [cell.source for cell in read(my / path.relative_to(lab.ROOT)).cells]
        assert not [source for source in cells if MYST.search(source)], path
        boxes += sum(cell.source.count(":::{") for cell in read(path).cells)
    assert boxes > 50


def test_another_editor_gets_the_copy_alone(tmp_path):
    script = tmp_path / "book" / "lab.py"
    (script.parent / "_ext").mkdir(parents=True)
    shutil.copy(lab.__file__, script)
    for name in ("solves.py", "conventions.py"):
        shutil.copy(lab.ROOT / "book" / "_ext" / name, script.parent / "_ext")
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "a.ipynb").write_text("a sheet")
    done = subprocess.run([sys.executable, script, "--copy"], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "my" / "exercises" / "a.ipynb").read_text() == "a sheet"


def test_git_leaves_the_copy_alone():
    if not (lab.ROOT / ".git").exists():
        pytest.skip("no git here")
    asked = ["git", "check-ignore", "my/exercises/05_attention.ipynb", "my/.copied.json"]
    assert subprocess.run(asked, cwd=lab.ROOT, capture_output=True).returncode == 0


# ---- The environment -------------------------------------------------------------------------------------


def test_each_pin_supports_oldest_promised_python():
    """Each pin can be had by the oldest python that is promised."""
    promised = tomllib.loads((lab.ROOT / "lib" / "pyproject.toml").read_text("utf-8"))["project"][
        "requires-python"
    ]
    oldest = promised.removeprefix(">=") + ".0"
    pins = re.findall(r"^([\w.-]+)==(\S+)", (lab.ROOT / "constraints.txt").read_text("utf-8"), re.M)
    seen, too_new = 0, {}
    for name, pin in pins:
        try:
            package = distribution(name)
        except PackageNotFoundError:  # another system's, or only for benchmarks
            continue
        asks = package.metadata.get("Requires-Python", "")
        seen += package.version == pin
        if package.version == pin and not SpecifierSet(asks).contains(oldest):
            too_new[name] = asks
    assert seen > 100
    assert too_new == {}


def test_an_environment_stays_until_what_it_needs_changes(tmp_path):
    if shutil.which("make") is None:
        pytest.skip("no make here")
    needed = [tmp_path / name for name in ("requirements.txt", "constraints.txt", "lib/pyproject.toml")]
    for path in needed:
        path.parent.mkdir(exist_ok=True)
        shutil.copy(lab.ROOT / path.relative_to(tmp_path), path)
    shutil.copy(lab.ROOT / "Makefile", tmp_path)
    ready = tmp_path / ".venv" / "ready"
    ready.parent.mkdir()

    def make():
        os.utime(ready, (0, 0))  # older than a fresh clone
        command = ["make", "PYTHON=false", ".venv/ready"]  # to install fails
        return subprocess.run(command, cwd=tmp_path, capture_output=True).returncode

    ready.touch()
    assert make() != 0
    check = subprocess.run(
        ["cksum"], input=b"".join(path.read_bytes() for path in needed), capture_output=True
    )
    ready.write_bytes(check.stdout)
    assert make() == 0
    needed[0].write_text("numpy==1.0\n")
    assert make() != 0


def test_each_target_of_make_has_plain_commands():
    makefile = (lab.ROOT / "Makefile").read_text(encoding="utf-8")
    page = (lab.ROOT / "book" / "installation.md").read_text(encoding="utf-8")
    table = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `make ")]
    for_linux = {"test-noise", "test-old-processor"}
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.M)) - {"help"} - for_linux
    assert set(re.findall(r"`make ([a-z-]+)`", " ".join(table))) == targets


SIZE = re.compile(r"([\d.]+) (MB|GB)")


def test_pages_promise_the_sizes_that_make_sizes_compares():
    readme, page = (
        (lab.ROOT / path).read_text(encoding="utf-8") for path in ("README.md", "book/installation.md")
    )
    assert sizes.promised(readme).keys() == sizes.WAYS.keys()
    paragraph = page.partition("**Only the exercises?**")[2].partition("\n")[0]
    assert len(SIZE.findall(paragraph)) == 3
    assert set(SIZE.findall(paragraph)) <= set(SIZE.findall(readme))


def test_readme_says_roughly_how_many_wrong_answers_are_known():
    known = sum(len(exercise.mistakes) for sheet in registry.sheets() for exercise in sheet.exercises)
    assert "about four thousand wrong answers" in (lab.ROOT / "README.md").read_text(encoding="utf-8")
    assert 3_500 <= known < 4_500


def test_another_size_is_told():
    assert sizes.differs(430, 420) == ""
    assert sizes.differs(460, 420) == "README says 420 MB: fix it"


def test_pages_count_the_exercises_that_need_pytorch():
    exercises = [exercise for sheet in registry.sheets() for exercise in sheet.exercises]
    assert sum("torch" in exercise.needs for exercise in exercises) == 2
    for path in ("README.md", "book/installation.md"):
        assert "all but two of the exercises" in (lab.ROOT / path).read_text(encoding="utf-8").lower(), path


# ---- A real Lab ------------------------------------------------------------------------------------------


def notebook_of_all_figures(folder):
    """Write a notebook with one cell for each figure, and the two kinds of questions."""
    asked = questions.load("05")["predict"][0]["id"]
    made = {"Predict": f'Predict("{asked}")', "SelfCheck": 'SelfCheck("05")'}
    cells = [nbformat.v4.new_code_cell("from clearhead.widgets import *")]
    cells += [nbformat.v4.new_code_cell(made.get(name, f"{name}()")) for name in widgets.__all__]
    metadata = read(lab.ROOT / lab.FIRST).metadata
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), folder / "figures.ipynb")


@pytest.fixture(scope="module")
def server(my, tmp_path_factory):
    """The address of a JupyterLab that serves the reader's copy, as `make lab` does, and a few settings."""
    notebook_of_all_figures(my)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = [
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--IdentityProvider.token=",
        "--ServerApp.disable_check_xsrf=True",
    ]
    own = tmp_path_factory.mktemp("own")  # no tabs, settings or progress of whoever runs the test
    for name, values in SETTINGS.items():
        place = own / "lab" / "user-settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(values))
    environment = os.environ | {"JUPYTER_CONFIG_DIR": str(own), "CLEARHEAD_STATE": str(own)}
    command = lab.command(my, *quiet, "--LabApp.expose_app_in_browser=True")
    with (own / "log.txt").open("w") as log:
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(SECONDS * 5):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api").read()
                break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail(f"JupyterLab did not start: {(own / 'log.txt').read_text()[-2000:]}")
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(20)


@pytest.fixture
def open_lab(browser, server):
    """A function that opens a path of the server's in a Lab of its own, and returns the page."""
    context = browser.new_context(viewport={"width": 1300, "height": 900})

    def opened(path):
        page = context.new_page()
        page.set_default_timeout(SECONDS * 1000)
        page.goto(server + path)
        page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
        return page

    yield opened
    context.close()


def tomorrow(page, open_lab, server, path):
    """Save the notebook of a page, end every kernel, as a night does, and return the page opened again."""
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    for session in page.request.get(f"{server}/api/sessions").json():
        page.request.delete(f"{server}/api/sessions/{session['id']}")
    page.close()
    return open_lab(path)


CURRENT = "window.jupyterapp.shell.currentWidget"
CELLS = f"() => {CURRENT}.content.model.sharedModel.cells.map((cell) => cell.source)"

CONTROLS = ", ".join(f"{tag}:enabled:visible" for tag in ("input", "button", "select", "[tabindex='0']"))


@pytest.mark.lab
def test_a_reader_clicks_from_chapter_to_sheet_and_back(open_lab):
    page = open_lab("/")  # the page that `make lab` opens
    page.wait_for_function(f"() => {CURRENT}.context.path === 'chapters/00_start_here.ipynb'")
    for path in ("exercises/00_start_here.ipynb", "chapters/00_start_here.ipynb"):
        page.locator(f".jp-NotebookPanel:not(.lm-mod-hidden) a[href*='{path}']").first.click()
        page.wait_for_function(f"(path) => {CURRENT}.context.path === path", arg=path)


def run_all(page):
    """Run every cell of the open notebook, and wait for the kernel."""
    page.wait_for_function(
        f"() => {CURRENT}.sessionContext.session?.kernel?.connectionStatus === 'connected'"
    )
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")


@pytest.mark.lab
def test_figure_keeps_keys_from_notebook_and_survives_as_picture(open_lab, server):
    """No letter pressed in a figure reaches the notebook and the next day it is a picture."""
    page = open_lab("/lab/tree/figures.ipynb?reset")
    before = page.evaluate(CELLS)
    run_all(page)
    drawn, pressed = set(), 0
    for place, source in enumerate(before[1:], 1):
        cell = page.locator(".jp-Cell").nth(place)
        cell.locator(".ch-figure").wait_for()
        drawn.add(source.partition("(")[0])
        for control in cell.locator(".ch-figure").locator(CONTROLS).all():
            control.focus()
            for key in "xb":
                page.keyboard.press(key)
            pressed += 1
        assert page.evaluate(CELLS) == before, source
    assert drawn == set(widgets.__all__)
    assert pressed > 100
    assert page.locator(".ch-still:visible").count() == 0
    page = tomorrow(page, open_lab, server, "/lab/tree/figures.ipynb?reset")
    for place, source in enumerate(before[1:], 1):
        cell = page.locator(".jp-Cell").nth(place)
        still = cell.locator(".ch-still")
        still.wait_for()
        assert "Run All Cells to make it interactive" in still.inner_text(), source
        assert "Error displaying widget" not in cell.inner_text(), source
    run_all(page)
    page.locator(".jp-Cell").nth(1).locator(".ch-figure").wait_for()
    assert page.locator(".jp-Cell").nth(1).locator(".ch-still:visible").count() == 0


@pytest.mark.lab
def test_the_same_letters_beside_a_figure_do_reach_the_notebook(open_lab):
    page = open_lab("/lab/tree/figures.ipynb?reset")
    count = len(page.evaluate(CELLS))
    page.locator(".jp-InputPrompt").first.click()
    page.keyboard.press("b")
    page.wait_for_function(f"(count) => {CURRENT}.content.model.cells.length === count", arg=count + 1)


def notebook_with_a_guess(folder):
    """Write a question, three results that wait for the guess, and a cell that does not."""
    cells = [nbformat.v4.new_code_cell("from clearhead.widgets import Predict\nPredict('04.temperature')")]
    for source in ("print('printed')", "'returned'", "1 / 0"):
        tags = {"tags": ["reveal", "raises-exception"]}
        cells.append(nbformat.v4.new_code_cell(source, metadata=tags))
    cells.append(nbformat.v4.new_code_cell("print('no secret')"))
    metadata = read(lab.ROOT / lab.FIRST).metadata
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), folder / "guess.ipynb")


def shown(page):
    """Return which words of the results of that notebook are seen."""
    words = ("printed", "'returned'", "ZeroDivisionError", "no secret")
    seen = " ".join(page.locator(".jp-OutputArea-output:visible").all_inner_texts())
    return [word for word in words if word in seen]


@pytest.mark.lab
def test_results_wait_for_a_guess_and_errors_do_not(open_lab, my):
    from playwright.sync_api import expect

    notebook_with_a_guess(my)
    page = open_lab("/lab/tree/guess.ipynb?reset")
    run_all(page)
    page.get_by_text("no secret", exact=True).wait_for()
    folds = page.get_by_text("Guess first; then open the result")
    assert folds.count() == 3
    assert shown(page) == ["ZeroDivisionError", "no secret"]
    folds.nth(1).click()  # no guess: this one alone
    assert shown(page) == ["'returned'", "ZeroDivisionError", "no secret"]
    page.get_by_label("It approaches the mean").check()
    page.get_by_role("button", name="Check my guess").click()
    expect(folds).to_have_count(0)
    assert shown(page) == ["printed", "'returned'", "ZeroDivisionError", "no secret"]


@pytest.mark.lab
def test_the_first_answer_is_typed_checked_and_helped(open_lab, server):
    from playwright.sync_api import expect

    page = open_lab("/lab/tree/exercises/00_start_here.ipynb?reset")
    run_all(page)
    check = page.locator(".jp-Cell", has_text='check("00.softmax"').first
    check.get_by_role("button", name="Show a hint").click()
    check.get_by_text("Hint 1 of 3 for 00.softmax").wait_for()
    assert "○ 00.softmax: not attempted yet" in check.inner_text()
    answer = page.locator(".jp-Cell", has_text="def softmax(").first
    answer.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(
        "def softmax(z, axis):\n    e = np.exp(z - z.max(axis, keepdims=True))\n"
        "    return e / e.sum(axis, keepdims=True)"
    )
    page.keyboard.press("Control+Enter")
    check.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    check.get_by_text("✓ 00.softmax: all").wait_for()
    assert check.get_by_role("button", name="hint").count() == 0
    others = page.get_by_role("button", name="Show a hint").count()
    assert others > 0
    again = tomorrow(page, open_lab, server, "/lab/tree/exercises/00_start_here.ipynb?reset")
    words = again.locator(":text('Run this check again for its hints.'):visible")
    expect(words).to_have_count(others, timeout=SECONDS * 1000)
    assert again.locator(":text('Error displaying widget'):visible").count() == 0
