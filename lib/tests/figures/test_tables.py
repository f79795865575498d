"""Arrays and results are tables: headings, shapes, tints of the heat maps, and text for a terminal."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from clearhead.figures import show, show_product, table

TOKENS = ["To", "date"]


def parsed(made):
    return BeautifulSoup(made._repr_html_(), "html.parser")


def test_matrix_table_has_token_headings_and_shape():
    """A matrix has its tokens as row headings and its shape in the corner."""
    page = parsed(show(np.arange(6).reshape(2, 3), rows=TOKENS))
    assert [cell.text for cell in page.select("th[scope=row]")] == TOKENS
    assert [cell.text for cell in page.select("th[scope=col]")] == ["0", "1", "2"]
    assert page.select_one(".ch-shape").text == "2 × 3"


def test_a_word_says_what_the_indices_of_an_axis_count():
    page = parsed(show(K=np.eye(2), rows="position", columns="dimension"))
    assert page.select_one("th[scope=colgroup]").text == "dimension"
    assert page.select_one("th[scope=colgroup]")["colspan"] == "2"
    assert [cell.text for cell in page.select("th[scope=col]")] == ["position", "0", "1"]


def test_arrays_can_have_labels_of_their_own():
    page = parsed(show(K=np.eye(2), A=np.eye(2), columns={"K": "dimension", "A": TOKENS}))
    first, second = page.select("table")
    assert [cell.text for cell in first.select("thead th")] == ["dimension", "0", "1"]
    assert [cell.text for cell in second.select("thead th")] == TOKENS


@pytest.mark.parametrize(
    ("named", "unsaid"),
    [({}, 1), ({"columns": None}, 0), ({"columns": "dimension"}, 0), ({"columns": TOKENS}, 0)],
)
def test_a_table_whose_columns_nobody_has_named_is_marked(named, unsaid):
    assert len(parsed(show(K=np.eye(2), **named)).select("[data-columns=unsaid]")) == unsaid


def test_one_column_needs_no_name():
    assert parsed(show(loss=0.5, b=np.ones((3, 1)))).select("[data-columns=unsaid]") == []


def test_a_short_index_of_a_name_is_a_subscript():
    assert str(parsed(show(W_k=np.eye(2))).sub) == "<sub>k</sub>"
    assert parsed(show(left_over=np.eye(2))).sub is None


X, W = np.array([[1.0, 0], [2, -1], [0, 3]]), np.array([[1.0, 0, 2], [0.5, 1, -1]])


def test_product_is_written_out_with_axis_labels():
    """A product is written out with the labels of its axes."""
    rows, inner, columns = ["To", "date", "the"], ["thing", "warmth"], "dimension"
    page = parsed(show_product(X=X, W_k=W, K=X @ W, rows=rows, inner=inner, columns=columns))
    first, second, product = page.select(".ch-product > .ch-term > table")
    assert [sign.text for sign in page.select(".ch-sign")] == ["·", "="]
    assert [cell.text for cell in first.select("th[scope=row]")] == rows
    assert [cell.text for cell in first.select("th[scope=col]")] == inner
    assert [cell.text for cell in second.select("th[scope=row]")] == inner
    assert [cell.text for cell in product.select("th[scope=row]")] == rows
    assert [each.select_one("th[scope=colgroup]").text for each in (second, product)] == [columns] * 2
    assert page.div["aria-label"] == "X (3 by 2) times W_k (2 by 3) equals K (3 by 3)."


def test_one_entry_of_a_product_is_written_as_its_sum():
    made = show_product(X=X, W_k=W, K=X @ W, rows=["To", "date", "the"], entry=(1, 2))
    page = parsed(made)
    assert page.select_one(".ch-sum").text == "K[date, 2] = 2 × 2.0 + −1 × (−1.0) = 5.0"
    assert [cell.text for cell in page.select(".ch-highlighted")] == ["2", "−1", "2.0", "−1.0", "5.0"]
    assert repr(made).endswith("= 5.0")


def test_a_long_sum_is_cut_in_the_middle():
    page = parsed(show_product(a=np.arange(20.0), B=np.ones((20, 1)), c=np.full(1, 190.0), entry=(0, 0)))
    assert page.select_one(".ch-sum").text == "c[0, 0] = 0 × 1 + 1 × 1 + 2 × 1 + 3 × 1 + … + 19 × 1 = 190"


def test_a_product_of_three_matrices_has_three_factors():
    page = parsed(show_product(X=X, W=W, V=np.eye(3), Y=X @ W))
    assert [sign.text for sign in page.select(".ch-sign")] == ["·", "·", "="]


@pytest.mark.parametrize(
    ("arrays", "named", "says"),
    [
        ({"X": X, "W": W}, {}, "two factors or more"),
        ({"X": X, "Y": X, "Z": X}, {}, r"X has shape \(3, 2\) and Y has shape \(3, 2\): the 2 columns of X"),
        ({"X": X, "W": W, "K": W}, {}, r"K has shape \(2, 3\), but \(3, 2\) times \(2, 3\) gives \(3, 3\)"),
        ({"X": X, "W": W, "K": X @ W + 0.1}, {}, r"K is not the product of X and W: it is off by 0.100"),
        ({"X": X, "W": W, "K": np.full((3, 3), np.nan)}, {}, "K is not the product"),
        ({"X": X[None], "W": W, "K": X @ W}, {}, r"X has shape \(1, 3, 2\): a product is made of matrices"),
        ({"X": X, "W": W, "K": X @ W}, {"rows": ["a"]}, "1 row labels, but the arrays have"),
        ({"X": X, "W": W, "K": X @ W}, {"entry": (0, 3)}, r"entry is \(0, 3\), but the product has shape"),
        ({"X": X, "W": W, "V": np.eye(3), "Y": X @ W}, {"entry": (0, 0)}, "for two factors, not for 3"),
    ],
)
def test_what_is_no_product_is_said(arrays, named, says):
    with pytest.raises(ValueError, match=says):
        show_product(**arrays, **named)


def test_arrays_stand_side_by_side_under_their_names():
    page = parsed(show(K=np.eye(2), V=np.ones((2, 3)), rows=TOKENS))
    assert [caption.text for caption in page.select("caption")] == ["K", "V"]
    assert len(page.select("table")) == 2


def test_many_axes_are_a_table_for_each_slice():
    page = parsed(show(A=np.zeros((2, 2, 3))))
    assert [caption.text for caption in page.select("caption")] == ["A[0]", "A[1]"]


def test_weights_use_heat_map_color_and_negatives_another():
    """Weights have the tint of the heat maps and negatives another."""
    cells = parsed(show([[1.0, 0.5, 0.0, -0.2]])).select("td[style]")
    assert [cell["style"] for cell in cells] == [
        "--t:var(--ch-weight);--w:55",
        "--t:var(--ch-weight);--w:28",
        "--t:var(--ch-key);--w:11",
    ]


@pytest.mark.parametrize(
    ("array", "texts"),
    [
        ([1.0, 2.0], ["1", "2"]),
        ([0.25, -0.5], ["0.25", "−0.50"]),
        ([1 / 3, 1e-9], ["0.333", "0.000"]),
        ([2.2e-16], ["2e−16"]),
        ([np.nan, -np.inf], ["nan", "−∞"]),
        ([True, False], ["yes", "no"]),
        ([1_000_000], ["1,000,000"]),
    ],
)
def test_numbers_have_the_digits_that_they_need(array, texts):
    cells = parsed(show(array)).select("tbody td")
    assert [cell.text for cell in cells][1:] == texts


def test_a_single_number_has_a_name_and_no_index():
    page = parsed(show(loss=0.25, accuracy=np.float64(1)))
    assert [caption.text for caption in page.select("caption")] == ["loss", "accuracy"]
    assert [cell.text for cell in page.select("td, th")] == ["0.25", "1"]


def test_a_large_array_is_cut_in_the_middle():
    page = parsed(show(np.zeros((40, 30))))
    assert len(page.select("tbody tr")) == 12
    assert page.select_one(".ch-shape").text == "40 × 30"
    assert "…" in page.text


def test_a_table_has_headings_and_no_type_names():
    page = parsed(table(d_k=[4, 1600], norm=np.array([0.1, 0.25]), way=["a", "b"]))
    assert [cell.text for cell in page.select("thead th")] == ["d_k", "norm", "way"]
    assert [cell.text for cell in page.select("tbody tr")[1].children] == ["1,600", "0.25", "b"]


def test_a_terminal_shows_text():
    assert repr(show(A=np.eye(2))).startswith("A (2, 2)\n[[1. 0.]")
    assert repr(table(n=[1, 10])).splitlines() == [" n", " 1", "10"]


def test_words_in_a_table_are_escaped():
    assert "<b>" not in table(way=["<b>"])._repr_html_()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: show(), "got no array"),
        (lambda: show([["a"]]), "must be an array of numbers"),
        (lambda: show(np.eye(2), rows=["a"]), "1 row labels, but the arrays have"),
        (lambda: show(A=np.eye(2), columns={"A": ["a"]}), "1 column labels, but the arrays have"),
        (lambda: show(A=np.eye(2), columns={"B": TOKENS}), "column labels for 'B', but the arrays are A"),
        (lambda: table(a=[1], b=[1, 2]), "equally long"),
        (lambda: table(), "equally long"),
    ],
)
def test_what_cannot_be_shown_is_said(make, says):
    with pytest.raises(ValueError, match=says):
        make()
