"""Cases of 17.logit_lens."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    L, V, D = (int(n) for n in rng.permutation(np.arange(3, 10))[:3])
    grown = np.cumsum(rng.normal(size=(L, D)), axis=0) + 1
    gain, table = rng.uniform(0.5, 2, size=D), rng.normal(size=(V, D))
    far = 1000 * table[0]
    pairs = np.stack([far, far + table[1], -far, table[2] - far])  # the two largest logits are close together
    return [
        Case(
            "one state and two words, by hand",
            (np.array([[3.0, 3]]), np.array([1.0, 2]), np.array([[0.0, np.log(2)], [0, 0]])),
            "The norm turns (3, 3) into (1, 1), and the gain turns this into (1, 2). The logits are 2 "
            "ln 2 and 0, so the probabilities are 0.8 and 0.2.",
            expected=np.array([[0.8, 0.2]]),
        ),
        Case(
            "random states",
            (grown, gain, table),
            "Apply the norm, the gain, the table and the softmax in this order, to each row separately.",
        ),
        Case(
            "long states",
            (100 * grown, gain, table),
            "After the norm, the length of a state does not matter.",
        ),
        Case(
            "very short states",
            (0.003 * grown / np.abs(grown).max(), gain, table),
            "The mean square of these states is less than 1e-5, so it matters that 1e-5 is added "
            "inside the root.",
        ),
        Case("a gain of ones", (grown, np.ones(D), table), "The gain is 1 here, so it changes nothing."),
        Case(
            "logits in the thousands",
            (grown, gain, pairs),
            "The exponentials of such logits overflow, so subtract the largest logit of each row first.",
        ),
        Case(
            "one state",
            (grown[:1], gain, table),
            "There is one state, so the result has one row of probabilities, which sum to 1.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
