"""04.soft_lookup: The soft dictionary, with a temperature."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import soft_lookup
from clearhead.maths.softmax import softmax

from .shared import BETWEEN, FRENCH_VALUES, FRUIT_KEYS, ONE_WEIGHT, ORANGE, entries, returns_weights
from .soft_lookup_wrong import MISTAKES, one_hot_best, with_weights


def soft_lookup_by_loop(q, K, V, temperature):
    scores = [float(np.dot(q, key)) / temperature for key in K]
    positive = [np.exp(score - max(scores)) for score in scores]
    a = np.array([p / sum(positive) for p in positive])
    return sum(weight * value for weight, value in zip(a, V, strict=True)), a


def _power(weights, exponent):
    """Return weights raised to a power, and divided by their sum."""
    raised = weights**exponent
    return raised / raised.sum()


def soft_lookup_cases(rng):
    whole = (
        (
            "the weights sum to 1",
            lambda out, q, K, V, temperature: np.isclose(returns_weights(out).sum(), 1),
        ),
        (
            BETWEEN,
            lambda out, q, K, V, temperature: (
                np.all(out[0] >= V.min(axis=0) - 1e-9) and np.all(out[0] <= V.max(axis=0) + 1e-9)
            ),
        ),
    )
    order = [2, 0, 1]
    values = rng.normal(size=(5, 4))
    large_q, large_K, large_V = entries(rng, 6, 3, 2)
    return [
        Case(
            "the orange at temperature 1, worked by hand",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1.0),
            "the weights are 0.1, 0.1 and 0.8",
            expected=(np.array([4.0, 3.0]), np.array([0.1, 0.1, 0.8])),
        ),
        Case(
            "the same entries in another order",
            (ORANGE.copy(), FRUIT_KEYS[order], FRENCH_VALUES[order], 1.0),
            "the answer does not depend on the order of the entries; the weights move with their entries",
            expected=(np.array([4.0, 3.0]), np.array([0.8, 0.1, 0.1])),
        ),
        Case(
            "temperature 3",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 3.0),
            "ln 8 / 3 = ln 2: the weights are 1/4, 1/4 and 2/4",
            expected=(np.array([2.5, 0.0]), np.array([0.25, 0.25, 0.5])),
        ),
        Case(
            "equal keys",
            (rng.normal(size=3), np.ones((5, 3)), values, 0.7),
            "if all keys are equal, so are all weights, and the answer is the mean of the values",
            expected=(values.mean(axis=0), np.full(5, 0.2)),
        ),
        Case(
            "fresh numbers",
            (*entries(rng, 7, 4, 3), float(rng.uniform(0.3, 0.7))),
            ONE_WEIGHT,
            2,
            properties=whole,
        ),
        Case(
            "nearly cold: temperature 0.0001",
            (ORANGE.copy(), FRUIT_KEYS.copy(), FRENCH_VALUES.copy(), 1e-4),
            "the largest score takes everything; subtract it from all scores before the exponential",
            expected=(np.array([5.0, 5.0]), np.array([0.0, 0.0, 1.0])),
        ),
        Case(
            "scores of size 10,000",
            (1e4 * large_q, large_K, large_V, 1.0),
            "subtract the largest score from all scores before the exponential",
            properties=whole,
        ),
        Case(
            "two large scores, and a small gap",
            (
                np.array([1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1], [-2, 0]]),
                np.array([[0.0, 8, 4], [8, 0, 4], [9, 9, 9]]),
                1.0,
            ),
            "the scores are 10000, 10000 + ln 3 and −20000: only gaps count; the weights are 1/4, 3/4 and 0",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75, 0])),
        ),
        Case(
            "two very negative scores, and a small gap",
            (
                np.array([-1e4, np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1.0,
            ),
            "the scores are −10000 and −10000 + ln 3: always subtract the largest score, with its sign",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
        Case(
            "nearly cold, and a tiny gap",
            (
                np.array([1.0, 1e-4 * np.log(3)]),
                np.array([[1.0, 0], [1, 1]]),
                np.array([[0.0, 8, 4], [8, 0, 4]]),
                1e-4,
            ),
            "the gap is 0.0001 ln 3; divided by 0.0001 it is ln 3, so the weights are 1/4 and 3/4. Divide by "
            "the temperature itself, with nothing added to it",
            expected=(np.array([6.0, 2, 4]), np.array([0.25, 0.75])),
        ),
    ]


EXERCISE = Exercise(
    id="04.soft_lookup",
    title="The soft dictionary, with a temperature",
    reference=soft_lookup,
    cases=soft_lookup_cases,
    hints=(
        "Start from your `attention_single`. Where does the temperature act: on scores, weights, or values?",
        "Divide the scores by the temperature, then take the softmax. "
        "Large scores overflow `np.exp`: subtract the largest one first.",
        "`s = K @ q / temperature`; `p = np.exp(s - s.max())`; `a = p / p.sum()`; `return a @ V, a`.",
    ),
    mistakes=(
        *MISTAKES,
        Mistake(
            "hard_where_it_is_cold",
            lambda q, K, V, temperature: with_weights(
                one_hot_best(K @ q) if temperature < 1e-3 else softmax(K @ q / temperature), V
            ),
            "Where the temperature is low, you give all the weight to the best key. Two scores can lie "
            "as near together as the temperature is low: take the softmax as always.",
        ),
        Mistake(
            "answer_without_temperature",
            lambda q, K, V, temperature: (softmax(K @ q) @ V, softmax(K @ q / temperature)),
            "Your weights are right, but the answer was mixed with others, which know no temperature: a @ V.",
        ),
        Mistake(
            "temperature_at_least_1",
            lambda q, K, V, temperature: with_weights(softmax(K @ q / max(temperature, 1)), V),
            "Your temperature cannot fall below 1. Divide the scores by the temperature itself.",
        ),
        Mistake(
            "scores_rounded_down",
            lambda q, K, V, temperature: with_weights(softmax(K @ q // temperature), V),
            "Your scores lost their decimals, as after //. Divide with /.",
        ),
        Mistake(
            "power_of_the_weights",
            lambda q, K, V, temperature: with_weights(_power(softmax(K @ q), 1 / temperature), V),
            "You took the softmax first, and a power of the weights. Tiny weights are lost so: divide the "
            "scores by the temperature, before the softmax.",
        ),
    ),
    alternatives=(soft_lookup_by_loop,),
    stars=2,
    minutes=15,
)
