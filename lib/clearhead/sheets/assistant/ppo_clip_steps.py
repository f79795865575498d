"""Cases of 18.ppo_clip_steps."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    V, G = (int(n) for n in rng.permutation(np.arange(4, 9))[:2])
    logits = rng.normal(size=V)
    tries = rng.integers(V, size=G)
    tries[:3] = [0, 0, 1]
    advantages = rng.normal(size=G)
    advantages[:3] = [1.5, 0.8, -1.2]
    half = np.log(3) / 2
    still = ("the logits keep their sum", lambda z, given, *_: np.isclose(np.sum(z), np.sum(given)))
    plain = (tries, advantages, 0.2)
    return [
        Case(
            "two answers and one sample with a positive advantage, by hand",
            (np.zeros(2), np.array([0]), np.array([1.0]), 0.2, np.log(3), 2),
            "The first step moves the probability from 1/2 to 3/4. The ratio is then 1.5, above 1.2, "
            "so the second step changes nothing.",
            expected=np.array([half, -half]),
        ),
        Case(
            "the same sample with ε = 1",
            (np.zeros(2), np.array([0]), np.array([1.0]), 1.0, np.log(3), 2),
            "The ratio of 1.5 is now within the limits, so the second step is 1.5 (1/4, -1/4) ln 3.",
            expected=np.array([half, -half]) * 1.75,
        ),
        Case(
            "one step",
            (logits, *plain, 1.0, 1),
            "In the first step every ratio is 1, so this is the plain policy gradient.",
        ),
        Case(
            "two steps",
            (logits, *plain, 1.0, 2),
            "The ratio ρ compares the policy with that before the first step.",
        ),
        Case(
            "four large steps",
            (logits, *plain, 4.0, 4),
            "Some of the samples are clipped, and others are not.",
            properties=(still,),
        ),
        Case(
            "an answer with a positive advantage that becomes less probable",
            (np.zeros(3), np.array([0, 0, 1]), np.array([2.0, 0.0, 1.0]), 0.3, 3.0, 3),
            "Only two kinds of samples get no gradient: those with a positive advantage and a ratio "
            "above 1 + ε, and those with a negative advantage and a ratio below 1 - ε.",
        ),
        Case(
            "samples of one answer with positive and negative advantages",
            (logits, np.array([0, 0, 0]), np.array([2.0, -0.7, 1.0]), 0.1, 2.0, 3),
            "The answer becomes more probable. Its sample with a negative advantage is not clipped, "
            "and still lowers the probability.",
        ),
        Case("zero steps", (logits, *plain, 1.0, 0), "Without a step, the logits stay as they are."),
        Case(
            "logits near 1,000",
            (logits + 1000, *plain, 1.0, 2),
            "The exponential of 1,000 overflows, so the softmax must subtract the largest logit first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
