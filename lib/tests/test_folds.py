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
    short = picture.replace("aria-label", 'data-caption="Bars." aria-label')
    page = clearhead_look.with_captions(f'{picture}<div class="ch-fallback">{picture}</div>{short}', "5.")
    assert re.findall(r'ch-caption-number">(.*?)</span> (.*?)<', page) == [
        ("Figure 5.1.", "Two bars."),
        ("Figure 5.2.", "Bars."),
    ]
    assert 'aria-label="Figure 5.2. Two bars."' in page


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("d_k", '<msub><mi>d</mi><mi class="ch-as-key">k</mi></msub>'),
        ("QK^\\top", '<mi class="ch-as-query">Q</mi><msup><mi class="ch-as-key">K</mi><mi>⊤</mi></msup>'),
        ("\\tfrac12 x", "<mn>1</mn><mn>2</mn></mfrac><mi>x</mi>"),
        ("\\beta\\ln Z", '<mi>β</mi><mspace width="0.17em" /><mi>ln</mi><mspace width="0.17em" /><mi>Z</mi>'),
        ("\\cos(x)", '<mi>cos</mi><mo>\u2061</mo><mo stretchy="false">(</mo>'),
        ("\\underbrace{x}_{M}", "<munder><munder><mi>x</mi><mo>⏟</mo></munder><mi>M</mi></munder>"),
        ("\\vec E_1", "<msub><mover><mi>E</mi>"),
        ("c'", "<mo>′</mo>"),
        ("d/2", '<mo stretchy="false" lspace="0" rspace="0">/</mo>'),
        ("q \\cdot k_i", '<msub><mi class="ch-as-key">k</mi><mi>i</mi></msub>'),
        ("A_{ik}", '<mi class="ch-as-weight">A</mi><mrow><mi>i</mi><mi>k</mi></mrow>'),
        ("j = k", "<mo>=</mo><mi>k</mi>"),
        ("(0, -1)", '<mo>,</mo><mo form="prefix">−</mo>'),
    ],
)
def test_a_formula_is_mathml_as_tex_would_set_it(tex, shown):
    assert shown in clearhead_formulas.mathml(tex)


def test_lines_of_a_formula_stand_in_columns():
    tex = "\\begin{split}\\begin{aligned}a&=1\\\\b&=2\\end{aligned}\\end{split}"
    shown = clearhead_formulas.mathml(tex, block=True)
    assert (shown.count("<mtr>"), shown.count("<mtd>")) == (2, 4)
    assert 'display="block"' in shown


def test_an_unknown_formula_stops_the_build_and_is_said():
    with pytest.raises(ValueError, match=r"unheardof"):
        clearhead_formulas.mathml(r"\unheardof")


def test_a_long_line_of_code_goes_on_under_its_beginning_and_a_short_one_stays():
    long = f"    <span class='n'>rest</span> = {'x + ' * 20}1"
    block = f'<div class="highlight"><pre><span></span>y = 1 &lt; 2\n{long}\n</pre></div>'
    shown = clearhead_look.with_long_lines(block)
    assert re.sub(r'</?span class="ch-long"[^>]*>|</span>', "", shown) == block.replace("</span>", "")
    assert re.findall(r'<span class="ch-long" style="--step:(\d+)">', shown) == ["8"]
    first = block.replace("y = 1 &lt; 2\n", "")
    assert '<pre><span></span><span class="ch-long"' in clearhead_look.with_long_lines(first)


def test_a_picture_scrolls_where_its_words_would_be_too_small():
    words = (
        "<text style=\"font: 14px 'sans-serif'\">a</text><text style=\"font: 9.8px 'sans-serif'\">2</text>"
    )
    narrow, wide = (clearhead_look.readable(words, width, "Figure 1") for width in (460, 600))
    assert "--ch-least:361" in narrow
    assert "tabindex" not in narrow
    assert 'tabindex="0" role="region"' in wide


@pytest.mark.parametrize(
    ("address", "chapter", "picture"),
    [
        ("https://example.org/book", "05", "https://example.org/book/_static/covers/05.png"),
        ("https://example.org/book/", None, "https://example.org/book/_static/cover.png"),
        ("", "05", None),
    ],
)
def test_a_shared_link_shows_its_chapter_and_without_an_address_no_picture(address, chapter, picture):
    here = {"title": "A page", "docstitle": "The book", "html_baseurl": address}
    here |= {"pageurl": f"{address}page.html" if address else None, "pathto": lambda path, resource: path}
    written = clearhead_look.head(here, chapter)
    assert re.findall(r'og:image" content="(.*?)"', written) == ([picture] if picture else [])
    for path in re.findall(r"_static/[\w/.]+", written):
        assert (ROOT / "book" / path.replace("_static", "static")).exists()


def test_the_search_knows_which_chapter_teaches_a_term():
    table = clearhead_look.taught((ROOT / "book" / "glossary.md").read_text("utf-8"))
    assert len(table) > 80
    assert table["multi-head attention"] == "chapters/06_multi_head"
    assert table["softmax"] == "chapters/04_soft_dictionary"  # the glossary links to its first use
    assert all((ROOT / f"{page}.ipynb").exists() for page in table.values())


def test_a_sign_that_the_font_of_formulas_lacks_stops_the_build():
    with pytest.raises(ValueError, match="lacks ‽"):
        clearhead_formulas.mathml(r"\text{what‽}")
