"""Drawings of one idea: every word is legible, inside the drawing, and free of other words and of lines."""

import inspect
from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.text import Annotation, Text

from clearhead.figures import schematics

MERGES = [("a", "l"), ("al", "l"), ("s", "m"), ("sm", "all"), ("e", "s"), ("es", "t"), ("t", "all")]
DRAWN = {
    "beam_tree": lambda **title: schematics.beam_tree(
        {"a": 0.5, "b": 0.4, "c": 0.1},
        {"a": {"a": 0.4, "b": 0.3, "c": 0.3}, "b": {"a": 0.9, "b": 0.06, "c": 0.04}, "c": {"a": 1.0}},
        2,
        **title,
    ),
    "byte_pair_tree": lambda **title: schematics.byte_pair_tree("smallest", MERGES, **title),
    "chain_rule": lambda **title: schematics.chain_rule([1, 2], [[1, 0], [3, -1]], **title),
    "class_token": lambda **title: schematics.class_token(6, **title),
    "conversation": lambda **title: schematics.conversation(
        [("system", "You are helpful."), ("user", "Name three colours."), ("assistant", "Red, blue.")],
        **title,
    ),
    "equal_strength": schematics.equal_strength,
    "reversed_sentence": lambda **title: schematics.reversed_sentence(["dog", "bites", "man"], **title),
    "routed_experts, two neighbours": lambda **title: schematics.routed_experts(
        [0, 0, 0, 0, 0, 0, 0.59, 0.41], **title
    ),
    "routed_experts": lambda **title: schematics.routed_experts([0, 0, 2 / 3, 0, 0, 1 / 3, 0, 0], **title),
    "gated_unit": schematics.gated_unit,
    "group_advantages": lambda **title: schematics.group_advantages(
        "3 + 4 = ?", ["7", "8", "6", "9"], [1, 0, 0, 0], [1.73, -0.58, -0.58, -0.58], **title
    ),
    "key_value_cache": lambda **title: schematics.key_value_cache(list("abcd"), **title),
    "low_rank_update": lambda **title: schematics.low_rank_update(24, 16, 4, **title),
    "normalised_row": lambda **title: schematics.normalised_row([1, 0, 0, 1], **title),
    "nucleus_bar": lambda **title: schematics.nucleus_bar(
        ["coffee", "tea", "soup", "milk"], [0.7, 0.16, 0.1, 0.04], 0.9, **title
    ),
    "one_length": schematics.one_length,
    "overlapping_pieces": lambda **title: schematics.overlapping_pieces("ATGGC", 3, 1, **title),
    "preference_training": schematics.preference_training,
    "questions_and_replies": lambda **title: schematics.questions_and_replies(
        "To",
        [1, 0, 0, 1],
        ["function", "noun", "adjective", "opens"],
        ["a noun and an adjective?", "a function word that opens?"],
        [0, 1],
        [[0, 1, 0, 0], [0, 0, 0, -1]],
        **title,
    ),
    "receptive_field": lambda **title: schematics.receptive_field(3, 3, **title),
    "shared_scales": lambda **title: schematics.shared_scales([[1, 0.5, 9], [0.6, 1, 8]], **title),
    "speculative_round": lambda **title: schematics.speculative_round(
        ["coffee", "and", "it", "was"], 2, "milk", **title
    ),
    "two_memories": lambda **title: schematics.two_memories(4, 3, **title),
    "two_paths": schematics.two_paths,
}


@pytest.fixture(params=DRAWN)
def figure(request):
    drawn = DRAWN[request.param]().figure
    drawn.draw_without_rendering()
    return drawn


def written(figure):
    """Return the words of a drawing and their extents."""
    texts = [text for text in figure.axes[0].texts if not isinstance(text, Annotation) and text.get_text()]
    return [(text.get_text(), Text.get_window_extent(text)) for text in texts]


def test_every_schematic_is_tried_here():
    assert sorted(schematics.__all__) == sorted({name.partition(",")[0] for name in DRAWN})
    assert all(inspect.getdoc(getattr(schematics, name)) for name in schematics.__all__)


def test_byte_pair_tree_leaves_out_merges_of_other_words():
    """Its rows keep the numbers of the merges, and the words say what remains."""
    merges = [("a", "l"), ("t", "al"), ("e", "s")]
    picture = schematics.byte_pair_tree("sales", merges)
    labels = [text.get_text() for text in picture.axes.texts if text.get_text().startswith("merge")]
    assert labels == ["merge 1", "merge 3"]
    assert picture.description.endswith("The pieces s and al and es remain.")


def test_title_is_the_caption_and_description_is_not():
    for name, draw in DRAWN.items():
        picture = draw(title="Zebras run")
        assert picture.captioned("x").endswith("<figcaption>Zebras run.</figcaption></figure>"), name
        assert len(picture.description.split()) > 15, f"{name}: a listener needs more words"
        assert "Zebras" not in picture.description


def test_letters_are_readable_on_a_phone(figure):
    """A page of 390 pixels has 354 for a drawing."""
    widest = 72 / figure.dpi * figure.bbox.width
    sizes = [text.get_fontsize() for text in figure.axes[0].texts if text.get_text()]
    assert min(sizes) * min(1, 354 / widest) >= 9.5
    assert np.median(sizes) * min(1, 354 / widest) >= 11


def test_words_cover_no_other_words(figure):
    found = [(a, b) for (a, one), (b, other) in combinations(written(figure), 2) if one.overlaps(other)]
    assert found == []


def test_words_are_inside_the_drawing(figure):
    frame = figure.bbox
    outside = [text for text, box in written(figure) if box.x0 < -6 or box.x1 > frame.x1 + 6]
    assert outside == []


def test_no_line_runs_through_words(figure):
    axes, found = figure.axes[0], []
    for line in axes.lines:
        path = line.get_transform().transform(line.get_xydata())
        dense = np.concatenate([np.linspace(a, b, 100) for a, b in pairwise(path)])
        for text, box in written(figure):
            inside = (dense > [box.x0 + 1, box.y0 + 1]) & (dense < [box.x1 - 1, box.y1 - 1])
            found += [text] * bool(inside.all(axis=1).any())
    assert sorted(set(found)) == []


def test_names_of_boxes_fit_into_them(figure):
    """A name that begins in a box ends in it."""
    axes, found = figure.axes[0], []
    boxes = [patch.get_window_extent() for patch in axes.patches]
    for text, extent in written(figure):
        middle = (extent.x0 + extent.x1) / 2, (extent.y0 + extent.y1) / 2
        around = [box for box in boxes if box.contains(*middle)]
        if around and not any(box.x0 <= extent.x0 + 1 and extent.x1 - 1 <= box.x1 for box in around):
            found.append(text)
    assert found == []


#: Colours of queries, keys and values mean these on every page, so no other drawing may use them.
OF_KEYS = {"key_value_cache", "one_length", "shared_scales", "two_memories"}


@pytest.mark.parametrize("name", sorted(set(DRAWN) - OF_KEYS))
def test_only_queries_keys_and_values_have_their_colours(name):
    svg = DRAWN[name]().svg
    assert [
        kind for kind in ("query", "key", "value") if f"var(--ch-{kind}," in svg.partition("</style>")[2]
    ] == []
