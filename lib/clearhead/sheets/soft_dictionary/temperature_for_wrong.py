"""More wrong answers of 04.temperature_for."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _halved(scores, top, times, weight=np.max):
    """Return the temperature after so many halvings of a wide range, on the scale of the scores."""
    cold, hot = 1e-6 * np.ptp(scores), 1e6 * np.ptp(scores)
    for _ in range(times):
        middle = np.sqrt(cold * hot)
        cold, hot = (middle, hot) if weight(softmax(scores / middle)) > top else (cold, middle)
    return middle


MORE = (
    Mistake(
        "stopped_too_early",
        lambda scores, top: _halved(np.asarray(scores), top, 10),
        "Your search goes the right way, but stops after a few steps. Go on until nothing changes"
        " any more, or for 200 halvings.",
    ),
    Mistake(
        "first_entry_taken_for_the_largest",
        lambda scores, top: _halved(np.asarray(scores), top, 200, lambda a: a[0]),
        "You watch the weight of the first entry. The largest may stand anywhere: take .max().",
    ),
    Mistake(
        "last_entry_taken_for_the_largest",
        lambda scores, top: _halved(np.asarray(scores), top, 200, lambda a: a[-1]),
        "You watch the weight of the last entry. The largest may stand anywhere: take .max().",
    ),
    Mistake(
        "wrong_half_kept",
        lambda scores, top: _halved(np.asarray(scores), top, 200, lambda a: 2 * top - a.max()),
        "Your search keeps the wrong half each time, and ends at the edge of its range. Where the "
        "weight is above top, the temperature must rise.",
    ),
    Mistake(
        "others_taken_for_the_lowest",
        lambda scores, top: np.ptp(scores) / np.log(top / (1 - top) * (len(scores) - 1)),
        "Your formula takes all other scores for the lowest one. Where they differ, there is no "
        "formula: search.",
    ),
)
