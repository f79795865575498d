"""More wrong answers of 16.adamw_step."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _step(m_of=None, v_of=None, mean=None, square=None, move=None, say=lambda w, m, v, old: (w, m, v)):
    """Return a step of AdamW with another m, v, correction, move, or another thing that comes back."""

    def answer(w, g, m, v, t, rate, decay):
        old = m, v
        m = 0.9 * m + 0.1 * g if m_of is None else m_of(m, g)
        v = 0.99 * v + 0.01 * g**2 if v_of is None else v_of(v, g)
        m_hat = m / (1 - 0.9**t) if mean is None else mean(m, t, g, old[0])
        v_hat = v / (1 - 0.99**t) if square is None else square(v, t, g, old[1])
        step = m_hat / (np.sqrt(v_hat) + 1e-8)
        new = w - rate * decay * w - rate * step if move is None else move(w, step, rate, decay)
        return say(new, m, v, old)

    return answer


def _with_the_old_mean(w, g, m, v, t, rate, decay):
    before, m, v = m, 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
    step = before / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return w - rate * decay * w - rate * step, m, v


def _beta_times_t(w, g, m, v, t, rate, decay):
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
    step = m / (1 - 0.9 * t) / (np.sqrt(np.abs(v / (1 - 0.99 * t))) + 1e-8)
    return w - rate * decay * w - rate * step, m, v


MORE = (
    Mistake(
        "decay_after_the_step",
        _step(move=lambda w, step, rate, decay: (w - rate * step) * (1 - rate * decay)),
        "Your decay takes its share of the weight after the step. It is a share of the old weight.",
    ),
    Mistake(
        "decay_added",
        _step(move=lambda w, step, rate, decay: w + rate * decay * w - rate * step),
        "Your decay makes the weight grow. It loses rate · decay · w: minus.",
    ),
    Mistake(
        "decay_of_the_gradient",
        lambda w, g, m, v, t, rate, decay: _step(
            move=lambda w, step, rate, decay: w - rate * step - rate * decay * g
        )(w, g, m, v, t, rate, decay),
        "You subtract rate · decay of the gradient. The weight loses this share of itself: rate · decay · w.",
    ),
    Mistake(
        "decay_alone",
        _step(move=lambda w, step, rate, decay: w - rate * decay * w),
        "The weight only decays. It also goes against m̂ / (√v̂ + 1e-8), times the rate.",
    ),
    Mistake(
        "rate_forgotten",
        _step(move=lambda w, step, rate, decay: w - rate * decay * w - step),
        "The step is not multiplied by the rate.",
    ),
    Mistake(
        "rate_of_the_decay_squared",
        _step(move=lambda w, step, rate, decay: w - rate * (step + rate * decay * w)),
        "The rate stands twice in your decay. The weight loses rate · decay · w.",
    ),
    Mistake(
        "multiplied_by_the_decay",
        _step(move=lambda w, step, rate, decay: decay * w - rate * step),
        "You keep the share `decay` of the weight. It loses rate · decay of itself, and keeps the rest.",
    ),
    Mistake(
        "usual_beta",
        _step(v_of=lambda v, g: 0.999 * v + 0.001 * g**2, square=lambda v, t, g, old: v / (1 - 0.999**t)),
        "Your β for v is 0.999, as in many programs. Here it is 0.99.",
    ),
    Mistake(
        "betas_exchanged",
        _step(
            lambda m, g: 0.99 * m + 0.01 * g,
            lambda v, g: 0.9 * v + 0.1 * g**2,
            lambda m, t, g, old: m / (1 - 0.99**t),
            lambda v, t, g, old: v / (1 - 0.9**t),
        ),
        "The two β have changed places: 0.9 is for m, 0.99 for v.",
    ),
    Mistake(
        "one_beta_for_both",
        _step(v_of=lambda v, g: 0.9 * v + 0.1 * g**2, square=lambda v, t, g, old: v / (1 - 0.9**t)),
        "You use β = 0.9 for v as well. For v it is 0.99.",
    ),
    Mistake(
        "one_beta_in_both_corrections",
        _step(square=lambda v, t, g, old: v / (1 - 0.9**t)),
        "You correct v by 1 - 0.9ᵗ. Its own β is 0.99: 1 - 0.99ᵗ.",
    ),
    Mistake(
        "corrections_exchanged",
        _step(mean=lambda m, t, g, old: m / (1 - 0.99**t), square=lambda v, t, g, old: v / (1 - 0.9**t)),
        "The corrections have changed places: m is divided by 1 - 0.9ᵗ, v by 1 - 0.99ᵗ.",
    ),
    Mistake(
        "gradient_in_full",
        _step(lambda m, g: 0.9 * m + g, lambda v, g: 0.99 * v + g**2),
        "m takes the whole gradient, v its whole square. A running mean takes the share 1 - β of it.",
    ),
    Mistake(
        "old_means_whole",
        _step(lambda m, g: m + 0.1 * g, lambda v, g: v + 0.01 * g**2),
        "m and v keep all they had. A running mean keeps the share β of it, and takes 1 - β of the new.",
    ),
    Mistake(
        "shares_exchanged",
        _step(lambda m, g: 0.1 * m + 0.9 * g, lambda v, g: 0.01 * v + 0.99 * g**2),
        "The shares have changed places: β of the old mean stays, 1 - β of what is new comes.",
    ),
    Mistake(
        "gradient_not_squared",
        _step(v_of=lambda v, g: 0.99 * v + 0.01 * g),
        "v is a mean of the gradient itself. It is the mean of its square, g**2.",
    ),
    Mistake(
        "square_of_the_mean",
        lambda w, g, m, v, t, rate, decay: _step(
            v_of=lambda v, _: 0.99 * v + 0.01 * (0.9 * m + 0.1 * g) ** 2
        )(w, g, m, v, t, rate, decay),
        "v takes the square of m. It takes the square of the gradient.",
    ),
    Mistake(
        "size_of_the_gradient",
        _step(v_of=lambda v, g: 0.99 * v + 0.01 * np.abs(g)),
        "v is a mean of sizes, |g|. It is the mean of squares, g**2.",
    ),
    Mistake(
        "gradient_for_the_mean",
        _step(mean=lambda m, t, g, old: g),
        "You go against the gradient of this step. Go against m̂, its running mean, corrected.",
    ),
    Mistake(
        "means_of_before",
        _step(mean=lambda m, t, g, old: old / (1 - 0.9**t), square=lambda v, t, g, old: old / (1 - 0.99**t)),
        "Your step uses m and v as they came in. Bring them up to date first, with this gradient.",
    ),
    Mistake(
        "correction_multiplied",
        _step(mean=lambda m, t, g, old: m * (1 - 0.9**t), square=lambda v, t, g, old: v * (1 - 0.99**t)),
        "You multiplied by the corrections. Divide: m and v are too small at first.",
    ),
    Mistake(
        "correction_without_a_power",
        _step(mean=lambda m, t, g, old: m / (1 - 0.9), square=lambda v, t, g, old: v / (1 - 0.99)),
        "You corrected by 1 - β in every step. It is 1 - βᵗ: with time the correction vanishes.",
    ),
    Mistake(
        "corrected_for_the_next_step",
        _step(
            mean=lambda m, t, g, old: m / (1 - 0.9 ** (t + 1)),
            square=lambda v, t, g, old: v / (1 - 0.99 ** (t + 1)),
        ),
        "You corrected with t + 1. t is 1 in the first step already.",
    ),
    Mistake(
        "memory_not_kept",
        _step(say=lambda w, m, v, old: (w, *old)),
        "You return m and v as they came in. Return the new ones, for the next step.",
    ),
    Mistake(
        "means_exchanged",
        _step(say=lambda w, m, v, old: (w, v, m)),
        "You return v before m. The order is w, m, v.",
    ),
    Mistake(
        "change_returned",
        _step(move=lambda w, step, rate, decay: -rate * decay * w - rate * step),
        "You return by how much the weight changes. Return the new weight.",
    ),
    Mistake(
        "corrected_after_the_root",
        _step(square=lambda v, t, g, old: v / (1 - 0.99**t) ** 2),
        "You took the root of v, and corrected that. Correct v first, then take the root.",
    ),
    Mistake(
        "squares_added_up",
        _step(v_of=lambda v, g: v + g**2),
        "You add all squares up, as Adagrad does. v is a running mean: 0.99 v + 0.01 g².",
    ),
    Mistake(
        "mean_of_the_step_before",
        _with_the_old_mean,
        "You step by the m of before. Make the new m first, and step by it.",
    ),
    Mistake(
        "beta_times_t",
        _beta_times_t,
        "You corrected with 1 - β t. It is β to the power of t: 1 - β**t.",
    ),
)
