"""Cases of 04.temperature_for_top_weight."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax

GAP = np.log(8)


def _just_missed(found, scores, top):
    """Return True where the largest weight is near `top_weight`, but not it: a search that was too coarse."""
    if not found > 0:
        return False
    reached = softmax(scores / found).max()
    near = abs(reached - top) < 0.1 * min(top - 1 / len(scores), 1 - top)
    return near and not np.isclose(reached, top, atol=1e-6)


def cases(rng):
    hits = (
        (
            "the temperature is exact to six digits, for which a grid or a few steps are too coarse",
            lambda found, scores, top: not _just_missed(found, scores, top),
        ),
        (
            "with your temperature, the largest weight is `top_weight`",
            lambda found, scores, top: (
                found > 0 and np.isclose(softmax(scores / found).max(), top, atol=1e-6)
            ),
        ),
    )
    drawn = rng.normal(size=6)
    drawn[4] = drawn.max() + rng.uniform(0.2, 1)
    drawn -= drawn.max() + 1  # all negative: the largest score is no limit of a search
    return [
        Case(
            "the orange: which temperature gives 0.8?",
            (np.array([0.0, 0, GAP]), 0.8),
            "at temperature 1 these scores give 0.1, 0.1 and 0.8 already; a search that ends at an edge of "
            "its range keeps the wrong half, or its e^score overflows",
            expected=1.0,
            properties=hits,
        ),
        Case(
            "a colder lemon: 0.96",
            (np.array([0.0, 0, GAP]), 0.96),
            "0.96 and twice 0.02: the gap must become ln 48",
            expected=float(GAP / np.log(48)),
            properties=hits,
        ),
        Case(
            "two entries, 0.9",
            (np.array([1.0, 4.0]), 0.9),
            "the weights are 0.1 and 0.9, so the gap must become ln 9; the gap of the scores is 3",
            expected=float(3 / np.log(9)),
            properties=hits,
        ),
        Case(
            "six scores, all different",
            (drawn, float(rng.uniform(0.4, 0.9))),
            "search: the largest weight falls as the temperature rises. Set the limits by the gaps: the "
            "scores themselves may all be negative",
            2,
            properties=hits,
        ),
        Case(
            "scores near 10,000",
            (1e4 + np.array([0.5, 2, 1, 0.25]), 0.7),
            "only gaps matter: subtract the largest score before you begin",
            properties=hits,
        ),
        Case(
            "scores 500 times as large",
            (np.array([0.0, 0, 500 * GAP]), 0.8),
            "the temperature is 500: begin the search with limits far below and far above the gap",
            expected=500.0,
            properties=hits,
        ),
        Case(
            "scores 1e40 times as large",
            (np.array([0.0, 0, 1e40 * GAP]), 0.34),
            "0.34 and twice 0.33: the gap must become ln(0.34 / 0.33), which is small. The temperature is "
            "far above the gap: let both limits of the search grow with it, and begin far apart",
            expected=float(1e40 * GAP / np.log(0.34 / 0.33)),
            properties=hits,
        ),
        Case(
            "scores 1e40 times as small",
            (np.array([0.0, 0, 1e-40 * GAP]), 0.8),
            "the temperature is 1e-40: let both limits of the search shrink with the gap",
            expected=1e-40,
            properties=hits,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
