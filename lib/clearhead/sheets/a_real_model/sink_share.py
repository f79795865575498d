"""17.sink_share: How much goes to the first token?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .shared import causal_weights
from .sink_share_wrong import MORE


def sink_share(A):
    """Return the mean weight () that tokens give to the first token, for A (T, T)."""
    return A[1:, 0].mean()


def _cases(rng):
    few, many = (int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    by_hand = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.25, 0.5, 0.25]])
    all_there = np.eye(many)
    all_there[1:] = np.eye(many)[0]
    one_sees_it_alone = causal_weights(rng, many)
    one_sees_it_alone[2] = all_there[2]
    return [
        Case(
            "three tokens, by hand",
            (by_hand,),
            "Token 1 gives 0.75 to token 0, token 2 gives 0.25. Token 0 has no choice, and does not count.",
            expected=0.5,
        ),
        Case(
            "a few tokens",
            (causal_weights(rng, few),),
            "Rows are the tokens that look: take the first column.",
        ),
        Case("more tokens", (one_sees_it_alone,), "The mean over T - 1 tokens."),
        Case("all look at the first", (all_there,), "Then the share is 1.", expected=1.0),
        Case("two tokens", (causal_weights(rng, 2),), "Only token 1 counts."),
    ]


EXERCISE = Exercise(
    id="17.sink_share",
    title="How much goes to the first token?",
    reference=sink_share,
    cases=_cases,
    hints=(
        "A[t, 0] says how much token t looks at token 0. Which t have a choice?",
        "All but t = 0: with a causal mask it sees itself alone.",
        "A[1:, 0].mean()",
    ),
    mistakes=(
        Mistake(
            "first_token_added_as_well",
            lambda A: A[:, 0].sum() / (len(A) - 1),
            "You divided by T - 1, but added up all T weights. Leave out what token 0 gives to itself.",
        ),
        Mistake(
            "not_yet_averaged",
            lambda A: A[1:, 0],
            "These are the right weights, one for each token that has a choice. Take their mean.",
        ),
        Mistake(
            "times_an_even_share",
            lambda A: (A[1:, 0] * np.arange(2, len(A) + 1)).mean(),
            "You compared each weight with an even share, 1 / (t + 1). Take the weights as they are.",
        ),
        Mistake(
            "first_token_counts",
            lambda A: A[:, 0].mean(),
            "You counted token 0, which can look nowhere else. Begin with token 1.",
        ),
        Mistake(
            "row_not_column",
            lambda A: A[0, 1:].mean(),
            "You took the first row: what token 0 looks at. Rows look, columns are looked at.",
        ),
        Mistake(
            "sum_not_mean",
            lambda A: A[1:, 0].sum(),
            "You added the weights up. The share is their mean.",
        ),
        Mistake(
            "divided_by_all",
            lambda A: A[1:, 0].sum() / len(A),
            "You divided by T, or by the sum of all weights, which is T. Only T - 1 tokens have a choice.",
        ),
        Mistake(
            "the_last_token_alone",
            lambda A: A[-1, 0],
            "You looked at the last token alone. The share is the mean over all that have a choice.",
        ),
        Mistake(
            "each_its_own",
            lambda A: np.diagonal(A)[1:].mean(),
            "You took the diagonal: what each token keeps of itself. The first token is column 0.",
        ),
        *MORE,
    ),
    alternatives=(lambda A: sum(A[t, 0] for t in range(1, len(A))) / (len(A) - 1),),
    stars=1,
    minutes=10,
)
