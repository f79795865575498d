"""The parts of an attention layer, thirteen ways to break one of them, and eight tests, for `BugHunt`."""

from dataclasses import dataclass, field

import numpy as np

from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.heads import merge_heads, split_heads
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax


def scores(Q, K):
    """Return the scaled attention scores of each head."""
    return Q @ K.mT / np.sqrt(Q.shape[-1])


def weights(S, mask):
    """Return the attention weights, which are 0 for blocked keys."""
    return softmax(np.where(mask, S, -np.inf))


PIECES = {"scores": scores, "weights": weights, "split": split_heads, "merge": merge_heads}


def layer(x, mask, W, num_heads, **broken):
    """Return the outputs and the attention weights of a layer, some parts of which may be replaced."""
    piece = PIECES | broken
    Q, K, V = (piece["split"](x @ W[i], num_heads) for i in range(3))
    A = piece["weights"](piece["scores"](Q, K), mask)
    return piece["merge"](A @ V) @ W[3], A


@dataclass(frozen=True)
class Bug:
    """One broken part: its name, the right line and the broken one, and how to repair it."""

    name: str
    ours: str
    broken: str
    fix: str
    piece: dict = field(repr=False)


def _over_queries(S, mask):
    return softmax(np.where(mask, S, -np.inf).swapaxes(-1, -2)).swapaxes(-1, -2)


def _from_diagonal(k):
    return lambda S, mask: weights(S, np.tril(np.ones(S.shape[-2:], bool), k=k))


def _without_care(S, mask):
    S = np.where(mask, S, -np.inf)
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _without_the_maximum(S, mask):
    e = np.exp(S) * mask
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)


SOFTMAX = "softmax(where(mask, S, -inf))"
TRIL = "mask = tril(ones((T, T)))"
SCALE = "S = Q @ K.T / sqrt(d)"
BUGS = (
    Bug(
        "Softmax over the queries",
        "softmax(S, axis=-1)",
        "softmax(S, axis=-2)",
        "The columns sum to 1 instead of the rows. Apply the softmax over the last axis, that of the keys.",
        {"weights": _over_queries},
    ),
    Bug(
        "Mask after softmax",
        SOFTMAX,
        "softmax(S) * mask",
        "Blocked keys still contribute to the denominator. Mask the scores before the softmax.",
        {"weights": lambda S, mask: softmax(S) * mask},
    ),
    Bug(
        "Zero where minus infinity should be",
        SOFTMAX,
        "softmax(S * mask)",
        "A score of 0 contributes e⁰ = 1 to the softmax, so blocked keys are read. Fill with −∞.",
        {"weights": lambda S, mask: softmax(S * mask)},
    ),
    Bug(
        "A finite mask",
        SOFTMAX,
        "softmax(where(mask, S, -20))",
        "Learned scores can fall below any finite value, and then a blocked key wins. Fill with −∞.",
        {"weights": lambda S, mask: softmax(np.where(mask, S, -20.0))},
    ),
    Bug(
        "The mask upside down",
        SOFTMAX,
        "softmax(where(mask, -inf, S))",
        "True means ‘may look’ here and ‘blocked’ elsewhere. Say which in the name: allowed, or blocked.",
        {"weights": lambda S, mask: weights(S, ~mask)},
    ),
    Bug(
        "One step into the future",
        TRIL,
        "mask = tril(ones((T, T)), k=1)",
        "Each token can see the next one, which is the answer. Use tril with its default.",
        {"weights": _from_diagonal(1)},
    ),
    Bug(
        "Blind to itself",
        TRIL,
        "mask = tril(ones((T, T)), k=-1)",
        "The first token may attend to no token. Allow the diagonal, because a token may attend to itself.",
        {"weights": _from_diagonal(-1)},
    ),
    Bug(
        "NaN from an empty row",
        "softmax with zeros for a row of −∞",
        "e = exp(S - max(S)); e / sum(e)",
        "A row in which all keys are blocked computes −∞ minus −∞. Return zeros for such a row.",
        {"weights": _without_care},
    ),
    Bug(
        "Overflow",
        "e = exp(S - max(S)); e / sum(e)",
        "e = exp(S); e / sum(e)",
        "The exponential of a large score is infinite. First subtract the largest score of the row.",
        {"weights": _without_the_maximum},
    ),
    Bug(
        "No scale",
        SCALE,
        "S = Q @ K.T",
        "The weights are too sharp. Divide by the square root of the dimension of one head's keys.",
        {"scores": lambda Q, K: Q @ K.mT},
    ),
    Bug(
        "The scale of the model",
        SCALE,
        "S = Q @ K.T / sqrt(D)",
        "The weights are too flat. Divide by the square root of the dimension of one head's keys.",
        {"scores": lambda Q, K: Q @ K.mT / np.sqrt(Q.shape[0] * Q.shape[-1])},
    ),
    Bug(
        "Split without transpose",
        "x.reshape(T, H, d).swapaxes(0, 1)",
        "x.reshape(H, T, d)",
        "It mixes tokens that should be kept apart. First reshape to (T, H, d), then swap the axes T and H.",
        {"split": lambda x, num_heads: x.reshape(num_heads, len(x), -1)},
    ),
    Bug(
        "Merge without transpose",
        "z.swapaxes(0, 1).reshape(T, D)",
        "z.reshape(T, D)",
        "The weights are right, but the heads are merged wrongly. Swap the axes H and T, then reshape.",
        {"merge": lambda x: x.reshape(x.shape[1], -1)},
    ),
)

