"""Cases of 14.min_info_nce."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    labels = rng.integers(6, size=int(rng.integers(12, 20)))
    labels[:4] = 0, 0, 0, 1
    other = np.append(labels[::-1] + 3, [7, 7, 12])
    low = (
        "the result lies between 0 and ln B",
        lambda floor, labels: -1e-9 < floor <= np.log(len(labels)) + 1e-9,
    )
    return [
        Case(
            "a name three times and another one once, by hand",
            (np.array([4, 4, 7, 4]),),
            "For each of the three images with equal captions, the smallest loss is ln 3. For the "
            "fourth image, it is 0.",
            expected=float(3 * np.log(3) / 4),
        ),
        Case("a random batch", (labels,), "Count how many images have each name.", properties=(low,)),
        Case(
            "another batch",
            (other,),
            "The labels can be any integers, because only their equality matters.",
            properties=(low,),
        ),
        Case(
            "three different names",
            (np.array([5, 2, 9]),),
            "All captions are different, so the smallest loss is 0.",
            expected=0.0,
        ),
        Case(
            "the same name for all images",
            (np.full(6, 3),),
            "All captions are equal, so no pair can be told apart from the others, and the smallest "
            "loss is ln B.",
            expected=float(np.log(6)),
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
