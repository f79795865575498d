"""04.nadaraya_watson: The formula of 1964."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import nadaraya_watson
from clearhead.maths.softmax import softmax

from .nadaraya_watson_wrong import MORE
from .shared import BETWEEN


def squares(x, X):
    """Return the squared distance from every query to every measured place."""
    return np.sum((x[:, None, :] - X[None, :, :]) ** 2, axis=-1)


def nadaraya_watson_by_dot_product(x, X, Y, bandwidth):
    scores = (x @ X.T - 0.5 * np.sum(X**2, axis=1)) / bandwidth**2
    return softmax(scores) @ Y


def nadaraya_watson_by_loop(x, X, Y, bandwidth):
    y = np.zeros((len(x), Y.shape[1]))
    for i, place in enumerate(x):
        scores = -np.array([np.sum((place - known) ** 2) for known in X]) / (2 * bandwidth**2)
        positive = np.exp(scores - scores.max())
        y[i] = sum(p * value for p, value in zip(positive, Y, strict=True)) / positive.sum()
    return y


def mean_with(kernel, Y, axis=-1):
    """Return the means of Y, weighted by a kernel that is normalized along an axis."""
    return kernel / kernel.sum(axis=axis, keepdims=True) @ Y


def one_shift_for_all(x, X, Y, bandwidth):
    """Return the guesses after one number, the largest score of all, was subtracted from every row."""
    scores = -squares(x, X) / (2 * bandwidth**2)
    return mean_with(np.exp(scores - scores.max()), Y)


def nearest_far_away(x, X, Y, bandwidth):
    """Return the guesses, and the nearest measurement where 0 was divided by 0."""
    y = mean_with(np.exp(-squares(x, X) / (2 * bandwidth**2)), Y)
    return np.where(np.isnan(y), Y[np.argmin(squares(x, X), axis=1)], y)


def nadaraya_watson_cases(rng):
    between = (
        (
            BETWEEN,
            lambda y, x, X, Y, bandwidth: np.all((y >= Y.min(axis=0) - 1e-9) & (y <= Y.max(axis=0) + 1e-9)),
        ),
    )
    line = np.array([[0.0], [1.0]])
    two = np.array([[0.0, 6.0, 1.0], [8.0, 2.0, 1.0]])
    far = 60 + rng.normal(size=(2, 3))
    x, X = rng.normal(size=(4, 2)), rng.normal(size=(6, 2))
    x[1] = X[4]  # a measured place among others: its own measurement is not all that counts
    return [
        Case(
            "half-way, and at a measured place, worked by hand",
            (np.array([[0.5], [0.0], [0.5]]), line, two, float(np.sqrt(1 / np.log(9)))),
            "half-way the weights are 1/2 and 1/2; at 0 the score is 0 for the one and −ln 3 for the other",
            expected=np.array([[4.0, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
        Case(
            "fresh numbers",
            (
                x,
                X,
                rng.normal(size=(6, 3)),
                float(rng.uniform(0.4, 2)),
            ),
            "each place in x meets each place in X, so the squared distances have the shape (T, S)",
            2,
            properties=between,
        ),
        Case(
            "a wide bandwidth",
            (rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.integers(-9, 10, size=(5, 2)), 9.0),
            "with a wide bandwidth every guess comes near the mean",
            properties=between,
        ),
        Case(
            "far from every measurement",
            (far, rng.normal(size=(4, 3)), rng.normal(size=(4, 5)), 1.0),
            "every e^score is 0 in the computer, and 0/0 is NaN: use the softmax that subtracts the "
            "largest score",
            properties=between,
        ),
        Case(
            "one place near, three far away, worked by hand",
            (
                np.array([[0.0, 0.5], [100.0, 0.5], [100.0, 0.0], [100.0, 0.5]]),
                np.array([[0.0, 0.0], [0.0, 1.0]]),
                two,
                float(np.sqrt(1 / np.log(9))),
            ),
            "far away the gaps between the scores are the same as near: 0, 0 and ln 3. Each row needs its "
            "own largest score",
            expected=np.array([[4.0, 4, 1], [4, 4, 1], [2, 5, 1], [4, 4, 1]]),
        ),
    ]


EXERCISE = Exercise(
    id="04.nadaraya_watson",
    title="The formula of 1964",
    reference=nadaraya_watson,
    cases=nadaraya_watson_cases,
    hints=(
        "It is attention with another score. First make the (T, S) array of squared distances.",
        "Each place in x meets each place in X: `x[:, None, :] - X` has the shape (T, S, d). Square it, "
        "and sum over the last axis.",
        "`scores = -squared / (2 * bandwidth**2)`; then softmax along each row, then `@ Y`.",
    ),
    mistakes=(
        Mistake(
            "row_against_row",
            lambda x, X, Y, bandwidth: softmax(-((x - X) ** 2).sum(axis=-1) / (2 * bandwidth**2)) @ Y,
            "`x - X` pairs row with row. Each place in x must meet each place in X: `x[:, None, :] - X` "
            "has the shape (T, S, d).",
        ),
        Mistake(
            "distance_not_squared",
            lambda x, X, Y, bandwidth: softmax(-np.sqrt(squares(x, X)) / (2 * bandwidth**2)) @ Y,
            "You used the distance. The score needs its square: leave the root out.",
        ),
        Mistake(
            "two_forgotten",
            lambda x, X, Y, bandwidth: softmax(-squares(x, X) / bandwidth**2) @ Y,
            "The 2 is missing: divide by 2·bandwidth².",
        ),
        Mistake(
            "bandwidth_not_squared",
            lambda x, X, Y, bandwidth: softmax(-squares(x, X) / (2 * bandwidth)) @ Y,
            "You divided by 2·bandwidth. The bandwidth is squared in the formula.",
        ),
        Mistake(
            "minus_sign_forgotten",
            lambda x, X, Y, bandwidth: softmax(squares(x, X) / (2 * bandwidth**2)) @ Y,
            "The minus sign is missing: far measurements now weigh most. The score is *minus* the "
            "squared distance.",
        ),
        Mistake(
            "normalized_over_queries",
            lambda x, X, Y, bandwidth: mean_with(np.exp(-squares(x, X) / (2 * bandwidth**2)), Y, axis=0),
            "Your columns sum to 1. Each query has its own weights: normalize along each row.",
        ),
        Mistake(
            "not_normalized",
            lambda x, X, Y, bandwidth: np.exp(-squares(x, X) / (2 * bandwidth**2)) @ Y,
            "Your weights do not sum to 1. Divide each row by its sum, or use softmax.",
        ),
        Mistake(
            "nothing_left_far_away",
            lambda x, X, Y, bandwidth: mean_with(np.exp(-squares(x, X) / (2 * bandwidth**2)), Y),
            "Right nearby, but far away every e^score is 0 and you divide 0 by 0. Use the softmax "
            "that shifts first.",
        ),
        Mistake(
            "one_shift_for_all",
            one_shift_for_all,
            "You subtracted one number from all scores. Beside a near place, a far one is then 0 / 0. Each "
            "row needs its own largest score.",
        ),
        Mistake(
            "nearest_far_away",
            nearest_far_away,
            "Where the result is NaN, you put the nearest measurement. The others count there, too: use the "
            "softmax that shifts first.",
        ),
        Mistake(
            "dot_product",
            lambda x, X, Y, bandwidth: softmax(x @ X.T / (2 * bandwidth**2)) @ Y,
            "Your score is a dot product. Here it is minus the squared distance.",
        ),
        Mistake(
            "mean_over_the_coordinates",
            lambda x, X, Y, bandwidth: softmax(-squares(x, X) / X.shape[1] / (2 * bandwidth**2)) @ Y,
            "You took the mean over the coordinates of a place. A squared distance is their sum.",
        ),
        Mistake(
            "bandwidth_multiplied",
            lambda x, X, Y, bandwidth: softmax(-squares(x, X) * bandwidth**2 / 2) @ Y,
            "You multiplied by the bandwidth squared. Divide by it: a wide bandwidth makes the "
            "weights alike.",
        ),
        *MORE,
    ),
    alternatives=(nadaraya_watson_by_dot_product, nadaraya_watson_by_loop),
    stars=2,
    minutes=15,
)
