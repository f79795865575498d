"""12.chunked_attention: Attention in pieces."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .chunked_attention_wrong import MORE
from .drivers import FEW, run_chunked
from .shared import attended


def _chunked(
    shrink_Z=True,
    shrink_total=True,
    scale=np.sqrt,
    finish=lambda Z, total: Z / total,
    end=None,
    top=lambda highest, s: np.maximum(highest, s.max(axis=1, keepdims=True)),
    start=-np.inf,
):
    """Return attention in pieces in which one step can be changed."""

    def chunked_attention(Q, K, V, chunk):
        highest, total, Z = np.full((len(Q), 1), start), 0.0, 0.0
        for first in range(0, len(K) if end is None else end(len(K), chunk), chunk):
            piece = slice(first, first + chunk)
            s = Q @ K[piece].T / scale(Q.shape[1])
            before, highest = highest, top(highest, s)
            shrink, powers = np.exp(before - highest), np.exp(s - highest)
            total = total * (shrink if shrink_total else 1) + powers.sum(axis=1, keepdims=True)
            Z = Z * (shrink if shrink_Z else 1) + powers @ V[piece]
        return finish(Z, total)

    return chunked_attention


def _mean_of_pieces(Q, K, V, chunk):
    starts = range(0, len(K), chunk)
    return np.mean([attended(Q, K[s : s + chunk], V[s : s + chunk]) for s in starts], axis=0)


def _sum_of_pieces(Q, K, V, chunk):
    return _mean_of_pieces(Q, K, V, chunk) * len(range(0, len(K), chunk))


def _merged_by_logarithm(Q, K, V, chunk):
    """Return the pieces' results, merged by the logarithms of their totals."""
    log_totals, parts = [], []
    for start in range(0, len(K), chunk):
        s = Q @ K[start : start + chunk].T / np.sqrt(Q.shape[1])
        log_totals.append(np.logaddexp.reduce(s, axis=1))
        parts.append(softmax(s) @ V[start : start + chunk])
    return np.einsum("pt,pte->te", softmax(np.array(log_totals).T).T, np.array(parts))


