"""18.clipped_steps: Two steps from one group of tries."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .clipped_steps_wrong import MORE


def clipped_steps(logits, tries, advantages, epsilon, rate, steps):
    """Return the logits (V,) after so many steps uphill on the mean of min(ρ a, clip(ρ, 1-ε, 1+ε) a)."""
    old = softmax(logits)[tries]
    for _ in range(steps):
        P = softmax(logits)
        ratio = P[tries] / old
        bound = np.where(advantages > 0, ratio > 1 + epsilon, ratio < 1 - epsilon)
        weights = np.where(bound, 0.0, ratio * advantages)
        gradient = weights @ (np.eye(len(logits))[tries] - P) / len(tries)
        logits = logits + rate * gradient
    return logits


def _by_loop(logits, tries, advantages, epsilon, rate, steps):
    z = np.array(logits, dtype=float)
    first = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
    for _ in range(steps):
        P = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
        slope = np.zeros(len(z))
        for chosen, a in zip(tries, advantages, strict=True):
            ratio = P[chosen] / first[chosen]
            if (a > 0 and ratio > 1 + epsilon) or (a < 0 and ratio < 1 - epsilon):
                continue
            for v in range(len(z)):
                slope[v] += a * ratio * ((v == chosen) - P[v]) / len(tries)
        z = z + rate * slope
    return z


def _cases(rng):
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


EXERCISE = Exercise(
    id="18.clipped_steps",
    title="Two steps from one group of tries",
    reference=clipped_steps,
    cases=_cases,
    hints=(
        "Keep the probabilities of the tries before the first step. In each step, ratio = P[tries] / old.",
        "A try counts ratio * a; it counts 0 where a > 0 and ratio > 1 + ε, or a < 0 and ratio < 1 - ε.",
        "gradient = weights @ (np.eye(V)[tries] - P) / len(tries); then logits = logits + rate * gradient.",
    ),
    mistakes=(
        Mistake(
            "old_policy_moves_along",
            lambda z, t, a, e, r, n: _step_by_step(z, t, a, e, r, n),
            "You compare with the policy of the step before, so every ratio is 1. Keep the probabilities "
            "from before the first step.",
        ),
        *MORE,
    ),
    alternatives=(_by_loop,),
    stars=3,
    minutes=20,
)


def _step_by_step(logits, tries, advantages, epsilon, rate, steps):
    for _ in range(steps):
        logits = clipped_steps(logits, tries, advantages, epsilon, rate, 1)
    return logits
