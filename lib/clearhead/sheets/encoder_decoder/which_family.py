"""11.which_family: Which family?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .which_family_wrong import MORE


def which_family(may_read):
    """Return "encoder", "decoder" or "both" for a table (N, N) of who reads whom, and the source's size."""
    N = len(may_read)
    for S in range(N, -1, -1):
        if (may_read == _table(S, N - S)).all():
            return ("encoder" if S == N else "both" if S > 1 else "decoder"), (S if S > 1 else 0)
    return "none", 0


def _table(S, T):
    """Return who may read whom: S source tokens, then T target tokens."""
    i, j = np.indices((S + T, S + T))
    return (j < S) | ((i >= S) & (j <= i))


def _by_first_row(may_read):
    """Return the family that the first row tells: how many tokens does the first one read?"""
    S = int(may_read[0].sum())
    if len(may_read) == S:
        return "encoder", S
    return ("both", S) if S > 1 else ("decoder", 0)


def _told(rule):
    """Return an answer made of rule(may_read, family, source size), from the right ones."""
    return lambda may_read: rule(may_read, *which_family(may_read))


def _family_cases(rng):
    S, T = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    reason = "How many tokens does the first one read? And the last one?"
    return [
        Case("three tokens, by hand", (_table(0, 3),), "A triangle: nobody reads what comes later.",
             expected=["decoder", 0]),
        Case("two read, two written", (_table(2, 2),), "The first two read each other; the last two read "
             "those, and themselves so far.", expected=["both", 2]),
        Case("everybody reads everybody", (_table(S, 0),), reason),
        Case("a longer triangle", (_table(0, S + 3),), reason),
        Case("a source and a target", (_table(S, T),), reason),
        Case("a long source", (_table(S + T, 1),), "Only the last token is written."),
        Case("a long target", (_table(2, S + T),), reason),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.which_family",
    title="Which family?",
    reference=which_family,
    cases=_family_cases,
    hints=(
        "Draw the three tables for five tokens: a full square, a triangle, and a block with a triangle.",
        "Look at the first row. In an encoder it is full, in a decoder it has one True. And with both?",
        "S = may_read[0].sum(). It is N for an encoder, and 1 for a decoder (its source has 0 tokens).",
    ),
    mistakes=(
        Mistake(
            "two_families_only",
            _told(lambda may, family, S: (family, S) if family == "encoder" else ("decoder", 0)),
            "You call everything with a hidden token a decoder. A block of tokens that read each other is a "
            "source.",
        ),
        Mistake(
            "decoder_has_a_source_of_one",
            lambda may: (which_family(may)[0], int(may[0].sum())),
            "In a triangle the first token reads itself. That is no source: a decoder has 0 source tokens.",
        ),
        Mistake(
            "a_triangle_is_both",
            _told(lambda may, family, S: ("both", 1) if family == "decoder" else (family, S)),
            'You call a triangle "both", with a source of 1. A source has at least two tokens: this is a '
            "decoder, with 0.",
        ),
        Mistake(
            "target_counted",
            _told(lambda may, family, S: (family, len(may) - S)),
            "You counted the tokens that are written. Count those that are read from the beginning.",
        ),
        Mistake(
            "always_an_encoder",
            _told(lambda may, family, S: ("encoder", int(may[-1].sum()))),
            'You always say "encoder" and N. The last row and the first column are full in every family: '
            "read the first row.",
        ),
        Mistake(
            "both_are_all",
            _told(lambda may, family, S: ("both" if family == "encoder" else family, S)),
            "Where everybody reads everybody, nothing is written: that is an encoder alone.",
        ),
        Mistake(
            "every_true_counted",
            _told(lambda may, family, S: (family, int(may.sum()) if S else 0)),
            "Where there is a source you counted the True in the whole table. Count the tokens of the "
            "source.",
        ),
        Mistake(
            "one_too_many_in_the_source",
            lambda may_read: (lambda name, n: (name, n + (name == "both")))(*which_family(may_read)),
            "With a source and a target you count one token too many. Count those that the first one reads.",
        ),
        Mistake(
            "names_exchanged",
            lambda may_read: (
                lambda name, n: ({"encoder": "decoder", "decoder": "encoder"}.get(name, name), n)
            )(*which_family(may_read)),
            "You exchanged the names. An encoder reads both ways; a decoder reads the past.",
        ),
        Mistake(
            "no_source_in_an_encoder",
            lambda may_read: (lambda name, n: (name, 0 if name == "encoder" else n))(*which_family(may_read)),
            "In an encoder alone, all tokens are source tokens: return N.",
        ),
        Mistake(
            "all_source_in_a_decoder",
            lambda may_read: (lambda name, n: (name, len(may_read) if name == "decoder" else n))(
                *which_family(may_read)
            ),
            "A decoder alone has no source: return 0.",
        ),
        Mistake(
            "name_alone",
            lambda may_read: which_family(may_read)[0],
            "The number of source tokens is missing. Return two things.",
        ),
        *MORE,
    ),
    alternatives=(_by_first_row,),
    stars=2,
    minutes=15,
)
