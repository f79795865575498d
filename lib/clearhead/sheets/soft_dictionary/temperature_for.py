"""04.temperature_for: Which temperature was it?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .temperature_for_wrong import MORE

GAP = np.log(8)


def temperature_for(scores, top):
    """Return the temperature at which the largest weight is `top`: halve an interval until it is tiny."""
    if not 1 / len(scores) < top < 1:
        return np.nan
    gaps = scores - scores.max()
    widest = -gaps.min()
    cold, hot = 1e-9 * widest, 1e9 * widest
    for _ in range(200):
        middle = np.sqrt(cold * hot)
        if np.exp(gaps / middle).sum() < 1 / top:
            cold = middle
        else:
            hot = middle
    return middle


def temperature_for_by_newton(scores, top):
    gaps, coldness = scores - scores.max(), 0.0
    for _ in range(200):
        positive = np.exp(coldness * gaps)
        excess = np.log(positive.sum()) + np.log(top)
        coldness -= excess / (positive @ gaps / positive.sum())
    return 1 / coldness


def searched_between(scores, top, cold, hot):
    """Return what halving finds between two temperatures, whether or not the answer lies there."""
    for _ in range(100):
        middle = (cold + hot) / 2
        cold, hot = (middle, hot) if softmax(scores / middle).max() > top else (cold, middle)
    return middle


def _just_missed(found, scores, top):
    """Return True where the largest weight is near `top`, but not it: a search that was too coarse."""
    if not found > 0:
        return False
    reached = softmax(scores / found).max()
    near = abs(reached - top) < 0.1 * min(top - 1 / len(scores), 1 - top)
    return near and not np.isclose(reached, top, atol=1e-6)


def temperature_for_cases(rng):
    hits = (
        (
            "the temperature is exact to six digits, for which a grid or a few steps are too coarse",
            lambda found, scores, top: not _just_missed(found, scores, top),
        ),
        (
            "with your temperature, the largest weight is `top`",
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


EXERCISE = Exercise(
    id="04.temperature_for",
    title="Which temperature was it?",
    reference=temperature_for,
    cases=temperature_for_cases,
    hints=(
        "When all other scores are equal, you can solve for the temperature with a logarithm. When they "
        "differ, there is no such formula in general: search.",
        "The largest weight falls whenever the temperature rises. So guess a temperature, look at the "
        "largest weight, and go up or down.",
        "Keep `cold` and `hot` around the answer. Begin far away: `gap = scores.max() - scores.min()`, `cold "
        "= 1e-6 * gap`, `hot = 1e6 * gap`. Two hundred times: `middle = np.sqrt(cold * hot)`; if the largest "
        "weight at `middle` is above `top`, it is too cold, so `cold = middle`; else `hot = middle`.",
    ),
    mistakes=(
        Mistake(
            "inverse_temperature",
            lambda scores, top: 1 / temperature_for(scores, top),
            "This is 1 divided by the temperature. The scores are *divided* by the temperature.",
        ),
        Mistake(
            "searched_below_5",
            lambda scores, top: searched_between(scores, top, 0, 5),
            "Your search begins between fixed limits near 0 and 5; the scores may have any size. Begin "
            "with limits that grow with the gap: 1e-6 and 1e6 times the gap.",
        ),
        Mistake(
            "searched_between_fixed_limits",
            lambda scores, top: searched_between(scores, top, 1e-3, 1e3),
            "Your search begins between fixed limits, and the scores may have any size. "
            "Begin with limits that grow with the gap: 1e-6 and 1e6 times the gap.",
        ),
        Mistake(
            "logarithm_to_base_10",
            lambda scores, top: temperature_for(scores, top) * np.log(10),
            "Your logarithm has base 10. Softmax uses powers of e, which belong to `np.log`.",
        ),
        *(
            Mistake(
                f"searched_between_{how}_limits",
                lambda scores, top, limits=limits: searched_between(scores, top, *limits),
                "Your search begins between limits that are fixed, and the scores may have any size. Let the "
                "limits grow with the gap: 1e-6 and 1e6 times the gap.",
            )
            for how, limits in {"wide": (1e-6, 1e6), "very_wide": (0, 1e10), "narrow": (0.01, 100)}.items()
        ),
        *MORE,
    ),
    alternatives=(temperature_for_by_newton,),
    stars=3,
    minutes=25,
)
