"""More wrong answers of 18.grpo_pass_at_k."""

import math

from clearhead.checks.exercise import Mistake


def _chance(right, tries, k):
    return 1 - math.comb(tries - right, k) / math.comb(tries, k)


MORE = (
    Mistake(
        "one_draw_too_few",
        lambda c, n, k: 1 - math.comb(n - c, k - 1) / math.comb(n, k - 1),
        "You drew k - 1. Draw k.",
    ),
    Mistake(
        "one_draw_too_many",
        lambda c, n, k: 1 - math.comb(n - c, k + 1) / max(math.comb(n, k + 1), 1),
        "You drew k + 1. Draw k.",
    ),
    Mistake(
        "expected_number",
        lambda c, n, k: k * c / n,
        "That is k times the share of right tries. A draw with two right ones counts twice there.",
    ),
    Mistake("in_percent", lambda c, n, k: 100 * _chance(c, n, k), "That is in percent. A chance is 0 to 1."),
    Mistake(
        "rest_drawn_one_by_one",
        lambda c, n, k: 1 - math.prod((n - c - i) / n for i in range(k)),
        "Your draws leave fewer wrong ones each time, but as many in all. The number of all falls, too.",
    ),
    Mistake(
        "all_fall_alone",
        lambda c, n, k: 1 - math.prod((n - c) / (n - i) for i in range(k)),
        "Your draws leave fewer of all each time, but as many wrong ones. Those fall, too.",
    ),
    Mistake(
        "exponent_from_the_right_ones",
        lambda c, n, k: 1 - (c / n) ** k,
        "You took the chance of a right try to the power k. No right one is drawn only where all k are "
        "wrong: count draws of wrong tries.",
    ),
    Mistake(
        "all_right_with_putting_back",
        lambda c, n, k: (c / n) ** k,
        "That is the chance that all k are right, and each put back. One is enough, and none is put back.",
    ),
    Mistake(
        "all_wrong_with_putting_back",
        lambda c, n, k: (1 - c / n) ** k,
        "That is the chance that all k are wrong, each put back. Take it from 1, and put none back.",
    ),
    Mistake(
        "draws_counted",
        lambda c, n, k: math.comb(n, k) - math.comb(n - c, k),
        "That is the number of draws that hold a right one. Divide by the number of all draws.",
    ),
    Mistake(
        "as_many_drawn_as_are_right",
        lambda c, n, k: 1 - math.comb(n - c, c) / math.comb(n, c) if c else 0.0,
        "You draw as many as are right. Draw k.",
    ),
    Mistake(
        "largest_of_two",
        lambda c, n, k: float(k > n - c) or c / n,
        "You give the share of the right tries, or 1. Count the draws of k: math.comb.",
    ),
    Mistake(
        "ordered_draws_below",
        lambda c, n, k: 1 - math.comb(n - c, k) / math.perm(n, k),
        "You counted the draws of wrong tries without their order, and all draws with it. Take "
        "math.comb for both.",
    ),
    Mistake(
        "sure_with_k_right",
        lambda c, n, k: 1.0 if c >= k else _chance(c, n, k),
        "You return 1 where k tries or more are right. It is sure only where fewer than k are wrong.",
    ),
    Mistake(
        "rounded_to_percent",
        lambda c, n, k: round(_chance(c, n, k), 2),
        "You rounded the chance. Return it as it is.",
    ),
    Mistake(
        "all_tries_taken_for_wrong",
        lambda c, n, k: 1 - math.comb(n, k) / math.comb(n + c, k),
        "You took `tries` for the wrong ones. It counts all tries, the right ones among them.",
    ),
    Mistake(
        "never_with_fewer_than_k_right",
        lambda c, n, k: _chance(c, n, k) if c >= k else 0.0,
        "You return 0 where fewer than k tries are right. One right one is enough.",
    ),
    Mistake(
        "factorials_below_0",
        lambda c, n, k: (
            1
            - math.factorial(n - c) * math.factorial(n - k) / (math.factorial(n) * math.factorial(n - c - k))
        ),
        "Where fewer than k tries are wrong, you take the factorial of a number below 0. The chance is 1 "
        "there: math.comb knows that.",
    ),
    Mistake(
        "sure_with_k_wrong",
        lambda c, n, k: 1.0 if n - c <= k else _chance(c, n, k),
        "You return 1 where exactly k are wrong. One draw takes just those: it is sure only where fewer are "
        "wrong.",
    ),
    Mistake(
        "all_right_left_out",
        lambda c, n, k: sum(math.comb(c, i) * math.comb(n - c, k - i) for i in range(1, k)) / math.comb(n, k),
        "You left out the draws in which all k are right. range(1, k) ends with k - 1.",
    ),
    Mistake(
        "always_two_drawn",
        lambda c, n, k: _chance(c, n, 2),
        "You always draw two. Draw k.",
    ),
    Mistake(
        "share_of_wrong",
        lambda c, n, k: 1 - c / n,
        "That is the share of wrong tries, whatever k is.",
    ),
    Mistake(
        "ordered_draws_above",
        lambda c, n, k: 1 - math.perm(n - c, k) / math.comb(n, k),
        "You counted the draws of wrong tries with their order, and all draws without. Take math.comb for "
        "both.",
    ),
    Mistake(
        "one_factor_too_few",
        lambda c, n, k: 1 - math.prod((n - c - i) / (n - i) for i in range(1, k)),
        "Your product lacks the first draw. range(1, k) begins with the second: range(k).",
    ),
    Mistake(
        "right_over_k",
        lambda c, n, k: c / k,
        "You divided the right tries by k. Count the draws: math.comb.",
    ),
    Mistake(
        "true_or_false",
        lambda c, n, k: _chance(c, n, k) > 0.5,
        "You return True or False. Return the chance, a number from 0 to 1.",
    ),
    Mistake(
        "drawn_from_the_rest",
        lambda c, n, k: 1 - math.comb(n - k, c) / math.comb(n, k),
        "You choose the right tries above, and k of all below. Both must count draws of k: tries - right "
        "above.",
    ),
    Mistake(
        "right_over_k_at_most_1",
        lambda c, n, k: min(1.0, c / k),
        "You divided the right tries by k. Count the draws: math.comb.",
    ),
    Mistake(
        "share_that_is_drawn",
        lambda c, n, k: k / n if c else 0.0,
        "That is the share that is drawn: right where one try alone is right. Count the draws: math.comb.",
    ),
    Mistake(
        "right_ones_one_by_one",
        lambda c, n, k: 1 - (1 - k / n) ** c,
        "You let each right try be drawn or not, whatever became of the others. Exactly k are drawn: "
        "math.comb.",
    ),
    Mistake(
        "one_try_fewer",
        lambda c, n, k: _chance(c, n - 1, k) if n > k else 1.0,
        "You counted one try fewer than there are. `tries` is the number of all.",
    ),
    Mistake(
        "one_right_fewer",
        lambda c, n, k: _chance(max(c - 1, 0), n, k),
        "You counted one right try fewer than there are.",
    ),
)
