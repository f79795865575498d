"""Run beside the student's answer: no right answer stands here, or may be imported."""

import numpy as np


def run_explanation(answer, a, V):
    """Return facts about other weights: there are many right ones."""
    b = answer(a, V)
    if b is None:
        return None
    b = np.asarray(b, dtype=float)
    if b.shape != a.shape:
        raise ValueError(f"the new weights have shape {b.shape}, the old ones {a.shape}: one for each token")
    return {
        "output": b @ V,
        "sum of the weights": float(b.sum()),
        "no weight is below 0": bool((b > -1e-9).all()),
        "another map": bool(np.abs(b - a).max() > 1e-6),
        "a weight became 0": bool((np.abs(b) < 1e-9).any()),
    }
