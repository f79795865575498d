"""Run beside the student's answer: no right answer stands here, or may be imported."""

import numpy as np


def run_greedy(answer, table, source, start, stop, longest):
    """Return what the answer writes; table (M, V) holds logits, chosen by the source and what is written."""

    def step(source, target):
        target = np.asarray(target, dtype=int)
        places = np.cumsum((np.arange(len(target)) + 1) * (target + 3)) + 7 * int(np.sum(source))
        return table[places % len(table)].copy()

    return answer(step, source, start, stop, longest)
