"""What of a cell is shown, what folds, how pictures are numbered, and formulas without JavaScript."""

import ast
import json
import re
import sys
from importlib import import_module

import pytest

from clearhead.checks import registry, verdicts
from clearhead.figures import bars
from support.places import ROOT

pytest.importorskip("sphinx")
sys.path.append(str(ROOT / "book" / "_ext"))

import collapsible_code
import figure_captions
import math_renderer
import page_head
import solves
import typography
from collapsible_code import Parts

from support.notebooks import CHAPTERS, code_cells, read


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


def test_picture_has_number_and_title_and_fallback_has_none():
    """A picture has a number and its title and a fallback has no number."""
    titled, bare = bars(["a"], [1], "A is <1>."), bars(["b"], [2])
    still = f'<div class="ch-fallback">{titled.captioned("ch-part")}{titled.captioned("ch-part")}</div>'
    page = figure_captions.with_captions(f"{titled._repr_html_()}{still}{bare._repr_html_()}", "5.")
    assert re.findall(r'ch-caption-number">(.*?)</span> (.*?)</figcaption>', page) == [
        ("Figure 5.1.", "A is &lt;1&gt;."),
        ("Figure 5.2.", ""),
    ]
    assert 'aria-label="Figure 5.1. A is &lt;1&gt;. Bars: ‘a’ 1.00."' in page
    assert 'aria-label="Figure 5.2. Bars: ‘b’ 2.00."' in page
    assert page.count('<figure class="ch-part">') == 2


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("For T = 3 it is 2 × 5 = 10.", "For T\u00a0=\u00a03 it is 2\u00a0×\u00a05\u00a0=\u00a010."),
        ("The loss × the rate = less", "The loss × the rate = less"),
    ],
)
def test_no_line_ends_in_a_short_expression(text, together):
    nodes = typography.nodes
    page = nodes.section("", nodes.paragraph("", text), nodes.literal_block("", "T = 3"))
    code = nodes.paragraph(
        "", "", nodes.literal("", "Q @ K.T"), nodes.literal("", "softmax(Q @ K.T / 2) @ V")
    )
    page += code
    typography.keep_together(None, page, "")
    assert [part.astext() for part in page[:2]] == [together, "T = 3"]
    assert [part["classes"] for part in code] == [["ch-short"], []]


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("d_k", '<msub><mi>d</mi><mi class="ch-as-key">k</mi></msub>'),
        (
            "QK^\\top",
            '</mi><msup><mi class="ch-as-key">K</mi><mrow><mspace width="0.08em" /><mi>⊤</mi></mrow>',
        ),
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),  # small letters do not lean
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
    assert shown in math_renderer.mathml(tex)


def test_lines_of_a_formula_stand_in_columns():
    tex = "\\begin{split}\\begin{aligned}a&=1\\\\b&=2\\end{aligned}\\end{split}"
    shown = math_renderer.mathml(tex, block=True)
    assert (shown.count("<mtr>"), shown.count("<mtd>")) == (2, 4)
    assert 'display="block"' in shown


def test_an_unknown_formula_stops_the_build_and_is_said():
    with pytest.raises(ValueError, match=r"unheardof"):
        math_renderer.mathml(r"\unheardof")


def test_long_code_lines_wrap_with_hanging_indent():
    """A long line of code goes on under its beginning and a short one stays."""
    long = f"    <span class='n'>rest</span> = {'x + ' * 20}1"
    block = f'<div class="highlight"><pre><span></span>y = 1 &lt; 2\n{long}\n</pre></div>'
    shown = typography.with_long_lines(block)
    assert re.sub(r'</?span class="ch-long-line"[^>]*>|</span>', "", shown) == block.replace("</span>", "")
    assert re.findall(r'<span class="ch-long-line" style="--step:(\d+)">', shown) == ["8"]
    first = block.replace("y = 1 &lt; 2\n", "")
    assert '<pre><span></span><span class="ch-long-line"' in typography.with_long_lines(first)


def test_a_picture_scrolls_where_its_words_would_be_too_small():
    words = (
        "<text style=\"font: 14px 'sans-serif'\">a</text><text style=\"font: 9.8px 'sans-serif'\">2</text>"
    )
    narrow, wide = (figure_captions.readable(words, width, "Figure 1") for width in (460, 600))
    assert "--ch-min-width:361" in narrow
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
def test_link_preview_shows_chapter_if_address_is_known(address, chapter, picture):
    """A shared link shows its chapter and without an address no picture."""
    here = {"title": "A page", "docstitle": "The book"}
    here |= {"pageurl": f"{address}page.html" if address else None, "pathto": lambda path, resource: path}
    written = page_head.head(here, chapter, address)
    assert re.findall(r'og:image" content="(.*?)"', written) == ([picture] if picture else [])
    for path in re.findall(r"_static/[\w/.]+", written):
        assert (ROOT / "book" / path.replace("_static", "static")).exists()