#: For each test, its name, what it requires, and what the number beside each row means.
TESTS = (
    ("The future", "If the last token changes, the earlier outputs must not change.", "change"),
    ("The sum", "Each row of weights must sum to 1.", "sum"),
    (
        "The reach",
        "Every token that a query may attend to, including its own, must have a positive weight.",
        "smallest",
    ),
    ("The order", "Without a mask, permuting the tokens must permute the outputs in the same way.", "error"),
    (
        "The padding",
        "The vectors in the two padded positions at the end must not influence the other outputs.",
        "change",
    ),
    (
        "The size",
        "With inputs 100 times as large, outputs must remain finite and the future hidden.",
        "change",
    ),
    ("The empty row", "If all keys of query 3 are blocked, its weights must be zero, and not NaN.", "sum"),
    ("The witness", "An independent implementation must give the same outputs.", "error"),
)
FUTURE, SUM, REACH, ORDER, PADDING, SIZE, NOWHERE, WITNESS = range(len(TESTS))


def examine(broken, x, W, num_heads, test):
    """Return a test's weights (H, T, T), its number per row (H, T), and which numbers are right (H, T).

    For the test −1, which is the usual input without a test, the numbers are the sums of the rows, and all
    of them are right.
    """
    with np.errstate(all="ignore"):
        return _examine(lambda x, mask: layer(x, mask, W, num_heads, **broken), x, W, num_heads, test)


def _examine(f, x, W, num_heads, test):
    T = len(x)
    causal, fine = causal_mask(T), np.ones((num_heads, T), bool)
    everywhere, last = np.ones((T, T), bool), np.arange(T) == T - 1
    usual, A = f(x, causal)
    if test == FUTURE:
        after, A = f(x + last[:, None], causal)
        return A, *_apart(usual, after, fine, last)
    if test == SUM:
        return A, A.sum(axis=-1), np.isclose(A.sum(axis=-1), 1)
    if test == REACH:
        least = np.where(causal, A, np.inf).min(axis=-1)
        return A, least, least > 0
    if test == ORDER:
        shuffled, A = f(x[::-1], everywhere)
        return A, *_apart(shuffled, f(x, everywhere)[0][::-1], fine)
    if test == PADDING:
        real, wild = everywhere & (np.arange(T) < T - 2), x.copy()
        wild[-2:] = 50 * x[:2]
        after, A = f(wild, real)
        return A, *_apart(f(x, real)[0], after, fine, np.arange(T) >= T - 2)
    if test == SIZE:
        before, after = f(100 * x, causal)[0], f(100 * x * np.where(last, -2, 1)[:, None], causal)[0]
        moved, right = _apart(before, after, fine, last)
        return f(100 * x, causal)[1], moved, right & np.isfinite(before).all()
    if test == NOWHERE:
        A = f(x, causal & (np.arange(T) != 2)[:, None])[1]
        return A, A.sum(axis=-1), (A == 0).all(axis=-1) | (np.arange(T) != 2)
    if test == WITNESS:
        Q, K, V = (split_heads(x @ W[i], num_heads) for i in range(3))
        Z = merge_heads(scaled_dot_product_attention(Q, K, V, causal)[0]) @ W[3]
        return A, *_apart(usual, Z, fine)
    return A, A.sum(axis=-1), fine


def _apart(before, after, fine, changed=False):
    """Return how much each row of outputs changes, for every head, and whether it should change so."""
    same = np.isclose(before, after).all(axis=-1)
    return np.abs(before - after).max(axis=-1) + 0 * fine, fine & (same | changed)
