"""The ledger of claims: each number in a chapter's prose, with the code cell that supports it.

A number is looked up in the code near its sentence: in asserts and, if it is an integer, in all constants of
the code. Two numbers are the same if they agree to the digits that the prose shows, and a percentage may
occur in the code as a fraction. A number from another source has a citation in its paragraph. Names (GPT-2,
16×16, float32), years, references, reading times and integers up to ten are not claims.
"""

import ast
import re
from dataclasses import dataclass

NUMBER = (
    r"(?<![\w.,/^_#-])[-−]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w/]|[.,]\d)\s?(%|percent|million|billion)?"
)
REFERENCE = (
    r"\b(?i:chapters?|sections?|equations?|eqs?\.|figures?|tables?|pages?|appendix|sources?|issues?|part|step|line"
    r"|layer|head|block|row|column|token|id|place|position|number)s?\s\d[\d.,\s–-]*(and \d+)?"
)
CITED = r"\[[^\]]*\]\([^)]*further_reading[^)]*\)|\{cite[^}]*\}`[^`]*`|\b(19|20)\d\d\b|\b[Ww]e cite\b"
FACTORS = {"million": 1e6, "billion": 1e9}
#: Text that is not prose, or names a thing, and is removed before the search for numbers.
NO_CLAIM = (
    r"```.*?```",
    r"`[^`]*`",
    r"(?s:\$\$.*?\$\$)|\$[^$]*\$",
    r"\{[^}]*\}`[^`]*`",
    r"\]\([^)]*\)",
    r"\[[^\]]*\d{4}[^\]]*\]",
    r"https?://\S+",
    r"^#.*$",
    r"^:::.*$",
    r"^\s*\d+\.\s",
    REFERENCE,
    r"\b[Aa]bout \d+ minutes|\d+ minutes for",
    r"\bE\d+\b",
)
#: Evidence is at most this many cells away. Asserts are preferred to constants, and then nearer cells.
NEAR = 6
SMALL = 10
#: Citations and years are not claims, so a private-use character of Unicode replaces each until it is shown.
FIRST_MARK, MARK = 0xE000, re.compile("[\ue000-\uf8ff]")
#: A star that makes text bold or italic in Markdown, and is removed. A star between spaces is a product.
STAR = re.compile(r"(?<!\s)\*+|\*+(?!\s)")


@dataclass(frozen=True)
class Number:
    """A number in prose: its text, its value, its precision, and the sentence around it."""

    said: str
    value: float
    half: float
    sentence: str
    cited: bool

    def is_in(self, numbers):
        """Return True if one of `numbers` agrees with this one to the digits that the prose shows."""
        if self.said.endswith(("%", "percent")):
            numbers = [scaled for each in numbers for scaled in (each, 100 * each)]
        return any(abs(self.value - each) <= 1.0001 * self.half for each in numbers)

    @property
    def whole(self):
        """Return True if the number has no decimals, no percent sign and no word such as "million"."""
        return re.fullmatch(r"[-−\d,]+", self.said) is not None


@dataclass(frozen=True)
class Claim:
    """A number in prose with its evidence: the kind of evidence, its cell, and its assert."""

    number: Number
    how: str
    cell: int | None = None
    code: str = ""


def _number(match, sentence, cited):
    whole, fraction, unit = match.groups(default="")
    factor = FACTORS.get(unit, 1)
    half = 10.0 ** -len(fraction[1:]) * factor / 2
    return Number(match[0].strip(), float(whole.replace(",", "") + fraction) * factor, half, sentence, cited)


def prose_numbers(text):
    """Return a list of the Numbers in a piece of Markdown that are claims."""
    marked = []

    def mark(match):
        marked.append(match[0] if match[0].isdigit() else "")
        return chr(FIRST_MARK + len(marked) - 1)

    def plain(sentence):
        shown = MARK.sub(lambda letter: marked[ord(letter[0]) - FIRST_MARK], sentence)
        return " ".join(STAR.sub("", shown).split())

    text = re.sub(CITED, mark, text)
    for pattern in NO_CLAIM:
        text = re.sub(pattern, " … ", text, flags=re.S | re.M if "`" in pattern else re.M)
    found = []
    for paragraph in re.split(r"\n\n|\n(?=[*|-] )", text):
        for sentence in re.split(r"(?<=[.!?:])\s+", paragraph):
            for match in re.finditer(NUMBER, sentence):
                found.append(_number(match, plain(sentence), MARK.search(paragraph) is not None))
    return [number for number in found if number.value > SMALL or not number.value.is_integer()]


def _literals(tree):
    """Yield the numbers in code, except for indices up to ten, such as the 1 in `losses[1]`."""
    subscripts = (node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript))
    inside = {id(part) for index in subscripts for part in ast.walk(index)}
    for node in ast.walk(tree):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if number and not (id(node) in inside and node.value <= SMALL):
            yield float(node.value)


def evidence(cells):
    """Return a list of (cell, kind, code, numbers) for the asserts and the inputs of all code cells."""
    rows = []
    for number, cell in enumerate(cells, 1):
        if cell.cell_type == "code":
            tree = ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.M))
            asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
            rows += [(number, "asserted", ast.unparse(each), list(_literals(each))) for each in asserts]
            rows.append((number, "given", "", list(_literals(tree))))
    return rows


def behind(number, here, rows):
    """Return the Claim that a number in cell `here` makes, with the best evidence near it.

    Without any evidence, the `how` of the claim is "cited" if the paragraph has a citation, and "nothing"
    otherwise.
    """
    found = [
        (how == "given", abs(cell - here), Claim(number, how, cell, code))
        for cell, how, code, numbers in rows
        if abs(cell - here) <= NEAR and (number.whole or how == "asserted") and number.is_in(numbers)
    ]
    nothing = Claim(number, "cited" if number.cited else "nothing")
    return min(found, key=lambda one: one[:2], default=(None, None, nothing))[2]


def ledger(cells):
    """Return a list of pairs (cell, Claim), one for each number in the prose of the cells."""
    rows = evidence(cells)
    return [
        (here, behind(number, here, rows))
        for here, cell in enumerate(cells, 1)
        if cell.cell_type == "markdown"
        for number in prose_numbers(cell.source)
    ]
