"""More wrong answers of 04.nadaraya_watson."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _squares(x, X):
    """Return the squared distances (T, S) of the places."""
    return ((x[:, None] - X) ** 2).sum(axis=-1)


def _at_a_measured_place(treat):
    """Return guesses whose scores and values are treated in another way where a place was measured."""

    def answer(x, X, Y, bandwidth):
        squares = _squares(x, X)
        return treat(squares == 0, -squares / (2 * bandwidth**2), Y)

    return answer


def _itself_left_out(hit, scores, Y):
    return softmax(np.where(hit, -np.inf, scores)) @ Y


def _its_own_value(hit, scores, Y):
    return np.where(hit.any(axis=1, keepdims=True), Y[hit.argmax(axis=1)], softmax(scores) @ Y)


MORE = (
    Mistake(
        "measured_place_left_out",
        _at_a_measured_place(_itself_left_out),
        "Where a place in x was measured, you leave out its own measurement. It counts like the others: "
        "its score is 0.",
    ),
    Mistake(
        "measured_place_gives_its_value",
        _at_a_measured_place(_its_own_value),
        "Where a place in x was measured, you return that measurement alone. The others count there, too: "
        "mix all of them.",
    ),
    Mistake(
        "sizes_added",
        lambda x, X, Y, bandwidth: softmax(-np.abs(x[:, None] - X).sum(axis=-1) / (2 * bandwidth**2)) @ Y,
        "You added the sizes of the differences, and never squared them. Square each coordinate, then add.",
    ),
    Mistake(
        "cross_term_without_two",
        lambda x, X, Y, bandwidth: (
            softmax(-((x**2).sum(1)[:, None] + (X**2).sum(1) - x @ X.T) / (2 * bandwidth**2)) @ Y
        ),
        "Where the square is multiplied out, the product x · X stands twice: ‖x‖² + ‖X‖² - 2 x · X. Or "
        "square the differences themselves.",
    ),
    Mistake(
        "lengths_of_the_places_left_out",
        lambda x, X, Y, bandwidth: softmax(x @ X.T / bandwidth**2) @ Y,
        "In your score ‖X‖² is missing, as in a dot product. It differs from place to place and does not "
        "cancel: take the squared distance.",
    ),
    Mistake(
        "divided_by_the_bandwidth",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / bandwidth) @ Y,
        "You divided by the bandwidth alone. Divide by 2 * bandwidth**2.",
    ),
    Mistake(
        "divided_by_the_number",
        lambda x, X, Y, bandwidth: np.exp(-_squares(x, X) / (2 * bandwidth**2)) @ Y / len(X),
        "You divided by how many measurements there are. Divide by the sum of the exponentials.",
    ),
    Mistake(
        "density_in_place_of_shares",
        lambda x, X, Y, bandwidth: (
            np.exp(-_squares(x, X) / (2 * bandwidth**2)) / (bandwidth * np.sqrt(2 * np.pi)) @ Y
        ),
        "You took the density of a normal distribution for a weight. Divide each row by its sum instead.",
    ),
    Mistake(
        "scores_clipped",
        lambda x, X, Y, bandwidth: softmax(np.maximum(-_squares(x, X) / (2 * bandwidth**2), -700)) @ Y,
        "You clip the scores, so far measurements become alike. Subtract the largest score of each row "
        "instead: the gaps stay.",
    ),
    Mistake(
        "bandwidth_added",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / (2 + bandwidth**2)) @ Y,
        "You added 2 and the squared bandwidth. Multiply them.",
    ),
    Mistake(
        "two_squared_as_well",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / (2 * bandwidth) ** 2) @ Y,
        "You squared 2 · bandwidth as a whole. Only the bandwidth is squared: 2 * bandwidth**2.",
    ),
    Mistake(
        "nearest_alone",
        lambda x, X, Y, bandwidth: Y[_squares(x, X).argmin(axis=1)],
        "You took the nearest measurement alone. Mix all of them by their weights.",
    ),
    Mistake(
        "first_coordinate_alone",
        lambda x, X, Y, bandwidth: softmax(-((x[:, :1] - X[:, 0]) ** 2) / (2 * bandwidth**2)) @ Y,
        "You compared the first coordinate alone. Add the squares of all coordinates.",
    ),
    Mistake(
        "sizes_added_then_squared",
        lambda x, X, Y, bandwidth: (
            softmax(-(np.abs(x[:, None] - X).sum(axis=-1) ** 2) / (2 * bandwidth**2)) @ Y
        ),
        "You added the sizes of the differences before you squared. Square first, then add.",
    ),
    Mistake(
        "weights_returned",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / (2 * bandwidth**2)),
        "These are the weights. Mix the measurements with them: weights @ Y.",
    ),
)
