"""Cases of 00.attention_shapes."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    look = (
        "Multiply the matrices in order: X @ W_q, Q @ K.T, A @ V and concatenated @ W_o. In each "
        "product the two inner sizes are equal, and the outer sizes give the shape."
    )
    chain = (
        "the columns of X match the rows of W_q, and the columns of `concatenated` match the rows of W_o",
        lambda s, *sizes: s["X"][1] == s["W_q"][0] and s["concatenated"][1] == s["W_o"][0],
    )
    same = (
        "the output has the shape of X, so that layers can be stacked",
        lambda s, *sizes: s["output"] == s["X"],
    )
    return [
        Case("the chapter's example: 2 tokens of width 4, keys of size 3, 5 heads", (2, 4, 3, 5), look),
        Case(
            "other sizes, all different", tuple(different_sizes(rng, 4, 2, 12)), look, 2, None, (chain, same)
        ),
        Case("the sizes of a real model", (1024, 768, 64, 12), look, 1, None, (chain, same)),
        Case(
            "one token and one head",
            (1, *different_sizes(rng, 2, 3, 9), 1),
            "With one token, A has one row and one column. With one head, `concatenated` is as wide as the "
            "output of that head.",
            1,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
