"""The ledger of claims: every number in a chapter's prose, and the cell that stands behind it.

A number is looked for in the chapter's executed cells: in asserts, in what a cell prints or draws, and in
what the code is given (sizes, steps, data); the nearest wins, asserts before the rest. It matches when it is
the same to the digits that the prose shows. A number of somebody else has a citation in its paragraph. Names
(GPT-2, 16×16, float32), years, references, reading times and whole numbers up to ten are not claims.
"""

import ast
import re
from dataclasses import dataclass

NUMBER = (
    r"(?<![\w.,/^_#-])[-−]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(e[-+]?\d+)?(?![\w/]|[.,]\d)"
    r"\s?(%|percent|million|billion)?"
)
REFERENCE = (
    r"\b(?i:chapters?|sections?|equations?|eqs?\.|figures?|tables?|pages?|appendix|sources?|issues?|part|step|line"
    r"|layer|head|block|row|column|token|id|place|position|number)s?\s\d[\d.,\s–-]*(and \d+)?"
)
CITED = r"\[[^\]]*\]\([^)]*further_reading[^)]*\)|\{cite[^}]*\}`[^`]*`|\b(19|20)\d\d\b|\bwe cite\b"
FACTORS = {"%": 0.01, "percent": 0.01, "million": 1e6, "billion": 1e9}
#: What is no prose, or names a thing: it goes before numbers are looked for.
NO_CLAIM = (
    r"```.*?```",
    r"`[^`]*`",
    r"\$\$.*?\$\$|\$[^$]*\$",
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
#: An assert may stand so many cells farther away than a printed number, and still be the better proof.
FARTHER = {"asserted": 0, "computed": 3, "given": 6}
SMALL, CITATION = 10, "‡"


@dataclass(frozen=True)
class Claim:
    """One number in prose: what it says, where it stands, and what stands behind it."""

    said: str
    sentence: str
    cell: int | None
    how: str
    code: str


def _value(match):
    whole, fraction, exponent, unit = match.groups()
    digits = len(fraction or ".") - 1 - int((exponent or "e0")[1:])
    value = float(whole.replace(",", "") + (fraction or "") + (exponent or ""))
    return value * FACTORS.get(unit, 1), 10.0**-digits * FACTORS.get(unit, 1) / 2


def prose_numbers(text):
    """Return (words, value, half of the last digit, sentence, cited) of each number in some Markdown."""
    text = re.sub(CITED, CITATION, text)
    for pattern in NO_CLAIM:
        text = re.sub(pattern, " … ", text, flags=re.S | re.M if "`" in pattern else re.M)
    found = []
    for paragraph in re.split(r"\n\n|\n(?=[*|-] )", text):
        for sentence in re.split(r"(?<=[.!?:])\s+", paragraph):
            words = " ".join(sentence.replace(CITATION, "").split())
            for match in re.finditer(NUMBER, sentence):
                value, half = _value(match)
                if value > SMALL or value != int(value):
                    found.append((match[0].strip(), value, half, words, CITATION in paragraph))
    return found


def _literals(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield float(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            try:
                yield float(ast.literal_eval(node.left) ** ast.literal_eval(node.right))
            except (ValueError, OverflowError, TypeError):
                continue


def _shown(outputs):
    """Return every number that a cell printed or drew words about."""
    texts = []
    for output in outputs:
        texts.append(output.get("text", ""))
        data = output.get("data", {})
        texts += [data.get("text/plain", ""), *re.findall(r'aria-label="([^"]*)"', data.get("text/html", ""))]
    found = re.findall(r"\d[\d,]*\.?\d*(?:e[-+]?\d+)?", " ".join("".join(text) for text in texts))
    return [float(each.replace(",", "")) for each in found if each.strip(",.")]


def evidence(cells):
    """Return what each code cell asserts, shows and is given: lists of (cell, how, code, numbers)."""
    rows = {"asserted": [], "computed": [], "given": []}
    for number, cell in enumerate(cells, 1):
        if cell.cell_type != "code":
            continue
        tree = ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.M))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                rows["asserted"].append((number, ast.unparse(node), list(_literals(node))))
        rows["computed"].append((number, "", _shown(cell.get("outputs", []))))
        rows["given"].append((number, "", list(_literals(tree))))
    return rows


def _same(value, half, candidate):
    return any(abs(value - scaled) <= half * 1.0001 for scaled in (candidate, candidate / 100))


def ledger(cells):
    """Return a claim for each number in the prose of executed cells; `how` may be "nothing"."""
    rows, claims = evidence(cells), []
    for here, cell in enumerate(cells, 1):
        if cell.cell_type != "markdown":
            continue
        for said, value, half, sentence, cited in prose_numbers(cell.source):
            hits = (
                (abs(number - here) + FARTHER[how], how, number, code)
                for how, found in rows.items()
                for number, code, numbers in found
                if any(_same(value, half, each) for each in numbers)
            )
            nothing = (0, "cited" if cited else "nothing", None, "")
            _, how, number, code = min(hits, key=lambda hit: hit[0], default=nothing)
            claims.append(Claim(said, sentence, number, how, code))
    return claims