def test_the_search_knows_which_chapter_teaches_a_term():
    table = page_head.terms_with_pages((ROOT / "book" / "glossary.md").read_text("utf-8"))
    assert len(table) > 80
    assert table["multi-head attention"] == "chapters/06_multi_head"
    assert table["softmax"] == "chapters/04_soft_dictionary"  # the glossary links to its first use
    assert all((ROOT / f"{page}.ipynb").exists() for page in table.values())


def test_sign_missing_from_math_font_stops_build():
    """A sign that the font of formulas lacks stops the build."""
    with pytest.raises(ValueError, match="lacks ‽"):
        math_renderer.mathml(r"\text{what‽}")


# ---- Page and exercise -----------------------------------------------------------------------------------


def copied(stem, cells):
    """Return the ids of exercises whose name, or whose very code, stands in the code cells of a chapter.

    Written without `solves`: names by a pattern, code by its syntax tree.
    """
    answers = [
        cell.source for cell in code_cells(ROOT / "solutions" / f"{stem}.ipynb") if "# answer" in cell.source
    ]
    wanted = {
        name: body_of(text, name)
        for text in answers
        for name in re.findall(r"^(?:def|class) (\w+)", text, re.M)
    }
    return {
        (cell.id, name)
        for cell in cells
        for made in re.findall(r"^(?:def|class) (\w+)", cell.source, re.M)
        for name, body in wanted.items()
        if made == name or body_of(cell.source, made) == body
    }


def body_of(text, name):
    """Return the syntax tree of a function's signature and body, without its docstring."""
    made = next(part for part in ast.parse(text).body if getattr(part, "name", "") == name)
    documented = ast.get_docstring(made) is not None
    return [ast.dump(part) for part in [getattr(made, "args", made), *made.body[documented:]]]


def page_of(stem, sources, tags=()):
    """Return a page of code cells after the folds of the book, as text."""
    document = collapsible_code.nodes.container()
    for text in sources:
        code = collapsible_code.nodes.literal_block(text, text)
        inner = collapsible_code.nodes.container("", code, nb_element="cell_code_source")
        document += collapsible_code.nodes.container(
            "", inner, nb_element="cell_code", cell_metadata={"tags": list(tags)}
        )
    page = collapsible_code.CollapsibleCells(lambda page, target: f"../{target}.html", f"chapters/{stem}")
    for cell in list(document):
        page.collapse(cell)
    return "\n".join(
        part.astext() for part in document.findall(collapsible_code.nodes.Node) if not part.children
    )


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_code_that_solves_exercise_is_collapsed_behind_link(path):
    """What the sheet asks for waits behind a link to its exercise."""
    cells = code_cells(path)
    for cell_id, name in copied(path.stem, cells):
        source = next(cell.source for cell in cells if cell.id == cell_id)
        page = page_of(path.stem, [source])
        seen = re.sub(r"<details.*?</details>", "", page, flags=re.S)
        assert f"exercise {path.stem[:2]}.{name}</a>" in seen
        assert f'href="../exercises/{path.stem}.html#' in seen
        assert "def " not in seen
        assert "class " not in re.sub("<.*?>", "", seen)
        assert f"Show the code: {', '.join(Parts(source).names)}" in page


def test_only_code_that_solves_exercises_is_collapsed():
    """Pages and sheets share code and the rule leaves the rest open."""
    found = {pair for path in CHAPTERS for pair in copied(path.stem, code_cells(path))}
    assert len(found) > 40
    assert {"add_cls_and_pos", "causal_mask", "sliding_window_mask"} <= {name for _, name in found}
    shown = page_of("09_masking_and_training", ["def causal_masks(length):\n    return 0", "x = 1"])
    assert "details" not in shown
    assert "def causal_masks" in shown


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_visible_function_passes_check_of_its_sheet(path):
    """Under any name: what a page quotes from the library is handed in as it stands there."""
    if path.stem[:2] not in registry.numbers():
        return
    asked = [each for each in registry.sheet(path.stem[:2]).exercises if not isinstance(each.reference, type)]
    for cell in (each for each in code_cells(path) if "from" in each.metadata):
        open_to_all = {e.id: e for e in asked if e.id not in solved_by(cell, path.stem)}
        for name in Parts(cell.source).names:
            shown = getattr(import_module(cell.metadata["from"]), name)
            passed = [id for id, e in open_to_all.items() if verdicts.try_cases(e, shown, 0).passed]
            assert not passed, f"{name} solves {passed}: write it into the cell's metadata, `solves`"


