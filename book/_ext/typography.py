"""Typography: fonts at the first paint, line breaks, and colours of symbols."""

import html
import json
import re
from base64 import b64encode
from pathlib import Path

from conventions import SUBJECT
from docutils import nodes

from clearhead.figures.tables import SHEET

#: The fonts in the script that loads them before anything is drawn, also from a disk: file, name, options.
#: Fonts that a style sheet loads, even those embedded in it, come later and change the line breaks.
WEIGHTS = {"weight": "400 700"}
FIRST = (
    ("serif", "Source Serif 4", WEIGHTS),
    ("serif-italic", "Source Serif 4", WEIGHTS | {"style": "italic"}),
    ("serif-greek", "Source Serif 4", WEIGHTS | {"unicodeRange": "U+391-3A9, U+3B1-3C9"}),
    ("sans", "Source Sans 3", WEIGHTS),
    ("mono", "Iosevka", {}),
    ("maths", "STIX Math", {}),
)
READY = """for (const [name, more, packed] of {FONTS}) {
  const letters = atob(packed), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  document.fonts.add(new FontFace(name, bytes, more));
}
"""
#: Chapters in which Q, K, V and A always mean queries, keys, values and weights.
COLOURED = ("00", "04", "05", "06", "07", "11", "12")
MEANINGS = {"q": "query", "k": "key", "v": "value", "a": "weight"}
SYMBOL = r"(?:W_)?([QKVA])(?:_\w{1,2})?|(?:W_)?([qkv])(?:_\w)?|(a_\d)"
INLINE = re.compile(
    rf'<code class="ch-short docutils literal notranslate"><span class="pre">(?:{SYMBOL})</span></code>'
)
NAME = re.compile(rf'<span class="n">(?:{SYMBOL})</span>')
#: Text without line breaks: an operator between two short names or numbers, and code of so few characters.
EXPRESSION, SHORT = re.compile(r"(?<=\b\w) ([=≈<>≤≥×]) (?=[−\w]{1,5}\b)|(?<=\d) (×) (?=\d)"), 20
#: Patterns of a block of code, a tag, and the tags before a block's first line; the line length in a fold.
CODE, TAG = re.compile(r'<div class="highlight"><pre>.*?</pre>', re.S), re.compile("<.*?>")
OPENED, LONG = re.compile(r"(?:<div[^>]*><pre>(?:<span></span>)?)?"), 70
TABLE_STYLE = re.compile(r"<style>\.ch-tables.*?</style>", re.S)


def keep_together(app, doctree, docname):
    """Prevent line breaks inside short code, and in short expressions such as "T = 3" or "2 × 5"."""
    for text in list(doctree.findall(nodes.Text)):
        if isinstance(text.parent, nodes.literal):
            if len(text) <= SHORT:
                text.parent["classes"].append("ch-short")
        elif isinstance(text.parent, nodes.paragraph | nodes.entry | nodes.emphasis | nodes.strong):
            text.parent.replace(
                text, nodes.Text(EXPRESSION.sub(lambda found: found[0].replace(" ", "\u00a0"), text))
            )


def colour_symbols(app, pagename, templatename, context, doctree):
    """Colour the symbols on pages of chapters in which each symbol has only one meaning."""
    found = SUBJECT.match(pagename)
    if found and found[1] in COLOURED:
        body = NAME.sub(_named, INLINE.sub(_named, context["body"]))
        context["body"] = f'<div class="ch-symbols">{body}</div>'


def _named(found):
    letter = next(group for group in found.groups() if group)[0].lower()
    return re.sub(r'class="', f'class="ch-as-{MEANINGS[letter]} ', found[0], count=1)


def wrap_long_lines(app, pagename, templatename, context, doctree):
    """Wrap long lines of code, keeping the indentation of each line."""
    context["body"] = CODE.sub(lambda found: with_long_lines(found[0]), context["body"])


def with_long_lines(code):
    """Return a block of code in which long lines are wrapped with their indentation."""
    lines = code.split("\n")
    for index, line in enumerate(lines):
        text = html.unescape(TAG.sub("", line))
        if len(text) > LONG and line.count("<span") == line.count("</span"):
            step = 4 + len(text) - len(text.lstrip())
            opened = OPENED.match(line)[0]
            rest = line[len(opened) :]
            ended = rest.partition("</pre>")
            lines[index] = f'{opened}<span class="ch-long-line" style="--step:{step}">{ended[0]}</span>'
            lines[index] += "".join(ended[1:])
    return "\n".join(lines)


def style_tables_once(app, pagename, templatename, context, doctree):
    """Include the style of tables once per page, and not with each table."""
    if 'class="ch-tables"' in context["body"]:
        context["body"] = f"{SHEET}{TABLE_STYLE.sub('', context['body'])}"


def write_fonts(app):
    """Write the fonts that the first screen needs to a script."""
    static = Path(app.outdir) / "_static"
    fonts = [
        (name, more, b64encode((static / "fonts" / f"{file}.woff2").read_bytes()).decode())
        for file, name, more in FIRST
    ]
    (static / "fonts.js").write_text(READY.replace("{FONTS}", json.dumps(fonts)), "utf-8")
