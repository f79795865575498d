"""More wrong answers of 04.temperature_for."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _halved(scores, top, times, weight=np.max, of=softmax, far=1e6):
    """Return the temperature after so many halvings of a wide range, on the scale of the scores."""
    cold, hot = np.ptp(scores) / far, far * np.ptp(scores)
    for _ in range(times):
        middle = np.sqrt(cold * hot)
        cold, hot = (middle, hot) if weight(of(scores / middle)) > top else (cold, middle)
    return middle


def runner_up(scores):
    """Return the gap between the largest score and the second largest."""
    first, second = np.sort(scores)[[-1, -2]]
    return first - second


def gap_to_mean(scores):
    """Return the gap between the largest score and the mean of the others."""
    return scores.max() - (scores.sum() - scores.max()) / (len(scores) - 1)


def _naive_weight(scores):
    positive = np.exp(scores)
    return (positive / positive.sum()).max()


MORE = (
    Mistake(
        "as_if_two_entries",
        lambda scores, top: runner_up(scores) / np.log(top / (1 - top)),
        "You solved for two entries. What is left, 1 − top, is shared by all the other entries.",
    ),
    Mistake(
        "as_if_the_others_were_equal",
        lambda scores, top: runner_up(scores) / np.log((len(scores) - 1) * top / (1 - top)),
        "Right when all other scores are equal. When they differ, you must search.",
    ),
    Mistake(
        "logarithm_of_top_alone",
        lambda scores, top: -runner_up(scores) / np.log(top),
        "You solved e^(−gap / temperature) = top. The weights are fractions of a sum: compare the top "
        "weight with the others.",
    ),
    Mistake(
        "gap_to_the_mean_of_the_others",
        lambda scores, top: gap_to_mean(scores) / np.log((len(scores) - 1) * top / (1 - top)),
        "You replaced the other scores by their mean. But e^score is not a straight line: search.",
    ),
    *(
        Mistake(
            f"weights_overflow_{how}",
            lambda scores, top, far=far: _halved(scores, top, 300, _naive_weight, lambda s: s, far),
            "At a low temperature your e^score overflows, so the largest weight is NaN there. Subtract the "
            "largest score first.",
        )
        for how, far in {"in_a_wide_range": 1e6, "in_a_very_wide_range": 1e9}.items()
    ),
    Mistake(
        "gap_to_the_mean_of_all",
        lambda scores, top: (scores.max() - scores.mean()) / np.log((len(scores) - 1) * top / (1 - top)),
        "You took the gap between the largest score and the mean of all scores. A formula needs the gap to "
        "the others; where they differ, search.",
    ),
    Mistake(
        "logarithm_to_base_2",
        lambda scores, top: runner_up(scores) / np.log2((len(scores) - 1) * top / (1 - top)),
        "Your logarithm has base 2. Softmax uses powers of e: `np.log`. And where the other scores differ, "
        "search.",
    ),
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
