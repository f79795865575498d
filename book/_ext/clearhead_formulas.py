"""Formulas for readers without JavaScript: beside each formula of a page, the same in MathML."""

import html
import re

from docutils.utils.math import MathError, latex2mathml

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="(?P<kind>math notranslate[^"]*)"(?P<more>[^>]*)>'
    r'(?P<number><span class="eqno">.*?</span>)?\s*(?P<tex>\\[(\[].*?\\[)\]])\s*</(?P=tag)>',
    re.S,
)
#: What docutils does not know, and what it knows.
KNOWN = (("\\begin{split}", ""), ("\\end{split}", ""), ("\\dots", "\\ldots"), ("°", "\\text{°}"))


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


def with_mathml(found):
    """Return a formula of a page; a browser without JavaScript shows it in MathML."""
    shown = mathml(html.unescape(found["tex"])[2:-2], found["tag"] == "div")
    if not shown:
        return found[0]
    opening = f'<{found["tag"]} class="{found["kind"]}"{found["more"]}>{found["number"] or ""}'
    tex = f'<span class="ch-tex">{found["tex"]}</span>'
    return f"{opening}{tex}<noscript>{shown}</noscript></{found['tag']}>"


def page_context(app, pagename, templatename, context, doctree):
    """Add MathML to the formulas of a page."""
    context["body"] = FORMULA.sub(with_mathml, context.get("body", ""))


def setup(app):
    app.connect("html-page-context", page_context, priority=994)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
