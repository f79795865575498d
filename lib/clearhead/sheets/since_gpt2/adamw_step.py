"""16.adamw_step: A step of AdamW."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .adamw_step_wrong import MORE
from .drivers import three_steps


def adamw_step(w, g, m, v, t, rate, decay):
    """Return w, m and v after step t (1, 2, ...); w, g, m, v have one shape. β is 0.9 and 0.99, ε is 1e-8."""
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g**2
    step = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return w - rate * decay * w - rate * step, m, v


def _with(gradient=lambda g, w, decay: g, corrected=(True, True), inside=False, decayed=None, first=None):
    """Return a step in which the gradient, the corrections, ε or the decay are others."""

    def step(w, g, m, v, t, rate, decay):
        g = gradient(g, w, decay)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
        mean = m / (1 - 0.9**t) if corrected[0] else m
        square = v / (1 - 0.99**t) if corrected[1] else v
        size = np.sqrt(square + 1e-8) if inside else np.sqrt(square) + 1e-8
        shrunk = w - rate * decay * w if decayed is None else decayed(w, rate, decay)
        return shrunk - rate * mean / (size if first is None else first(square)), m, v

    return step


def _by_numbers(w, g, m, v, t, rate, decay):
    found = [np.empty(np.shape(w)) for _ in range(3)]
    for i in np.ndindex(np.shape(w)):
        m_, v_ = m[i] + 0.1 * (g[i] - m[i]), v[i] + 0.01 * (g[i] * g[i] - v[i])
        size = (v_ / (1 - 0.99**t)) ** 0.5 + 1e-8
        new = (1 - rate * decay) * w[i] - rate * (m_ / (1 - 0.9**t)) / size
        found[0][i], found[1][i], found[2][i] = new, m_, v_
    return tuple(found)


def _mean(g, m, t):
    return (0.9 * m + 0.1 * g) / (1 - 0.9**t)


def _size(g, v, t):
    return np.sqrt((0.99 * v + 0.01 * g**2) / (1 - 0.99**t)) + 1e-8


def _memory_corrected(w, g, m, v, t, rate, decay):
    new, m, v = adamw_step(w, g, m, v, t, rate, decay)
    return new, m / (1 - 0.9**t), v / (1 - 0.99**t)


def _cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(3, 8))[:2])
    w, gradients = 3 * rng.normal(size=(D, F)), rng.normal(size=(3, D, F))
    tiny = 1e-4 * rng.normal(size=(3, F, D))
    return [
        Case(
            "one weight, three equal gradients, by hand",
            (np.array([2.0]), np.full((3, 1), 5.0), 0.5, 0.0),
            "With equal gradients m̂ / √v̂ is 1: each step is the rate. 2, then 1.5, 1, 0.5.",
            expected={"w": np.array([0.5]), "m": np.array([1.355]), "v": np.array([25 * 0.029701])},
        ),
        Case("no gradient", (w, np.zeros((3, D, F)), 0.1, 0.5), "Decay alone: each step leaves 95 %."),
        Case("random gradients", (w, gradients, 0.1, 0.5), "Decay acts on the weight, apart from m and v."),
        Case(
            "tiny gradients",
            (w.T, tiny, 0.01, 0.1),
            "Their size hardly matters, where ε stands outside the root.",
        ),
    ]


EXERCISE = Exercise(
    id="16.adamw_step",
    title="A step of AdamW",
    reference=adamw_step,
    cases=_cases,
    hints=(
        "Five lines: two means, two corrections, one step. Where does the decay come in, and where not?",
        "m̂ = m / (1 - 0.9**t), v̂ = v / (1 - 0.99**t). The step is rate · m̂ / (√v̂ + 1e-8), and besides it w "
        "loses rate · decay · w.",
        "m = 0.9*m + 0.1*g; v = 0.99*v + 0.01*g**2; w = w - rate*decay*w - rate * m̂ / (np.sqrt(v̂) + 1e-8); "
        "return w, m, v",
    ),
    mistakes=(
        Mistake(
            "decay_in_the_gradient",
            _with(gradient=lambda g, w, decay: g + decay * w, decayed=lambda w, rate, decay: w),
            "You added the decay to the gradient, so √v̂ divides it, too. AdamW shrinks the weight itself.",
        ),
        Mistake(
            "no_decay",
            _with(decayed=lambda w, rate, decay: w),
            "The decay is missing: w loses rate · decay · w.",
        ),
        Mistake(
            "decay_without_the_rate",
            _with(decayed=lambda w, rate, decay: w - decay * w),
            "Your decay is not multiplied by the rate, so it does not shrink when the rate does.",
        ),
        Mistake(
            "no_correction",
            _with(corrected=(False, False)),
            "The corrections are missing. m and v begin at 0, so they are too small in the first steps.",
        ),
        Mistake(
            "only_the_mean_corrected",
            _with(corrected=(True, False)),
            "You corrected m, but not v. Divide v by 1 - 0.99ᵗ as well.",
        ),
        Mistake(
            "only_the_square_corrected",
            _with(corrected=(False, True)),
            "You corrected v, but not m. Divide m by 1 - 0.9ᵗ as well.",
        ),
        Mistake(
            "epsilon_under_the_root",
            _with(inside=True),
            "You added ε under the root, where it counts like a gradient of 1e-4. It stands outside: √v̂ + ε.",
        ),
        Mistake(
            "root_forgotten",
            _with(first=lambda square: square + 1e-8),
            "You divide by v̂ where its root belongs: √v̂ + 1e-8.",
        ),
        Mistake(
            "corrected_memory",
            _memory_corrected,
            "You return the corrected means, and the next step corrects them again. Return m and v "
            "from before the correction.",
        ),
        Mistake(
            "decay_in_the_fraction",
            lambda w, g, m, v, t, rate, decay: _with(
                decayed=lambda w, rate, decay: w - rate * decay * w / _size(g, v, t)
            )(w, g, m, v, t, rate, decay),
            "You divide the decay by √v̂, too. It stands apart: the weight loses rate · decay · w.",
        ),
        Mistake(
            "no_epsilon_below",
            lambda w, g, m, v, t, rate, decay: (
                w - rate * decay * w - rate * (_mean(g, m, t) / (_size(g, v, t) - 1e-8) + 1e-8),
                *adamw_step(w, g, m, v, t, rate, decay)[1:],
            ),
            "ε is missing, or you add it to the fraction, and so where v̂ is 0 you divide by 0. It belongs "
            "below: m̂ / (√v̂ + ε).",
        ),
        Mistake(
            "larger_epsilon",
            lambda w, g, m, v, t, rate, decay: _with(first=lambda square: np.sqrt(square) + 1e-6)(
                w, g, m, v, t, rate, decay
            ),
            "Your ε is 1e-6. Here it is 1e-8, which matters for tiny gradients.",
        ),
        Mistake(
            "corrected_for_the_step_before",
            lambda w, g, m, v, t, rate, decay: (
                w - rate * decay * w - rate * _mean(g, m, t - 1) / _size(g, v, t - 1),
                *adamw_step(w, g, m, v, t, rate, decay)[1:],
            ),
            "You corrected with t - 1, which divides by 0 in the first step. t is 1 there already.",
        ),
        Mistake(
            "weight_alone",
            lambda *given: adamw_step(*given)[0],
            "One array came back. Return three: the new weight, m and v.",
        ),
        Mistake(
            "uphill",
            lambda w, g, m, v, t, rate, decay: (
                2 * (w - rate * decay * w) - adamw_step(w, g, m, v, t, rate, decay)[0],
                *adamw_step(w, g, m, v, t, rate, decay)[1:],
            ),
            "Your step goes with the gradient. Go against it: minus.",
        ),
        *MORE,
    ),
    alternatives=(_by_numbers,),
    stars=2,
    minutes=20,
    driver=three_steps,
    returns={
        "w": "the weights after three steps (w)",
        "m": "the mean of the gradients after three steps (m)",
        "v": "the mean of their squares after three steps (v)",
    },
    given="one gradient g after the other, with the w, m and v that came back before",
)
