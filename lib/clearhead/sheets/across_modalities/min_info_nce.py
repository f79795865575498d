"""Cases of 14.min_info_nce."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    labels = rng.integers(6, size=int(rng.integers(12, 20)))
    labels[:4] = 0, 0, 0, 1
    other = np.append(labels[::-1] + 3, [7, 7, 12])
    low = ("it is from 0 to ln B", lambda floor, labels: -1e-9 < floor <= np.log(len(labels)) + 1e-9)
    return [
        Case(
            "a name three times, a name once",
            (np.array([4, 4, 7, 4]),),
            "Three images share their belief among three equal captions: ln 3 each. The fourth is sure: 0.",
            expected=float(3 * np.log(3) / 4),
        ),
        Case("a random batch", (labels,), "How large is each group?", properties=(low,)),
        Case("another batch", (other,), "Labels may be any numbers.", properties=(low,)),
        Case("no name twice", (np.array([5, 2, 9]),), "Then the floor is 0.", expected=0.0),
        Case(
            "one name only",
            (np.full(6, 3),),
            "Then nothing can be told apart: ln B.",
            expected=float(np.log(6)),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
