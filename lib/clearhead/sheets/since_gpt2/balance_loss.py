"""16.balance_loss: Is everybody busy?"""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import llama
from clearhead.maths.softmax import softmax

from .balance_loss_wrong import MORE
from .shared import different


def balance_loss(scores, gates):
    """Return E Σ f P () for scores and gates (T, E): f shares of choices, P means of softmax(scores)."""
    return llama.balance_loss(scores, gates)


def _with(shares=None, beliefs=None, times=lambda E: E, join=np.multiply):
    def loss(scores, gates):
        chosen = gates > 0
        f = chosen.sum(axis=0) / chosen.sum() if shares is None else shares(chosen, gates)
        P = softmax(scores).mean(axis=0) if beliefs is None else beliefs(scores, gates)
        return times(scores.shape[1]) * join(f, P).sum()

    return loss


def _by_loop(scores, gates):
    E, total = scores.shape[1], 0.0
    for e in range(E):
        f = np.count_nonzero(gates[:, e]) / np.count_nonzero(gates)
        total += f * np.mean([softmax(row)[e] for row in scores])
    return E * total


def _cases(rng):
    T, E = different(rng, 2, 5, 12)
    scores = rng.normal(size=(T, E)) * 2
    gates = llama.top_k_gates(scores, 2)
    lop = scores + 6 * (np.arange(E) == 1)
    hand = np.log([[3.0, 1], [3, 1], [3, 1], [1, 3]])
    return [
        Case(
            "four tokens, two experts, by hand",
            (hand, llama.top_k_gates(hand, 1)),
            "f = (3/4, 1/4). P = (10/16, 6/16). 2 (30/64 + 6/64) = 9/8.",
            expected=9 / 8,
        ),
        Case("random sizes", (scores, gates), "f counts choices, P is a mean over tokens."),
        Case(
            "one expert alone",
            (np.tile([[30.0] + [0.0] * (E - 1)], (T, 1)), np.tile([[1.0] + [0.0] * (E - 1)], (T, 1))),
            "Then the loss is E.",
        ),
        Case(
            "nearly all choose one",
            (lop, llama.top_k_gates(lop, 2)),
            "Two choices a token: divide by all choices.",
        ),
        Case(
            "three experts a token",
            (scores, llama.top_k_gates(scores, 3)),
            "The shares f sum to 1 for every k.",
        ),
        Case(
            "scores near 1,000",
            (scores + 1000, gates),
            "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
        ),
    ]


EXERCISE = Exercise(
    id="16.balance_loss",
    title="Is everybody busy?",
    reference=balance_loss,
    cases=_cases,
    hints=(
        "gates > 0 says who chose whom. How many of all choices fell on each expert?",
        "f = (gates > 0).sum(axis=0) / (gates > 0).sum(), and P = softmax(scores).mean(axis=0).",
        "return E * (f * P).sum(), where E = scores.shape[1]",
    ),
    mistakes=(
        Mistake(
            "not_times_e",
            _with(times=lambda E: 1),
            "Your loss is the sum of f P: E is missing, or a mean divides by it. Balanced, it should be 1.",
        ),
        Mistake(
            "gates_for_shares",
            _with(shares=lambda chosen, gates: gates.mean(axis=0)),
            "You took the mean gate for f. f counts the choices: gates > 0.",
        ),
        Mistake(
            "gates_for_beliefs",
            _with(beliefs=lambda scores, gates: gates.mean(axis=0)),
            "Your P is the mean gate: the softmax of the chosen alone. Take the softmax of all scores.",
        ),
        Mistake(
            "divided_by_tokens",
            _with(shares=lambda chosen, gates: chosen.mean(axis=0)),
            "You divided by the number of tokens, so with k experts a token the shares sum to k.",
        ),
        Mistake(
            "softmax_over_tokens",
            _with(beliefs=lambda scores, gates: softmax(scores.T).T.mean(axis=0)),
            "Your softmax runs over the tokens. Each token spreads its belief over the experts.",
        ),
        Mistake(
            "scores_for_beliefs",
            _with(beliefs=lambda scores, gates: scores.mean(axis=0)),
            "You took the mean of the scores. P is the mean of softmax(scores).",
        ),
        Mistake(
            "shares_squared",
            _with(beliefs=lambda scores, gates: (gates > 0).sum(axis=0) / (gates > 0).sum()),
            "You took f twice. Counting has no gradient: P must be there, too.",
        ),
        Mistake(
            "beliefs_squared",
            _with(
                shares=lambda chosen, gates: 0,
                beliefs=lambda scores, gates: softmax(scores).mean(axis=0) ** 2,
                join=lambda f, P: P,
            ),
            "You took P twice. f, the shares of the choices, is missing.",
        ),
        *MORE,
    ),
    alternatives=(_by_loop, _with(join=lambda f, P: np.atleast_1d(f @ P))),
    stars=2,
    minutes=15,
)
