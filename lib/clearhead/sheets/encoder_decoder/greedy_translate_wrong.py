"""Wrong ways of 11.greedy_translate."""

import numpy as np


def greedy(
    shown=lambda target, source: target, row=lambda logits: np.argmax(logits[-1]), ends=True,
    finish=lambda target, stopped, stop: target[1:], steps=lambda n: n,
):  # fmt: skip
    """Return a greedy translator in which each of these parts can be replaced by a wrong one."""

    def answer(step, source, start, stop, longest):
        target, stopped = [start], False
        for _ in range(steps(longest)):
            token = int(row(step(source, shown(target, source))))
            if token == stop and ends:
                stopped = True
                break
            target.append(token)
        return finish(target, stopped, stop)

    return answer


def never_empty(step, source, start, stop, longest):
    """Return the words; the first is never looked at."""
    target = [start, int(np.argmax(step(source, [start])[-1]))]
    while len(target) <= longest:
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def deaf(step, source, start, stop, longest):
    """Return the right words, but go on asking after the stop."""
    target = [start]
    for _ in range(longest):
        token = int(np.argmax(step(source, target)[-1]))
        if token != stop:
            target.append(token)
    return target[1:]
