"""A paragraph whole in brackets becomes a margin note, and a section that says so folds."""

import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("sphinx")
from docutils import nodes
from docutils.core import publish_doctree

from support.places import ROOT

sys.path.append(str(ROOT / "book" / "_ext"))
import asides

HTML = SimpleNamespace(builder=SimpleNamespace(format="html"))


def make_asides(text):
    """Return the nodes of a section, with its asides put aside, as pairs of their kind and their words."""
    doctree = publish_doctree(f"Page\n====\n\nOne\n---\n\n{text}\n\nTwo\n---\n\nEnd.")
    asides.make_asides(HTML, doctree, "chapters/05_attention")
    section = next(iter(doctree.findall(nodes.section)))
    return [(node.tagname, node.astext().replace("\n\n", " ")) for node in section.children[1:]]


def test_bracketed_paragraph_becomes_margin_note():
    """A paragraph whole in brackets joins the one before it and loses them."""
    text = "A claim.\n\n(A remark (with brackets) on *it*.)\n\nMore."
    noted = f"A claim. {asides.NOTE[0]} A remark (with brackets) on it. {asides.NOTE[1]}"
    assert make_asides(text) == [("container", noted), ("paragraph", "More.")]


@pytest.mark.parametrize(
    "text",
    [
        "A claim.\n\n(A part) of it (and another.)",  # two brackets, and words between
        "A claim.\n\n(2, 4)",  # a shape
        "A claim.\n\n::\n\n    code\n\n(What was seen.)",  # not beside a paragraph
        "(It opens the section.)\n\nA claim.",
    ],
)
def test_other_brackets_stay(text):
    assert {kind for kind, _ in make_asides(text)} <= {"paragraph", "literal_block"}


def test_optional_section_collapses_behind_its_first_line():
    """A section that is optional collapses behind the line that says so."""
    kinds = make_asides("*Optional: for the curious.*\n\nA claim.\n\n(A remark.)")
    assert [kind for kind, _ in kinds] == ["raw", "container", "raw"]
    assert kinds[0][1] == asides.FOLD[0].format("Optional: for the curious.")


def test_italics_elsewhere_fold_nothing():
    assert make_asides("A claim.\n\n*Optional: too late.*")[1] == ("paragraph", "Optional: too late.")
    assert make_asides("*Optional* is one word here.")[0][0] == "paragraph"
