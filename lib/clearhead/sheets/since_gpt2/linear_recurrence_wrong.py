"""More wrong answers of 16.linear_recurrence."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _recur(step, first=0):
    """Return the rows of a memory that step(a, memory, row, start) brings on."""

    def answer(decay, x, memory):
        start, h = memory, []
        for a, row in zip(decay, x, strict=True):
            memory = step(a, memory, row, start)
            h.append(memory)
        return np.array(h)

    return answer


def _right(decay, x, memory):
    return _recur(lambda a, memory, row, start: a * memory + row)(decay, x, memory)


def _one_array(copied):
    """Return a recurrence that writes into one array, and keeps that array for each row."""

    def answer(decay, x, memory):
        h, memory = [], memory.copy() if copied else memory
        for a, row in zip(decay, x, strict=True):
            memory *= a
            memory += row
            h.append(memory)
        return np.array(h)

    return answer


def _written(decay, x, memory):
    h = []
    for a, row in zip(decay, x, strict=True):
        memory *= a
        memory += row
        h.append(memory.copy())
    return np.array(h)


def _cut(decay, x, memory):
    h = np.zeros_like(x)
    for t in range(len(x)):
        memory = decay[t] * memory + x[t]
        h[t] = memory
    return h


MORE = (
    Mistake(
        "one_minus_the_decay",
        _recur(lambda a, memory, row, start: (1 - a) * memory + row),
        "You keep the share 1 - decay. `decay` itself is the share that is kept.",
    ),
    Mistake(
        "one_array_written_into",
        _one_array(False),
        "You write into the caller's `memory`, and every row of yours is that one array: its last state. "
        "Make a new array for each token: memory = decay[t] * memory + x[t].",
    ),
    Mistake(
        "one_array_for_all_rows",
        _one_array(True),
        "All your rows are the last memory: one array was kept for all, or written into all. Row t is a new "
        "array, memory = decay[t] * memory + x[t].",
    ),
    Mistake(
        "memory_written_into",
        _written,
        "The rows are right, but you wrote into the caller's `memory`. Make a new array: memory = decay[t] * "
        "memory + x[t].",
    ),
    Mistake(
        "first_token_forgets_nothing",
        lambda decay, x, memory: _right(np.vstack([np.ones((1, x.shape[1])), decay[1:]]), x, memory),
        "Your first token adds to the whole memory. It keeps the share decay[0] of it, as the others do.",
    ),
    Mistake(
        "cut_to_whole_numbers",
        _cut,
        "Where x holds whole numbers, np.zeros_like(x) does, too, and cuts off decimals. "
        "Take np.zeros(x.shape).",
    ),
    Mistake(
        "first_row_is_the_memory",
        lambda decay, x, memory: np.vstack([memory, _right(decay[1:], x[1:], memory)]),
        "Your first row is the memory from before, and the first token is lost. Row 0 is decay[0] * memory + "
        "x[0].",
    ),
    Mistake(
        "decay_of_the_next_token",
        lambda decay, x, memory: _right(np.vstack([decay[1:], decay[-1:]]), x, memory),
        "Each token but the last uses the decay of the next one. decay[t] belongs to x[t].",
    ),
    Mistake(
        "power_of_the_decay",
        lambda decay, x, memory: _right(decay ** np.arange(len(x))[:, None], x, memory),
        "You took the decay to the power of t. The memory has shrunk at each token before already.",
    ),
    Mistake(
        "e_to_the_minus_decay",
        lambda decay, x, memory: _right(np.exp(-decay), x, memory),
        "You took e to the minus decay. `decay` is itself the share that is kept.",
    ),
    Mistake(
        "sigmoid_of_the_decay",
        lambda decay, x, memory: _right(1 / (1 + np.exp(-decay)), x, memory),
        "You took the sigmoid of the decay. It is itself the share that is kept.",
    ),
    Mistake(
        "columns_added_up",
        _recur(lambda a, memory, row, start: np.sum(a * memory) + row),
        "You added the columns up. Each number of the row has its own memory: decay[t] * memory.",
    ),
    Mistake(
        "first_memory_added_to_all",
        lambda decay, x, memory: _right(decay, x, memory) + memory,
        "You added the first memory to every row once more. It is in there already.",
    ),
    Mistake(
        "first_memory_included",
        lambda decay, x, memory: np.vstack([memory, _right(decay, x, memory)]),
        "You begin with the memory before the first token. The first row is the one after it.",
    ),
    Mistake(
        "from_the_last_token",
        lambda decay, x, memory: _right(decay[::-1], x[::-1], memory)[::-1],
        "You went from the last token to the first. Begin with the first.",
    ),
    Mistake(
        "always_the_first_memory",
        _recur(lambda a, memory, row, start: a * start + row),
        "Each of your tokens begins with the first memory. Keep what the token before has left.",
    ),
    Mistake(
        "the_tokens_are_lost",
        _recur(lambda a, memory, row, start: a * memory),
        "The tokens x are never added.",
    ),
    Mistake(
        "only_the_first_memory_shrinks",
        lambda decay, x, memory: np.cumsum(x, axis=0) + np.cumprod(decay, axis=0) * memory,
        "Only the first memory shrinks. What came with earlier tokens shrinks as well.",
    ),
    Mistake(
        "all_shrinks_alike",
        lambda decay, x, memory: np.cumprod(decay, axis=0) * (memory + np.cumsum(x, axis=0)),
        "You shrink each token by all decays from the first on. Only those after it act on it.",
    ),
    Mistake(
        "token_taken_away",
        _recur(lambda a, memory, row, start: a * memory - row),
        "You take the token away. Add it.",
    ),
    Mistake(
        "divided_by_the_decay",
        _recur(lambda a, memory, row, start: memory / np.where(a == 0, 1, a) + row),
        "You divided by the decay. Multiply.",
    ),
    Mistake(
        "shares_exchanged",
        _recur(lambda a, memory, row, start: (1 - a) * memory + a * row),
        "You keep 1 - decay, and take the share decay of the token. Keep the share decay, and add the token "
        "whole.",
    ),
    Mistake(
        "last_decay_for_all",
        lambda decay, x, memory: _right(decay[-1:] + 0 * x, x, memory),
        "You use the last decay for every token. Each has its own.",
    ),
    Mistake(
        "mean_decay_of_the_row",
        lambda decay, x, memory: _right(decay.mean(axis=1, keepdims=True) + 0 * x, x, memory),
        "You use one decay for the whole row. Each number has its own.",
    ),
    Mistake(
        "decays_multiplied_up",
        lambda decay, x, memory: _right(np.cumprod(decay, axis=0), x, memory),
        "The memory shrinks already at each token: you multiply by all earlier decays once more.",
    ),
)
