"""Pictures are inline SVG with words from their data, colours from the theme, and no torch."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.text import Text

from clearhead.figures import (
    Picture,
    attention_map,
    bars,
    curves,
    histogram,
    image_grid,
    image_maps,
    pixels,
    plane,
    ratios,
)
from clearhead.figures.block_diagram import block_diagram
from clearhead.figures.marks import label_points
from clearhead.figures.recurrent_cells import recurrent_cell
from clearhead.figures.words import number

TOKENS = ["To", "date", "the", "cleverest"]
A = np.array([[1, 0, 0, 0], [0.3, 0.7, 0, 0], [0.2, 0.3, 0.5, 0], [0.1, 0.61, 0.09, 0.2]])
PICTURES = {
    "attention_map": lambda: attention_map(A, TOKENS, TOKENS, title="One head"),
    "bars": lambda: bars(["apple", "banana", "lemon"], [0.1, 0.1, 0.8]),
    "plane": lambda: plane([[1, 0.4], [-0.5, -1]], ["apple", "lemon"], ["key", "query"]),
    "curves": lambda: curves(
        [4, 16, 64], [[0.4, 0.7, 0.9], [0.2, 0.2, 0.2]], ["a", "b"], "d_k", "weight", xscale="log2"
    ),
    "histogram": lambda: histogram(np.arange(40.0), "scores"),
    "ratios": lambda: ratios(["writing\nagainst a peer", "memory"], [0.25, 1.5], [0.5, 1.2], "Speed"),
    **{kind: lambda kind=kind: recurrent_cell(kind) for kind in ("RNN", "LSTM", "GRU")},
}


@pytest.fixture(params=PICTURES)
def picture(request):
    return PICTURES[request.param]()


def test_long_labels_go_above_bars():
    """Long names stand above their bars and leave them their sandbox."""
    long = "a name that goes on and on, so that it needs a second line of words"
    figure = bars(["short", long], [1, 2]).figure
    figure.draw_without_rendering()
    axes, width = figure.axes[0], figure.bbox.width
    drawn = [patch.get_window_extent() for patch in axes.patches]
    names = [text.get_window_extent() for text in axes.texts if "name" in text.get_text()]
    assert drawn[1].width > 0.7 * width
    assert [name.x1 < width and drawn[0].y0 > name.y1 > name.y0 > drawn[1].y1 for name in names] == [True]


def test_a_picture_is_svg_with_its_words_as_label(picture):
    root = ElementTree.fromstring(picture.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == picture.words
    assert len(picture.words) > 20


TITLED = {
    "attention_map": lambda title: attention_map(A, TOKENS, TOKENS, title),
    "bars": lambda title: bars(["a", "b"], [0.1, 0.8], title, xlabel="fraction"),
    "plane": lambda title: plane([[1, 2]], ["a"], title=title),
    "curves": lambda title: curves([1, 2], [[1, 2]], ["a"], "x", "y", title),
    "histogram": lambda title: histogram(np.arange(9), "scores", title=title),
    "ratios": lambda title: ratios(["a"], [0.5], [1], title),
    "pixels": lambda title: pixels(np.eye(2), title),
    "image_grid": lambda title: image_grid(np.ones((1, 2, 3, 3)), ["noise"], ["a", "b"], title=title),
    "image_maps": lambda title: image_maps(np.ones((2, 2, 3)), np.ones((1, 2, 2)), ["head 0"], title=title),
    "recurrent_cell": lambda title: recurrent_cell("GRU", title),
    "block_diagram": block_diagram,
}


@pytest.mark.parametrize("draw", TITLED.values(), ids=TITLED.keys())
def test_a_title_is_the_caption_and_is_not_drawn(draw):
    shown = BeautifulSoup(draw("Weights & sums grow")._repr_html_(), "html.parser")
    assert [each.text for each in shown.select("figure.ch-drawn > figcaption")] == ["Weights & sums grow."]
    drawing = shown.select_one("figure.ch-drawn > svg")
    assert "grow" not in drawing.text
    title, description = drawing["aria-label"].split("grow.")
    assert title == "Weights & sums "
    assert len(description) > 10


def test_picture_without_title_has_no_generated_caption():
    """A picture without a title has no caption made by a program."""
    shown = BeautifulSoup(bars(["a", "b"], [0.1, 0.8])._repr_html_(), "html.parser")
    assert shown.find("figcaption") is None
    assert shown.svg["aria-label"] == "Bars: ‘a’ 0.10 and ‘b’ 0.80."


def test_a_sentence_can_be_added_to_a_title():
    picture = attention_map(A, TOKENS, TOKENS, title="Is it one head?")
    picture.add("Rows sum to 1.")
    assert picture.title == "Is it one head? Rows sum to 1."
    assert picture.words.startswith("Is it one head? Rows sum to 1. 4 by 4 weights.")


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_labels_of_points_cover_no_curve_and_no_other_label(scale):
    x = np.linspace(0, 10, 60)
    marks = [(5.0, 3.0, "the two meet here, at five"), (10.0, 1.0, "the end"), (0.0, 3.0, "the start")]
    picture = curves(x, [3 + np.sin(5 * x) * (x - 5) / 5, np.linspace(1, 5, 60)], "ab", "x", "y", marks=marks)
    picture.axes.set_yscale(scale)
    labels = [drawn for drawn in label_points(picture.axes, marks) if isinstance(drawn, Text)]
    picture.figure.draw_without_rendering()
    boxes = [Text.get_window_extent(label) for label in labels]
    assert len(boxes) == 3
    for line in picture.axes.lines:
        path = line.get_transform().transform(line.get_xydata())
        dense = np.concatenate([np.linspace(*ends, 200) for ends in pairwise(path)] or [path])
        assert not [box for box in boxes for place in dense if box.contains(*place)]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    frame = picture.axes.get_window_extent()
    assert all(frame.contains(*corner) for box in boxes for corner in (box.min, box.max))


def test_a_marked_point_is_drawn_once_and_described():
    picture = curves([1, 2, 3], [[1, 4, 9]], ["square"], "x", "y", marks=[(2, 4, "two squared")])
    assert [picture.svg.count("two squared</text>") for _ in range(2)] == [1, 1]
    assert picture.words.endswith("Marked: ‘two squared’ at 2, 4.00.")


def test_axes_fit_vectors_and_arrows_avoid_labels():
    """Axes fit the vectors and no arrow runs through a name."""
    vectors, names = np.array([[4, 1], [3, 1], [1, 4], [0, 3]]), ["cat", "dog", "apple", "red fruit"]
    picture = plane(vectors, names)
    (left, right), (low, high) = picture.axes.get_xlim(), picture.axes.get_ylim()
    assert -1 < left < 0 < 4 < right < 5.2
    assert -1 < low < 0 < 4 < high < 5.2
    picture.figure.canvas.draw()
    along = (np.linspace(0, 1, 50)[:, None, None] * vectors).reshape(-1, 2)
    places = picture.axes.transData.transform(along)
    written = [text for text in picture.axes.texts if text.get_text() in names]
    assert len(written) == 4
    for text in written:
        box = text.get_window_extent()
        assert not any(box.contains(*place) for place in places), text.get_text()


def test_eight_columns_fit_a_phone():
    even = np.full((8, 8), 1 / 8)
    width = float(ElementTree.fromstring(attention_map(even, range(8), range(8)).svg).get("width"))
    assert width * 11 / 13 <= 366  # the letters of 13 are 11 then


def test_there_are_three_recurrent_cells():
    with pytest.raises(ValueError, match="one of RNN, LSTM, GRU: got 'rnn'"):
        recurrent_cell("rnn")
    assert "forget gate f" in recurrent_cell("LSTM").words


def test_text_takes_the_colour_of_the_page(picture):
    assert "currentColor" in picture.svg
    assert "#010203" not in picture.svg
    assert "<text" in picture.svg


def test_meanings_take_the_colour_of_the_theme():
    assert "var(--ch-key,#b34700)" in PICTURES["plane"]().svg
    assert "var(--ch-weight,#8b3a80)" in PICTURES["attention_map"]().svg


def test_ids_differ_between_two_showings(picture):
    first, second = (set(re.findall(r'\bid="([^"]+)"', picture.svg)) for _ in range(2))
    assert not first & second
    references = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', picture.svg))
    assert all(re.match(r"ch\d+-", name) for name in references)


def test_words_are_made_from_the_data():
    assert "‘cleverest’ at ‘date’, 0.61" in attention_map(A, TOKENS, TOKENS).words
    assert "‘lemon’ 0.80" in PICTURES["bars"]().words
    assert "from 0.40 to 0.90" in PICTURES["curves"]().words
    assert (
        "‘writing: against a peer’ 0.25, limit 0.50 and ‘memory’ 1.50, limit 1.20"
        in PICTURES["ratios"]().words
    )


def test_a_ratio_beyond_its_limit_has_another_shape_and_colour():
    kept, passed = (ratios(["a"], [value], [1.0]).svg for value in (0.5, 2.0))
    assert [colour in kept for colour in ("var(--ch-value", "var(--ch-key")] == [True, False]
    assert [colour in passed for colour in ("var(--ch-value", "var(--ch-key")] == [False, True]


def test_mask_description_counts_visible_keys():
    """A mask is reported by how many each row may look at."""
    words = attention_map(np.tril(np.ones((3, 3), dtype=bool)), ["a", "b", "c"], ["a", "b", "c"]).words
    start, counts = words.split(": ")
    assert start == "A mask of 3 rows and 3 columns. Number of columns that each row may attend to"
    assert counts == "‘a’ 1, ‘b’ 2 and ‘c’ 3."


def test_axes_can_be_changed_before_the_picture_is_shown():
    picture = PICTURES["bars"]()
    picture.axes.set_title("Mine")
    assert "Mine" in picture._repr_html_()


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: attention_map(A, TOKENS[:3], TOKENS), r"shape \(4, 4\), but there are 3 row labels and 4"),
        (lambda: plane([[1, 2, 3]], ["a"]), r"shape \(1, 3\)"),
        (lambda: bars(["a"], [1, 2]), "1 labels for 2 bars"),
        (lambda: curves([1, 2, 3], [[1, 2]], ["a"], "x", "y"), "x has 3 places"),
        (lambda: ratios(["a"], [1, 2], [1]), "1 labels, 2 ratios and 1 limits"),
        (lambda: ratios(["a"], [0.0], [1]), "no place for 0 or less"),
    ],
)
def test_shapes_that_do_not_fit_are_said(draw, says):
    with pytest.raises(ValueError, match=says):
        draw()


def test_a_row_that_looks_nowhere_can_be_drawn():
    assert isinstance(attention_map(np.zeros((2, 3)), ["a", "b"], ["c", "d", "e"]), Picture)


def test_figures_do_not_need_torch():
    code = "import sys, clearhead.figures; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    ("x", "digits", "text"),
    [(0.125, 2, "0.13"), (-0.125, 2, "−0.13"), (1.005, 2, "1.00"), (2.5, 0, "3"), (-0.4, 0, "0")],
)
def test_numbers_are_rounded_as_the_pages_round_them(x, digits, text):
    """JavaScript's toFixed rounds a half away from zero; 1.005 is a little below its half."""
    assert number(x, digits) == text
    assert number(-np.inf) == "−∞"


def test_curve_description_has_peak_without_ripples():
    """A curve is reported with its hill and without its ripples."""
    x = np.arange(9)
    hill = np.array([0.5, 1, 2, 3, 2, 1, 0, -1, -1.5])
    said = curves(x, hill, ["reward"], "step", "reward").words
    assert said.endswith("from 0.50 to −1.50, highest at 3 with 3.00.")
    ripple = np.linspace(0, 1, 9) + np.where(x == 7, 0.15, 0)
    assert "highest" not in curves(x, ripple, ["loss"], "step", "loss").words


def test_a_map_names_every_row_of_a_sentence():
    words = [f"w{i}" for i in range(17)]
    assert "‘w16’ at ‘w16’, 1.00" in attention_map(np.eye(17), words, words).words


def test_a_symbol_of_a_caption_has_an_index():
    caption = BeautifulSoup(bars(["a"], [1], "For d_k < 4, my_name(x_1) stays.")._repr_html_(), "html.parser")
    assert [sub.text for sub in caption.select("figcaption sub")] == ["k", "1"]
    assert caption.figcaption.text == "For dk < 4, my_name(x1) stays."
