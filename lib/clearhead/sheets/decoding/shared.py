"""What exercises of this sheet share."""

from itertools import product

import numpy as np

from clearhead.maths.softmax import log_softmax


def ranks(z):
    """Return how many tokens come before each one, largest first."""
    return np.argsort(np.argsort(-z, kind="stable"), kind="stable")


def search(
    keep, score=lambda total, new: total + new, log_p=log_softmax, finish=lambda text, total: (text, total)
):
    """Return a beam search with its own rule for what is kept, added up and returned."""

    def answer(step, ids, length, width):
        beams = [(list(ids), 0.0)]
        for i in range(length):
            longer = [
                ([*text, v], score(total, new))
                for text, total in beams
                for v, new in enumerate(log_p(np.asarray(step(text))))
            ]
            beams = keep(longer, width, i)
        return finish(*beams[0])

    return answer


def best_of(beams, width, _=0):
    """Return the `width` beams with the largest sums, best first."""
    return sorted(beams, key=lambda beam: -beam[1])[:width]


def exhaustive(step, ids, length, width):
    """Return the likeliest of all V^length texts."""
    V = len(step(ids))
    found = []
    for new in product(range(V), repeat=length):
        total = sum(log_softmax(step([*ids, *new[:i]]))[v] for i, v in enumerate(new))
        found.append(([*ids, *new], float(total)))
    return max(found, key=lambda beam: beam[1])
