"""Python in the page in Firefox, from disk: problems are said, the page lives, nothing written is lost."""

import json

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("websocket")

from support import in_page_firefox, in_page_site
from support.in_page_errors import ERRORS, KILLS_PYTHON

pytestmark = pytest.mark.pages
READY = "document.documentElement.dataset.chPython"
WEIGHTS = "document.querySelector('[data-exercise=\"05.attention_weights\"]')"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    """A running Firefox at the page of a sheet; loud where there must be one."""
    in_page_firefox.need()
    site = tmp_path_factory.mktemp("site")
    with in_page_firefox.running(tmp_path_factory.mktemp("profile")) as running:
        running.address = in_page_site.write_site(site)
        running.goto(running.address)
        assert running.evaluate(READY) == "ready"
        yield running


@pytest.mark.parametrize(("code", "line", "words"), ERRORS)
def test_failure_is_reported_and_python_continues(firefox, code, line, words):
    """What goes wrong is said in a sentence and python goes on."""
    firefox.run("kept = 7")
    result = firefox.run(code, 3)
    assert result["line"] == line
    assert result["error"].startswith(words)
    assert firefox.run("kept")["text"] == "7\n"


def test_long_output_is_cut(firefox):
    result = firefox.run("print('x' * 10_000_000)")
    assert result["error"] is None
    assert result["text"].endswith("... and 9,800,001 characters more, not shown\n")


def test_what_cannot_hear_is_ended_and_python_starts_again(firefox):
    """Firefox has room for more calls than Chromium: it may say so in a sentence, or end its Worker."""
    result = firefox.run(KILLS_PYTHON, 10)
    assert result["error"]
    assert not result.get("stopped") or "All variables are lost" in result["error"]
    assert firefox.run("1 + 1")["text"] == "2\n"


def test_a_tab_that_is_closed_in_the_middle_loses_nothing(firefox):
    """The tab closes while Python runs, and before what was typed is kept by the clock."""
    firefox.tab()
    firefox.goto(firefox.address)
    firefox.evaluate(f"{WEIGHTS}.querySelector('.ch-tools button:nth-child(2)').click()")
    shown = f"new Promise((yes) => setInterval(() => {WEIGHTS}.querySelector('.cm-content') && yes(), 50))"
    firefox.evaluate(shown)
    firefox.evaluate(f"{WEIGHTS}.querySelector('.cm-content').focus()")
    firefox.evaluate("void clearhead.run('while True: pass', { limit: 60 })")
    firefox.evaluate("new Promise((yes) => setInterval(() => clearhead.state === 'running' && yes(), 50))")
    firefox.type("# half a thought")
    firefox.close_tab()
    firefox.tab()
    firefox.goto(firefox.address)
    kept = firefox.evaluate("Object.values(localStorage)")
    assert any("# half a thought" in json.loads(text)["text"] for text in kept)
    firefox.evaluate(shown)
    assert "half a thought" in firefox.evaluate(f"{WEIGHTS}.querySelector('.cm-content').innerText")


def test_an_exercise_is_checked(firefox):
    firefox.goto(firefox.address)
    answer = "def attention_weights(Q, K):\n    return softmax(Q @ K.T / np.sqrt(K.shape[-1]))\n"
    code = "import numpy as np\nfrom clearhead.checks import check\n"
    code += f"from clearhead.maths.softmax import softmax\n{answer}"
    code += "check('05.attention_weights', attention_weights)"
    assert firefox.run(code)["text"].startswith("✓")
