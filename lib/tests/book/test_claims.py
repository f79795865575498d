"""Every number in the prose has an assert, a choice in the code or a citation behind it; others have not."""

import sys
from dataclasses import replace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from support.notebooks import LOOKED_UP, TAUGHT, name, read
from support.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from claims_in_prose import NEAR, behind, evidence, ledger, prose_numbers


@pytest.mark.parametrize("path", [*TAUGHT, *LOOKED_UP], ids=name)
def test_every_number_has_something_behind_it(path):
    claims = [claim for _, claim in ledger(read(path).cells)]
    assert [claim.number for claim in claims if claim.how == "nothing"] == []


def wrong(number):
    """Return the number changed by -20, -10, 10 and 25 %, rounded to the digits that it shows."""
    last = 2 * number.half
    changed = {last * round(number.value * share / last) for share in (0.8, 0.9, 1.1, 1.25)}
    kept = [value for value in changed if abs(value - number.value) > number.half]
    return [replace(number, value=value, cited=False) for value in kept if value > 10 or not number.whole]


def test_most_wrong_numbers_have_nothing_behind_them():
    accepted = {"whole, below 100": [], "whole": [], "measured": []}
    for path in [*TAUGHT, *LOOKED_UP]:
        cells = read(path).cells
        rows = evidence(cells)
        for here, claim in ledger(cells):
            small = "whole, below 100" if claim.number.value < 100 else "whole"
            kind = small if claim.number.whole else "measured"
            accepted[kind] += [behind(other, here, rows).how != "nothing" for other in wrong(claim.number)]
    for kind, limit in {"whole, below 100": 0.08, "whole": 0.03, "measured": 0.08}.items():
        assert sum(accepted[kind]) < limit * len(accepted[kind]), kind
    changed = [found for kind in accepted.values() for found in kind]
    assert len(changed) > 300
    assert sum(changed) <= 0.05 * len(changed)


def cells(prose, code, between=0):
    return [new_markdown_cell(prose), *between * [new_markdown_cell("")], new_code_cell(code)]


@pytest.mark.parametrize(
    ("prose", "code", "how"),
    [
        ("It reaches 0.87 at the end.", "assert abs(share - 0.87) < 0.005", "asserted"),
        ("More than 80 % are right.", "assert share > 0.8", "asserted"),
        ("It has 124,439,808 numbers.", "assert count == 124_439_808", "asserted"),
        ("The paper says 2.5 billion.", "assert count == 2_517_630_976", "asserted"),
        ("We train for 1,500 steps.", "train(steps=1500)", "given"),
        ("Others measured 91.4 % (Voita et al., 2019).", "pass", "cited"),
        ("It reaches 0.88 at the end.", "assert abs(share - 0.87) < 0.005", "nothing"),
        ("It reaches 0.87 at the end.", "print(0.87)", "nothing"),
        ("It reaches 0.87 at the end.", "assert count == 87", "nothing"),
        ("87 % are right.", "share = 0.87", "nothing"),
        ("100 % are right.", "assert shares[1] > shares[2]", "nothing"),
        ("We keep 48 visits.", "kept = visits[:48]", "given"),
    ],
)
def test_the_ledger_tells_what_is_behind_a_number(prose, code, how):
    assert [claim.how for _, claim in ledger(cells(prose, code))] == [how]


@pytest.mark.parametrize(
    ("prose", "shown"),
    [
        ("A **byte** is one of 256 numbers.", "A byte is one of 256 numbers."),
        ("The person is [34, 2000, 200].", "The person is [34, 2000, 200]."),
        ("It makes 16 of *cleverest*: so long", "It makes 16 of cleverest:"),
        ("That is 3 * 12 numbers.", "That is 3 * 12 numbers."),
    ],
)
def test_a_sentence_is_shown_as_it_is_read(prose, shown):
    assert prose_numbers(prose)[0].sentence == shown


def test_what_stands_far_away_is_no_evidence():
    near, far = (cells("It has 512 rows.", "rows = 512", between) for between in (NEAR - 1, NEAR))
    assert [claim.how for _, claim in ledger(near) + ledger(far)] == ["given", "nothing"]


@pytest.mark.parametrize(
    "prose",
    [
        "GPT-2 and ViT-B/16 in float32, as chapter 12 says.",
        "See [Vaswani et al. (2017), equation 1](../book/further_reading.md).",
        "About 45 minutes.",
        "`x[12]` has $e^{1040}$ and 3 rows.",
        "$$\n0.5 + 12\n$$",
        "## 16 heads\n",
    ],
)
def test_names_references_and_small_counts_are_no_claims(prose):
    assert prose_numbers(prose) == []
