"""The wrong answers of 11.which_family."""

import numpy as np

from clearhead.checks.exercise import Mistake


def by_first_row(may_read):
    """Return the family that the first row tells: how many tokens does the first one read?"""
    S = int(may_read[0].sum())
    if S < 2:
        return "decoder", 0
    return ("encoder" if len(may_read) == S else "both"), S


def _full_row_first(may_read):
    """Return the same, except that one token alone, which reads itself, is a source of one."""
    return ("encoder", 1) if len(may_read) == 1 else by_first_row(may_read)


def _told(rule, right=by_first_row):
    """Return an answer made of rule(may_read, family, source size), from the right ones."""
    return lambda may_read: rule(may_read, *right(may_read))


def _asks_who_it_is(rule):
    """Return True where a rule says another thing of one token alone if that is a source."""
    alone = np.ones((1, 1), dtype=bool)
    return rule(alone, "decoder", 0) != rule(alone, "encoder", 1)


RULES = (
    (
        "two_families_only",
        lambda may, family, S: (family, S) if family == "encoder" else ("decoder", 0),
        "You call everything with a hidden token a decoder. A block of tokens that read each other is a "
        "source.",
    ),
    (
        "decoder_has_a_source_of_one",
        lambda may, family, S: (family, int(may[0].sum())),
        "In a triangle the first token reads itself. That is no source: a decoder has 0 source tokens.",
    ),
    (
        "a_triangle_is_both",
        lambda may, family, S: ("both", 1) if family == "decoder" and len(may) > 1 else (family, S),
        'You call a triangle "both", with a source of 1. The first token reads itself alone, and a source '
        "has at least two tokens: this is a decoder, with 0.",
    ),
    (
        "target_counted",
        lambda may, family, S: (family, len(may) - S),
        "You counted the tokens that are written. Count those that are read from the beginning.",
    ),
    (
        "always_an_encoder",
        lambda may, family, S: ("encoder", int(may[-1].sum())),
        'You always say "encoder" and N. The last row and the first column are full in every family: '
        "read the first row.",
    ),
    (
        "both_are_all",
        lambda may, family, S: ("both" if family == "encoder" else family, S),
        "Where everybody reads everybody, nothing is written: that is an encoder alone.",
    ),
    (
        "every_true_counted",
        lambda may, family, S: (family, int(may.sum()) if S else 0),
        "Where there is a source you counted the True in the whole table. Count the tokens of the source.",
    ),
    (
        "one_too_many_in_the_source",
        lambda may, family, S: (family, S + (family == "both")),
        "With a source and a target you count one token too many. Count those that the first one reads.",
    ),
    (
        "names_exchanged",
        lambda may, family, S: ({"encoder": "decoder", "decoder": "encoder"}.get(family, family), S),
        "You exchanged the names. An encoder reads both ways; a decoder reads the past.",
    ),
    (
        "no_source_in_an_encoder",
        lambda may, family, S: (family, 0 if family == "encoder" else S),
        "In an encoder alone, all tokens are source tokens: return N.",
    ),
    (
        "all_source_in_a_decoder",
        lambda may, family, S: (family, len(may) if family == "decoder" else S),
        "A decoder alone has no source: return 0.",
    ),
    (
        "name_alone",
        lambda may, family, S: family,
        "The number of source tokens is missing. Return two things.",
    ),
    (
        "all_counted_in_both",
        lambda may, family, S: (family, len(may) if family == "both" else S),
        "With a source and a target you return all tokens: the last row, and the first column, are full. The "
        "first row tells how long the source is.",
    ),
    (
        "target_counted_in_both",
        lambda may, family, S: (family, len(may) - S if family == "both" else S),
        "With a source and a target you count the target. Count the tokens that the first one reads.",
    ),
    (
        "one_too_few_in_the_source",
        lambda may, family, S: (family, S - 1 if family == "both" else S),
        "With a source and a target you count one token too few. The first one reads itself as well.",
    ),
    (
        "minus_one_in_a_decoder",
        lambda may, family, S: (family, -1 if family == "decoder" else S),
        "A decoder alone has no source: return 0.",
    ),
    (
        "nothing_in_a_decoder",
        lambda may, family, S: (family, None if family == "decoder" else S),
        "A decoder alone has no source: return the number 0.",
    ),
    (
        "encoder_for_both",
        lambda may, family, S: ("encoder" if family == "both" else family, S),
        'Where there are a source and a target you say "encoder". It is "both".',
    ),
    (
        "decoder_for_both",
        lambda may, family, S: ("decoder" if family == "both" else family, S),
        'Where there are a source and a target you say "decoder". It is "both".',
    ),
    (
        "always_both",
        lambda may, family, S: ("both", S),
        'You always say "both". A full table is an encoder, a triangle a decoder.',
    ),
    (
        "size_alone",
        lambda may, family, S: S,
        "You returned the number alone. Return two things: the family, then the number.",
    ),
    (
        "number_first",
        lambda may, family, S: (S, family),
        "You returned the number first. The family comes first.",
    ),
    (
        "source_of_one_in_both",
        lambda may, family, S: (family, int(may.all(axis=1).sum()) if family == "both" else S),
        "With a source and a target you return 1, and just one row is full there: the last. Count what the "
        "first row reads.",
    ),
    (
        "source_by_all_pairs",
        lambda may, family, S: (family, int(may.sum()) if family == "both" else S),
        "With a source and a target you count every True in the table. Count those of the first row.",
    ),
    (
        "symmetric_tables_alone",
        lambda may, family, S: ("encoder", len(may)) if np.array_equal(may, may.T) else ("both", S),
        'A table that is not symmetric is "both" in yours. A triangle is a decoder alone.',
    ),
    (
        "encoder_of_all_for_both",
        lambda may, family, S: ("encoder", len(may)) if family == "both" else (family, S),
        'Where there are a source and a target you say "encoder", and count all tokens. It is "both", and '
        "the first row tells how long the source is.",
    ),
    (
        "half_is_the_source",
        lambda may, family, S: (family, len(may) // 2 if family == "both" else S),
        "With a source and a target you return N // 2. The first row tells how long the source is.",
    ),
    (
        "all_but_one_in_both",
        lambda may, family, S: (family, len(may) - 1 if family == "both" else S),
        "With a source and a target you return N - 1. The first row tells how long the source is.",
    ),
)
MISTAKES = (
    *(Mistake(name, _told(rule), says) for name, rule, says in RULES),
    *(
        Mistake(f"{name}_and_one_token_is_a_source", _told(rule, _full_row_first), says)
        for name, rule, says in RULES
        if _asks_who_it_is(rule)
    ),
    Mistake(
        "one_token_is_a_source",
        _full_row_first,
        "You take one token alone for a source of one. A source has at least two tokens: return "
        '"decoder" and 0.',
    ),
)
