"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""

import tracemalloc

FEW, MANY = "nothing as large as W", "a matrix of D times F entries"


def run_lora(answer, x, dy, A, B, scale):
    """Return both gradients, and whether a matrix of the size of W was created on the way."""
    running = tracemalloc.is_tracing()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        dA, dB = answer(x, dy, A, B, scale)
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        if not running:
            tracemalloc.stop()
    whole = 8 * len(A) * B.shape[1]
    return {"dA": dA, "dB": dB, "held": MANY if whole > 200_000 and peak > 0.8 * whole else FEW}
