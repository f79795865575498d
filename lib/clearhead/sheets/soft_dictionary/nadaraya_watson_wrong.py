"""More wrong answers of 04.nadaraya_watson."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _squares(x, X):
    """Return the squared distances (T, S) of the places."""
    return ((x[:, None] - X) ** 2).sum(axis=-1)


MORE = (
    Mistake(
        "bandwidth_added",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / (2 + bandwidth**2)) @ Y,
        "You added 2 and the squared bandwidth. Multiply them.",
    ),
    Mistake(
        "two_squared_as_well",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / (2 * bandwidth) ** 2) @ Y,
        "You squared 2 h as a whole. Only h is squared: 2 * bandwidth**2.",
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
        "You added the coordinates before you squared. Square first, then add.",
    ),
    Mistake(
        "weights_returned",
        lambda x, X, Y, bandwidth: softmax(-_squares(x, X) / (2 * bandwidth**2)),
        "These are the weights. Mix the values with them: A @ Y.",
    ),
)