def _in_equal_parts(Q, K, V, chunk):
    """Return attention over as many parts of one size as come out even."""
    number = max(len(K) // chunk, 1)
    ready, given = _chunked(), len(K) // number
    if given * number != len(K):
        raise ValueError("array split does not result in an equal division")
    return ready(Q, K, V, given)


def _two_passes(Q, K, V, chunk):
    """Return attention in pieces that finds the highest scores first and adds up afterwards."""
    pieces, root = [slice(first, first + chunk) for first in range(0, len(K), chunk)], np.sqrt(Q.shape[1])
    highest = np.max([(Q @ K[piece].T / root).max(axis=1) for piece in pieces], axis=0)[:, None]
    total = sum(np.exp(Q @ K[piece].T / root - highest).sum(axis=1, keepdims=True) for piece in pieces)
    return sum(np.exp(Q @ K[piece].T / root - highest) @ V[piece] for piece in pieces) / total


def _chunked_cases(rng):
    T, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    S = int(rng.choice([10, 11, 13, 14]))  # divisible by neither 3 nor 4
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    few = [rng.normal(size=(n, width)) for n, width in ((8, 1), (16_384, 1), (16_384, 1))]
    long, longer = (
        [rng.normal(size=(n, width)) for n, width in ((192, 2), (S, 2), (S, 3))] for S in (4096, 32768)
    )
    far = 60 * (np.abs(Q) + 0.5) * (-1) ** np.arange(T)[:, None], 60 * (np.abs(K) + 0.5)
    return [
        Case(
            "one query, four keys, by hand",
            (np.array([[1.0]]), np.log([[1.0], [4.0], [2.0], [8.0]]), np.array([[15.0], [0], [30], [15]]), 2),
            "The powers are 1, 4, 2, 8, together 15. The mixture of 15, 0, 30, 15 is 13.",
            expected={"Z": np.array([[13.0]]), "held": FEW},
        ),
        Case("random sizes, pieces of 3", (2 * Q, K, V, 3), "Total and Z shrink when the top rises."),
        Case("one key at a time", (Q, 2 * K, V, 1), "The size of the pieces does not matter."),
        Case("a last piece that is shorter", (Q[:2], K, V, S - 1), "The last keys count, too."),
        Case("a piece longer than the text", (Q[:2], K, V, S + 5), "Then there is one short piece."),
        Case("large scores", (40 * Q, 40 * K, V, 4), "Measure from the highest score, or e to it overflows."),
        Case("scores far above and far below 0", (*far, V, 4),
             "Each query has its own highest score. Where does yours begin? 0 is too high."),
        Case("8 queries and 16,384 keys, pieces of 256", (*few, 256),
             "One query at a time still makes all its scores at once: read the keys in pieces."),
        Case("192 queries and 4,096 keys, pieces of 64", (*long, 64),
             "Z may be right, but how many scores do you hold? Not many more than queries × chunk."),
        Case("192 queries and 32,768 keys, pieces of 256", (*longer, 256),
             "The whole table takes 50 MB. `clearhead grade` gives an answer 40.", once=True),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="12.chunked_attention",
    title="Attention in pieces",
    reference=_chunked(),
    cases=_chunked_cases,
    hints=(
        "It is the online softmax with a third thing to remember: the sum of powers times values.",
        "Keep highest (T, 1), total (T, 1) and Z (T, e). In each piece, total and Z shrink by one factor.",
        "s = Q @ K[start:start+chunk].T / np.sqrt(d); top = np.maximum(highest, s.max(1, keepdims=True)); "
        "p = np.exp(s - top); f = np.exp(highest - top); total = total * f + p.sum(1, keepdims=True); "
        "Z = Z * f + p @ V[start:start+chunk]; highest = top. At the end Z / total.",
    ),
    mistakes=(
        Mistake(
            "all_at_once",
            lambda Q, K, V, chunk: scaled_dot_product_attention(Q, K, V)[0],
            "Your Z is right, but you held far more scores than queries × chunk. Take `chunk` keys at a "
            "time, and use up each piece before the next one.",
        ),
        Mistake(
            "mean_of_the_pieces",
            _mean_of_pieces,
            "You took the mean of the pieces' results. A piece with high scores must count for more.",
        ),
        Mistake(
            "sum_of_the_pieces",
            _sum_of_pieces,
            "You divided in every piece and added the results. Divide once, at the end, by the whole total.",
        ),
        Mistake(
            "values_not_shrunk",
            _chunked(shrink_Z=False),
            "Your total shrinks when the top rises, but Z does not. Both were measured from the old top.",
        ),
        Mistake(
            "total_not_shrunk",
            _chunked(shrink_total=False),
            "Z shrinks when the top rises, but your total does not. Both were measured from the old top.",
        ),
        Mistake(
            "not_scaled",
            _chunked(scale=lambda d: 1.0),
            "The scores are not divided by the square root of d.",
        ),
        Mistake(
            "last_piece_missing",
            lambda Q, K, V, chunk: (
                _chunked(end=lambda S, chunk: S // chunk * chunk)(Q, K, V, chunk)
                if chunk <= len(K)
                else np.zeros((len(Q), V.shape[1]))
            ),
            "The last keys are missing where the pieces do not come out even. Let the last piece be shorter.",
        ),
        Mistake(
            "never_divided",
            _chunked(finish=lambda Z, total: Z),
            "At the end, divide Z by the total.",
        ),
        Mistake(
            "overflows",
            _chunked(top=lambda highest, s: highest, start=0.0),
            "You take e to the scores themselves, and large ones overflow. Measure from the highest so far.",
        ),
        Mistake(
            "starts_too_high",
            _chunked(start=0.0),
            "Your highest scores begin too high, as at 0. Where all scores of a query are far lower, its "
            "total is 0: begin at -np.inf.",
        ),
        Mistake(
            "one_top_for_all",
            _chunked(top=lambda highest, s: np.maximum(highest, s.max())),
            "You keep one highest score for all queries. A query whose scores are far below it gets a total "
            "of 0: each query needs its own, the highest of its row.",
        ),
        Mistake(
            "pieces_of_equal_size",
            _in_equal_parts,
            "Your pieces must all have the same size, and that fails where the number of keys does not "
            "divide evenly. Let the last piece be shorter.",
        ),
        Mistake(
            "one_query_at_a_time",
            lambda Q, K, V, chunk: np.array([attended(q[None], K, V)[0] for q in Q]),
            "The numbers are right, but each query still makes all its scores at once: read keys in pieces.",
        ),
        *MORE,
    ),
    alternatives=(_merged_by_logarithm, _two_passes),
    stars=3,
    minutes=30,
    driver=run_chunked,
    returns={"Z": "the output that you return"},
    megabytes=40,
)  # fmt: skip
