"""More wrong answers of 16.newton_schulz."""

import numpy as np

from clearhead.checks.exercise import Mistake

a, b, c = 3.4445, -4.7750, 2.0315


def _length(M):
    return np.sqrt((M**2).sum())


def _iterate(start=_length, step=lambda X, G: a * X + b * G @ X + c * G @ G @ X, count=lambda n: n):
    """Return the iteration with another first division, another step, or another number of them."""

    def answer(M, steps):
        X = M / start(M)
        for _ in range(count(steps)):
            X = step(X, X @ X.T)
        return X

    return answer


def _first_products(M, steps):
    X = M / _length(M)
    G = X @ X.T
    for _ in range(steps):
        X = a * X + b * G @ X + c * G @ G @ X
    return X


def _wrong_side(M, steps):
    X = M / _length(M)
    for _ in range(steps):
        G = X.T @ X
        X = a * X + b * G @ X + c * G @ G @ X
    return X


def _on_the_new(X, G):
    X = a * X + b * G @ X
    return X + c * G @ G @ X


def _exact(M, steps):
    U, _, V = np.linalg.svd(M, full_matrices=False)
    return U @ V


MORE = (
    Mistake(
        "divided_by_the_largest_strength",
        _iterate(lambda M: np.linalg.norm(M, 2)),
        "You divided by the largest strength: for a matrix, norm(M, 2) means that. Divide by the length of "
        "all its numbers: the root of the sum of their squares.",
    ),
    Mistake(
        "divided_by_the_squared_length",
        _iterate(lambda M: (M**2).sum()),
        "You divided by the sum of the squares. Divide by its root.",
    ),
    Mistake(
        "divided_by_the_root_mean_square",
        _iterate(lambda M: np.sqrt((M**2).mean())),
        "You divided by the root of the mean square. The length is the root of the sum.",
    ),
    Mistake(
        "divided_by_the_sum",
        _iterate(lambda M: np.abs(M).sum()),
        "You divided by the sum of the sizes. The length is the root of the sum of the squares.",
    ),
    Mistake(
        "columns_of_length_1",
        _iterate(lambda M: np.linalg.norm(M, axis=0)),
        "You brought each column to length 1, so it is another matrix. Divide all by one number.",
    ),
    Mistake(
        "b_without_its_minus",
        _iterate(step=lambda X, G: a * X - b * G @ X + c * G @ G @ X),
        "b is negative: the middle term is taken away. Yours is added.",
    ),
    Mistake(
        "c_with_a_minus",
        _iterate(step=lambda X, G: a * X + b * G @ X - c * G @ G @ X),
        "c is positive: the last term is added. Yours is taken away.",
    ),
    Mistake(
        "b_and_c_exchanged",
        _iterate(step=lambda X, G: a * X + c * G @ X + b * G @ G @ X),
        "b and c have changed places: b belongs to X Xᵀ X.",
    ),
    Mistake(
        "no_first_term",
        _iterate(step=lambda X, G: b * G @ X + c * G @ G @ X),
        "The first term, a X, is missing.",
    ),
    Mistake(
        "no_third_power",
        _iterate(step=lambda X, G: a * X + c * G @ G @ X),
        "The term b X Xᵀ X is missing.",
    ),
    Mistake(
        "third_power_twice",
        _iterate(step=lambda X, G: a * X + b * G @ X + c * G @ X),
        "Your last term is c X Xᵀ X. It is X Xᵀ X Xᵀ X: X Xᵀ stands twice.",
    ),
    Mistake(
        "seventh_power",
        _iterate(step=lambda X, G: a * X + b * G @ X + c * G @ G @ G @ X),
        "Your last term has X Xᵀ three times. It stands twice in X Xᵀ X Xᵀ X.",
    ),
    Mistake(
        "b_inside_c",
        _iterate(step=lambda X, G: a * X + b * G @ X + c * (b * G) @ (b * G) @ X),
        "b stands in your last term, too. It belongs to X Xᵀ X alone.",
    ),
    Mistake(
        "added_to_the_old",
        _iterate(step=lambda X, G: X + a * X + b * G @ X + c * G @ G @ X),
        "You added the new X to the old one. It takes its place.",
    ),
    Mistake(
        "products_of_the_first_matrix",
        _first_products,
        "X Xᵀ is from before the loop. X is another matrix after each step: multiply anew.",
    ),
    Mistake(
        "one_step_too_few",
        _iterate(count=lambda n: max(n - 1, 0)),
        "Where there are steps to go, you go one too few.",
    ),
    Mistake(
        "several_steps_end_as_one",
        _iterate(count=lambda n: min(n, 1)),
        "Where several steps are asked for, yours ends where one step ends. Each begins with the X of the "
        "step before.",
    ),
    Mistake(
        "length_given_back",
        lambda M, steps: _iterate()(M, steps) * _length(M),
        "You multiplied by the length of M at the end. Leave X as the steps have made it.",
    ),
    Mistake(
        "always_five_steps",
        _iterate(count=lambda n: 5),
        "You always go five steps. Go `steps`.",
    ),
    Mistake(
        "first_and_last_number_exchanged",
        _iterate(step=lambda X, G: c * X + b * G @ X + a * G @ G @ X),
        "a and c have changed places: a stands before X, c before the fifth power.",
    ),
    Mistake(
        "products_that_do_not_fit",
        _wrong_side,
        "Your products fit only where M is square. X Xᵀ X is X @ X.T @ X: with G = X @ X.T it is G @ X.",
    ),
    Mistake(
        "last_term_of_the_changed_matrix",
        _iterate(step=_on_the_new),
        "Your last term is made of an X that has changed within the step. All three terms take the X from "
        "before it.",
    ),
    Mistake(
        "exact_instead",
        _exact,
        "You returned U Vᵀ itself. Apply the polynomial `steps` times: the result only comes near.",
    ),
)