def solved_by(cell, stem):
    """Return the exercises that wait before a cell."""
    return solves.solved_in(cell.source, stem, cell.metadata)


def test_declared_solutions_are_exercises_of_the_sheet():
    """What a cell says it solves is an exercise of its sheet."""
    said = [
        (path, id) for path in CHAPTERS for cell in code_cells(path) for id in cell.metadata.get("solves", ())
    ]
    assert len(said) > 10
    for path, id in said:
        assert id in {exercise.id for exercise in registry.sheet(path.stem[:2]).exercises}


def test_code_is_the_same_whatever_its_names():
    one, two = (
        solves.definitions(text)
        for text in ("def f(x):\n    y = x\n    return y", "def g(n):\n    m = n\n    return m")
    )
    assert one["f"] == two["g"]
    assert one["f"] != solves.definitions("def f(x):\n    y = x\n    return x")["f"]


def test_jupyterlab_collapses_code_below_link_to_exercise():
    """In JupyterLab the code is closed and the exercise is above."""
    path = next(path for path in CHAPTERS if path.stem.startswith("09"))
    notebook = solves.with_collapsed_solutions(json.loads(path.read_text("utf-8")), path.stem)
    at = next(
        i
        for i, cell in enumerate(notebook["cells"])
        if "".join(cell["source"]).startswith("def causal_mask(")
    )
    assert notebook["cells"][at]["metadata"]["jupyter"] == {"source_hidden": True}
    assert (
        "[exercise 09.causal_mask](../exercises/09_masking_and_training.ipynb)"
        in notebook["cells"][at - 1]["source"]
    )
    assert len(notebook["cells"]) == len(read(path).cells) + len(
        [cell for cell in code_cells(path) if solved_by(cell, path.stem)]
    )


# ---- Guess first -----------------------------------------------------------------------------------------

#: Cells between a question and its result that only prepare it, and print shapes.
PREPARES = {"26a6b840"}


def runs_of_questions(path):
    """Yield the cells after each question, up to the next; questions side by side count as one."""
    cells, waiting = read(path).cells, None
    for cell in cells:
        asks = cell.cell_type == "code" and "Predict(" in cell.source
        heads = cell.cell_type == "markdown" and re.search(r"^#", cell.source, re.M)
        if waiting and (asks or heads):
            yield waiting
        if asks or heads:
            waiting = None if heads else []
        elif waiting is not None:
            waiting.append(cell)
    if waiting:
        yield waiting


MEASURED = "".join(f"x{i} = {i}\n" for i in range(collapsible_code.FEW + 1)) + "assert x0 == 0\nprint(x0)"


def test_longer_code_of_a_measurement_folds_with_its_asserts():
    page = page_of("05_attention", [MEASURED])
    before, code = page.split("</summary>")
    assert before == '<details class="ch-chip ch-chip-code"><summary>Code <span>✓ 1 checked</span>'
    assert "assert x0 == 0" in code
    assert "#claims-05" in code


@pytest.mark.parametrize(
    ("source", "tags"),
    [(MEASURED.replace("assert x0 == 0\n", ""), ("builds",)), ("y = x @ W\ny + b", ())],
)
def test_the_librarys_functions_and_a_few_lines_stay_in_view(source, tags):
    assert "<details" not in page_of("05_attention", [source], tags)


def test_asserts_of_a_folded_result_stay_apart_from_its_code():
    """They would tell the answer to a reader who opens the code before guessing."""
    assert "ch-chip-checked" in page_of("05_attention", [MEASURED], ("reveal",))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_nothing_before_the_folded_result_tells_what_a_question_asks(path):
    for cells in runs_of_questions(path):
        kinds = ["reveal" in cell.metadata.get("tags", []) for cell in cells]
        assert any(kinds), f"nothing is folded after the question before {cells[0].id}"
        early = [cell for cell in cells[: kinds.index(True)] if cell.cell_type == "code"]
        told = [cell.id for cell in early if "assert " in cell.source or "print(" in cell.source]
        assert [each for each in told if each not in PREPARES] == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_assert_of_a_folded_result_stands_in_view(path):
    for cell in code_cells(path):
        if "reveal" in cell.metadata.get("tags", []):
            node = {"cell_metadata": cell.metadata}
            seen = (
                "" if collapsible_code.is_reveal_cell(node, Parts(cell.source)) else Parts(cell.source).shown
            )
            assert "assert " not in seen, cell.id


def test_an_assert_in_a_loop_of_a_result_is_found():
    node, parts = {"cell_metadata": {"tags": ["reveal"]}}, Parts("for x in [1]:\n    print(x)\n    assert x")
    assert collapsible_code.is_reveal_cell(node, parts)
    assert not collapsible_code.is_reveal_cell({"cell_metadata": {}}, parts)
