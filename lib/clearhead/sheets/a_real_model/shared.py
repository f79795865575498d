"""What exercises of this sheet share."""

import numpy as np

from clearhead.maths.softmax import softmax


def as_bytes(*numbers):
    """Return numbers in float16 as the bytes of a file."""
    return np.array(numbers, dtype="<f2").view(np.uint8)


def blocks_q8_0(scales, codes):
    """Return blocks of the format Q8_0 (N, 34) with these scales (N,) and whole numbers (N, 32)."""
    pairs = zip(scales, np.asarray(codes, dtype=np.int8), strict=True)
    return np.stack([np.concatenate([as_bytes(d), q.view(np.uint8)]) for d, q in pairs])


def blocks_q4_1(scales, smallest, codes):
    """Return blocks of the format Q4_1 (N, 20) with these numbers (N,), (N,) and (N, 32) from 0 to 15."""
    codes = np.asarray(codes, dtype=np.uint8)
    halves = codes[:, :16] | codes[:, 16:] << 4
    rows = zip(scales, smallest, halves, strict=True)
    return np.stack([np.concatenate([as_bytes(d, m), q]) for d, m, q in rows])


def causal_weights(rng, T):
    """Return random attention weights (T, T) of tokens that see the past only."""
    return softmax(np.where(np.tri(T, dtype=bool), 2 * rng.normal(size=(T, T)), -np.inf))
