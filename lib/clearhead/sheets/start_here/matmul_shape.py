"""Cases of 00.matmul_shape."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, S, e, heads, batch = different_sizes(rng, 5, 5, 11)
    inner = "the last size of left and the last but one of right must be equal; then both vanish."
    lead = (
        "the axes in front of the last two line up from the right. Equal sizes stay, and a 1 "
        "stretches to the other."
    )
    return [
        Case("(2, 4) @ (4, 3), worked by hand", ((2, 4), (4, 3)), inner, expected=(2, 3)),
        Case("inner sizes that differ", ((T, S), (e, S)), inner + " Else return None."),
        Case("an inner 1 does not stretch", ((T, 1), (S, e)), inner + " A 1 is no exception there."),
        Case("a batch times one matrix", ((batch, T, S), (S, e)), lead),
        Case("one matrix times a batch", ((T, S), (batch, S, e)), lead),
        Case("scores of all heads", ((batch, heads, T, e), (batch, heads, e, S)), lead, 2),
        Case("one set of keys for all heads", ((batch, heads, T, e), (batch, 1, e, S)), lead, 2),
        Case("leading axes that clash", ((2 * heads, T, S), (heads, S, e)), lead + " Otherwise return None."),
        Case(
            "leading axes that clash further left",
            ((2 * batch, heads, T, S), (batch, heads, S, e)),
            lead + " Otherwise return None. Look at each of them.",
        ),
        Case(
            "a batch of nothing",
            ((1, 2, 3), (0, 3, 4)),
            "a 1 stretches to whatever the other size is, also to 0: no matrices times one is no matrices.",
            expected=(0, 2, 4),
        ),
        Case("leading axes of different number", ((e, batch, 1, T, S), (heads, S, e)), lead, 2),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
