"""Every number in the prose of a chapter has a cell, or a citation, behind it."""

import sys

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

import execute
from notebooks import ROOT, TAUGHT, name, read

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from claims_in_prose import ledger, prose_numbers


@pytest.mark.parametrize("path", TAUGHT, ids=name)
def test_every_number_has_something_behind_it(path):
    cache = execute.get_cache(execute.CACHE)
    _, executed = cache.merge_match_into_notebook(read(path))
    nothing = [
        f"{claim.said}: {claim.sentence}" for claim in ledger(executed.cells) if claim.how == "nothing"
    ]
    assert nothing == []


def cells(prose, code="", printed=""):
    outputs = [new_output("stream", text=printed)] if printed else []
    return [new_markdown_cell(prose), new_code_cell(code, outputs=outputs)]


@pytest.mark.parametrize(
    ("prose", "code", "printed", "how"),
    [
        ("It reaches 0.87 at the end.", "assert abs(share - 0.87) < 0.005", "", "asserted"),
        ("It reaches 87 %.", "assert share > 0.8", "share 0.8712", "computed"),
        ("We train for 1,500 steps.", "train(steps=1500)", "", "given"),
        ("Others measured 91.4 % (Voita et al., 2019).", "pass", "", "cited"),
        ("It reaches 0.88 at the end.", "assert abs(share - 0.87) < 0.005", "0.8712", "nothing"),
        ("It has 124,439,808 numbers.", "assert count == 124_439_808", "", "asserted"),
    ],
)
def test_the_ledger_tells_what_is_behind_a_number(prose, code, printed, how):
    assert [claim.how for claim in ledger(cells(prose, code, printed))] == [how]


@pytest.mark.parametrize(
    "prose",
    [
        "GPT-2 and ViT-B/16 in float32, as chapter 12 says.",
        "See [Vaswani et al. (2017), equation 1](../book/further_reading.md).",
        "About 45 minutes.",
        "`x[12]` has $e^{1040}$ and 3 rows.",
        "## 16 heads\n",
    ],
)
def test_names_references_and_small_counts_are_no_claims(prose):
    assert prose_numbers(prose) == []
