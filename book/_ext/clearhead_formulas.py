"""Formulas before and without JavaScript: room for each in its line, and the same in MathML."""

import html
import re
from xml.etree import ElementTree

from docutils.utils.math import MathError, latex2mathml

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="(?P<kind>math notranslate[^"]*)"(?P<more>[^>]*)>'
    r'(?P<number><span class="eqno">.*?</span>)?\s*(?P<tex>\\[(\[].*?\\[)\]])\s*</(?P=tag)>',
    re.S,
)
#: What docutils does not know, and what it knows.
KNOWN = (("\\begin{split}", ""), ("\\end{split}", ""), ("\\dots", "\\ldots"), ("°", "\\text{°}"))


#: A sign by a name that only HTML knows.
NAMED = re.compile(r"&(?!(?:lt|gt|amp);)[a-zA-Z]+;")
#: Signs with room on both sides.
RELATIONS = frozenset("=+-−×·≤≥<>→≈∈≠←≪≫")


def mathml(tex, block):
    """Return a formula as MathML, or nothing where it cannot be written so."""
    for unknown, known in KNOWN:
        tex = tex.replace(unknown, known)
    try:
        return str(latex2mathml.tex2mathml(tex.strip(), as_block=block))
    except (MathError, SyntaxError):
        return ""
    except AttributeError:
        raise ValueError(f"This formula cannot be read, here and in MathJax: {tex}") from None


def width(formula):
    """Return about how wide a formula in MathML will be, in ems: so much room is kept for it in its line."""
    return _width(ElementTree.fromstring(NAMED.sub(lambda sign: html.unescape(sign[0]), formula)))


def _width(node):
    name, text = node.tag.rpartition("}")[2], (node.text or "").strip()
    if name == "mo":
        return 1.3 if text in RELATIONS else 0.4 * len(text)
    if not len(node):
        return 0.53 * len(text)
    first, *others = [_width(child) for child in node]
    if name in ("msub", "msup"):
        return first + 0.7 * sum(others)
    if name == "msubsup":
        return first + 0.7 * max(others)
    if name == "mfrac":
        return 0.2 + 0.75 * max(first, *others)
    return first + sum(others) + 0.8 * (name in ("msqrt", "mroot"))


def with_mathml(found):
    """Return a formula of a page; a browser without JavaScript shows it in MathML."""
    shown = mathml(html.unescape(found["tex"])[2:-2], found["tag"] == "div")
    if not shown:
        return found[0]
    opening = f'<{found["tag"]} class="{found["kind"]}"{found["more"]}>{found["number"] or ""}'
    room = f' style="--room:{width(shown):.2f}"' if found["tag"] == "span" else ""
    tex = f'<span class="ch-tex"{room}>{found["tex"]}</span>'
    return f"{opening}{tex}<noscript>{shown}</noscript></{found['tag']}>"


def page_context(app, pagename, templatename, context, doctree):
    """Add MathML to the formulas of a page."""
    context["body"] = FORMULA.sub(with_mathml, context.get("body", ""))


def setup(app):
    app.connect("html-page-context", page_context, priority=994)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
