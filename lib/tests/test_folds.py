"""What of a cell is shown, what folds, how pictures are numbered, and formulas without JavaScript."""

import ast
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "book" / "_ext"))

import clearhead_formulas  # noqa: E402
import clearhead_look  # noqa: E402
from clearhead_folds import Parts  # noqa: E402

from notebooks import CHAPTERS, code_cells  # noqa: E402


def test_asserts_and_their_comments_leave_the_code():
    parts = Parts("x = 1\n# it stays\nassert x == 1\nfor y in [1]:\n    assert y\nx")
    assert parts.shown == "x = 1\nx"
    assert parts.proof == "# it stays\nassert x == 1\nfor y in [1]:\n    assert y"
    assert parts.checked == 2


def test_an_assert_inside_other_work_stays():
    parts = Parts("for x in [1]:\n    print(x)\n    assert x")
    assert parts.checked == 0
    assert "assert x" in parts.shown


def test_imports_alone_are_a_set_up():
    assert Parts("import numpy as np\n\nnp.set_printoptions(precision=3)").is_setup
    assert not Parts("import numpy as np\n\nx = 1").is_setup


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_nothing_of_a_chapter_is_lost(path):
    for cell in code_cells(path):
        source = re.sub(r"^[%!].*$", "", cell.source, flags=re.M)
        parts = Parts(source)
        halves = [ast.unparse(part) for text in (parts.shown, parts.proof) for part in ast.parse(text).body]
        assert sorted(halves) == sorted(ast.unparse(part) for part in ast.parse(source).body)


def test_a_picture_has_a_number_and_its_words_and_a_fallback_has_not():
    picture = '<svg class="ch-picture" width="46" aria-label="Two bars."><g/></svg>'
    page = clearhead_look.with_captions(f'{picture}<div class="ch-fallback">{picture}</div>{picture}', "5.")
    assert re.findall(r'ch-caption-number">(.*?)</span> (.*?)<', page) == [
        ("Figure 5.1.", "Two bars."),
        ("Figure 5.2.", "Two bars."),
    ]


@pytest.mark.parametrize(
    "tex",
    [r"\frac{QK^\top}{\sqrt{d_k}}", "\\begin{split}\\begin{aligned}a&=1\\\\b&=2\\end{aligned}\\end{split}"],
)
def test_a_formula_is_mathml_without_javascript(tex):
    shown = clearhead_formulas.FORMULA.sub(
        clearhead_formulas.with_mathml, f'<div class="math notranslate nohighlight">\n\\[{tex}\\]</div>'
    )
    assert re.search(r"<noscript><math.*</math></noscript>", shown, re.S)


def test_an_unknown_formula_stays_as_it_is():
    page = r'<span class="math notranslate nohighlight">\(\unheardof\)</span>'
    assert clearhead_formulas.FORMULA.sub(clearhead_formulas.with_mathml, page) == page
