"""One alphabet from chapter 2 on: T, S, D, d, e, H, L, and heads and layers counted from 0."""

import ast
import re

import pytest

from support.notebooks import LOOKED_UP, SOLUTIONS, TAUGHT, name, read
from support.places import ROOT

PAGES = [path for path in [*TAUGHT, *SOLUTIONS, *LOOKED_UP] if not path.stem.startswith("01")]
#: The letters that may count a thing; W and w are the tokens of a window, t and s are places.
COUNTS = {
    "tokens": "TSWwts",
    "words": "TSVWts",
    "heads": "HG",  # G: shared keys
    "layers": "L",
}
COUNTED = re.compile(
    r"(?<![\w\\^_{(.'’])\$?([B-HJ-Zb-z])\$?(?: = [\d,]+)?\$? (?:random |other |target |source |near )?"
    rf"({'|'.join(COUNTS)})\b"
)
GIVEN = {"num_heads": "H", "num_layers": "L", "d_model": "D", "vocab_size": "V"}
MAKE_SHAPES = {"zeros", "ones", "empty", "full", "randn", "rand", "standard_normal", "reshape", "eye"}
FROM_ONE = re.compile(r"(?:(?:head|layer)s?[ .]?\$?\{[\w.]+|String\((?:head|layer)) \+ 1[})]", re.IGNORECASE)


def letters_in_prose(text):
    """Return "n tokens" and its like, where another letter counts this thing in the rest of the book."""
    return [found[0] for found in COUNTED.finditer(text) if found[1] not in COUNTS[found[2]]]


def _single(node):
    return isinstance(node, ast.Name) and len(node.id) == 1


def letters_in_code(source):
    """Return the lines that give a letter another job than the alphabet does."""
    tree, found = ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M)), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in ("x.shape", "X.shape"):
            for target in node.targets:
                names = [each.id for each in getattr(target, "elts", []) if _single(each)]
                found += [ast.unparse(node)] * (
                    len(names) == 2 and (names[0] not in "TS" or names[1] not in "Dde")
                )
        if not isinstance(node, ast.Call):
            continue
        for word in node.keywords:
            wrong = word.arg in GIVEN and _single(word.value) and word.value.id != GIVEN[word.arg]
            ids = ast.unparse(node.func).endswith("integers")
            in_size = word.arg == "size" and _counts_otherwise(word.value, ids)
            found += [ast.unparse(node)] * (wrong or in_size)
        if isinstance(node.func, ast.Attribute) and node.func.attr in MAKE_SHAPES:
            found += [ast.unparse(node)] * any(map(_counts_otherwise, node.args))
    return found


def _counts_otherwise(shape, ids=False):
    """Return True where n or L counts tokens: an axis that is not the last, or the last one of ids."""
    axes = shape.elts if isinstance(shape, ast.Tuple) else []
    return any(_single(axis) and axis.id in "nL" for axis in axes[: len(axes) - (not ids)])


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_letters_have_one_job(path):
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            assert letters_in_prose(cell.source) == [], cell.id
        else:
            assert letters_in_code(cell.source) == [], cell.id
            assert FROM_ONE.findall(cell.source) == [], f"{cell.id}: heads and layers count from 0"


@pytest.mark.parametrize("path", sorted((ROOT / "lib" / "clearhead").rglob("questions/*.toml")), ids=name)
def test_questions_keep_the_letters(path):
    assert letters_in_prose(path.read_text()) == []


@pytest.mark.parametrize(
    "path", [*(ROOT / "lib/clearhead/widgets").rglob("*.[jp][sy]")], ids=lambda path: path.name
)
def test_figures_count_heads_and_layers_from_zero(path):
    assert FROM_ONE.findall(path.read_text()) == []


@pytest.mark.parametrize("code", ["`Layer ${layer + 1}`", 'f"head {head + 1}"', "text: String(head + 1)"])
def test_a_label_that_counts_from_one_is_found(code):
    assert FROM_ONE.search(code)


@pytest.mark.parametrize(
    "prose",
    ["a text of n tokens", "For $N$ tokens", "with $L$ tokens", "n = 32 tokens", "M heads", "N = 12 layers"],
)
def test_another_letter_is_found(prose):
    assert letters_in_prose(prose)


@pytest.mark.parametrize(
    "prose", ["T tokens", "S = 7 tokens", "V words", "H heads", "$L$ layers", "a few words"]
)
def test_the_alphabet_passes(prose):
    assert letters_in_prose(prose) == []


@pytest.mark.parametrize(
    "code",
    [
        "n, d = X.shape",
        "rng.standard_normal((3, L, d))",
        "rng.integers(10, size=(count, n))",
        "GPT(50, 8, num_heads=h)",
        "GPT(50, 8, num_layers=N)",
    ],
)
def test_another_letter_in_code_is_found(code):
    assert letters_in_code(code)


def test_a_head_counted_from_one_is_found():
    assert FROM_ONE.findall('f"head {h + 1}"') + FROM_ONE.findall("`layer ${layer + 1}`") != []
    assert FROM_ONE.findall('f"head {h}"') == []
