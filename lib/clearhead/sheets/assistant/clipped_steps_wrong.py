"""More wrong answers of 18.clipped_steps."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _where(ratio, a, e):
    return np.where(a > 0, ratio > 1 + e, ratio < 1 - e)


def _steps(
    weights=lambda ratio, a, e: np.where(_where(ratio, a, e), 0.0, ratio * a),
    ratio=lambda P, old: P / old,
    gradient=lambda w, hot, P: w @ (hot - P) / len(w),
    move=lambda z, slope: z + slope,
    count=lambda n: n,
):
    """Return the answer with another weight, ratio, gradient, direction or number of steps."""

    def answer(logits, tries, advantages, epsilon, rate, steps):
        old = softmax(logits)[tries]
        for _ in range(count(steps)):
            P = softmax(logits)
            given = weights(ratio(P[tries], old), advantages, epsilon)
            slope = rate * gradient(given, np.eye(len(logits))[tries], P)
            logits = move(logits, slope)
        return logits

    return answer


MORE = (
    Mistake(
        "not_clipped",
        _steps(lambda ratio, a, e: ratio * a),
        "Nothing is clipped. A good try with ρ > 1 + ε, or a bad one with ρ < 1 - ε, has the gradient 0.",
    ),
    Mistake(
        "held_on_both_sides",
        _steps(lambda ratio, a, e: np.where(np.abs(ratio - 1) > e, 0.0, ratio * a)),
        "You hold every ratio outside 1 ± ε. The minimum holds a good try only above, a bad one only below.",
    ),
    Mistake(
        "held_above_only",
        _steps(lambda ratio, a, e: np.where(ratio > 1 + e, 0.0, ratio * a)),
        "You hold every ratio above 1 + ε and none below 1 - ε. The sign of a decides which limit counts.",
    ),
    Mistake(
        "good_tries_only",
        _steps(lambda ratio, a, e: np.where((a > 0) & (ratio > 1 + e), 0.0, ratio * a)),
        "You clip good tries only. A bad try with ρ < 1 - ε has the gradient 0 as well.",
    ),
    Mistake(
        "maximum",
        _steps(lambda ratio, a, e: np.where(np.where(a > 0, ratio < 1 - e, ratio > 1 + e), 0.0, ratio * a)),
        "You took the larger of ρ a and its clipped value. GRPO and PPO take the smaller one.",
    ),
    Mistake(
        "ratio_without_gradient",
        _steps(lambda ratio, a, e: np.where(_where(ratio, a, e), 0.0, a)),
        "You weigh a try with its advantage only. The derivative of ρ a for the logits contains ρ itself.",
    ),
    Mistake(
        "clipped_ratio_as_weight",
        _steps(lambda ratio, a, e: np.clip(ratio, 1 - e, 1 + e) * a),
        "You multiply by the clipped ratio. Where the clip binds the value is constant: its gradient is 0.",
    ),
    Mistake(
        "smaller_value_as_weight",
        _steps(lambda ratio, a, e: np.minimum(ratio * a, np.clip(ratio, 1 - e, 1 + e) * a)),
        "You took the value min(ρ a, clip(ρ) a) for its gradient. Where the clip binds, the gradient is 0.",
    ),
    Mistake(
        "ratio_upside_down",
        _steps(ratio=lambda P, old: old / P),
        "Your ratio is old over new. ρ is the new probability divided by the old one.",
    ),
    Mistake(
        "difference_for_ratio",
        _steps(ratio=lambda P, old: 1 + P - old),
        "You took the difference of the probabilities. ρ is their ratio.",
    ),
    Mistake(
        "logarithm_of_the_ratio",
        _steps(ratio=lambda P, old: 1 + np.log(P / old)),
        "You compare the logarithm of the ratio with the limits. Compare ρ itself.",
    ),
    Mistake(
        "downhill",
        _steps(move=lambda z, slope: z - slope),
        "You go downhill. The value is to become larger: add rate times the gradient.",
    ),
    Mistake(
        "sum_over_the_tries",
        _steps(gradient=lambda w, hot, P: w @ (hot - P)),
        "You added up over the tries. The value is a mean: divide by the number of tries.",
    ),
    Mistake(
        "no_probabilities_taken_off",
        _steps(gradient=lambda w, hot, P: w @ hot / len(w)),
        "The gradient of ln P for the logits is the one-hot row minus P. Your P is missing.",
    ),
    Mistake(
        "one_step_only",
        _steps(count=lambda n: min(n, 1)),
        "You make one step, however many are asked for.",
    ),
    Mistake(
        "one_step_too_many",
        _steps(count=lambda n: n + 1),
        "You make one step too many.",
    ),
    Mistake(
        "gradient_of_the_first_step",
        lambda z, t, a, e, r, n: z + n * r * _steps()(z, t, a, e, 1.0, 1) - n * r * z,
        "You repeat the gradient of the first step. P and ρ change with every step.",
    ),
    Mistake(
        "signs_of_the_advantages",
        _steps(lambda ratio, a, e: np.where(_where(ratio, a, e), 0.0, ratio * np.sign(a))),
        "You took only the sign of each advantage. Multiply by the advantage itself.",
    ),
    Mistake(
        "good_tries_counted_only",
        _steps(lambda ratio, a, e: np.where(_where(ratio, a, e) | (a < 0), 0.0, ratio * a)),
        "Tries with a negative advantage have no effect in yours. They must become less probable.",
    ),
    Mistake(
        "probabilities_returned",
        lambda *given: softmax(_steps()(*given)),
        "You returned the probabilities. Return the logits.",
    ),
)
