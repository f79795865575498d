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
            "one good try of two answers, by hand",
            (np.zeros(2), np.array([0]), np.array([1.0]), 0.2, np.log(3), 2),
            "The first step moves the probability from 1/2 to 3/4. Its ratio is then 1.5: no second step.",
            expected=np.array([half, -half]),
        ),
        Case(
            "the same with ε = 1",
            (np.zeros(2), np.array([0]), np.array([1.0]), 1.0, np.log(3), 2),
            "Now 1.5 is within the limits: the second step is 1.5 (1/4, -1/4) log 3.",
            expected=np.array([half, -half]) * 1.75,
        ),
        Case("one step", (logits, *plain, 1.0, 1), "Every ratio is 1: the plain policy gradient."),
        Case("two steps", (logits, *plain, 1.0, 2), "ρ compares with the policy before the first step."),
        Case(
            "four large steps",
            (logits, *plain, 4.0, 4),
            "The clip binds for some tries and not for others.",
            properties=(still,),
        ),
        Case(
            "a bad answer that has become more probable",
            (np.zeros(3), np.array([0, 0, 1]), np.array([2.0, 0.0, 1.0]), 0.3, 3.0, 3),
            "Only a good try above 1 + ε and a bad one below 1 - ε are held.",
        ),
        Case(
            "good and bad tries of one answer",
            (logits, np.array([0, 0, 0]), np.array([2.0, -0.7, 1.0]), 0.1, 2.0, 3),
            "The answer becomes more probable; its bad try still pushes back.",
        ),
        Case("no step", (logits, *plain, 1.0, 0), "Nothing moves."),
        Case(
            "logits near 1,000",
            (logits + 1000, *plain, 1.0, 2),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest logit first.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
