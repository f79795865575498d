"""Find what a chapter shows without naming it: pictures without a finding, numbers without a name.

python book/unnamed.py                   count over all chapters
python book/unnamed.py 05 /tmp/06.ipynb  list what one chapter, or an executed copy of one, lacks

A notebook that holds no outputs is read together with those that the last build has kept, if the notebook has
not changed since; otherwise only its code is read, which tells less.
"""

import ast
import html
import inspect
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nbformat
from jupyter_cache import get_cache

from clearhead import figures
from clearhead.figures import schematics
from clearhead.figures.words import ENDS

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "executed"
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))

#: The kinds of faults: of pictures, and of arrays and results.
PICTURES = (
    "a picture without a title",
    "a title that is no sentence",
    "a title that only names",
    "a title twice",
)
NUMBERS = (
    "an array without a name",
    "columns without names",
    "a header without words",
    "printed numbers without names",
    "a bare result without a name",
)
NO_TITLE, NO_SENTENCE, ONLY_NAMES, TWICE = PICTURES
NO_NAME, NO_COLUMNS, NO_HEADER, PRINTED, BARE = NUMBERS

#: The functions that draw pictures, by name.
DRAWS = {name: getattr(module, name) for module in (figures, schematics) for name in module.__all__}

#: Captions that a program once made: they repeat the axes, the ends or the colours of a picture.
MADE = re.compile(
    r"^[^.;]{1,60}, from [^.;]{1,40} -?[\d.]+ to -?[\d.]+\.$|: from [−\d.]+ \(.*\) to [−\d.]+ \(.*\)\.$"
    r"|the more colour, the more weight|a row may look where there is colour|in the plane\.$"
    r"|where weights lie on its patches|mean [−\d.]+, standard deviation [\d.]+\.$"
)
FEWEST_WORDS = 5  # of a sentence that states something
DRAWN = re.compile(r'<figure class="ch-drawn">.*?</svg>(?:<figcaption>(.*?)</figcaption>)?</figure>', re.S)
ARRAY = re.compile(r'<table class="ch-array"( data-columns="unsaid")?>(<caption>)?')
EMPTY_HEADER = re.compile(r'<table class="ch-results">.*?<th scope="col"[^>]*>\s*</th>', re.S)

NUMBER = r"[-+−]?(?:np\.\w+\()?(?:\d[\d_,]*\.?\d*(?:e[-+]?\d+)?|nan|inf)%?\)?"
#: Numbers in brackets; a line of nothing but numbers.
LISTED = re.compile(rf"(?<![\w\]])\[\s*{NUMBER}(?:\s*,\s*|\s+){NUMBER}")
ONLY_NUMBERS = re.compile(rf"^\s*\(?{NUMBER}(?:(?:\s*,\s*|\s+){NUMBER})+\)?\s*$", re.M)
#: A result that is a number, or numbers; and code that says by itself what its result is.
RESULT = re.compile(rf"^{NUMBER}$|^\(.*{NUMBER}.*\)$|^(?:array|tensor)\(|^\[.*{NUMBER}.*\]$", re.S)
SELF_NAMED = re.compile(r"\.(?:shape|size|ndim|dtype)\)?$|^len\(")


@dataclass(frozen=True)
class Fault:
    """One thing that a reader must guess: what kind it is, in which cell, and its beginning."""

    kind: str
    cell: str
    text: str


def executed(notebook):
    """Return the executed copy of a notebook from the last build, or None."""
    if any(cell.get("outputs") for cell in notebook.cells):
        return notebook
    if not CACHE.exists():
        return None
    cache = get_cache(CACHE)
    try:
        record = cache.match_cache_notebook(notebook)
    except KeyError:
        return None
    return cache.get_cache_bundle(record.pk).nb


def faults(notebook):
    """Return the faults of a notebook, which shows something without naming it, in order."""
    ran = executed(notebook)
    sources = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = (
        [cell.outputs for cell in ran.cells if cell.cell_type == "code"] if ran else [None] * len(sources)
    )
    found = []
    for cell, shown in zip(sources, outputs, strict=True):
        tree = _parsed(cell.source)
        each = _in_code(tree) if shown is None else _in_outputs(tree, shown)
        found += [Fault(kind, cell.get("id", ""), text) for kind, text in each]
    return found


def titles(notebook):
    """Return the titles of a notebook's pictures, as far as they can be read."""
    ran = executed(notebook)
    if ran is None:
        trees = (_parsed(cell.source) for cell in notebook.cells if cell.cell_type == "code")
        return [title for tree in trees for title in _titles_in_code(tree) if title]
    return [
        caption
        for cell in ran.cells
        for caption in map(_plain, _captions(cell.get("outputs", [])))
        if caption
    ]


