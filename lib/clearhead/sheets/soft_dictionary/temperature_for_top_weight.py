"""Cases of 04.temperature_for_top_weight."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths.softmax import softmax

GAP = np.log(8)


def _just_missed(found, scores, top):
    """Return True if the largest weight is near `top_weight` but differs, as after a coarse search."""
    if not found > 0:
        return False
    reached = softmax(scores / found).max()
    near = abs(reached - top) < 0.1 * min(top - 1 / len(scores), 1 - top)
    return near and not np.isclose(reached, top, atol=1e-6)


def cases(rng):
    hits = (
        (
            "the temperature is exact to six digits, for which a grid or a few steps of a search are "
            "too coarse",
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
            "the weight 0.8 for the orange",
            (np.array([0.0, 0, GAP]), 0.8),
            "At temperature 1, the weights of these scores are 0.1, 0.1 and 0.8. A search that ends "
            "at a limit of its range has kept the wrong half of it, or its exponentials overflow.",
            expected=1.0,
            properties=hits,
        ),
        Case(
            "the weight 0.96 for the same scores",
            (np.array([0.0, 0, GAP]), 0.96),
            "The weights are 0.96, 0.02 and 0.02, so the gap, divided by the temperature, must be ln 48.",
            expected=float(GAP / np.log(48)),
            properties=hits,
        ),
        Case(
            "two entries with the weight 0.9",
            (np.array([1.0, 4.0]), 0.9),
            "The weights are 0.1 and 0.9, so the gap of 3, divided by the temperature, must be ln 9.",
            expected=float(3 / np.log(9)),
            properties=hits,
        ),
        Case(
            "six different scores",
            (drawn, float(rng.uniform(0.4, 0.9))),
            "The largest weight decreases as the temperature rises, so a search can find the "
            "temperature. Choose the limits of the search by the gaps, because all scores are negative here.",
            2,
            properties=hits,
        ),
        Case(
            "scores near 10,000",
            (1e4 + np.array([0.5, 2, 1, 0.25]), 0.7),
            "Only differences between scores matter, so subtract the largest score before you begin.",
            properties=hits,
        ),
        Case(
            "scores 500 times larger",
            (np.array([0.0, 0, 500 * GAP]), 0.8),
            "The temperature is 500, so begin a search with limits far below and far above the gap.",
            expected=500.0,
            properties=hits,
        ),
        Case(
            "scores 1e40 times larger",
            (np.array([0.0, 0, 1e40 * GAP]), 0.34),
            "The weights are 0.34 and twice 0.33, so the gap, divided by the temperature, must be "
            "ln(0.34 / 0.33), which is small. Let both limits of a search grow with the gap, and "
            "start with limits that are far apart.",
            expected=float(1e40 * GAP / np.log(0.34 / 0.33)),
            properties=hits,
        ),
        Case(
            "scores 1e40 times smaller",
            (np.array([0.0, 0, 1e-40 * GAP]), 0.8),
            "The temperature is 1e-40, so let both limits of a search shrink with the gap.",
            expected=1e-40,
            properties=hits,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
