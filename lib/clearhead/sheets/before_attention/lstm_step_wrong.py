"""More wrong answers of 03.lstm_step."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.activations import sigmoid


def _cut(order):
    """Return an LSTM step that takes the four parts of the columns in another order."""

    def answer(x, h, c, W, U, b):
        part = dict(zip(order, np.split(x @ W + h @ U + b, 4), strict=True))
        c = sigmoid(part["f"]) * c + sigmoid(part["i"]) * np.tanh(part["g"])
        return sigmoid(part["o"]) * np.tanh(c), c

    return answer


def _output_gate_through_tanh(x, h, c, W, U, b):
    i, f, g, o = np.split(x @ W + h @ U + b, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return np.tanh(o) * np.tanh(c), c


MORE = (
    *(
        Mistake(
            f"columns_in_the_order_{order}",
            _cut(order),
            f"You cut the columns in the order {', '.join(order)}. PyTorch's order, as here, is i, f, g, o.",
        )
        for order in ("fiog", "ifog", "igfo")
    ),
    Mistake(
        "output_gate_through_tanh",
        _output_gate_through_tanh,
        "c is right. But your output gate o goes through tanh, and a gate goes through sigmoid.",
    ),
)
