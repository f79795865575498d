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
            "one state, two words, by hand",
            (np.array([[3.0, 3]]), np.array([1.0, 2]), np.array([[0.0, np.log(2)], [0, 0]])),
            "The norm makes (1, 1) of it, the gain (1, 2), so the logits are 2 ln 2 and 0: 4 to 1.",
            expected=np.array([[0.8, 0.2]]),
        ),
        Case("random states", (grown, gain, table), "Norm, gain, table, softmax: in this order, row by row."),
        Case("long vectors", (100 * grown, gain, table), "The norm takes the length away."),
        Case(
            "very short vectors",
            (0.003 * grown / np.abs(grown).max(), gain, table),
            "Where does the 1e-5 stand?",
        ),
        Case("no gain", (grown, np.ones(D), table), "With a gain of ones only the length changes."),
        Case(
            "logits of thousands",
            (grown, gain, pairs),
            "e to the power 710 is too large for a computer: subtract the largest logit of each row first.",
        ),
        Case("one state", (grown[:1], gain, table), "A row of probabilities sums to 1."),
    ]


EXERCISE = exercise_from_text(__file__, cases)
