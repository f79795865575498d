"""Run beside the student's answer: no right answer stands here, or may be imported."""

import tracemalloc

import numpy as np
from numpy.random import default_rng

FEW, MANY = "a few scores at a time", "too many scores at once"


def _held(attend, share, scores):
    """Return what attend gives, and in words whether it held more than a share of all scores at once."""
    running = tracemalloc.is_tracing()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        Z = attend()
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        if not running:
            tracemalloc.stop()
    table = 8 * scores
    return {"Z": Z, "held": MANY if table > 200_000 and peak > share * table else FEW}


def _stream(scores, sizes):
    """Yield the scores in pieces, all in the same place in memory: the next piece overwrites the last one.

    Instead of the scores, `scores` may be the seed that they are drawn from, or a function that returns the
    next piece, as `fed` makes it.
    """
    room = np.empty(max(sizes))
    following = scores if callable(scores) else _pieces(scores, sizes).__next__
    for size in sizes:
        room[:size] = following()
        yield room[:size]


def _pieces(scores, sizes):
    """Yield the pieces of given scores, or of scores that are drawn from a seed."""
    drawn, start = default_rng(scores).normal if isinstance(scores, int) else None, 0
    for size in sizes:
        yield drawn(size=size) if drawn else scores[start : start + size]
        start += size


def fed(scores, sizes):
    """Return arguments of `run_online` whose scores stay with the caller, which hands out each piece once.

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
    """Return what an answer makes of a stream of scores, and whether it kept more than a few of them."""

    def read():
        highest, total = answer(_stream(scores, sizes))
        return highest, total

    found = _held(read, 0.2, sum(sizes))
    return {"highest": found["Z"][0], "total": found["Z"][1], "held": found["held"]}


def run_chunked(answer, Q, K, V, chunk):
    return _held(lambda: answer(Q, K, V, chunk), 0.3, len(Q) * len(K))


def run_cache(answer, x_of_each_token, W_q, W_k, W_v):
    """Return the rows that a text gets token by token, and the cache at its end."""
    K, V, rows = np.zeros((0, W_k.shape[1])), np.zeros((0, W_v.shape[1])), []
    for x in x_of_each_token:
        z, K, V = answer(x, K, V, W_q, W_k, W_v)
        rows.append(np.array(z))
        K, V = np.array(K), np.array(V)
    return {"Z": np.array(rows), "K": K, "V": V}


def run_linear(answer, Q, K, V):
    return _held(lambda: answer(Q, K, V), 0.4, len(Q) * len(K))
