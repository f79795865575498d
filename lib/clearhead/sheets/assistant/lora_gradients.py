"""18.lora_gradients: What the thin matrices learn from."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import FEW, run_lora
from .lora_gradients_wrong import MORE


def lora_gradients(x, dy, A, B, scale):
    """Return dA (D, r) and dB (r, F) of y = x W + scale (x A) B, for x (T, D) and the gradient dy (T, F)."""
    return scale * x.T @ (dy @ B.T), scale * (x @ A).T @ dy


def _with(
    first=lambda x, dy, A, B, s: s * x.T @ (dy @ B.T), second=lambda x, dy, A, B, s: s * (x @ A).T @ dy
):
    return lambda *given: (first(*given), second(*given))


def _by_tokens(x, dy, A, B, scale):
    dA, dB = np.zeros(A.shape), np.zeros(B.shape)
    for row, slope in zip(x, dy, strict=True):
        dA += scale * np.outer(row, B @ slope)
        dB += scale * np.outer(row @ A, slope)
    return dA, dB


def _cases(rng):
    D, F, T = (int(n) for n in rng.permutation(np.arange(5, 10))[:3])
    r = int(rng.integers(2, 5))
    x, dy, A, B = (rng.normal(size=s) for s in ((T, D), (T, F), (D, r), (r, F)))
    hand = *(np.array(m) for m in ([[1.0, 2]], [[3.0]], [[4.0], [5.0]], [[6.0]])), 2.0
    return [
        Case(
            "one token, rank 1, by hand",
            hand,
            "x A = 14. dA = 2 · x · 3 · 6 = (36, 72), dB = 2 · 14 · 3 = 84.",
            expected={"dA": np.array([[36.0], [72]]), "dB": np.array([[84.0]]), "held": FEW},
        ),
        Case("random sizes", (x, dy, A, B, 0.7), "Each gradient has the shape of its matrix."),
        Case("B is 0, as at the start", (x, dy, A, 0 * B, 0.7), "Then A waits, and only B learns."),
        Case("A is 0", (x, dy, 0 * A, B, 0.7), "Then B waits."),
        Case("one token alone", (x[:1], dy[:1], A, B, 3.0), "Sum over tokens; here there is one."),
        Case(
            "a wide layer: 300 to 260",
            (*(rng.normal(size=s) for s in ((3, 300), (3, 260), (300, 2), (2, 260))), 0.7),
            "Do you build a matrix of D times F numbers? Begin with the thin products.",
        ),
    ]


EXERCISE = Exercise(
    id="18.lora_gradients",
    title="What the thin matrices learn from",
    reference=lora_gradients,
    cases=_cases,
    hints=(
        "For y = h M, the gradient of M is hᵀ dy, and that of h is dy Mᵀ. Use it twice.",
        "With h = x A: dB = scale · hᵀ dy. The gradient that reaches h is scale · dy Bᵀ.",
        "return scale * x.T @ (dy @ B.T), scale * (x @ A).T @ dy",
    ),
    mistakes=(
        Mistake(
            "not_scaled",
            _with(lambda x, dy, A, B, s: x.T @ (dy @ B.T), lambda x, dy, A, B, s: (x @ A).T @ dy),
            "The factor scale is missing. It stands in y, so it stands in both gradients.",
        ),
        Mistake(
            "only_b_scaled",
            _with(first=lambda x, dy, A, B, s: x.T @ (dy @ B.T)),
            "dA lacks the factor scale.",
        ),
        Mistake(
            "only_a_scaled", _with(second=lambda x, dy, A, B, s: (x @ A).T @ dy), "dB lacks the factor scale."
        ),
        Mistake(
            "mean_over_tokens",
            _with(
                lambda x, dy, A, B, s: s * x.T @ (dy @ B.T) / len(x),
                lambda x, dy, A, B, s: s * (x @ A).T @ dy / len(x),
            ),
            "You took the mean over the tokens. If the loss is a mean, dy knows it already: sum.",
        ),
        Mistake("other_way_round", lambda *g: _with()(*g)[::-1], "You return dB first. Return dA, then dB."),
        Mistake(
            "minus",
            _with(lambda x, dy, A, B, s: -s * x.T @ (dy @ B.T), lambda x, dy, A, B, s: -s * (x @ A).T @ dy),
            "These point downhill. A gradient points uphill; the minus belongs to the step.",
        ),
        Mistake(
            "scaled_twice",
            _with(
                lambda x, dy, A, B, s: s * s * x.T @ (dy @ B.T), lambda x, dy, A, B, s: s * s * (x @ A).T @ dy
            ),
            "You multiply by scale twice. It stands in y once.",
        ),
        Mistake(
            "transposed",
            lambda *g: tuple(m.T for m in _with()(*g)),
            "Your gradients are transposed. A gradient has the shape of its matrix.",
        ),
        *MORE,
    ),
    alternatives=(
        _by_tokens,
        lambda x, dy, A, B, s: (
            s * np.einsum("ti,tj,rj->ir", x, dy, B),
            s * np.einsum("ti,ir,tj->rj", x, A, dy),
        ),
    ),
    stars=2,
    minutes=15,
    driver=run_lora,
    returns=("dA", "dB"),
)
