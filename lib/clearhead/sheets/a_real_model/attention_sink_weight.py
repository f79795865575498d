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


EXERCISE = exercise_from_text(__file__, cases)
