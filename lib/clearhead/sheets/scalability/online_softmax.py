"""12.online_softmax: A softmax that reads in pieces."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .drivers import FEW, fed, run_online
from .online_softmax_wrong import MORE


def _online(
    top=max, shrink=lambda before, top: np.exp(before - top), start=-np.inf, finish=lambda *both: both
):
    """Return an online softmax in which one step can be changed."""

    def online_softmax(pieces):
        highest, total = start, 0.0
        for piece in pieces:
            before, highest = highest, top(highest, piece.max())
            total = total * shrink(before, highest) + np.exp(piece - highest).sum()
        return finish(highest, total)

    return online_softmax


def _at_once(pieces):
    """Return the highest score and the total of pieces that were kept."""
    scores = np.concatenate(pieces)
    return scores.max(), np.exp(scores - scores.max()).sum()


def _from_zero(pieces):
    """Return the highest score, and a total that is measured from 0."""
    highest, total = -np.inf, 0.0
    for piece in pieces:
        highest, total = max(highest, piece.max()), total + np.exp(piece).sum()
    return highest, total


def _from_the_first_top(pieces):
    """Return the highest score, and a total measured from the top of the first piece until the end."""
    first, highest, total = None, -np.inf, 0.0
    for piece in pieces:
        first, highest = piece.max() if first is None else first, max(highest, piece.max())
        total = total + np.exp(piece - first).sum()
    return highest, total * np.exp(first - highest)


def _by_logarithm(pieces):
    highest, log_total = -np.inf, -np.inf
    for piece in pieces:
        highest = max(highest, piece.max())
        log_total = np.logaddexp(log_total, np.logaddexp.reduce(piece))
    return highest, np.exp(log_total - highest)


def _online_cases(rng):
    S = int(rng.integers(6, 12))
    scores, low = 3 * rng.normal(size=S), rng.normal(size=S) - 2000
    one = ("the total is 1 or more", lambda out, scores, sizes: np.asarray(out["total"]) > 1 - 1e-9)
    fifteen = {"highest": float(np.log(8.0)), "total": 1.875, "held": FEW}
    return [
        Case(
            "four scores in two pieces, by hand",
            (np.log([1.0, 4.0, 2.0, 8.0]), [2, 2]),
            "The highest is ln 8. The total is 1/8 + 4/8 + 2/8 + 8/8 = 15/8.",
            expected=fifteen,
        ),
        Case("the highest comes first", (np.log([8.0, 4.0, 2.0, 1.0]), [1, 2, 1]),
             "Nothing shrinks here: the total is 15/8 again.", expected=fifteen),
        Case("random scores", (scores, [2, 1, S - 3]), "Does the old total shrink when the top rises?",
             properties=(one,)),
        Case("scores far below 0", (low, [S - 2, 2]), "Where does your highest score begin? 0 is too high.",
             properties=(one,)),
        Case("one score at a time", (scores[::-1].copy(), [1] * S), "The size of the pieces does not matter.",
             properties=(one,)),
        Case("scores of a thousand", (1000 + 30 * rng.normal(size=S), [3, S - 3]),
             "e to the 1000 overflows: measure from the highest score.", properties=(one,)),
        Case("first low, then high", (np.concatenate([low, scores]), [S, S]),
             "What was measured from a top far below counts for nothing now.", properties=(one,)),
        Case("half a million scores, drawn from a seed", (int(rng.integers(1 << 32)), [4096] * 128),
             "Keep two numbers only: the scores take 4 MB, and `clearhead grade` gives an answer 2.",
             properties=(one,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="12.online_softmax",
    title="A softmax that reads in pieces",
    reference=_online(),
    cases=_online_cases,
    hints=(
        "Remember two numbers. What happens to the total when a higher score comes?",
        "Each old term was e to (s - old top). Times e to (old top - new top) it is measured from the new.",
        "top = max(highest, piece.max()); total = total * np.exp(highest - top) + np.exp(piece - top).sum(); "
        "highest = top. Begin with highest = -np.inf and total = 0.",
    ),
    mistakes=(
        Mistake(
            "total_not_shrunk",
            _online(shrink=lambda before, top: 1.0),
            "When the top rises, the old total must shrink: it was measured from a lower top.",
        ),
        Mistake(
            "shrunk_the_wrong_way",
            _online(shrink=lambda before, top: np.exp(top - before) if np.isfinite(before) else 0.0),
            "Your total grows when the top rises. The factor is e to (old top - new top), at most 1.",
        ),
        Mistake(
            "top_of_the_last_piece",
            _online(top=lambda before, new: new),
            "You measure from the top of the newest piece. The highest of all pieces so far is needed.",
        ),
        Mistake(
            "starts_at_zero",
            _online(start=0.0),
            "Your highest score begins at 0. If all scores are negative, it stays there: begin at -np.inf.",
        ),
        Mistake(
            "starts_at_minus_a_hundred",
            _online(start=-100.0),
            "Your highest score begins at a number that is low, but scores can be lower: begin at -np.inf.",
        ),
        Mistake(
            "measured_from_the_first_top",
            _from_the_first_top,
            "You measure from the top of the first piece until the end. A later score can be so far above it "
            "that e to the difference overflows: shrink the total when the top rises.",
        ),
        Mistake(
            "measured_from_zero",
            _from_zero,
            "Your total is the sum of e to s. It overflows for large scores: measure from the highest one.",
        ),
        Mistake(
            "pieces_kept",
            lambda pieces: _at_once(list(pieces)),
            "You kept the pieces. The next one comes in the same place in memory and overwrites the last; "
            "keep two numbers only.",
        ),
        Mistake(
            "last_piece_only",
            _online(top=lambda before, new: new, shrink=lambda before, top: 0.0),
            "Only the last piece counts in what you return. Keep the highest so far, and add the old total, "
            "shrunk.",
        ),
        Mistake(
            "logarithm_returned",
            _online(finish=lambda highest, total: (highest, highest + np.log(total))),
            "Your second number is the logarithm of the sum. Return the total, measured from the highest.",
        ),
        Mistake(
            "ratio_of_scores",
            _online(shrink=lambda before, top: before / top if np.isfinite(before) else 0.0),
            "You scaled by a ratio of scores. Scores stand in the exponent: the factor is e to a difference.",
        ),
        Mistake(
            "scores_kept",
            lambda pieces: _at_once([piece.copy() for piece in pieces]),
            "The numbers are right, but you kept all the scores. Keep two numbers, and forget the piece.",
        ),
        *MORE,
    ),
    alternatives=(_by_logarithm,),
    stars=2,
    minutes=15,
    driver=run_online,
    feed=fed,
    returns=("highest", "total"),
    given="`pieces` gives the scores in pieces of these sizes",
    megabytes=2,
)  # fmt: skip
