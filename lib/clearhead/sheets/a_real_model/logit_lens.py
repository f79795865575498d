"""17.logit_lens: What would it say now?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .logit_lens_wrong import MORE


def _lens(
    norm=lambda x: x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5),
    use_gain=True,
    last=softmax,
    states=lambda stream: stream,
):
    def answer(stream, gain, table):
        return last(norm(states(stream)) * (gain if use_gain else 1) @ table.T)

    return answer


def logit_lens(stream, gain, table):
    """Return the probabilities (L, V) of all words, for the L states of one token in stream (L, D)."""
    return _lens()(stream, gain, table)


def _cases(rng):
    L, V, D = (int(n) for n in rng.permutation(np.arange(3, 10))[:3])
    grown = np.cumsum(rng.normal(size=(L, D)), axis=0) + 1
    gain, table = rng.uniform(0.5, 2, size=D), rng.normal(size=(V, D))
    return [
        Case(
            "one state, two words, by hand",
            (np.array([[3.0, 3]]), np.array([1.0, 2]), np.array([[0.0, np.log(2)], [0, 0]])),
            "The norm makes (1, 1) of it, the gain (1, 2), so the logits are 2 ln 2 and 0: 4 to 1.",
            expected=np.array([[0.8, 0.2]]),
        ),
        Case("random states", (grown, gain, table), "Norm, gain, table, softmax: in this order, row by row."),
        Case("long vectors", (100 * grown, gain, table), "The norm takes the length away."),
        Case(
            "very short vectors",
            (0.003 * grown / np.abs(grown).max(), gain, table),
            "Where does the 1e-5 stand?",
        ),
        Case("no gain", (grown, np.ones(D), table), "With a gain of ones only the length changes."),
        Case("one state", (grown[:1], gain, table), "A row of probabilities sums to 1."),
    ]


def _layer_norm(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)


def _of_length_1(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


EXERCISE = Exercise(
    id="17.logit_lens",
    title="What would it say now?",
    reference=logit_lens,
    cases=_cases,
    hints=(
        "Treat each state as if it were the last one: what happens to a vector after the last block?",
        "RMSNorm (divide by the root of the mean square, times the gain), the table of tokens, softmax.",
        "h = gain * stream / np.sqrt((stream**2).mean(axis=-1, keepdims=True) + 1e-5); softmax(h @ table.T)",
    ),
    mistakes=(
        Mistake(
            "norm_forgotten",
            _lens(norm=lambda x: x),
            "You left out the norm. The stream grows from block to block, and the table was trained for "
            "vectors after the norm.",
        ),
        Mistake(
            "gain_forgotten",
            _lens(use_gain=False),
            "You left out the gain of the last norm: each column is stretched by its own number.",
        ),
        Mistake(
            "mean_taken_away",
            _lens(norm=_layer_norm),
            "You took the mean away, as LayerNorm does. RMSNorm only divides.",
        ),
        Mistake(
            "length_not_mean",
            _lens(norm=lambda x: x / np.sqrt((x**2).sum(axis=-1, keepdims=True) + 1e-5)),
            "You divided by the length, which is the root of a sum. RMSNorm divides by the root of the mean "
            "square.",
        ),
        Mistake(
            "softmax_over_layers",
            _lens(last=lambda z: softmax(z.T).T),
            "Your softmax runs over the states. Each row, that is each state, is a guess of its own.",
        ),
        Mistake(
            "logits_not_probabilities",
            _lens(last=lambda z: z),
            "You returned the logits. One step is missing: softmax.",
        ),
        Mistake(
            "cosines",
            lambda stream, gain, table: softmax(_of_length_1(stream * gain) @ _of_length_1(table).T),
            "You compare by cosines: states and rows of the table are brought to length 1. Take the plain "
            "dot products, x @ table.T.",
        ),
        Mistake(
            "states_brought_to_length_1",
            lambda stream, gain, table: softmax(_of_length_1(stream * gain) @ table.T),
            "You brought the states to length 1 after the gain. They are divided before it alone, by the "
            "root of the mean square.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda stream, gain, table: np.stack(
            [softmax(table @ (gain * x / np.sqrt(np.mean(x * x) + 1e-5))) for x in stream]
        ),
    ),
    stars=2,
    minutes=15,
)
