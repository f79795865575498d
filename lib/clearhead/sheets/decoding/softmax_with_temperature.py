"""Cases of 10.softmax_with_temperature."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    V = int(rng.integers(5, 10))
    z = 2 * rng.normal(size=V)
    one = ("the probabilities sum to 1", lambda p, z, T: np.isclose(np.sum(p), 1))
    ranked = (
        "the most probable token stays the most probable one",
        lambda p, z, T: np.argmax(np.asarray(p)) == np.argmax(z),
    )
    return [
        Case(
            "two logits, by hand",
            (np.array([0.0, np.log(4.0)]), 0.5),
            "At T = 0.5 the logit ln 4 becomes 2 ln 4 = ln 16, so the probabilities have the ratio 1 to 16.",
            expected=np.array([1 / 17, 16 / 17]),
        ),
        Case(
            "random logits at a high temperature",
            (z, 2.5),
            "Divide the logits by T, and then take the softmax.",
            properties=(one, ranked),
        ),
        Case(
            "random logits at a low temperature",
            (z[:-1], 0.3),
            "Divide the logits by T before the softmax.",
            properties=(one, ranked),
        ),
        Case(
            "a temperature of 0",
            (np.sort(z), 0),
            "In the greedy limit, the largest logit gets all the probability.",
            properties=(one,),
        ),
        Case(
            "a temperature of 0 and two equal largest logits",
            (np.array([1.0, 3.0, 0.0, 3.0]), 0),
            "Equally large logits share the probability: one half each.",
        ),
        Case(
            "a temperature of 0 and two nearly equal logits",
            (np.array([2.0, 2.0 - 1e-9, 0.0]), 0),
            "The largest logit gets all the probability, even if it is larger by very little. Treat T "
            "= 0 separately.",
            properties=(one,),
        ),
        Case(
            "three equal logits at a low temperature",
            (np.zeros(3), 0.001),
            "One third to the power 1,000 is rounded to 0, and 0/0 is NaN. Divide the logits instead.",
            expected=np.full(3, 1 / 3),
        ),
        Case(
            "a logit of -inf at a high temperature",
            (np.array([0.0, -np.inf, 1.0]), 5),
            "A logit of -inf, as top-p leaves it, has probability 0 at every temperature.",
        ),
        Case(
            "two nearly equal logits at a low temperature",
            (np.array([50.0, 50 - 2**-10, -20.0]), 2**-11),
            "The exponential of 100,000 overflows, so the softmax must subtract the largest logit. "
            "Only T = 0 is greedy.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