def repeated(notebooks):
    """Return the titles that occur more than once across the given notebooks."""
    counts = Counter(title for notebook in notebooks for title in titles(notebook))
    return {title for title, count in counts.items() if count > 1}


def judged(title):
    """Return the faults of one title."""
    if not title:
        return [NO_TITLE]
    if MADE.search(title):
        return [ONLY_NAMES]
    whole = title.endswith(ENDS) and len(title.split()) >= FEWEST_WORDS
    return [] if whole else [NO_SENTENCE]


def _parsed(source):
    try:
        return ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M))
    except SyntaxError:
        return ast.parse("")


def _calls(tree):
    """Yield the calls of functions by their names, with the names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node


def _titles_in_code(tree):
    """Yield the title of each picture that is drawn: "" if it has none, None if code computes it."""
    for name, call in _calls(tree):
        if name not in DRAWS:
            continue
        parameters = list(inspect.signature(DRAWS[name]).parameters)
        if "title" not in parameters:
            continue
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        given |= dict(zip(parameters, call.args, strict=False))
        title = given.get("title")
        if title is None:
            unknown = any(isinstance(each, ast.Starred) for each in call.args) or _adds(tree)
            yield None if unknown else ""
        else:
            yield _text(title)


def _adds(tree):
    """Return True if a cell gives a picture its title later: `picture.add("A sentence.")`."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(each, ast.Attribute) and each.attr == "add" for each in calls)


def _text(node):
    """Return a title that is written as a string, with a number for each of its fields, or None."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "0" for part in node.values)
    return None


def _in_code(tree):
    for title in _titles_in_code(tree):
        if title is not None:
            yield from ((kind, title) for kind in judged(title))
    for name, call in _calls(tree):
        if name == "show" and call.args:
            yield NO_NAME, ast.unparse(call)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Tuple):
        yield BARE, ast.unparse(last)


def _in_outputs(tree, outputs):
    last = ast.unparse(tree.body[-1]) if tree.body else ""
    for title in filter(None, _titles_in_code(tree)):
        if not title.endswith(ENDS):  # under the picture it has a full stop, whatever it is
            yield NO_SENTENCE, title
    for caption in map(_plain, _captions(outputs)):
        yield from ((kind, caption) for kind in judged(caption))
    for text in _htmls(outputs):
        for unsaid, caption in ARRAY.findall(text):
            if not caption:
                yield NO_NAME, last
            if unsaid:
                yield NO_COLUMNS, last
        if EMPTY_HEADER.search(text):
            yield NO_HEADER, last
    for output in outputs:
        if output.output_type == "stream" and (
            found := LISTED.search(output.text) or ONLY_NUMBERS.search(output.text)
        ):
            yield PRINTED, found[0].strip()
        data = output.get("data", {})
        plain = data.get("text/plain", "")
        bare = output.output_type == "execute_result" and set(data) == {"text/plain"} and RESULT.search(plain)
        if bare and not SELF_NAMED.search(last):
            yield BARE, f"{last} → {plain}"


def _htmls(outputs):
    return [output.get("data", {}).get("text/html", "") for output in outputs]


def _captions(outputs):
    return [caption for text in _htmls(outputs) for caption in DRAWN.findall(text)]


def _plain(caption):
    """Return the text of a caption, with an index such as that of d_k as it was written."""
    return html.unescape(caption.replace("<sub>", "_").replace("</sub>", ""))


def main(names):
    """Print a line of counts for each chapter, or the faults of the named ones."""
    paths = [Path(name) for name in names if name.endswith(".ipynb")]
    paths += [path for path in CHAPTERS for name in names if path.stem.startswith(name)]
    notebooks = {path: nbformat.read(path, as_version=4) for path in paths or CHAPTERS}
    twice = repeated(notebooks.values())
    for path, notebook in notebooks.items():
        found = faults(notebook)
        counts = Counter(fault.kind for fault in found)
        counts[TWICE] = sum(title in twice for title in titles(notebook))
        read = "" if executed(notebook) else " (code only: not executed)"
        print(f"{path.stem}{read}: {sum(counts.values())}")
        for kind in (*PICTURES, *NUMBERS):
            if counts[kind]:
                print(f"  {counts[kind]:3}  {kind}")
        for fault in found if names else ():
            print(f"       {fault.cell}: {fault.kind}: {' '.join(fault.text.split())[:90]}")


if __name__ == "__main__":
    main(sys.argv[1:])
