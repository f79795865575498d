"""Formulas as MathML, which browsers render without a script, before the first paint."""

import re
from itertools import pairwise
from xml.etree import ElementTree

from conventions import ROOT
from docutils import nodes
from docutils.utils.math import MathError, latex2mathml

#: Commands that docutils does not know, each with one that it knows.
KNOWN = (
    (re.compile(r"\\(?:begin|end)\{split\}|\\textstyle"), ""),
    (re.compile(r"\\dots\b"), r"\\ldots"),
    (re.compile(r"\\textbf\b"), r"\\text"),
    (re.compile(r"\\([td]?frac)\s*(\d)\s*(\d)"), r"\\\1{\2}{\3}"),
    (re.compile("°"), r"\\text{°}"),
)
#: Names of functions, with space before and after them as in β ln Q, but not in ln(Q).
FUNCTIONS = frozenset(("ln", "log", "exp", "sin", "cos", "tanh"))
APPLIED, APART = "\u2061", {"width": "0.17em"}
#: The characters that the font for formulas contains.
SIGNS = frozenset((ROOT / "book" / "static" / "fonts" / "maths.txt").read_text("utf-8"))
BEHIND = re.compile(r"(?<=</math>)</span>([.,;:!?)]+)")
#: Letters that have a meaning, which is shown by a colour in chapters that use them consistently.
LETTERS = dict(zip("QqKkVvA", ("query", "query", "key", "key", "value", "value", "weight"), strict=True))
#: A subscript of these says whose dimension or matrix it is, as in d_k or W_k. Others are indices, as in a_k.
NAMED_BELOW, BELOW = ("d", "W"), ("msub", "msubsup", "munder", "munderover")
#: Letters that lean to the right, and the space before their superscripts, because browsers add none.
LEANING, LEAN = frozenset("BDEFHIJKMNPQRSTUVWXYZ"), {"width": "0.08em"}
#: The symbols after which a minus is a sign, as in (0, −1).
OPENS = frozenset("(,=[{≈≤<>→")


def mathml(tex, block=False):
    """Return a TeX formula as MathML, or raise ValueError if docutils cannot read it."""
    source = tex
    for unknown, better in KNOWN:
        source = unknown.sub(better, source)
    try:
        written = str(latex2mathml.tex2mathml(source.strip(), as_block=block))
    except (MathError, SyntaxError, AttributeError) as error:
        raise ValueError(f"This formula cannot be written as MathML ({error}): {tex}") from None
    tree = ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", written.replace("&ApplyFunction;", "\u2061")))
    for node in list(tree.iter()):
        _correct_spacing(node)
    _colour(tree)
    if missing := {sign for sign in "".join(tree.itertext()) if not sign.isspace()} - SIGNS:
        raise ValueError(
            f"The font of formulas lacks {' '.join(sorted(missing))}, as CONTRIBUTING says: {tex}"
        )
    return ElementTree.tostring(tree, encoding="unicode")


def _correct_spacing(node):
    """Correct a node of MathML that docutils and TeX would set differently."""
    node.text, node.tail = (text and re.sub(r"^[ \n]+|[ \n]+$", "", text) for text in (node.text, node.tail))
    if node.tag == "mo" and node.text == "/":
        node.attrib |= {"lspace": "0", "rspace": "0"}
    if node.tag == "mo" and node.text == "‖":
        node.set("stretchy", "false")  # bars of the same height around all letters
    if node.tag == "mo" and node.text == "'":
        node.text = "′"
    if node.tag == "msub" and node[0].tag == "munder" and node[0][-1].text == "⏟":
        node.tag = "munder"  # text under a brace
    if node.tag in ("msup", "msubsup") and node[0].text in LEANING and "mathvariant" not in node[0].attrib:
        raised, apart = ElementTree.Element("mrow"), ElementTree.Element("mspace", LEAN)
        raised.extend([apart, node[-1]])
        node[-1] = raised
    if node.tag == "munderover" and node[2].text == "→":
        node.tag, accented = "msub", ElementTree.Element("mover")  # an arrow over only the letter
        accented.extend([node[0], node[2]])
        node[:] = [accented, node[1]]
    for index, (child, following) in reversed(list(enumerate(pairwise(node)))):
        if child.tag == following.tag == "mo" and child.text in OPENS and following.text == "−":
            following.set("form", "prefix")
        if child.text == APPLIED and following.tag != "mo":
            child.tag, child.text = "mspace", None
            child.attrib |= APART
        if following.text in FUNCTIONS and child.tag not in ("mo", "mspace"):
            node.insert(index + 1, ElementTree.Element("mspace", APART))


def _colour(tree):
    """Add a class to each symbol that has a meaning, such as a query.

    A letter k without a subscript is an index if no other symbol in the formula has a meaning.
    """
    counts = {
        id(part)
        for node in tree.iter()
        if node.tag in BELOW and node[0].text not in NAMED_BELOW
        for part in node[1].iter()
    }
    meant = [
        node for node in tree.iter() if node.tag == "mi" and node.text in LETTERS and id(node) not in counts
    ]
    based = {id(node[0]) for node in tree.iter() if node.tag in BELOW} | {
        id(node[1]) for node in tree.iter() if node.tag in BELOW
    }
    alone = all(node.text == "k" for node in meant)
    for node in meant:
        if node.text != "k" or not alone or id(node) in based:
            node.set("class", f"ch-as-{LETTERS[node.text]}")


def write_inline(translator, node):
    """Write an inline formula."""
    translator.body.append(f'<span class="math notranslate">{mathml(node.astext())}</span>')
    raise nodes.SkipNode


def write_block(translator, node):
    """Write a display formula, which can be scrolled with the mouse or the keyboard if it is too wide."""
    opening = translator.starttag(node, "div", "", CLASS="math notranslate", tabindex="0")
    translator.body.append(f"{opening}{mathml(node.astext(), block=True)}</div>\n")
    raise nodes.SkipNode


def keep_punctuation(app, pagename, templatename, context, doctree):
    """Prevent a line break between a formula and the punctuation mark after it."""
    context["body"] = BEHIND.sub(r"\1</span>", context["body"])
