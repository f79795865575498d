"""Each picture of a chapter states its finding, and each array and result has a name."""

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import unnamed
from clearhead.figures import bars, show, table
from support.notebooks import TAUGHT, name, read

FINDING = "With the scale, the largest weight stays at 0.25."


@pytest.fixture(scope="module")
def twice():
    return unnamed.repeated([read(path) for path in TAUGHT])


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_every_picture_of_a_chapter_states_its_finding(path, twice):
    notebook = read(path)
    found = [fault for fault in unnamed.faults(notebook) if fault.kind in unnamed.PICTURES]
    assert found == []
    assert [title for title in unnamed.titles(notebook) if title in twice] == []


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_every_array_and_result_of_a_chapter_has_a_name(path):
    assert [fault for fault in unnamed.faults(read(path)) if fault.kind in unnamed.NUMBERS] == []


def cell(source, *outputs):
    return new_notebook(cells=[new_code_cell(source, outputs=list(outputs))])


def kinds(notebook):
    return [fault.kind for fault in unnamed.faults(notebook)]


def shown(made, source="x"):
    data = {"text/html": made._repr_html_(), "text/plain": repr(made)}
    return cell(source, new_output("execute_result", data))


def result(text, source="x"):
    return cell(source, new_output("execute_result", {"text/plain": text}))


def printed(text):
    return cell("x", new_output("stream", name="stdout", text=text))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"bars(a, b, {FINDING!r})", []),
        (f"bars(a, b, title={FINDING!r})", []),
        ("attention_map(A, tokens, tokens)", [unnamed.NO_TITLE]),
        ("bars(a, b, title='Share')", [unnamed.NO_SENTENCE]),
        ("bars(a, b, title=f'Head {head} of layer {layer}')", [unnamed.NO_SENTENCE]),
        ("bars(a, b, title=f'Head {head} attends to the first token.')", []),
        ("curves(*data, title=titles[name])", []),  # its caption is judged in the outputs
        ("bars(*data)", []),
        ("picture = bars(a, b)\npicture.add('B is larger than A.')\npicture", []),
        ("results.bars(a, b)", []),
        ("show(A)", [unnamed.NO_NAME]),
        ("show(A=A, rows=tokens)", []),
        ("x\nA.sum(), B.sum()", [unnamed.BARE]),
    ],
)
def test_code_that_was_not_executed_is_judged_by_source(source, expected):
    """Code that was not executed is judged by what it says."""
    assert kinds(cell(source)) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (FINDING, []),
        (None, [unnamed.NO_TITLE]),
        ("Loss", [unnamed.NO_SENTENCE]),
        ("What the cache saves", [unnamed.NO_SENTENCE]),
        ("Largest weight, from d_k 4 to 1024.", [unnamed.ONLY_NAMES]),
        ("Share of broken sentences: from 0.00 (milk) to 0.74 (coffee).", [unnamed.ONLY_NAMES]),
        ("One head: the more colour, the more weight.", [unnamed.ONLY_NAMES]),
    ],
)
def test_a_caption_that_states_nothing_is_found(title, expected):
    assert kinds(shown(bars(["a", "b"], [0.1, 0.8], title))) == expected


def test_title_without_full_stop_is_found_despite_caption():
    """A title that is written without an end is found though its caption has one."""
    title = "79,800 pairs in 100 dimensions"
    made = bars(["a", "b"], [0.1, 0.8], title)
    assert kinds(shown(made, f"bars(a, b, {title!r})")) == [unnamed.NO_SENTENCE]
    assert kinds(shown(made, "bars(a, b, title)")) == []


def test_a_caption_that_occurs_twice_is_found():
    one, other = shown(bars(["a"], [1], FINDING)), shown(bars(["b"], [2], FINDING))
    assert unnamed.repeated([one, other]) == {FINDING}
    assert unnamed.repeated([one, shown(bars(["b"], [2], "Another finding is stated here."))]) == set()


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (show(A=np.eye(2), columns="dimension"), []),
        (show(A=np.eye(2), columns=None), []),
        (show(loss=0.5), []),
        (show(A=np.eye(2)), [unnamed.NO_COLUMNS]),
        (show(np.eye(2), columns="dimension"), [unnamed.NO_NAME]),
        (show(0.5), [unnamed.NO_NAME]),
        (table(**{"d_k": [4, 16], "largest weight": [0.4, 0.9]}), []),
        (table(**{"": ["a", "b"], "weight": [0.4, 0.9]}), [unnamed.NO_HEADER]),
    ],
)
def test_an_array_without_a_name_is_found(made, expected):
    assert kinds(shown(made)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[0.74 0.18]",
        "recall [0.74 0.18 0.2 ]",
        "[[ 1.  0.]\n [ 0.  1.]]",
        "[3, 14, 15]",
        "0.1 0.2 0.3",
        "(0.5, 2)",
    ],
)
def test_printed_numbers_without_names_are_found(text):
    assert kinds(printed(text + "\n")) == [unnamed.PRINTED]


@pytest.mark.parametrize(
    "text", ["step 100: loss 0.25, accuracy 0.9", "the whole model agrees", "T = 4", "['a', 'b']", "x[0, 1]"]
)
def test_a_printed_sentence_is_no_fault(text):
    assert kinds(printed(text + "\n")) == []


@pytest.mark.parametrize(
    "text", ["0.43", "np.float64(0.43)", "(3, 0.5)", "array([1., 2.])", "tensor(0.5)", "[1, 2]", "('a', 0.5)"]
)
def test_a_bare_result_is_found_unless_its_code_names_it(text):
    assert kinds(result(text, "loss")) == [unnamed.BARE]
    assert kinds(result(text, "A.shape")) == []


@pytest.mark.parametrize("text", ["True", "'a word'", "['a', 'b']", "{'loss': 0.5}"])
def test_a_result_in_words_is_no_fault(text):
    assert kinds(result(text)) == []


def test_the_program_lists_what_a_notebook_lacks(tmp_path, capsys):
    nbformat.write(shown(bars(["a"], [1]), "bars(a, b)"), tmp_path / "05.ipynb")
    unnamed.main([str(tmp_path / "05.ipynb")])
    told = capsys.readouterr().out
    assert told.startswith("05: 1\n    1  a picture without a title\n")
