"""Cases of 12.online_softmax."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .drivers import FEW, fed, run_online


def cases(rng):
    S = int(rng.integers(6, 12))
    scores, low = 3 * rng.normal(size=S), rng.normal(size=S) - 2000
    one = ("the total is at least 1", lambda out, scores, sizes: np.asarray(out["total"]) > 1 - 1e-9)
    fifteen = {"highest": float(np.log(8.0)), "total": 1.875, "held": FEW}
    return [
        Case(
            "four scores in two pieces, by hand",
            (np.log([1.0, 4.0, 2.0, 8.0]), [2, 2]),
            "The highest score is ln 8. The total is 1/8 + 4/8 + 2/8 + 8/8 = 15/8.",
            expected=fifteen,
        ),
        Case("the highest score first, by hand", (np.log([8.0, 4.0, 2.0, 1.0]), [1, 2, 1]),
             "No later score is higher, so nothing is rescaled. The total is 15/8 again.", expected=fifteen),
        Case("random scores", (scores, [2, 1, S - 3]), "Rescale the old total when a higher score appears.",
             properties=(one,)),
        Case("scores far below 0", (low, [S - 2, 2]),
             "All scores are about -2000. Start the highest score at -np.inf, and subtract it before "
             "you take exponentials.",
             properties=(one,)),
        Case("one score at a time", (scores[::-1].copy(), [1] * S),
             "The result does not depend on the size of the pieces.",
             properties=(one,)),
        Case("scores near 1,000", (1000 + 30 * rng.normal(size=S), [3, S - 3]),
             "The exponential of 1,000 overflows, so subtract the highest score first.", properties=(one,)),
        Case("low scores before high ones", (np.concatenate([low, scores]), [S, S]),
             "The first scores are so far below the later ones that their part of the total is rounded "
             "to 0.", properties=(one,)),
        Case("half a million scores, drawn from a seed", (int(rng.integers(1 << 32)), [1024] * 512),
             "Keep only two numbers: all scores take 4 MB, and `clearhead grade` allows an answer only "
             "2 MB.",
             properties=(one,)),
    ]  # fmt: skip


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=run_online,
    feed=fed,
    given={
        "scores": "`pieces` that yield the `scores` {}",
        "sizes": "the `sizes` {} for these pieces",
    },
    returns=("highest", "total"),
    megabytes=2,
)
