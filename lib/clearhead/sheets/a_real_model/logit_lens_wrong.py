"""More wrong answers of 17.logit_lens."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _normed(x, axis=-1):
    return x / np.sqrt((x**2).mean(axis=axis, keepdims=axis is not None) + 1e-5)


def _read(
    norm=_normed, gained=lambda h, gain: h * gain, states=lambda stream: stream, table_of=lambda t: t,
    last=softmax,
):  # fmt: skip
    """Return logit_lens, in which each of these parts can be replaced by a wrong one."""
    return lambda stream, gain, table: last(gained(norm(states(stream)), gain) @ table_of(table).T)


def _gain_first(stream, gain, table):
    return softmax(_normed(stream * gain) @ table.T)


def _over_all(z):
    e = np.exp(z - z.max())
    return e / e.sum()


MORE = (
    Mistake(
        "no_epsilon",
        _read(norm=lambda x: x / np.sqrt((x**2).mean(axis=-1, keepdims=True))),
        "You left out the 1e-5 inside the root, or yours is far too small. A very short vector stays "
        "shorter with it.",
    ),
    Mistake(
        "epsilon_outside_the_root",
        _read(norm=lambda x: x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + 1e-5)),
        "You added 1e-5 to the root. It stands inside, under the root: that shows with very short vectors.",
    ),
    Mistake(
        "root_forgotten",
        _read(norm=lambda x: x / ((x**2).mean(axis=-1, keepdims=True) + 1e-5)),
        "You divided by the mean square. Take its root.",
    ),
    Mistake(
        "one_norm_for_all_states",
        _read(norm=lambda x: _normed(x, None)),
        "You took one mean square of all states. Each row has its own: axis=-1, keepdims=True.",
    ),
    Mistake(
        "norm_down_the_columns",
        _read(norm=lambda x: _normed(x, 0)),
        "You took the mean square of each column. Each state, a row, has its own: axis=-1.",
    ),
    Mistake(
        "gain_before_the_norm",
        _gain_first,
        "You multiplied by the gain before the norm. The norm comes first, then the gain.",
    ),
    Mistake(
        "gain_added",
        _read(gained=lambda h, gain: h + gain),
        "You added the gain. Multiply by it, column by column.",
    ),
    Mistake(
        "one_plus_the_gain",
        _read(gained=lambda h, gain: h * (1 + gain)),
        "You multiplied by 1 + gain, as some other models do. Here it is the gain itself.",
    ),
    Mistake(
        "divided_by_the_gain",
        _read(gained=lambda h, gain: h / gain),
        "You divided by the gain. Multiply by it.",
    ),
    Mistake(
        "what_each_block_added",
        _read(states=lambda stream: np.diff(stream, axis=0, prepend=0 * stream[:1])),
        "You read what each block added. Read each state as it is: the stream is the sum already.",
    ),
    Mistake(
        "states_added_up",
        _read(states=lambda stream: np.cumsum(stream, axis=0)),
        "You added the states up. Each is the whole stream already: read it as it is.",
    ),
    Mistake(
        "last_state_alone",
        lambda stream, gain, table: _read()(stream[-1:], gain, table)[0],
        "You read the last state alone. Read all L of them: the result has L rows.",
    ),
    Mistake(
        "likeliest_words",
        lambda stream, gain, table: _read()(stream, gain, table).argmax(axis=-1),
        "You returned the likeliest word of each state. Return the probabilities of all words.",
    ),
    Mistake(
        "softmax_over_everything",
        _read(last=_over_all),
        "All your probabilities together sum to 1. Each row should: softmax along the last axis.",
    ),
    Mistake(
        "logarithms",
        _read(last=lambda z: np.log(softmax(z))),
        "You returned the logarithms of the probabilities. Return the probabilities.",
    ),
    Mistake(
        "rows_of_the_table_normed",
        _read(table_of=lambda table: table / np.linalg.norm(table, axis=1, keepdims=True)),
        "You made all rows of the table equally long, as for a cosine. Take them as they are.",
    ),
    Mistake(
        "epsilon_of_a_millionth",
        _read(norm=lambda x: x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6)),
        "Your number inside the root is 1e-6. Here it is 1e-5.",
    ),
    Mistake(
        "variance",
        _read(norm=lambda x: x / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)),
        "You divided by the root of the variance, which takes the mean away. Take the mean of the squares.",
    ),
    Mistake(
        "mean_size",
        _read(norm=lambda x: x / np.abs(x).mean(axis=-1, keepdims=True)),
        "You divided by the mean size. RMSNorm divides by the root of the mean square.",
    ),
    Mistake(
        "largest_number",
        _read(norm=lambda x: x / np.abs(x).max(axis=-1, keepdims=True)),
        "You divided by the largest number, signs aside. RMSNorm divides by the root of the mean square.",
    ),
    Mistake(
        "rows_and_columns_exchanged",
        lambda stream, gain, table: _read()(stream, gain, table).T,
        "Rows and columns are exchanged. A row is a state, a column a word.",
    ),
    Mistake(
        "epsilon_of_a_hundred_millionth",
        _read(norm=lambda x: x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-8)),
        "Your number inside the root is 1e-8. Here it is 1e-5.",
    ),
    Mistake(
        "mean_of_sizes",
        _read(norm=lambda x: x / (np.abs(x).mean(axis=-1, keepdims=True) + 1e-5)),
        "You divided by the mean size. RMSNorm divides by the root of the mean square.",
    ),
    Mistake(
        "multiplied_by_the_root",
        _read(norm=lambda x: x * np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)),
        "You multiplied by the root. Divide by it.",
    ),
    Mistake(
        "square_of_the_mean",
        _read(norm=lambda x: x / np.sqrt(x.mean(axis=-1, keepdims=True) ** 2 + 1e-5)),
        "You took the square of the mean. Take the mean of the squares.",
    ),
    Mistake(
        "logits_normed",
        lambda stream, gain, table: softmax(_normed(stream * gain @ table.T)),
        "You normed the logits. Norm the state, before it meets the table.",
    ),
    Mistake(
        "normed_twice",
        lambda stream, gain, table: softmax(_normed(_normed(stream) * gain) @ table.T),
        "You normed once more after the gain. Once is enough.",
    ),
    Mistake(
        "sigmoid",
        _read(last=lambda z: 1 / (1 + np.exp(-z))),
        "You took a sigmoid of each logit. Softmax compares all words: each row sums to 1.",
    ),
    Mistake(
        "mean_over_one_fewer",
        _read(
            norm=lambda x: x / np.sqrt((x**2).sum(axis=-1, keepdims=True) / max(x.shape[-1] - 1, 1) + 1e-5)
        ),
        "Your mean divides by D - 1. Divide by D.",
    ),
)
