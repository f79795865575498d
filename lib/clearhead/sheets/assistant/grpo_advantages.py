"""18.grpo_advantages: Better than your other tries?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.post_training import group_advantages

from .grpo_advantages_wrong import MORE


def grpo_advantages(rewards, epsilon):
    """Return (r - mean) / (spread + ε) of each group, a row of rewards (P, G); the spread divides by G."""
    return group_advantages(rewards, epsilon)


def _with(
    mean=lambda r: r.mean(axis=1, keepdims=True),
    spread=lambda r: r.std(axis=1, keepdims=True),
    join=lambda d, s, e: d / (s + e),
):
    return lambda r, e: join(r - mean(r), spread(r), e)


def _by_loop(rewards, epsilon):
    out = []
    for row in rewards:
        m = sum(row) / len(row)
        s = (sum((r - m) ** 2 for r in row) / len(row)) ** 0.5
        out.append([(r - m) / (s + epsilon) for r in row])
    return np.array(out)


def _cases(rng):
    P, G = int(rng.integers(3, 5)), int(rng.integers(6, 9))
    rewards = (rng.random((P, G)) < 0.4) * 1.0
    rewards[:, 0], rewards[:, 1] = 1, 0  # no group is even
    rewards[0, 2:4] = 1
    even = rewards.copy()
    even[1], even[2] = 1, 0
    zero = ("each row has the mean 0", lambda a, *_: np.allclose(np.mean(a, axis=1), 0, atol=1e-9))
    finite = ("all are numbers", lambda a, *_: np.isfinite(a).all())
    return [
        Case(
            "one group of four, by hand",
            (np.array([[1.0, 0, 0, 1]]), 0.0),
            "The mean is 1/2, the spread is 1/2.",
            expected=np.array([[1.0, -1, -1, 1]]),
        ),
        Case("several groups", (rewards, 1e-4), "Each row is a group of its own.", properties=(zero,)),
        Case(
            "right for all, wrong for all",
            (even, 1e-4),
            "Such a group teaches nothing: all 0.",
            properties=(finite, zero),
        ),
        Case(
            "rewards of any size",
            (5 * rng.random((P, G)) - 9, 1e-4),
            "A constant changes nothing.",
            properties=(zero,),
        ),
        Case("a large ε", (rewards, 0.5), "ε is added to the spread.", properties=(zero,)),
    ]


def _silent(d, s, e):
    with np.errstate(invalid="ignore", divide="ignore"):
        return d / s


EXERCISE = Exercise(
    id="18.grpo_advantages",
    title="Better than your other tries?",
    reference=grpo_advantages,
    cases=_cases,
    hints=(
        "A row is a group. Mean and spread are taken along it, so along axis 1.",
        "above = rewards - rewards.mean(axis=1, keepdims=True)",
        "return above / (rewards.std(axis=1, keepdims=True) + epsilon)",
    ),
    mistakes=(
        Mistake(
            "over_all_groups",
            _with(mean=np.mean, spread=np.std),
            "You compare with all tries at all questions. Compare within a group: axis=1, keepdims=True.",
        ),
        Mistake(
            "along_the_questions",
            _with(lambda r: r.mean(axis=0, keepdims=True), lambda r: r.std(axis=0, keepdims=True)),
            "You compare tries at different questions. A group is a row: axis=1.",
        ),
        Mistake(
            "no_mean",
            _with(mean=lambda r: 0),
            "The mean of the group is missing: then a constant added to all rewards changes everything.",
        ),
        Mistake("no_spread", _with(join=lambda d, s, e: d), "You do not divide by the spread of the group."),
        Mistake(
            "variance",
            _with(spread=lambda r: r.var(axis=1, keepdims=True)),
            "You divide by the variance. The spread is its root.",
        ),
        Mistake(
            "spread_of_a_sample",
            _with(spread=lambda r: r.std(axis=1, ddof=1, keepdims=True)),
            "Your spread divides by G - 1, as PyTorch's std does. Here it divides by G.",
        ),
        Mistake("no_epsilon", _with(join=_silent), "ε is missing: an even group becomes 0/0."),
        Mistake(
            "epsilon_inside_the_root",
            _with(join=lambda d, s, e: d / np.sqrt(s**2 + e) if e else d / s),
            "Your ε stands inside the root. It is added to the spread.",
        ),
        Mistake(
            "mean_of_the_others",
            _with(mean=lambda r: (r.sum(axis=1, keepdims=True) - r) / (r.shape[1] - 1)),
            "You took the mean of the other tries only, as another method (RLOO) does. GRPO takes all.",
        ),
        Mistake(
            "only_the_better_half",
            _with(join=lambda d, s, e: np.maximum(d, 0) / (s + e)),
            "You set what is below the mean to 0. What is worse than usual must become less probable.",
        ),
        Mistake(
            "spread_of_all",
            _with(spread=lambda r: r.std()),
            "Your spread is that of all rewards. Each group has its own: axis=1.",
        ),
        Mistake(
            "the_larger_of_both",
            _with(join=lambda d, s, e: d / np.maximum(s, e) if e else d / s),
            "You divide by the larger of spread and ε. ε is added.",
        ),
        Mistake(
            "median",
            _with(mean=lambda r: np.median(r, axis=1, keepdims=True)),
            "You take the median off. GRPO takes the mean.",
        ),
        Mistake(
            "mean_distance",
            lambda r, e: (
                (d := r - r.mean(axis=1, keepdims=True)) / (np.abs(d).mean(axis=1, keepdims=True) + e)
            ),
            "You divide by the mean distance. The spread is the root of the mean square.",
        ),
        Mistake(
            "from_best_to_worst",
            _with(spread=lambda r: np.ptp(r, axis=1, keepdims=True)),
            "You divide by the largest minus the smallest. The spread is the root of the mean square.",
        ),
        Mistake(
            "turned_round",
            lambda r, e: -grpo_advantages(r, e),
            "Your signs are turned round: a reward above the mean is an advantage.",
        ),
        *MORE,
    ),
    alternatives=(_by_loop, lambda r, e: ((r.T - r.mean(1)) / (r.std(1) + e)).T),
    stars=1,
    minutes=10,
)
