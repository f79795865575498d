"""Cases of 10.top_p."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    enough = (
        "what stays has a mass of p or more",
        lambda out, z, p: softmax(z)[np.asarray(out, dtype=float) > -np.inf].sum() > p - 1e-9,
    )
    inf = np.inf
    by_hand = np.log([0.1, 0.6, 0.25, 0.05])
    return [
        Case(
            "four tokens, by hand",
            (by_hand, 0.8),
            "0.6 is not enough; 0.6 + 0.25 = 0.85 is. Two tokens stay, each at its own place.",
            expected=np.where([False, True, True, False], by_hand, -inf),
        ),
        Case("random logits", (z, 0.7), "Sort by probability, add up, stop when p is reached.",
             properties=(enough,)),
        Case("other logits", (1.5 * rng.normal(size=V + 3), 0.93), "Is the token that crosses p still kept?",
             properties=(enough,)),
        Case("one token has it all", (np.array([0.0, 9.0, 1.0]), 0.5), "One token has more than p: it stays.",
             properties=(enough,)),
        Case("four equal tokens", (np.zeros(4), 0.5), "Two of four have exactly 0.5. The first two stay."),
        Case("p = 0", (np.array([0.5, 2.0, 1.0]), 0.0), "The likeliest token is always in the set.",
             expected=np.array([-inf, 2.0, -inf])),
        Case("p = 1", (np.array([0.5, 2.0, 1.0, 0.0]), 1.0), "p = 1 keeps everything."),
        Case("logits near 1,000", (z + 1000, 0.6), "e to the 1,000 is too large for a float: the softmax "
             "must subtract the largest logit first.", properties=(enough,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
