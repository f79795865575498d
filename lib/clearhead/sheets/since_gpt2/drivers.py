"""Run beside the student's answer: no right answer stands here, or may be imported."""

import numpy as np


def three_steps(answer, w, gradients, rate, decay):
    """Return what an answer has made of weights and of its two means after some steps."""
    m, v = np.zeros(w.shape), np.zeros(w.shape)
    for t, g in enumerate(gradients, 1):
        w, m, v = answer(w, g, m, v, t, rate, decay)
    return {"w": w, "m": m, "v": v}
