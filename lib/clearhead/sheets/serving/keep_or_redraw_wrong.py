"""Other ways of 19.keep_or_redraw, wrong ones and a right one."""

import numpy as np


def redraw(rest, v):
    """Return the first word whose cumulated share is larger than v of all shares."""
    return int(np.searchsorted(np.cumsum(rest), v * rest.sum(), side="right"))


def other(keep=None, rest=None):
    """Return an answer that keeps, or draws again, by another rule."""

    def answer(p, q, drafted, u, v):
        kept = u * q[drafted] < p[drafted] if keep is None else keep(p, q, drafted, u)
        return drafted if kept else redraw(np.maximum(p - q, 0) if rest is None else rest(p, q), v)

    return answer


def by_loop(p, q, drafted, u, v):
    """Return the right word, found by a loop."""
    if u < min(1, p[drafted] / q[drafted]):
        return drafted
    rest = [max(large - small, 0) for large, small in zip(p, q, strict=True)]
    aim, reached = v * sum(rest), 0.0
    for word, share in enumerate(rest):
        reached += share
        if reached > aim:
            return word
    return None
