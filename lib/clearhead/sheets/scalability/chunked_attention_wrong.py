"""More wrong answers of 12.chunked_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def _pieces(S, chunk):
    return [slice(start, start + chunk) for start in range(0, S, chunk)]


def _chunked(
    scale=np.sqrt,
    keep=lambda pieces: pieces,
    total_of=lambda powers: powers.sum(axis=1, keepdims=True),
    shrink_by=lambda old, top: np.exp(old - top),
):
    """Return attention in pieces with another scale, other pieces, or another factor for what came before."""

    def answer(Q, K, V, chunk):
        highest, total, Z = np.full((len(Q), 1), -np.inf), 0.0, 0.0
        for piece in keep(_pieces(len(K), chunk)):
            s = Q @ K[piece].T / scale(Q.shape[1])
            top = np.maximum(highest, s.max(axis=1, keepdims=True))
            shrink, powers = shrink_by(highest, top), np.exp(s - top)
            total = total * shrink + total_of(powers)
            Z, highest = Z * shrink + powers @ V[piece], top
        return Z / total

    return answer


def _by_length(Q, K, V, chunk):
    parts = [softmax(_scores(Q, K[piece])) @ V[piece] * len(K[piece]) for piece in _pieces(len(K), chunk)]
    return sum(parts) / len(K)


def _own_tops(Q, K, V, chunk):
    Z, total = 0.0, 0.0
    for piece in _pieces(len(K), chunk):
        s = _scores(Q, K[piece])
        powers = np.exp(s - s.max(axis=1, keepdims=True))
        Z, total = Z + powers @ V[piece], total + powers.sum(axis=1, keepdims=True)
    return Z / total


def _in_so_many_pieces(Q, K, V, chunk):
    return _chunked(keep=lambda pieces: np.array_split(np.arange(len(K)), chunk))(Q, K, V, chunk)


def _divided_each_time(Q, K, V, chunk):
    highest, total, Z = np.full((len(Q), 1), -np.inf), 0.0, 0.0
    for piece in _pieces(len(K), chunk):
        s = _scores(Q, K[piece])
        top = np.maximum(highest, s.max(axis=1, keepdims=True))
        shrink, powers = np.exp(highest - top), np.exp(s - top)
        total = total * shrink + powers.sum(axis=1, keepdims=True)
        Z, highest = (Z * shrink + powers @ V[piece]) / total, top
    return Z


def _from_the_newest_top(Q, K, V, chunk):
    highest, total, Z = np.full((len(Q), 1), -np.inf), 0.0, 0.0
    with np.errstate(all="ignore"):
        for piece in _pieces(len(K), chunk):
            s = _scores(Q, K[piece])
            top = s.max(axis=1, keepdims=True)
            shrink, powers = np.exp(highest - top), np.exp(s - top)
            total = total * shrink + powers.sum(axis=1, keepdims=True)
            Z, highest = Z * shrink + powers @ V[piece], top
        return Z / total


def _two_tops(Q, K, V, chunk):
    highest, total, Z = np.full((len(Q), 1), -np.inf), 0.0, 0.0
    for piece in _pieces(len(K), chunk):
        s = _scores(Q, K[piece])
        own = s.max(axis=1, keepdims=True)
        top = np.maximum(highest, own)
        shrink = np.exp(highest - top)
        total = total * shrink + np.exp(s - top).sum(axis=1, keepdims=True)
        Z, highest = Z * shrink + np.exp(s - own) @ V[piece], top
    return Z / total


def _first_values(Q, K, V, chunk):
    again = np.concatenate([V[: len(K[piece])] for piece in _pieces(len(K), chunk)])
    return _chunked()(Q, K, again, chunk)


MORE = (
    Mistake(
        "both_factors_forgotten",
        _chunked(shrink_by=lambda old, top: 1.0),
        "Where a new largest score comes, shrink both: the total and the mixture so far, by e^(old − new).",
    ),
    Mistake(
        "divided_by_d",
        _chunked(scale=lambda d: d),
        "You divided the scores by d. Divide by its square root.",
    ),
    Mistake(
        "pieces_weighed_by_their_length",
        _by_length,
        "You weighed each piece by how many keys it has. Its weight is the sum of e to its scores.",
    ),
    Mistake(
        "each_piece_from_its_own_top",
        _own_tops,
        "You measure each piece from its own highest score. Measure all from one: the highest so far, with a "
        "shrinking total and Z.",
    ),
    Mistake(
        "last_piece_alone", _chunked(keep=lambda pieces: pieces[-1:]), "Only the last piece has come back."
    ),
    Mistake(
        "first_piece_alone", _chunked(keep=lambda pieces: pieces[:1]), "Only the first piece has come back."
    ),
    Mistake(
        "scaled_by_the_width_of_the_values",
        lambda Q, K, V, chunk: _chunked(lambda d: np.sqrt(V.shape[1]))(Q, K, V, chunk),
        "You divided by the root of the width of the values. It is the root of the width of the queries: "
        "Q.shape[1].",
    ),
    Mistake(
        "scaled_by_the_chunk",
        lambda Q, K, V, chunk: _chunked(lambda d: np.sqrt(chunk))(Q, K, V, chunk),
        "You divided by the root of `chunk`. It is the root of the width of the queries: Q.shape[1].",
    ),
    Mistake(
        "scaled_by_the_number_of_keys",
        lambda Q, K, V, chunk: _chunked(lambda d: np.sqrt(len(K)))(Q, K, V, chunk),
        "You divided by the root of how many keys there are. It is the root of the width of the queries: "
        "Q.shape[1].",
    ),
    Mistake(
        "number_of_pieces",
        _in_so_many_pieces,
        "You made `chunk` pieces, so where there are fewer keys some pieces are empty. `chunk` is how many "
        "keys a piece has.",
    ),
    Mistake(
        "divided_in_every_piece",
        _divided_each_time,
        "You divide Z in every piece, and shrink what is divided already. Divide once, at the end.",
    ),
    Mistake(
        "top_of_the_newest_piece",
        _from_the_newest_top,
        "You measure from the top of the newest piece alone, and it can fall: then e to the difference "
        "overflows. Take the highest of all pieces so far.",
    ),
    Mistake(
        "values_from_the_top_of_the_piece",
        _two_tops,
        "Your total is measured from the highest so far, but Z from the top of its piece. Both need the same "
        "powers.",
    ),
    Mistake(
        "values_of_the_first_piece",
        _first_values,
        "You mix the first values again and again. Take the values of the same piece: V[start:start+chunk].",
    ),
    Mistake(
        "one_total_for_all_queries",
        _chunked(total_of=lambda powers: powers.sum()),
        "You divide all queries by one total. Each query has its own: sum along axis 1.",
    ),
)
