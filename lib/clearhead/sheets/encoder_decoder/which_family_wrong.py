"""More wrong answers of 11.which_family."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _right(may_read):
    first = int(may_read[0].sum())
    if first == len(may_read):
        return "encoder", first
    return ("both", first) if first > 1 else ("decoder", 0)


def _told(rule):
    """Return rule(may_read, family, source size), made from the right answer."""
    return lambda may_read: rule(may_read, *_right(may_read))


MORE = (
    Mistake(
        "all_counted_in_both",
        _told(lambda may, family, S: (family, len(may) if family == "both" else S)),
        "With a source and a target you return all tokens: the last row, and the first column, are full. The "
        "first row tells how long the source is.",
    ),
    Mistake(
        "target_counted_in_both",
        _told(lambda may, family, S: (family, len(may) - S if family == "both" else S)),
        "With a source and a target you count the target. Count the tokens that the first one reads.",
    ),
    Mistake(
        "one_too_few_in_the_source",
        _told(lambda may, family, S: (family, S - 1 if family == "both" else S)),
        "With a source and a target you count one token too few. The first one reads itself as well.",
    ),
    Mistake(
        "minus_one_in_a_decoder",
        _told(lambda may, family, S: (family, -1 if family == "decoder" else S)),
        "A decoder alone has no source: return 0.",
    ),
    Mistake(
        "nothing_in_a_decoder",
        _told(lambda may, family, S: (family, None if family == "decoder" else S)),
        "A decoder alone has no source: return the number 0.",
    ),
    Mistake(
        "encoder_for_both",
        _told(lambda may, family, S: ("encoder" if family == "both" else family, S)),
        'Where there are a source and a target you say "encoder". It is "both".',
    ),
    Mistake(
        "decoder_for_both",
        _told(lambda may, family, S: ("decoder" if family == "both" else family, S)),
        'Where there are a source and a target you say "decoder". It is "both".',
    ),
    Mistake(
        "always_both",
        _told(lambda may, family, S: ("both", S)),
        'You always say "both". A full table is an encoder, a triangle a decoder.',
    ),
    Mistake(
        "size_alone",
        _told(lambda may, family, S: S),
        "You returned the number alone. Return two things: the family, then the number.",
    ),
    Mistake(
        "number_first",
        _told(lambda may, family, S: (S, family)),
        "You returned the number first. The family comes first.",
    ),
    Mistake(
        "source_of_one_in_both",
        _told(lambda may, family, S: (family, int(may.all(axis=1).sum()) if family == "both" else S)),
        "With a source and a target you return 1, and just one row is full there: the last. Count what the "
        "first row reads.",
    ),
    Mistake(
        "source_by_all_pairs",
        _told(lambda may, family, S: (family, int(may.sum()) if family == "both" else S)),
        "With a source and a target you count every True in the table. Count those of the first row.",
    ),
    Mistake(
        "symmetric_tables_alone",
        lambda may_read: (
            ("encoder", len(may_read))
            if np.array_equal(may_read, may_read.T)
            else ("both", _right(may_read)[1])
        ),
        'A table that is not symmetric is "both" in yours. A triangle is a decoder alone.',
    ),
    Mistake(
        "encoder_of_all_for_both",
        _told(lambda may, family, S: ("encoder", len(may)) if family == "both" else (family, S)),
        'Where there are a source and a target you say "encoder", and count all tokens. It is "both", and '
        "the first row tells how long the source is.",
    ),
    Mistake(
        "half_is_the_source",
        _told(lambda may, family, S: (family, len(may) // 2 if family == "both" else S)),
        "With a source and a target you return N // 2. The first row tells how long the source is.",
    ),
    Mistake(
        "all_but_one_in_both",
        _told(lambda may, family, S: (family, len(may) - 1 if family == "both" else S)),
        "With a source and a target you return N - 1. The first row tells how long the source is.",
    ),
)
