"""More wrong answers of 05.sharpen."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _solved(top=lambda w: np.log(w / (1 - w)), root=np.sqrt, join=lambda top, gap: top / gap):
    """Return sharpen, in which each part of the fraction can be another."""
    return lambda q, near, far, w: join(top(w) * root(len(q)), q @ near - q @ far)


MORE = (
    Mistake(
        "weight_taken_for_the_length",
        lambda q, near, far, w: w / (1 / (1 + np.exp((q @ far - q @ near) / np.sqrt(len(q))))),
        "You divided the weight you want by the weight at c = 1. A weight does not grow so: the gap does. "
        "Take the logarithm of weight / (1 - weight).",
    ),
    Mistake(
        "root_of_2",
        _solved(root=lambda d: np.sqrt(2)),
        "You took √2, as if d were 2. Take the root of the size of q.",
    ),
    Mistake(
        "exponential_in_place_of_logarithm",
        _solved(lambda w: np.exp(w / (1 - w))),
        "You raised e to the ratio. To undo the e of softmax, take the logarithm.",
    ),
    Mistake(
        "bracket_misplaced",
        _solved(lambda w: np.log(w) / (1 - w)),
        "You took the logarithm of the weight before you divided: np.log(weight / (1 - weight)).",
    ),
    Mistake(
        "brackets_missing",
        _solved(lambda w: np.log(w / 1 - w)),
        "Minus infinity came back, as from the logarithm of weight / 1 - weight, which is 0. Put brackets "
        "round 1 - weight.",
    ),
    Mistake(
        "logarithms_added",
        _solved(lambda w: np.log(w) + np.log(1 - w)),
        "You added the logarithms of the two weights. That of a ratio is their difference: subtract.",
    ),
    Mistake(
        "gap_forgotten",
        lambda q, near, far, w: np.log(w / (1 - w)),
        "That is the gap which the scores must have. Divide it by the scaled gap that q itself has.",
    ),
    Mistake(
        "scaled_gap_subtracted",
        lambda q, near, far, w: np.log(w / (1 - w)) - (q @ near - q @ far) / np.sqrt(len(q)),
        "You subtracted the scaled gap. c multiplies it: divide.",
    ),
    Mistake(
        "gap_subtracted",
        _solved(join=lambda top, gap: top - gap),
        "You subtracted the gap. c multiplies it: divide.",
    ),
    Mistake(
        "never_negative",
        _solved(join=lambda top, gap: max(top / gap, 0.0)),
        "You allow no negative c. A weight below 1/2 needs one: the query turns round.",
    ),
    Mistake(
        "gap_alone",
        lambda q, near, far, w: (q @ near - q @ far) / np.sqrt(len(q)),
        "That is the scaled gap for q itself. c is what it must be multiplied by to become "
        "ln(weight / (1 - weight)).",
    ),
    Mistake(
        "ratio_of_scores",
        lambda q, near, far, w: w * (q @ far) / ((1 - w) * (q @ near)),
        "You compared the scores with the ratio of the weights. The weights are e to the scores.",
    ),
    Mistake(
        "length_of_the_query",
        lambda q, near, far, w: _solved()(q / np.linalg.norm(q), near, far, w),
        "You divided q by its length first, as a cosine does. The c asked for multiplies q as it is.",
    ),
)
