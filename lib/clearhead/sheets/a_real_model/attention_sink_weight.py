"""Cases of 17.attention_sink_weight."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import causal_weights


def cases(rng):
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
            "Token 1 gives 0.75 to token 0, and token 2 gives 0.25. Token 0 can attend only to "
            "itself, so it does not count.",
            expected=0.5,
        ),
        Case(
            "a few tokens",
            (causal_weights(rng, few),),
            "Each row belongs to the token that attends, so take the first column.",
        ),
        Case("more tokens", (one_sees_it_alone,), "The mean is over T - 1 tokens."),
        Case(
            "all tokens attending to the first",
            (all_there,),
            "All the weight is on token 0, so the result is 1.",
            expected=1.0,
        ),
        Case("two tokens", (causal_weights(rng, 2),), "Token 0 does not count, so the result is A[1, 0]."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
