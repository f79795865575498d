"""16.linear_recurrence: A memory that forgets."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import linear_attention as library

from .linear_recurrence_wrong import MORE
from .shared import different


def linear_recurrence(decay, x, memory):
    """Return h (T, D): h_t = decay_t h_{t-1} + x_t for decay and x (T, D), from a memory (D,) on."""
    h = []
    for a, row in zip(decay, x, strict=True):
        memory = a * memory + row
        h.append(memory)
    return np.array(h)


def _with(
    step=lambda a, memory, row: a * memory + row, start=lambda memory: memory, say=lambda old, new: new
):
    """Return a recurrence with another step, another start, or one that says another memory."""

    def recur(decay, x, memory):
        memory, h = start(memory), []
        for a, row in zip(decay, x, strict=True):
            old, memory = memory, step(a, memory, row)
            h.append(say(old, memory))
        return np.array(h)

    return recur


def _by_scan(decay, x, memory):
    return library.linear_scan(decay, x) + np.cumprod(decay, axis=0) * memory


def _by_sums(decay, x, memory):
    h = np.zeros(x.shape)
    for t in range(len(x)):
        for s in range(t + 1):
            h[t] += np.prod(decay[s + 1 : t + 1], axis=0) * x[s]
        h[t] += np.prod(decay[: t + 1], axis=0) * memory
    return h


def _cases(rng):
    T, D = different(rng, 2, low=4)
    decay, x, memory = rng.uniform(0.1, 0.99, size=(T, D)), rng.normal(size=(T, D)), rng.normal(size=D)
    closed = decay.copy()
    closed[T // 2] = 0
    return [
        Case(
            "three tokens, one column, by hand",
            (np.array([[0.5], [0.5], [0.1]]), np.array([[1], [2], [3]]), np.array([8.0])),
            "8 / 2 + 1 = 5, 5 / 2 + 2 = 4.5, 0.45 + 3 = 3.45.",
            expected=np.array([[5.0], [4.5], [3.45]]),
        ),
        Case("random sizes", (decay, x, memory), "The decay of a token acts on what was there before it."),
        Case("nothing remembered at first", (decay, x, np.zeros(D)), "Then h_0 is x_0."),
        Case(
            "a decay of 0 in the middle",
            (closed, x, memory),
            "All before is forgotten there: no division helps.",
        ),
        Case("a decay of 1", (np.ones((T, D)), x, memory), "Then it is a running sum."),
    ]


EXERCISE = Exercise(
    id="16.linear_recurrence",
    title="A memory that forgets",
    reference=linear_recurrence,
    cases=_cases,
    hints=(
        "One loop over the tokens, and a row that is kept from one token to the next.",
        "memory = decay[t] * memory + x[t], number by number. Keep each one in a list.",
        "for a, row in zip(decay, x): memory = a * memory + row; h.append(memory). Return np.array(h).",
    ),
    mistakes=(
        Mistake(
            "memory_of_before",
            _with(say=lambda old, new: old),
            "Each token gets the memory from before it was read. It should know itself.",
        ),
        Mistake(
            "starts_empty",
            _with(start=np.zeros_like),
            "You begin with zeros. The memory that is given belongs to the tokens before: begin with it.",
        ),
        Mistake(
            "token_decayed_too",
            _with(lambda a, memory, row: a * (memory + row)),
            "You shrink the new token as well. Its decay acts on the old memory only.",
        ),
        Mistake(
            "a_running_mean",
            _with(lambda a, memory, row: a * memory + (1 - a) * row),
            "You mix with 1 - decay, as a running mean does. Here the token is added whole.",
        ),
        Mistake(
            "decay_on_the_token",
            _with(lambda a, memory, row: memory + a * row),
            "You let the decay act on the token. It says how much of the old memory stays.",
        ),
        Mistake(
            "no_decay",
            _with(lambda a, memory, row: memory + row),
            "Nothing is forgotten: the decay is missing.",
        ),
        Mistake(
            "last_only",
            lambda decay, x, memory: linear_recurrence(decay, x, memory)[-1],
            "You return the last memory only. Return one row for each token.",
        ),
        Mistake(
            "decay_of_the_token_before",
            lambda decay, x, memory: linear_recurrence(
                np.vstack([np.ones((1, x.shape[1])), decay[:-1]]), x, memory
            ),
            "Each token but the first uses the decay of the one before. decay[t] acts, then x[t] is added.",
        ),
        Mistake(
            "first_decay_for_all",
            lambda decay, x, memory: linear_recurrence(decay[:1] + 0 * x, x, memory),
            "You use the decay of the first token for all. It changes from token to token.",
        ),
        *MORE,
    ),
    alternatives=(_by_scan, _by_sums),
    stars=1,
    minutes=10,
)
