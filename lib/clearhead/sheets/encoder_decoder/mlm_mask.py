"""Cases of 11.mlm_mask."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.text.batches import IGNORE


def _dice(rng, B, S, mask_id, special, most=0.3):
    """Return sentences that contain special tokens, and random numbers that select half of the tokens."""
    ids, others = rng.integers(10, 60, size=(2, B, S))
    u, v = most * rng.random((B, S)), rng.random((B, S))
    ids[1:, 0], ids[:, -1], ids[:, S // 2] = special[0], special[-1], rng.choice(special)
    u[:, 0] = u[:, -1] = u[:, S // 2] = 0.01  # a special token may stand anywhere, and not be the first
    u[:, 1], v[:, 1] = 0.1, 0.85  # a random word and an unchanged one occur in every row
    u[:, 2], v[:, 2] = 0.1, 0.95
    others[others == ids] += 1
    return ids, u, v, others, mask_id, special


def cases(rng):
    B, S = int(rng.integers(3, 6)), int(rng.integers(20, 30))
    ids = np.array([[1, 11, 12, 13, 14, 0]])
    u = np.array([[0.05, 0.10, 0.14, 0.01, 0.60, 0.02]])
    v = np.array([[0.10, 0.30, 0.85, 0.95, 0.20, 0.50]])
    kept = (
        "each target is -100 or the original token",
        lambda out, ids, *rest: ((np.asarray(out[1]) == ids) | (np.asarray(out[1]) == IGNORE)).all(),
    )
    return [
        Case(
            "six tokens, by hand",
            (ids, u, v, np.array([[50, 51, 52, 53, 54, 55]]), 2, (0, 1)),
            "Token 11 becomes the mask token, 12 becomes the random word 52, and 13 stays as it is. The "
            "tokens 1 and 0 are special, so they are never chosen.",
            expected=[
                np.array([[1, 2, 52, 13, 14, 0]]),
                np.array([[IGNORE, 11, 12, 13, IGNORE, IGNORE]]),
            ],
        ),
        Case(
            "u and v exactly at the thresholds",
            (
                np.array([[11, 12, 13, 14]]), np.array([[0.15, 0.10, 0.10, 0.10]]),
                np.array([[0.10, 0.80, 0.90, 0.79]]), np.array([[50, 51, 52, 53]]), 2, (0, 1),
            ),
            "u = 0.15 is not below 0.15. v = 0.8 means a random word, and v = 0.9 leaves the token "
            "unchanged.",
            expected=[np.array([[11, 51, 13, 2]]), np.array([[IGNORE, 12, 13, 14]])],
        ),
        Case("random sentences", _dice(rng, B, S, 2, (0, 1)),
             "u decides which tokens are targets, and v decides what the model reads there.",
             properties=(kept,)),
        Case("other special tokens", _dice(rng, B + 2, S - 4, 9, (4, 5)),
             "Use the arguments mask_id and special.",
             properties=(kept,)),
        Case("few tokens chosen", _dice(rng, B, S + 5, 3, (7,), 1.0),
             "Most tokens have u of 0.15 or more, so they are not chosen.",
             properties=(kept,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases, ids=True)
