"""Cases of 10.top_p."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax


def cases(rng):
    V = int(rng.integers(6, 11))
    z = rng.normal(size=V)
    enough = (
        "the tokens that are kept have a total probability of at least p",
        lambda out, z, p: softmax(z)[np.asarray(out, dtype=float) > -np.inf].sum() > p - 1e-9,
    )
    inf = np.inf
    by_hand = np.log([0.1, 0.6, 0.25, 0.05])
    return [
        Case(
            "four tokens, by hand",
            (by_hand, 0.8),
            "0.6 is too little, but 0.6 + 0.25 = 0.85 is enough. So two tokens are kept, each at its "
            "own position.",
            expected=np.where([False, True, True, False], by_hand, -inf),
        ),
        Case("random logits", (z, 0.7), "Sort by probability, and add tokens until their sum reaches p.",
             properties=(enough,)),
        Case("other logits", (1.5 * rng.normal(size=V + 3), 0.93),
             "The token that takes the sum past p is kept, too.",
             properties=(enough,)),
        Case("one token with nearly all the probability", (np.array([0.0, 9.0, 1.0]), 0.5),
             "One token has more than p, so it is the only one that is kept.",
             properties=(enough,)),
        Case("four equal tokens", (np.zeros(4), 0.5),
             "Any two of the four tokens together have a probability of exactly 0.5, so the two with the "
             "smaller ids are kept."),
        Case("a p of 0", (np.array([0.5, 2.0, 1.0]), 0.0), "The most probable token is always kept.",
             expected=np.array([-inf, 2.0, -inf])),
        Case("a p of 1", (np.array([0.5, 2.0, 1.0, 0.0]), 1.0), "With p = 1 every token is kept."),
        Case("logits near 1,000", (z + 1000, 0.6),
             "The exponential of 1,000 overflows, so the softmax must subtract the largest logit "
             "first.", properties=(enough,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
