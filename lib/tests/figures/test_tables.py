"""Arrays and results are tables: headings, shapes, tints of the heat maps, and text for a terminal."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from clearhead.figures import show, table

TOKENS = ["To", "date"]


def parsed(made):
    return BeautifulSoup(made._repr_html_(), "html.parser")


def test_a_matrix_has_its_tokens_as_row_headings_and_its_shape_in_the_corner():
    page = parsed(show(np.arange(6).reshape(2, 3), rows=TOKENS))
    assert [cell.text for cell in page.select("th[scope=row]")] == TOKENS
    assert [cell.text for cell in page.select("th[scope=col]")] == ["0", "1", "2"]
    assert page.select_one(".ch-shape").text == "2 × 3"


def test_arrays_stand_side_by_side_under_their_names():
    page = parsed(show(K=np.eye(2), V=np.ones((2, 3)), rows=TOKENS))
    assert [caption.text for caption in page.select("caption")] == ["K", "V"]
    assert len(page.select("table")) == 2


def test_many_axes_are_a_table_for_each_slice():
    page = parsed(show(A=np.zeros((2, 2, 3))))
    assert [caption.text for caption in page.select("caption")] == ["A[0]", "A[1]"]


def test_weights_have_the_tint_of_the_heat_maps_and_negatives_another():
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
        (lambda: table(a=[1], b=[1, 2]), "equally long"),
        (lambda: table(), "equally long"),
    ],
)
def test_what_cannot_be_shown_is_said(make, says):
    with pytest.raises(ValueError, match=says):
        make()
