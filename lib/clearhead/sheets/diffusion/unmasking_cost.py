"""Cases of 20.unmasking_cost."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

NOT_NEGATIVE = (("the cost is not negative", lambda out, joint: float(out) > -1e-9),)


def cases(rng):
    V, W, U = different_sizes(rng, 3, 3, 8)
    holes = rng.dirichlet(np.ones(U * (U + 1))).reshape(U, U + 1)
    holes[np.arange(U), np.arange(U)] = 0
    skewed = np.array([[0.5, 0.0], [0.25, 0.25]])
    return [
        Case(
            "two tokens that are always equal, worked by hand",
            (np.eye(2) / 2,),
            "Each of the two possible pairs has the probability 1/2, and 1/4 under independence: ln 2.",
            expected=np.log(2),
        ),
        Case(
            "one impossible pair, worked by hand",
            (skewed,),
            "The marginals are (1/2, 1/2) and (3/4, 1/4): 1/2 ln 4/3 + 1/4 ln 2/3 + 1/4 ln 2.",
            expected=0.5 * np.log(4 / 3) + 0.25 * np.log(2 / 3) + 0.25 * np.log(2),
        ),
        Case(
            "independent tokens",
            (np.outer(rng.dirichlet(np.ones(V)), rng.dirichlet(np.ones(V + 1))),),
            "Independent tokens can be unmasked at once for nothing.",
            expected=0.0,
        ),
        Case(
            "random joint distribution",
            (rng.dirichlet(np.ones(V * W)).reshape(V, W),),
            "Sum over all pairs, weighted by their joint probabilities.",
            2,
            properties=NOT_NEGATIVE,
        ),
        Case(
            "pairs that never occur",
            (holes / holes.sum(),),
            "A pair with probability 0 contributes 0.",
            properties=NOT_NEGATIVE,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
