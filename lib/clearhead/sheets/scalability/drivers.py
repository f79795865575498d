"""Functions that run in the sandbox beside the student's answer, so that no right answer may be used here."""

import tracemalloc

import numpy as np
from numpy.random import default_rng

FEW, MANY = "a few scores at a time", "too many scores at once"
TRACED = 64  # pieces of a stream whose memory is measured


class _Peak:
    """The peak memory of Python and NumPy since the measurement began."""

    def __init__(self):
        self._others = tracemalloc.is_tracing()
        tracemalloc.start()
        tracemalloc.reset_peak()
        self._before, self.bytes = tracemalloc.get_traced_memory()[0], None

    def end(self):
        """End the measurement; only the first call has an effect."""
        if self.bytes is None:
            self.bytes = tracemalloc.get_traced_memory()[1] - self._before
            if not self._others:
                tracemalloc.stop()


def _held(attend, share, scores):
    """Return the result of `attend`, and whether it held more than a given share of all scores at once."""
    peak = _Peak()
    try:
        Z = attend(peak)
    finally:
        peak.end()
    table = 8 * scores
    return {"Z": Z, "held": MANY if table > 200_000 and peak.bytes > share * table else FEW}


def _stream(scores, sizes, peak):
    """Yield the scores in pieces that share one buffer, so that each piece overwrites the one before.

    After the first pieces, the measurement of memory ends. Instead of the scores, `scores` may be the seed
    that they are drawn from, or a function that returns the next piece, as `fed` makes it.
    """
    room = np.empty(max(sizes))
    following = scores if callable(scores) else _pieces(scores, sizes).__next__
    for place, size in enumerate(sizes):
        if place == TRACED:
            peak.end()
        room[:size] = following()
        yield room[:size]


def _pieces(scores, sizes):
    """Yield pieces of given scores, or of scores that are drawn from a seed."""
    drawn, start = default_rng(scores).normal if isinstance(scores, int) else None, 0
    for size in sizes:
        yield drawn(size=size) if drawn else scores[start : start + size]
        start += size


def fed(scores, sizes):
    """Return arguments of `run_online` for which the caller keeps the scores and hands out each piece once.

    An answer can read a generator's local variables. Here it finds neither the scores nor their seed, so it
    cannot read the stream a second time.
    """
    pieces = _pieces(scores, sizes)

    def following():
        for piece in pieces:
            return piece
        raise ValueError("there are no more pieces, because each of them can be read only once")

    return following, sizes


def run_online(answer, scores, sizes):
    """Return what an answer computes from a stream of scores, and whether it kept more than a few of them.

    The memory of the first pieces is measured, because an answer that visits each score in Python takes
    eight times as long while it is measured.
    """

    def read(peak):
        highest, total = answer(_stream(scores, sizes, peak))
        return highest, total

    found = _held(read, 0.3, sum(sizes[:TRACED]))
    return {"highest": found["Z"][0], "total": found["Z"][1], "held": found["held"]}


def run_chunked(answer, Q, K, V, chunk):
    return _held(lambda peak: answer(Q, K, V, chunk), 0.3, len(Q) * len(K))


def run_cache(answer, x_of_each_token, W_q, W_k, W_v):
    """Return the output rows of a text that is processed token by token, and the cache at the end."""
    K, V, rows = np.zeros((0, W_k.shape[1])), np.zeros((0, W_v.shape[1])), []
    for x in x_of_each_token:
        z, K, V = answer(x, K, V, W_q, W_k, W_v)
        rows.append(np.array(z))
        K, V = np.array(K), np.array(V)
    return {"Z": np.array(rows), "K": K, "V": V}


def run_linear(answer, Q, K, V):
    return _held(lambda peak: answer(Q, K, V), 0.4, len(Q) * len(K))
