"""03.lstm_step: One step of an LSTM."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import recurrent
from clearhead.maths.layers import sigmoid

from .drivers import by_name_lstm
from .lstm_step_wrong import MORE
from .shared import sizes


def lstm_step(x, h, c, W, U, b):
    """Return the memories h (F) and c (F) after one more token x (D)."""
    return recurrent.lstm_step(
        x, h, c, {"input": {"weight": W, "bias": b}, "hidden": {"weight": U, "bias": np.zeros(len(b))}}
    )


def _lstm_ending(ending):
    """Return an LSTM step that is right up to the four parts i, f, g, o before their squashing."""

    def answer(x, h, c, W, U, b):
        return ending(*np.split(x @ W + h @ U + b, 4), c)

    return answer


def _out(o, c):
    return sigmoid(o) * np.tanh(c), c


def _lstm_cases(rng):
    D, F = sizes(rng, 2)
    shapes = ((D,), (F,), (F,), (D, 4 * F), (F, 4 * F), (4 * F,))
    drawn = tuple(rng.normal(size=shape) for shape in shapes)
    zeros = tuple(np.zeros(shape) for shape in ((2,), (1,), (2, 4), (1, 4), (4,)))
    closed = np.repeat([-40.0, 40, 0, 0], F)
    kept = (
        "with the gate i shut and the gate f open, c stays as it was",
        lambda out, x, h, c, *weights: np.allclose(out["c"], c),
    )
    return [
        Case(
            "all weights zero, c = 3",
            (zeros[0], np.zeros(1), np.array([3]), *zeros[2:]),
            "Every gate is sigmoid(0) = 0.5 and the proposal is tanh(0) = 0, so c = 0.5 · 3 + 0.5 · 0 = 1.5.",
            expected={"h": np.array([0.5 * np.tanh(1.5)]), "c": np.array([1.5])},
        ),
        Case("random", drawn, "The columns come in the order i, f, g, o."),
        Case(
            "f open, i shut",
            (*drawn[:3], 0 * drawn[3], 0 * drawn[4], closed),
            "What does f multiply, and what does i multiply?",
            properties=(kept,),
        ),
        Case("a full memory", (drawn[0], drawn[1], 3 * drawn[2], *drawn[3:]), "c itself is never squashed."),
    ]


EXERCISE = Exercise(
    id="03.lstm_step",
    title="One step of an LSTM",
    reference=lstm_step,
    cases=_lstm_cases,
    hints=(
        "One product with all columns first; then cut it into four parts, in the order i, f, g, o.",
        "i, f, g, o = np.split(x @ W + h @ U + b, 4). Three of them are gates, and go through sigmoid.",
        "c = sigmoid(f) * c + sigmoid(i) * np.tanh(g); then h = sigmoid(o) * np.tanh(c). Return h, c.",
    ),
    mistakes=(
        Mistake(
            "forget_and_input_gate_exchanged",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(i) * c + sigmoid(f) * np.tanh(g))),
            "The gates i and f have changed places: f multiplies the old c, and i the proposal g.",
        ),
        *MORE,
        Mistake(
            "gates_that_sum_to_one",
            _lstm_ending(lambda i, f, g, o, c: _out(o, (1 - sigmoid(i)) * c + sigmoid(i) * np.tanh(g))),
            "You used 1 - i in place of f. That is the idea of the GRU; an LSTM has its own forget gate.",
        ),
        Mistake(
            "gates_through_tanh",
            _lstm_ending(
                lambda i, f, g, o, c: (np.tanh(o) * np.tanh(m := np.tanh(f) * c + np.tanh(i) * np.tanh(g)), m)
            ),
            "Your gates go through tanh, and can be negative. A gate is a share between 0 and 1: sigmoid.",
        ),
        Mistake(
            "proposal_through_sigmoid",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(f) * c + sigmoid(i) * sigmoid(g))),
            "The proposal g goes through tanh: it must be able to lower the memory, too.",
        ),
        Mistake(
            "output_not_squashed",
            _lstm_ending(
                lambda i, f, g, o, c: (sigmoid(o) * (m := sigmoid(f) * c + sigmoid(i) * np.tanh(g)), m)
            ),
            "c is right. In h, put tanh around c before the gate o.",
        ),
        Mistake(
            "output_from_the_old_memory",
            _lstm_ending(
                lambda i, f, g, o, c: (sigmoid(o) * np.tanh(c), sigmoid(f) * c + sigmoid(i) * np.tanh(g))
            ),
            "c is right, but h is made from the c before this step. Make h from the new c.",
        ),
        Mistake(
            "memories_exchanged",
            lambda x, h, c, W, U, b: lstm_step(x, h, c, W, U, b)[::-1],
            "Both are right, but they have changed places: return h, then c.",
        ),
        Mistake(
            "memory_squashed",
            _lstm_ending(lambda i, f, g, o, c: _out(o, np.tanh(sigmoid(f) * c + sigmoid(i) * np.tanh(g)))),
            "You put tanh around the new c itself. c is only squashed on its way into h; it is the straight "
            "way for the gradient.",
        ),
        Mistake(
            "no_bias",
            lambda x, h, c, W, U, b: lstm_step(x, h, c, W, U, 0 * b),
            "The bias b is missing.",
        ),
        Mistake(
            "h_not_read",
            lambda x, h, c, W, U, b: lstm_step(x, 0 * h, c, W, U, b),
            "The old h does not enter. Each part is x @ W + h @ U + b.",
        ),
        Mistake(
            "output_gate_missing",
            _lstm_ending(lambda i, f, g, o, c: (np.tanh(m := sigmoid(f) * c + sigmoid(i) * np.tanh(g)), m)),
            "c is right. h is shown through the gate o: sigmoid(o) times tanh of c.",
        ),
        Mistake(
            "forget_gate_turned",
            _lstm_ending(lambda i, f, g, o, c: _out(o, (1 - sigmoid(f)) * c + sigmoid(i) * np.tanh(g))),
            "Your gate f says what goes. In an LSTM it says what stays: multiply c by sigmoid(f).",
        ),
        Mistake(
            "input_gate_added",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(f) * c + sigmoid(i) + np.tanh(g))),
            "You added the input gate. It multiplies the proposal: i * g.",
        ),
        Mistake(
            "input_gate_is_one_minus_forget",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(f) * c + (1 - sigmoid(f)) * np.tanh(g))),
            "You took 1 - f for the input gate, as a GRU does. An LSTM has an input gate of its own.",
        ),
        Mistake(
            "input_gate_missing",
            _lstm_ending(lambda i, f, g, o, c: _out(o, sigmoid(f) * c + np.tanh(g))),
            "The input gate is missing: the proposal comes in whole. Multiply it by i.",
        ),
        Mistake(
            "forget_gate_missing",
            _lstm_ending(lambda i, f, g, o, c: _out(o, c + sigmoid(i) * np.tanh(g))),
            "The forget gate is missing: all of the old c stays. Multiply it by f.",
        ),
        Mistake(
            "one_memory_returned",
            lambda x, h, c, W, U, b: lstm_step(x, h, c, W, U, b)[0],
            "One thing came back, h or c. Return both.",
        ),
        Mistake(
            "new_memory_through_a_sigmoid",
            _lstm_ending(
                lambda i, f, g, o, c: (lambda c: (sigmoid(o) * sigmoid(c), c))(
                    sigmoid(f) * c + sigmoid(i) * np.tanh(g)
                )
            ),
            "You squashed the new c with a sigmoid. It is h = o * tanh(c).",
        ),
        Mistake(
            "bias_counted_twice",
            lambda x, h, c, W, U, b: lstm_step(x, h, c, W, U, 2 * b),
            "You added the bias twice, once to each product. There is one b for both.",
        ),
        Mistake(
            "output_gate_on_the_old_h",
            lambda x, h, c, W, U, b: (lambda c_new: (sigmoid(np.split(x @ W + h @ U + b, 4)[3]) * h, c_new))(
                lstm_step(x, h, c, W, U, b)[1]
            ),
            "Your output gate multiplies the old h. It multiplies tanh of the new c.",
        ),
    ),
    alternatives=(
        lambda x, h, c, W, U, b: _lstm_ending(
            lambda i, f, g, o, c: _out(o, c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i)))
        )(x, h, c, W, U, b),
    ),
    stars=2,
    minutes=15,
    driver=by_name_lstm,
    returns=("h", "c"),
)
