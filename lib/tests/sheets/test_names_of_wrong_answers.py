"""Wrong answers of one kind have one name in all sheets, in the words of the field."""

import re

import pytest

from clearhead.checks import registry
from support.places import ROOT

KINDS = ROOT / "lib" / "clearhead" / "sheets" / "README.md"
#: From each exercise's id to the names of its wrong answers.
NAMES = {e.id: [m.name for m in e.mistakes] for sheet in registry.sheets() for e in sheet.exercises}
#: Words that names of wrong answers no longer have, and what is said instead.
RETIRED_WORDS = {
    r"_alone$(?<!left_alone)": "only_...",
    r"exchanged": "swapped",
    r"_forgotten": "no_...",
    r"in_place_of": "instead_of",
    r"(^|_)shares?(_|$)(?!the_|a_)": "fraction",
    r"(^|_)spread(_|$)": "standard_deviation",
    r"(^|_)surprises?(_|$)": "surprisal",
    r"(?<!in)(?<!decimal)(?<!binary)(^|_)places?(_|$)": "position or index",
    r"whole_numbers?": "integer",
    r"taken_(away|off)": "subtracted",
    r"(^|_)speeds?(_|$)": "frequency",
    r"(^|_)brackets?(_|$)": "parentheses",
    r"squashed|(^|_)bent(_|$)|(^|_)bend(_|$)": "activated, activation",
    r"(^|_)turned(_|$)|mirrored": "transposed, reversed, negated, inverted, rotated or flipped",
    r"back_to_front|upside_down": "reversed, inverted or flipped_vertically",
    r"dealt": "interleaved",
    r"left_out": "omitted",
    r"mended": "renormalized",
    r"chance": "probability",
    r"refus": "raising, rejected",
    r"_as_(one_)?texts?$": "as_string",
}
RETIRED_NAMES = {
    "no_scale": "no_scaling",
    "not_scaled": "no_scaling",
    "overflows": "overflow",
    "exponential_overflows": "overflow",
    "softmax_again": "softmax_twice",
    "softmax_down_the_columns": "softmax_over_queries",
    "softmax_over_the_whole_table": "softmax_over_everything",
    "powers_not_divided": "no_normalization",
    "not_divided": "no_normalization",
    "never_divided": "no_normalization",
    "summed": "sum_instead_of_mean",
    "sum_not_mean": "sum_instead_of_mean",
    "sum_for_mean": "sum_instead_of_mean",
    "median": "median_instead_of_mean",
    "whole_division": "integer_division",
    "base_ten": "log10",
    "logarithm_to_base_10": "log10",
    "logarithm_to_base_2": "in_bits",
    "bits_not_nats": "in_bits",
    "one_short": "one_too_few",
    "one_step_too_many": "one_too_many",
    "one_step_too_few": "one_too_few",
    "positions_from_one": "counted_from_one",
    "keys_ask": "queries_and_keys_swapped",
    "keys_ask_queries": "queries_and_keys_swapped",
    "mixes_the_keys": "keys_instead_of_values",
    "keys_mixed": "keys_instead_of_values",
    "looks_back_only": "causal_mask_added",
    "split_by_reshape": "reshape_without_transpose",
    "multiplied_by_the_root": "multiplied_by_the_square_root",
    "scaled_by_d": "divided_by_d",
    "scaled_by_d_model": "scaled_by_the_width_of_the_tokens",
    "uphill": "gradient_ascent",
    "minus_the_scores": "negated_scores",
    "sign_dropped": "absolute_value",
    "sign_lost": "absolute_value",
    "always_hard": "argmax_instead_of_softmax",
    "a_little_added": "small_constant_added",
    "other_way_round": "outputs_swapped",
    "the_weights_themselves": "weights_returned",
    "true_and_false": "mask_returned",
}


def kinds():
    """Return the rows of the table of kinds: from each name to the sheets that the table gives."""
    rows = re.findall(r"^\| `(\w+)` \| .+ \| ([\d, ]+) \|$", KINDS.read_text("utf-8"), re.M)
    return {name: sheets.split(", ") for name, sheets in rows}


@pytest.mark.parametrize("id", NAMES)
def test_no_wrong_answer_has_a_retired_name(id):
    found = {name: new for name in NAMES[id] for old, new in RETIRED_WORDS.items() if re.search(old, name)}
    found |= {name: RETIRED_NAMES[name] for name in NAMES[id] if name in RETIRED_NAMES}
    said = "".join(f"\n  {name}: write {new}" for name, new in found.items())
    assert not found, f"Rename these wrong answers of {id}, see lib/clearhead/sheets/README.md:{said}"


def test_the_table_of_kinds_says_which_sheets_have_each():
    found = {}
    for id, names in NAMES.items():
        for name in names:
            found.setdefault(name, set()).add(id[:2])
    assert {name: sorted(found.get(name, ())) for name in kinds()} == kinds()


def test_every_name_that_many_sheets_have_is_in_the_table():
    sheets = {}
    for id, names in NAMES.items():
        for name in names:
            sheets.setdefault(name, set()).add(id[:2])
    assert {name for name, numbers in sheets.items() if len(numbers) >= 4} <= kinds().keys()
    assert len(kinds()) >= 60
