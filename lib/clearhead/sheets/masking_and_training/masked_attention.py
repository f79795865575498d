"""Cases of 09.masked_attention."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths import masks

from .shared import sizes


def _blind_to(Z, V, mask):
    """Return whether each row lies between the smallest and largest value that it may attend to."""
    for z, may in zip(np.asarray(Z), mask, strict=True):
        seen = V[may] if may.any() else np.zeros((1, V.shape[1]))
        if not (np.all(z >= seen.min(axis=0) - 1e-9) and np.all(z <= seen.max(axis=0) + 1e-9)):
            return False
    return True


def cases(rng):
    T, S, d, e = sizes(rng, 4)
    T, S = (S, T) if S == 2 else (T, S)
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    mask = rng.random((T, S)) < 0.6
    mask[:, 0], mask[1, -1] = True, True  # a token of the future may be seen: the mask need not be causal
    mask[0, 1:] = False
    inside = (
        "each row is a mixture of the values that it may see",
        lambda Z, Q, K, V, mask: _blind_to(Z, V, mask),
    )
    square = rng.normal(size=(6, d + 1))
    surprise = np.concatenate([V[:1] * 0 + 1, V[:1] * 0 + 1000])
    empty = mask.copy()
    empty[-1] = False
    q, keys = np.zeros((2, 4)), np.zeros((4, 4))
    q[0, 0], q[1, 1], keys[0, 0], keys[1:3, 1] = 400, 1024, -100, (2, 2 + 2 / 1024)
    return [
        Case(
            "two tokens, by hand",
            (np.zeros((2, 3)), np.zeros((2, 3)), np.array([[4.0], [8.0]]), masks.causal_mask(2)),
            "All scores are 0. The first row sees only the value 4. The second sees both, so it gets "
            "their mean, 6.",
            expected=np.array([[4.0], [6.0]]),
        ),
        Case("a random mask", (Q, K, V, mask), "The mask acts on the scores, before the softmax.",
             properties=(inside,)),
        Case(
            "a causal mask",
            (square, 2 * square, rng.normal(size=(6, e)), masks.causal_mask(6)),
            "The first token sees only itself, so its output is its own value.",
            properties=(inside,),
        ),
        Case(
            "a large value at a later position",
            (Q[:2], K[:2], surprise, masks.causal_mask(2)),
            "The first row may not see the value 1000.",
            properties=(inside,),
        ),
        Case("a query that may see no key", (Q, K, V, empty),
             "The last query may see no key, so its output must be zeros, not NaN."),
        Case(
            "a very low score as the only one allowed",
            (q, keys, np.array([[5.0], [1], [3], [7]]),
             np.array([[True, False, False, False], [True, True, True, False]])),
            "The only score that the first row may see is -20,000, so masked scores must be lower. "
            "The second row has 0, 1024 and 1025.",
        ),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
