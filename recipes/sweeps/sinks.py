"""Chapter 17: heads that are idle at most tokens, with a softmax, a learned sink and an output gate."""

import numpy as np

from sweep import chapter_code

KINDS, RATES, SEEDS = ("softmax", "sink", "gate", "busy"), (0.003, 0.01, 0.03), 8


def sweep():
    """Return, for each kind of head and each rate, what `measured` finds for each seed."""
    page = chapter_code("sinks")
    page["torch"].set_num_threads(1)
    return {
        kind: {
            str(rate): [
                [round(x, 4) for x in page["measured"](page["trained"](kind, rate, seed))]
                for seed in range(SEEDS)
            ]
            for rate in RATES
        }
        for kind in KINDS
    }


def agrees(recorded, fresh):
    """Assert that both runs find the sink of an idle head, that softmax needs it, and the control."""
    for run in (recorded, fresh):
        softmax, sink, gate, busy = (np.array(run[kind]["0.01"]) for kind in KINDS)
        assert softmax[:, 0].min() > 0.6
        assert busy[:, 0].max() < 0.05
        assert np.median(softmax[:, 4]) > 3 * max(np.median(each[:, 4]) for each in (sink, gate))
        assert np.abs(busy[:, 4]).max() < 0.01
