"""16.qk_norm_weights: Queries and keys of one length."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .qk_norm_weights_wrong import MORE
from .shared import different


def _normed(x):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True))


def qk_norm_weights(Q, K):
    """Return A (T, S) for Q (T, d) and K (S, d), each row brought to root mean square 1 first."""
    return softmax(_normed(Q) @ _normed(K).T / np.sqrt(Q.shape[1]))


def _with(q=_normed, k=_normed, scale=np.sqrt):
    return lambda Q, K: softmax(q(Q) @ k(K).T / scale(Q.shape[1]))


def _unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def _by_cosine(Q, K):
    scores = _unit(Q) @ _unit(K).T * Q.shape[1] ** 0.5
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _cases(rng):
    T, S, d = different(rng, 3)
    Q, K = rng.normal(size=(T, d)), rng.normal(size=(S, d))
    sharp = (
        "no weight is more than e to the 2 √d times another",
        lambda A, Q, K: (A.max(axis=-1) <= A.min(axis=-1) * np.exp(2 * np.sqrt(Q.shape[1])) * 1.001).all(),
    )
    hand = np.array([[3.0, 0, 0, 0]]), np.array([[7.0, 0, 0, 0], [0, 2, 0, 0]])
    return [
        Case(
            "along and across, by hand",
            hand,
            "The rows become (2, 0, 0, 0) and (0, 2, 0, 0): the scores are 4/2 and 0.",
            expected=np.array([[np.exp(2), 1]]) / (1 + np.exp(2)),
        ),
        Case("random sizes", (Q, K), "Norm first, then the product, then √d.", properties=(sharp,)),
        Case("a thousand times longer", (1000 * Q, 50 * K), "Length must not matter.", properties=(sharp,)),
        Case(
            "a million times shorter",
            (1e-6 * Q, 1e-4 * K),
            "There is no epsilon: length must not matter.",
            properties=(sharp,),
        ),
        Case("far from 0", (Q + 4, K - 2), "RMS norm subtracts no mean.", properties=(sharp,)),
        Case("wider", (rng.normal(size=(T, 4 * d)), rng.normal(size=(S, 4 * d))), "√d grows with the width."),
    ]


EXERCISE = Exercise(
    id="16.qk_norm_weights",
    title="Queries and keys of one length",
    reference=qk_norm_weights,
    cases=_cases,
    hints=(
        "How long is a row whose root mean square is 1? And how large can a score become then?",
        "Divide each row of Q and of K by np.sqrt((row**2).mean()). Then attention weights as ever.",
        "q = Q / np.sqrt((Q**2).mean(-1, keepdims=True)), the same for K; softmax(q @ k.T / np.sqrt(d))",
    ),
    mistakes=(
        Mistake(
            "epsilon_of_a_millionth",
            lambda Q, K: softmax(
                Q
                / np.sqrt((Q**2).mean(axis=-1, keepdims=True) + 1e-6)
                @ (K / np.sqrt((K**2).mean(axis=-1, keepdims=True) + 1e-6)).T
                / np.sqrt(Q.shape[1])
            ),
            "You added 1e-6 under the root. Here the norm has no epsilon, so that short rows count like "
            "long ones.",
        ),
        Mistake(
            "no_norm",
            _with(lambda x: x, lambda x: x),
            "These are plain attention weights. Bring queries and keys to one length first.",
        ),
        Mistake("queries_only", _with(k=lambda x: x), "The keys still have their own lengths. Norm both."),
        Mistake("keys_only", _with(q=lambda x: x), "The queries still have their own lengths. Norm both."),
        Mistake(
            "unit_length",
            _with(_unit, _unit),
            "Your scores are d times too small, as with rows of length 1. Root mean square 1 is length √d.",
        ),
        Mistake(
            "scale_forgotten",
            _with(scale=lambda d: 1),
            "√d is missing, which this norm does not replace. Divide the scores by it.",
        ),
        Mistake(
            "cosines_for_scores",
            _with(scale=lambda d: d),
            "Your scores are cosines, between -1 and 1. With rows of root mean square 1, and divided by √d, "
            "they reach √d.",
        ),
        Mistake(
            "mean_subtracted",
            _with(*2 * [lambda x: _normed(x - x.mean(axis=-1, keepdims=True))]),
            "You subtracted the mean: that is layer norm. RMS norm leaves it.",
        ),
        Mistake(
            "over_tokens",
            _with(*2 * [lambda x: x / np.sqrt((x**2).mean(axis=0, keepdims=True))]),
            "You normed the columns. Each query and each key is a row: axis=-1.",
        ),
        Mistake(
            "scores_normed",
            lambda Q, K: softmax(_normed(Q @ K.T / np.sqrt(Q.shape[1]))),
            "You normed the scores. The norm acts on queries and keys, before they meet.",
        ),
        *MORE,
    ),
    alternatives=(_by_cosine,),
    stars=1,
    minutes=10,
)
