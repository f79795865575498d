"""16.muon_step: How far does Muon go?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake


def muon_step(W, U, rate, decay):
    """Return W (D, F) after a step of Muon, where y = x W and U (D, F) is the orthogonalised gradient."""
    D, F = W.shape
    return W - rate * decay * W - rate * max(1, F / D) ** 0.5 * U


def _with(factor=lambda D, F: max(1, F / D) ** 0.5, shrink=lambda rate, decay, s: rate * decay, sign=1):
    """Return the step with another factor, another decay or another sign."""

    def step(W, U, rate, decay):
        s = factor(*W.shape)
        return W - shrink(rate, decay, s) * W - sign * rate * s * U

    return step


def _orthogonal(rng, D, F):
    left, _, right = np.linalg.svd(rng.normal(size=(D, F)), full_matrices=False)
    return left @ right


def _by_loop(W, U, rate, decay):
    out, longer = np.zeros_like(W), 1.0
    if W.shape[1] > W.shape[0]:
        longer = np.sqrt(W.shape[1] / W.shape[0])
    for i in range(W.shape[0]):
        for j in range(W.shape[1]):
            out[i, j] = (1 - rate * decay) * W[i, j] - rate * longer * U[i, j]
    return out


def _cases(rng):
    few, many = 3, int(rng.integers(7, 10))
    up, down = rng.normal(size=(few, many)), rng.normal(size=(many, few))
    side = int(rng.integers(4, 7))
    square = rng.normal(size=(side, side))
    return [
        Case(
            "one input, four outputs, by hand",
            (np.zeros((1, 4)), np.array([[0.5, 0.5, 0.5, 0.5]]), 0.1, 0.0),
            "Four outputs for one input: the step is √4 = 2 times as long.",
            expected=np.full((1, 4), -0.1),
        ),
        Case(
            "four inputs, one output, by hand",
            (np.zeros((4, 1)), np.full((4, 1), 0.5), 0.1, 0.0),
            "Fewer outputs than inputs: the factor is 1.",
            expected=np.full((4, 1), -0.05),
        ),
        Case(
            "more outputs",
            (up, _orthogonal(rng, few, many), 0.02, 0.0),
            "F is above D: the factor is √(F/D).",
        ),
        Case(
            "fewer outputs", (down, _orthogonal(rng, many, few), 0.02, 0.0), "F is below D: the factor is 1."
        ),
        Case("a square", (square, _orthogonal(rng, side, side), 0.05, 0.3), "With decay, as in AdamW."),
        Case(
            "more outputs, with decay",
            (up, _orthogonal(rng, few, many), 0.1, 0.5),
            "The decay is not multiplied by the factor.",
        ),
    ]


EXERCISE = Exercise(
    id="16.muon_step",
    title="How far does Muon go?",
    reference=muon_step,
    cases=_cases,
    hints=(
        "With y = x W, a weight of shape (D, F) has D inputs and F outputs.",
        "The factor is the root of F/D where that is above 1, and 1 elsewhere: max(1, F / D) ** 0.5.",
        "return W - rate * decay * W - rate * max(1, F / D) ** 0.5 * U",
    ),
    mistakes=(
        Mistake(
            "rows_over_columns",
            _with(lambda D, F: max(1, D / F) ** 0.5),
            "You took rows over columns, as PyTorch does, whose weights are (outputs, inputs). Here they are "
            "(inputs, outputs): take columns over rows.",
        ),
        Mistake(
            "no_factor",
            _with(lambda D, F: 1.0),
            "The factor is missing: a layer with more outputs than inputs takes a longer step.",
        ),
        Mistake(
            "shorter_steps_too",
            _with(lambda D, F: (F / D) ** 0.5),
            "You shorten the step of layers with fewer outputs. There the factor is 1: take max(1, F/D).",
        ),
        Mistake(
            "larger_over_smaller",
            _with(lambda D, F: (max(D, F) / min(D, F)) ** 0.5),
            "You lengthen the step of every layer that is not square. Only more outputs than inputs do that.",
        ),
        Mistake(
            "no_root",
            _with(lambda D, F: max(1, F / D)),
            "The root is missing: the factor is √max(1, F/D).",
        ),
        Mistake(
            "smaller_of_both",
            _with(lambda D, F: min(1, F / D) ** 0.5),
            "You took the smaller of 1 and F/D. The factor is never below 1: max(1, F/D).",
        ),
        Mistake(
            "as_long_as_adamw",
            _with(lambda D, F: 0.2 * max(D, F) ** 0.5),
            "You took 0.2 √max(D, F), which PyTorch calls match_rms_adamw. Here it is √max(1, F/D).",
        ),
        Mistake(
            "decay_times_the_factor",
            _with(shrink=lambda rate, decay, s: rate * decay * s),
            "You multiplied the decay by the factor, too. It belongs to the step along U only.",
        ),
        Mistake(
            "decay_without_rate",
            _with(shrink=lambda rate, decay, s: decay),
            "You subtract λ W. As in AdamW, the decay is multiplied by the learning rate: η λ W.",
        ),
        Mistake(
            "no_decay",
            _with(shrink=lambda rate, decay, s: 0.0),
            "The decay is missing: subtract η λ W as well.",
        ),
        Mistake("uphill", _with(sign=-1), "You add the step. A step goes against the gradient: subtract it."),
        Mistake(
            "root_of_the_outputs",
            _with(lambda D, F: F**0.5),
            "Your factor is √F. Divide the outputs by the inputs first: √max(1, F/D).",
        ),
        Mistake(
            "decay_of_what_was_moved",
            lambda W, U, rate, decay: (1 - rate * decay) * _with(shrink=lambda *_: 0.0)(W, U, rate, decay),
            "You took the decay from the moved weights. It is η λ times the weights before the step.",
        ),
    ),
    alternatives=(_by_loop,),
    stars=1,
    minutes=10,
)
