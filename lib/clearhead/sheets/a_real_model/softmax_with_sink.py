"""Cases of 17.softmax_with_sink."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, S, few, many = (int(n) for n in rng.permutation(np.arange(2, 7))[:4])
    sink, other = rng.uniform(0.5, 1.5, size=2)
    return [
        Case(
            "three keys and the sink, all with score 0, by hand",
            (np.zeros((1, 3)), 0.0),
            "Four equal scores share the weight, and one of them is the sink.",
            expected=np.full((1, 3), 0.25),
        ),
        Case(
            "random scores",
            (2 * rng.normal(size=(T, S)), sink),
            "In each row, the denominator is the sum over the keys plus exp(sink).",
        ),
        Case(
            "a sink with a negative score",
            (2 * rng.normal(size=(few, many)), -other),
            "The score of the sink may be negative. Its exponential is added once per query.",
        ),
        Case(
            "large scores, and a sink that is as large",
            (1000 + rng.normal(size=(many, T)), 1000 + sink),
            "Subtract the largest score of each row from all its scores and from the sink.",
        ),
        Case(
            "a sink far above all scores",
            (rng.normal(size=(few, S)), 60.0),
            "The sink takes nearly all the weight, so the weights of the keys are close to 0.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
