"""Cases of 00.attention_shapes."""

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def cases(rng):
    look = (
        "multiply in order, and let the inner sizes meet and vanish: X @ W_q, Q @ K.T, A @ V, "
        "concatenated @ W_o."
    )
    chain = (
        "X fits W_q, and concatenated fits W_o",
        lambda s, *sizes: s["X"][1] == s["W_q"][0] and s["concatenated"][1] == s["W_o"][0],
    )
    same = (
        "the output has the shape of X, so that layers can be stacked",
        lambda s, *sizes: s["output"] == s["X"],
    )
    return [
        Case("2 tokens, width 4, keys of 3, 5 heads: the table of the chapter", (2, 4, 3, 5), look),
        Case(
            "other sizes, all different", tuple(different_sizes(rng, 4, 2, 12)), look, 2, None, (chain, same)
        ),
        Case("sizes of a real model", (1024, 768, 64, 12), look, 1, None, (chain, same)),
        Case(
            "one token and one head",
            (1, *different_sizes(rng, 2, 3, 9), 1),
            "A has a row and a column for each token.",
            1,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases, ids=True)
