"""More wrong answers of 03.lstm_step."""

from itertools import permutations

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.layers import sigmoid


def _cut(order):
    """Return an LSTM step that takes the four parts of the columns in another order."""

    def answer(x, h, c, W, U, b):
        part = dict(zip(order, np.split(x @ W + h @ U + b, 4), strict=True))
        c = sigmoid(part["f"]) * c + sigmoid(part["i"]) * np.tanh(part["g"])
        return sigmoid(part["o"]) * np.tanh(c), c

    return answer


def _ending(ending):
    """Return an LSTM step with its own last lines, from the parts i, f, g, o and the old h and c."""
    return lambda x, h, c, W, U, b: ending(*np.split(x @ W + h @ U + b, 4), h, c)


def _new(i, f, g, c):
    return sigmoid(f) * c + sigmoid(i) * np.tanh(g)


def _shown(o, c):
    return sigmoid(o) * np.tanh(c), c


def _in_turns(x, h, c, W, U, b):
    parts = x @ W + h @ U + b
    i, f, g, o = (parts[place::4] for place in range(4))
    return _shown(o, _new(i, f, g, c))


MORE = (
    *(
        Mistake(
            f"columns_in_the_order_{order}",
            _cut(order),
            f"You use the columns as if in the order {', '.join(order)}. PyTorch's order, as here, is "
            "i, f, g, o.",
        )
        for order in map("".join, permutations("ifgo"))
        if order not in ("ifgo", "figo")
    ),
    Mistake(
        "forget_gate_through_tanh",
        _ending(lambda i, f, g, o, h, c: _shown(o, np.tanh(f) * c + sigmoid(i) * np.tanh(g))),
        "Your forget gate f goes through tanh, and a gate goes through sigmoid.",
    ),
    Mistake(
        "input_gate_through_tanh",
        _ending(lambda i, f, g, o, h, c: _shown(o, sigmoid(f) * c + np.tanh(i) * np.tanh(g))),
        "Your input gate i goes through tanh, and a gate goes through sigmoid.",
    ),
    Mistake(
        "output_gate_through_tanh",
        _ending(lambda i, f, g, o, h, c: (np.tanh(o) * np.tanh(_new(i, f, g, c)), _new(i, f, g, c))),
        "c is right. But your output gate o goes through tanh, and a gate goes through sigmoid.",
    ),
    Mistake(
        "output_gate_not_squashed",
        _ending(lambda i, f, g, o, h, c: (o * np.tanh(_new(i, f, g, c)), _new(i, f, g, c))),
        "c is right. But your output gate o is used as it is, and a gate goes through sigmoid.",
    ),
    Mistake(
        "no_gate_squashed",
        _ending(lambda i, f, g, o, h, c: (o * np.tanh(f * c + i * np.tanh(g)), f * c + i * np.tanh(g))),
        "Your gates i, f and o are used as they are. A gate is a share between 0 and 1: sigmoid.",
    ),
    Mistake(
        "proposal_not_squashed",
        _ending(lambda i, f, g, o, h, c: _shown(o, sigmoid(f) * c + sigmoid(i) * g)),
        "The tanh around the proposal g is missing.",
    ),
    Mistake(
        "old_h_returned",
        _ending(lambda i, f, g, o, h, c: (h, _new(i, f, g, c))),
        "c is right, but you return the old h. The new one is made from the new c: o times tanh of c.",
    ),
    Mistake(
        "forget_gate_for_both",
        _ending(lambda i, f, g, o, h, c: _shown(o, _new(f, f, g, c))),
        "You used the gate f twice. The proposal g is multiplied by the gate i.",
    ),
    Mistake(
        "input_gate_for_both",
        _ending(lambda i, f, g, o, h, c: _shown(o, _new(i, i, g, c))),
        "You used the gate i twice. The old c is multiplied by the gate f.",
    ),
    Mistake(
        "columns_in_turns",
        _in_turns,
        "You took every fourth column for a part. The parts stand side by side: the first F columns are i.",
    ),
)
