"""18.grpo_pass_at_k: At least one of k tries."""

import math

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .grpo_pass_at_k_wrong import MORE


def grpo_pass_at_k(right, tries, k):
    """Return the chance that k of all tries, drawn without putting back, hold at least one right one."""
    return 1 - math.comb(tries - right, k) / math.comb(tries, k)


def _by_product(right, tries, k):
    missed = 1.0
    for i in range(k):
        missed *= max(tries - right - i, 0) / (tries - i)
    return 1 - missed


def _by_ones(right, tries, k):
    return 1 - np.prod(1 - k / np.arange(tries - right + 1, tries + 1)) if tries - right >= k else 1.0


def _by_factorials(right, tries, k):
    def factorial(n):
        return float(math.factorial(n))

    wrong = tries - right
    if wrong < k:
        return 1.0
    missed = factorial(wrong) / factorial(wrong - k)
    return 1 - missed * factorial(tries - k) / factorial(tries)


def _cases(rng):
    n = int(rng.integers(12, 20))
    c, k = int(rng.integers(2, 4)), int(rng.integers(3, 6))
    return [
        Case(
            "one of four is right, two drawn, by hand", (1, 4, 2), "Three of six pairs hold it.", expected=0.5
        ),
        Case("some are right", (c, n, k), "Count the draws that hold no right try."),
        Case("one try", (c, n, 1), "Then it is the share of right tries."),
        Case("none is right", (0, n, k), "Then no draw helps.", expected=0.0),
        Case("fewer are wrong than drawn", (n - 1, n, k), "Then a right one is always drawn.", expected=1.0),
        Case("as many are wrong as are drawn", (n - k, n, k), "A single draw holds wrong tries alone."),
        Case("all are drawn", (1, n, n), "Then the right one is among them.", expected=1.0),
        Case(
            "200 samples, as papers use them",
            (c + 9, 200, 10 * k),
            "The factorial of 200 is too large for a float: count with math.comb, or multiply k ratios.",
        ),
    ]


EXERCISE = Exercise(
    id="18.grpo_pass_at_k",
    title="At least one of k tries",
    reference=grpo_pass_at_k,
    cases=_cases,
    hints=(
        "Ask for the opposite: what is the chance that all k are wrong?",
        "There are math.comb(tries, k) draws, and math.comb(tries - right, k) of them hold wrong tries only.",
        "return 1 - math.comb(tries - right, k) / math.comb(tries, k)",
    ),
    mistakes=(
        Mistake(
            "factorials_as_floats",
            _by_factorials,
            "Your factorials become floats, and the factorial of 171 is too large for one. Divide the "
            "integers, as math.comb does.",
        ),
        Mistake(
            "put_back",
            lambda c, n, k: 1 - (1 - c / n) ** k,
            "You put each try back after drawing it. The k are drawn together: count with math.comb.",
        ),
        Mistake("share_of_right", lambda c, n, k: c / n, "That is pass@1, whatever k is."),
        Mistake(
            "times_k",
            lambda c, n, k: min(1.0, k * c / n),
            "You add the chances of k tries. Two of them may be right at once.",
        ),
        Mistake(
            "all_right",
            lambda c, n, k: math.comb(c, k) / math.comb(n, k),
            "That is the chance that all k are right. One is enough.",
        ),
        Mistake(
            "all_wrong",
            lambda c, n, k: math.comb(n - c, k) / math.comb(n, k),
            "That is the chance that all k are wrong. Take it from 1.",
        ),
        Mistake(
            "exactly_one",
            lambda c, n, k: c * math.comb(n - c, k - 1) / math.comb(n, k),
            "That is the chance of exactly one. More than one is fine, too.",
        ),
        Mistake(
            "one_of_all",
            lambda c, n, k: float(c > 0),
            "You give 1 wherever any try is right, and 0 where none is. Only k are drawn. (Or did you divide "
            "without a remainder, with // ?)",
        ),
        Mistake(
            "right_for_wrong",
            lambda c, n, k: 1 - math.comb(c, k) / math.comb(n, k),
            "You count draws of right tries only. Count those of wrong ones: tries - right.",
        ),
        *MORE,
    ),
    alternatives=(_by_product, _by_ones),
    stars=2,
    minutes=10,
)
