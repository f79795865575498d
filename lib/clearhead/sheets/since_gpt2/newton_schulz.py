"""16.newton_schulz: A matrix with all its strengths at 1."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .newton_schulz_wrong import MORE

a, b, c = 3.4445, -4.7750, 2.0315


def newton_schulz(M, steps):
    """Return X (D, F), nearly U Vᵀ where U S Vᵀ = M (D, F), after that many steps."""
    X = M / np.sqrt((M**2).sum())
    for _ in range(steps):
        G = X @ X.T
        X = a * X + b * G @ X + c * G @ G @ X
    return X


def _with(start=lambda M: M / np.sqrt((M**2).sum()), step=None, count=lambda steps: steps):
    """Return the iteration with another start, another step, or another number of them."""

    def iterate(M, steps):
        X = start(M)
        for _ in range(count(steps)):
            G = X @ X.T
            X = a * X + b * G @ X + c * G @ G @ X if step is None else step(X, G)
        return X

    return iterate


def _by_values(M, steps):
    """Return the same by way of the singular values: the polynomial acts on each alone."""
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    s = s / np.sqrt((s**2).sum())
    for _ in range(steps):
        s = a * s + b * s**3 + c * s**5
    return U * s @ Vt


def _other_side(M, steps):
    X = M.T / np.linalg.norm(M)
    for _ in range(steps):
        G = X @ X.T
        X = a * X + (b * G + c * G @ G) @ X
    return X.T


def _again(X):
    X = X / np.linalg.norm(X)
    G = X @ X.T
    return a * X + b * G @ X + c * G @ G @ X


def _cases(rng):
    D, F = (int(n) for n in rng.permutation(np.arange(4, 9))[:2])
    M = rng.normal(size=(D, F))
    near = (
        "the largest strength (singular value) is between 0.6 and 1.3",
        lambda X, M, steps: np.isfinite(X).all() and 0.6 < np.linalg.norm(X, 2) < 1.3,
    )
    s = 0.6 * a + 0.6**3 * b + 0.6**5 * c, 0.8 * a + 0.8**3 * b + 0.8**5 * c
    return [
        Case(
            "no step, by hand",
            (np.diag([3.0, 4]), 0),
            "Only divided: the length is 5.",
            expected=np.diag([0.6, 0.8]),
        ),
        Case(
            "one step, by hand",
            (np.diag([3.0, 4]), 1),
            "Each strength s becomes a s + b s³ + c s⁵.",
            expected=np.diag(s),
        ),
        Case("five steps", (M, 5), "X X^T is new in each step.", properties=(near,)),
        Case("a thousand times larger", (1000 * M, 5), "Bring M to length 1 first.", properties=(near,)),
        Case(
            "of another shape",
            (rng.normal(size=(F, D)), 3),
            "Rows and columns may be of any number.",
            properties=(near,),
        ),
    ]


EXERCISE = Exercise(
    id="16.newton_schulz",
    title="A matrix with all its strengths at 1",
    reference=newton_schulz,
    cases=_cases,
    hints=(
        "Bring M to length 1: all its numbers together are one vector. Then the polynomial, `steps` times.",
        "With G = X @ X.T, one step is a X + b G X + c G G X. G is computed anew in each step.",
        "X = M / np.sqrt((M**2).sum()); in the loop: G = X @ X.T; X = a * X + b * G @ X + c * G @ G @ X",
    ),
    mistakes=(
        Mistake(
            "not_brought_to_length_1",
            _with(start=lambda M: M),
            "You begin with M itself. Where a strength is far above 1, the polynomial runs away: divide by "
            "the length of M first.",
        ),
        Mistake(
            "divided_by_the_largest_number",
            _with(start=lambda M: M / np.abs(M).max()),
            "You divided by the largest number of M, signs aside. Strengths can still exceed 1: divide by "
            "the root of the sum of all squares.",
        ),
        Mistake(
            "rows_of_length_1",
            _with(start=lambda M: M / np.linalg.norm(M, axis=1, keepdims=True)),
            "You brought each row to length 1, so it is another matrix. Divide all by one number.",
        ),
        Mistake(
            "no_fifth_power",
            _with(step=lambda X, G: a * X + b * G @ X),
            "The last term is missing: c X Xᵀ X Xᵀ X.",
        ),
        Mistake(
            "powers_of_each_number",
            _with(step=lambda X, G: a * X + b * X**3 + c * X**5),
            "You took powers of each number. The powers are of the matrix: X Xᵀ X.",
        ),
        Mistake(
            "squared_g_by_numbers",
            _with(step=lambda X, G: a * X + b * G @ X + c * (G * G) @ X),
            "You squared each number of X Xᵀ. Take the matrix product: with G = X @ X.T it is G @ G.",
        ),
        Mistake(
            "one_step_too_many",
            _with(count=lambda steps: steps + 1),
            "You make one step too many.",
        ),
        Mistake(
            "textbook_numbers",
            _with(step=lambda X, G: 1.5 * X - 0.5 * G @ X),
            "These are the old numbers, 1.5 and -0.5: right in the end, but slow. Use a, b, c.",
        ),
        Mistake(
            "divided_again_in_each_step",
            _with(step=lambda X, G: _again(X)),
            "You bring X to length 1 in every step. Do it once, before the loop.",
        ),
        *MORE,
    ),
    alternatives=(_by_values, _other_side),
    stars=2,
    minutes=15,
)
