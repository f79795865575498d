"""What the live GPT reads: this book's own prose, English that ships with Python, sentences of the grammar.

    python -m clearhead.pretrained.live_gpt_text    writes live_gpt_book.txt anew from the pages of the book

The prose of the book is kept in that file, because the book goes on changing and the model does not.
"""

import ast
import json
import re
import sysconfig
from pathlib import Path

import numpy as np

from clearhead.text import corpora
from clearhead.text.rules import STOP
from clearhead.text.tokenizers.word import join_words

BOOK = Path(__file__).with_name("live_gpt_book.txt")
ROOT = Path(__file__).resolve().parents[3]
PAGES = ("book/*.md", "chapters/*.ipynb", "solutions/*.ipynb")
SENTENCES, SEED = 2000, 15
SAYS = (ast.Module, ast.ClassDef, ast.FunctionDef)
#: Folders of the standard library that are tests, tables, or not part of it.
OTHERS = {
    "test",
    "tests",
    "idle_test",
    "lib2to3",
    "pydoc_data",
    "encodings",
    "site-packages",
    "dist-packages",
}
#: Lines that are no prose: fences, options, tables, headings' underlines, targets, bullets without words.
NO_PROSE = re.compile(r"(:::|```|~~~|\||:\w|\(\w+\)=|\{|---|===|<|%|!\[|#)")
PLAIN = {"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "–": "-", "—": "-", "\u00a0": " "}


def book():
    """Return the prose of the book as it stood when the model was trained: a list of passages."""
    return BOOK.read_text("utf-8").split("\n\n")


def python_docs():
    """Return the help topics of Python as passages: full sentences only, each paragraph one line."""
    return _passages(_without_indent(topic) for topic in corpora.python_docs().split("\n\n\n"))


def docstrings():
    """Return what the modules of Python's standard library say about themselves, as passages."""
    said = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if OTHERS.isdisjoint(path.parts):
            tree = ast.parse(path.read_text("utf-8"))
            said += [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, SAYS)]
    return _passages(map(_without_indent, said))


def grammar():
    """Return sentences of the book's grammar, each a passage, as a reader types them."""
    rules, rng = corpora.grammar(), np.random.default_rng(SEED)
    return [join_words(rules.sample(rng), (STOP,)) for _ in range(SENTENCES)]


def _without_indent(topic):
    """Return a help topic without its code and grammar rules, which are indented or marked."""
    parts = (part for part in topic.split("\n\n") if not part.startswith("   ") and "::=" not in part)
    return "\n\n".join(re.sub(r"\n\s+", "\n", part).lstrip(" ") for part in parts)


def _passages(texts):
    """Return each text's paragraphs of prose, one a line, a passage for each text that has any."""
    read = ("\n".join(_paragraphs(text)) for text in texts)
    return [passage for passage in read if len(passage) > 60]


def _paragraphs(text):
    for part in re.split(r"\n\s*\n", text):
        lines = [line.strip() for line in part.split("\n")]
        prose = " ".join(line for line in lines if line and not NO_PROSE.match(line))
        prose = re.sub(r"(?<=\w)- (?=\w)", "-", prose)  # a word cut at the end of its line
        for item in re.split(r" (?=[*-] |\d+\. )", " " + prose):
            said = _plain(item)
            if len(said) > 25 and said[0].isupper() and said[-1] in ".:?!" and _mostly_words(said):
                yield said


def _plain(text):
    """Return a paragraph without marks of emphasis, links and simple formulas; "" where a formula is long."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\$([\w ,()=.{}^-]{1,20})\$", lambda found: re.sub(r"[{}]", "", found[1]), text)
    text = re.sub(r" ?\[\d+\]|\{\w+\}|[`*★☆]|^[ -]*(\d+\.)? ", "", text)
    for sign, plain in PLAIN.items():
        text = text.replace(sign, plain)
    return "" if "$" in text or "\\" in text else re.sub(r"\s+", " ", text).strip()


def _mostly_words(said):
    letters = sum(each.isalpha() or each == " " for each in said)
    return letters > 0.85 * len(said)


def read_book():
    """Return the prose of the pages and notebooks that lie beside the library, page after page."""
    passages = []
    for path in sorted(path for pattern in PAGES for path in ROOT.glob(pattern)):
        text = path.read_text("utf-8")
        if path.suffix == ".ipynb":
            cells = [c for c in json.loads(text)["cells"] if c["cell_type"] == "markdown"]
            text = "\n\n".join("".join(cell["source"]) for cell in cells)
        passages += _passages(re.split(r"^#+ .*$", text, flags=re.MULTILINE))
    return passages


if __name__ == "__main__":
    BOOK.write_text("\n\n".join(read_book()), "utf-8")
