"""Functions that several exercises of this sheet use."""

import numpy as np

from clearhead.maths.softmax import softmax


def as_bytes(*numbers):
    """Return an array as the bytes of float16 numbers, as a file stores them."""
    return np.array(numbers, dtype="<f2").view(np.uint8)


def blocks_q8_0(scales, codes):
    """Return blocks (N, 34) in the format Q8_0 for scales (N,) and integers (N, 32)."""
    pairs = zip(scales, np.asarray(codes, dtype=np.int8), strict=True)
    return np.stack([np.concatenate([as_bytes(d), q.view(np.uint8)]) for d, q in pairs])


def blocks_q4_1(scales, smallest, codes):
    """Return blocks (N, 20) in the format Q4_1 for scales (N,), minima (N,) and 4-bit integers (N, 32)."""
    codes = np.asarray(codes, dtype=np.uint8)
    halves = codes[:, :16] | codes[:, 16:] << 4
    rows = zip(scales, smallest, halves, strict=True)
    return np.stack([np.concatenate([as_bytes(d, m), q]) for d, m, q in rows])


def causal_weights(rng, T):
    """Return random attention weights (T, T) of tokens that attend to themselves and earlier ones."""
    return softmax(np.where(np.tri(T, dtype=bool), 2 * rng.normal(size=(T, T)), -np.inf))
