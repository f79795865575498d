"""Cases of 00.matmul_shape."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    T, S, e, heads, batch = different_sizes(rng, 5, 5, 11)
    inner = (
        "The last size of `left` and the last but one size of `right` must be equal. Neither of them "
        "appears in the result."
    )
    lead = (
        "The axes before the last two are aligned from the right. A missing axis counts as 1, and a "
        "size of 1 is stretched to the other size."
    )
    return [
        Case("(2, 4) @ (4, 3), worked by hand", ((2, 4), (4, 3)), inner, expected=(2, 3)),
        Case("inner sizes that differ", ((T, S), (e, S)), inner + " If they differ, return None."),
        Case(
            "an inner size of 1, which is not stretched",
            ((T, 1), (S, e)),
            inner + " This also holds for an inner size of 1, so return None here.",
        ),
        Case("a batch of matrices times one matrix", ((batch, T, S), (S, e)), lead),
        Case("one matrix times a batch of matrices", ((T, S), (batch, S, e)), lead),
        Case("the scores of all heads", ((batch, heads, T, e), (batch, heads, e, S)), lead, 2),
        Case("one set of keys for all heads", ((batch, heads, T, e), (batch, 1, e, S)), lead, 2),
        Case(
            "leading sizes that do not match",
            ((2 * heads, T, S), (heads, S, e)),
            lead + " Here two of these sizes differ and neither of them is 1, so return None.",
        ),
        Case(
            "leading sizes that do not match, further to the left",
            ((2 * batch, heads, T, S), (batch, heads, S, e)),
            lead
            + " Here two of these sizes differ and neither of them is 1, so return None. Compare every pair.",
        ),
        Case(
            "an empty batch",
            ((1, 2, 3), (0, 3, 4)),
            "A size of 1 is stretched to any other size, even to 0, so the result is an empty batch of "
            "matrices.",
            expected=(0, 2, 4),
        ),
        Case("different numbers of leading axes", ((e, batch, 1, T, S), (heads, S, e)), lead, 2),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
