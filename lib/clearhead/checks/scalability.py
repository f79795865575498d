"""Sheet 12, scalability (over 200 lines: each mistake stands beside its exercise)."""

import tracemalloc

import numpy as np

from clearhead.maths import counting, linear_attention, masks
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.linear_attention import positive_features
from clearhead.maths.softmax import softmax

from .exercise import Case, Exercise, Mistake, Sheet

FEW, MANY = "a few scores at a time", "too many scores at once"


def _held(attend, share, Q, K, *rest):
    """Return what attend gives, and in words whether it held more than a share of the table at once."""
    running = tracemalloc.is_tracing()
    tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    try:
        Z = attend(Q, K, *rest)
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        if not running:
            tracemalloc.stop()
    table = Q.shape[0] * K.shape[0] * 8
    return {"Z": Z, "held": MANY if table > 200_000 and peak > share * table else FEW}


# attention_memory ------------------------------------------------------------------------------------------


def attention_memory(batch, num_heads, length, bytes_per_number):
    """Return the bytes of all attention weights of one layer."""
    return batch * counting.attention_bytes(length, num_heads, bytes_per_number)


def _memory_cases(rng):
    B, H = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    L = int(rng.integers(20, 500))
    return [
        Case("five tokens, by hand", (1, 1, 5, 4), "5 × 5 weights of 4 bytes: 100.", expected=100),
        Case(
            "two texts, three heads",
            (2, 3, 5, 2),
            "2 · 3 tables of 25 weights of 2 bytes: 300.",
            expected=300,
        ),
        Case("random sizes", (B, H, L, 4), "One table for each head of each text."),
        Case("other sizes", (H, 12, 3 * L, 2), "A table of L weights for each of L tokens."),
        Case("a million tokens", (1, 1, 10**6, 2), "2 TB: write it as a whole number of bytes."),
    ]


ATTENTION_MEMORY = Exercise(
    id="12.attention_memory",
    title="Bytes of a table",
    reference=attention_memory,
    cases=_memory_cases,
    hints=(
        "How many tables are there? One for each head of each text.",
        "A table has one weight for each pair of tokens: length squared.",
        "return batch * num_heads * length**2 * bytes_per_number",
    ),
    mistakes=(
        Mistake(
            "linear_in_length",
            lambda batch, num_heads, length, bytes_per_number: batch * num_heads * length * bytes_per_number,
            "You counted one weight a token. Each token has a weight for every token: length squared.",
        ),
        Mistake(
            "twice_the_length",
            lambda batch, num_heads, length, bytes_per_number: (
                batch * num_heads * 2 * length * bytes_per_number
            ),
            "You doubled the length. Squared means length times length.",
        ),
        Mistake(
            "one_head",
            lambda batch, num_heads, length, bytes_per_number: batch * length**2 * bytes_per_number,
            "You counted one head. Each head has a table of its own.",
        ),
        Mistake(
            "one_text",
            lambda batch, num_heads, length, bytes_per_number: num_heads * length**2 * bytes_per_number,
            "You counted one text. Each text of the batch has its own tables.",
        ),
        Mistake(
            "numbers_not_bytes",
            lambda batch, num_heads, length, bytes_per_number: batch * num_heads * length**2,
            "That is how many weights there are. Each takes bytes_per_number bytes.",
        ),
        Mistake(
            "bits",
            lambda batch, num_heads, length, bytes_per_number: (
                8 * batch * num_heads * length**2 * bytes_per_number
            ),
            "You counted bits. The question is about bytes.",
        ),
        Mistake(
            "half_of_the_table",
            lambda batch, num_heads, length, bytes_per_number: (
                batch * num_heads * (length * (length + 1) // 2) * bytes_per_number
            ),
            "You left out the future. A causal mask hides weights, but the table still has its full size.",
        ),
        Mistake(
            "batch_squared_too",
            lambda batch, num_heads, length, bytes_per_number: (
                num_heads * (batch * length) ** 2 * bytes_per_number
            ),
            "You squared the batch as well. Tokens of one text do not look at those of another.",
        ),
    ),
    alternatives=(
        lambda batch, num_heads, length, bytes_per_number: (
            batch * num_heads * length * length * bytes_per_number
        ),
    ),
    stars=1,
    minutes=5,
)

# online_softmax --------------------------------------------------------------------------------------------


def _stream(scores, sizes):
    """Yield the scores in pieces, all in the same place in memory: the next piece overwrites the last one."""
    room, start = np.empty(max(sizes)), 0
    for size in sizes:
        room[:size] = scores[start : start + size]
        yield room[:size]
        start += size


def _run_online(answer, scores, sizes):
    highest, total = answer(_stream(scores, sizes))
    return [highest, total]


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
    one = ("the total is 1 or more", lambda out, scores, sizes: np.asarray(out[1]) > 1 - 1e-9)
    return [
        Case(
            "four scores in two pieces, by hand",
            (np.log([1.0, 4.0, 2.0, 8.0]), [2, 2]),
            "The highest is ln 8. The total is 1/8 + 4/8 + 2/8 + 8/8 = 15/8.",
            expected=[float(np.log(8.0)), 1.875],
        ),
        Case("the highest comes first", (np.log([8.0, 4.0, 2.0, 1.0]), [1, 2, 1]),
             "Nothing shrinks here: the total is 15/8 again.", expected=[float(np.log(8.0)), 1.875]),
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
    ]  # fmt: skip


ONLINE_SOFTMAX = Exercise(
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
            "Only the last piece counts in your total. Add what came before, shrunk.",
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
    ),
    alternatives=(_by_logarithm, lambda pieces: _at_once([piece.copy() for piece in pieces])),
    stars=2,
    minutes=15,
    driver=_run_online,
)  # fmt: skip

# chunked_attention -----------------------------------------------------------------------------------------


def _run_chunked(answer, Q, K, V, chunk):
    return _held(lambda *given: answer(*given, chunk), 0.2, Q, K, V)


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
            s = Q @ K[first : first + chunk].T / scale(Q.shape[1])
            before, highest = highest, top(highest, s)
            shrink, powers = np.exp(before - highest), np.exp(s - highest)
            total = total * (shrink if shrink_total else 1) + powers.sum(axis=1, keepdims=True)
            Z = Z * (shrink if shrink_Z else 1) + powers @ V[first : first + chunk]
        return finish(Z, total)

    return chunked_attention


def _attend(Q, K, V, scale=np.sqrt):
    return softmax(Q @ K.T / scale(Q.shape[1])) @ V


def _mean_of_pieces(Q, K, V, chunk):
    starts = range(0, len(K), chunk)
    return np.mean([_attend(Q, K[s : s + chunk], V[s : s + chunk]) for s in starts], axis=0)


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
    long = [rng.normal(size=(n, width)) for n, width in ((192, 2), (4096, 2), (4096, 3))]
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
        Case("192 queries and 4,096 keys, pieces of 64", (*long, 64),
             "Z may be right, but how many scores do you hold? Never more than queries × chunk.", points=2),
    ]  # fmt: skip


CHUNKED_ATTENTION = Exercise(
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
            "starts_at_zero",
            _chunked(start=0.0),
            "Your highest scores begin at 0. Where all scores of a query are far below 0, its total is 0: "
            "begin at -np.inf.",
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
    ),
    alternatives=(_merged_by_logarithm, _two_passes),
    stars=3,
    minutes=30,
    driver=_run_chunked,
)  # fmt: skip

# sliding_window_mask ---------------------------------------------------------------------------------------


def sliding_window_mask(length, window):
    """Return the mask (L, L) by which each token sees itself and the window - 1 tokens before it."""
    return masks.sliding_window_mask(length, window)


def _back(length):
    """Return how many steps back from query i key j stands."""
    return np.arange(length)[:, None] - np.arange(length)


def _by_rows(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for i in range(length):
        mask[i, max(0, i - window + 1) : i + 1] = True
    return mask


def _slices_below_zero(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


def _columns_below_zero(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for i in range(length):
        for back in range(min(window, length)):
            mask[i, i - back] = True
    return mask


def _window_cases(rng):
    L, w = int(rng.integers(8, 48)), int(rng.integers(2, 8))
    seen = (
        "no token sees more than `window` tokens",
        lambda mask, length, window: (np.asarray(mask) == 1).sum(axis=-1).max() <= window,
    )
    return [
        Case(
            "four tokens, a window of two, by hand",
            (4, 2),
            "Token 3 sees tokens 2 and 3.",
            expected=np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool),
        ),
        Case("random sizes", (L, w), "Rows are queries. Count the True in the last row.", properties=(seen,)),
        Case("other sizes", (L + 3, w + 1), "The window holds the token itself.", properties=(seen,)),
        Case("a window of one", (L, 1), "Each token sees itself alone.", properties=(seen,)),
        Case("a window wider than the text", (4, 9), "Then it is the causal mask.", properties=(seen,)),
    ]


SLIDING_WINDOW_MASK = Exercise(
    id="12.sliding_window_mask",
    title="A sliding window",
    reference=sliding_window_mask,
    cases=_window_cases,
    hints=(
        "How many steps back from token i does token j stand? Which numbers of steps are allowed?",
        "steps = np.arange(length)[:, None] - np.arange(length). Allowed are 0 to window - 1.",
        "return (steps >= 0) & (steps < window)",
    ),
    mistakes=(
        Mistake(
            "one_too_many",
            lambda length, window: (_back(length) >= 0) & (_back(length) <= window),
            "Each token sees one too many. The window counts the token itself: 0 to window - 1 steps back.",
        ),
        Mistake(
            "both_sides",
            lambda length, window: np.abs(_back(length)) < window,
            "Your window looks into the future as well. Steps back must be 0 or more.",
        ),
        Mistake(
            "into_the_future",
            lambda length, window: (-_back(length) >= 0) & (-_back(length) < window),
            "Your window looks forward: rows and columns are swapped. Rows are queries.",
        ),
        Mistake(
            "without_itself",
            lambda length, window: (_back(length) > 0) & (_back(length) < window),
            "A token does not see itself. The first one then sees nothing at all.",
        ),
        Mistake(
            "itself_beside_the_window",
            lambda length, window: (_back(length) > 0) & (_back(length) <= window),
            "The window lies in front of the token and leaves it out. It holds the token itself.",
        ),
        Mistake(
            "causal_only",
            lambda length, window: _back(length) >= 0,
            "That is the causal mask. Tokens `window` or more steps back must be hidden.",
        ),
        Mistake(
            "hidden_is_true",
            lambda length, window: ~masks.sliding_window_mask(length, window),
            "Your mask is True where a token may NOT look. In this book True means: may look.",
        ),
        Mistake(
            "to_be_added",
            lambda length, window: np.where(masks.sliding_window_mask(length, window), 0.0, -np.inf),
            "You made numbers to be added to scores. Return a boolean mask: True means may look.",
        ),
        Mistake(
            "blocks",
            lambda length, window: (
                np.arange(length)[:, None] // window == np.arange(length) // window
            ) & (_back(length) >= 0),
            "Your text is cut into blocks of `window` tokens. A window slides: it ends at each token.",
        ),
        Mistake(
            "slices_below_zero",
            _slices_below_zero,
            "In the first rows your slice begins below 0, and Python counts that from the end. Begin at "
            "max(0, i - window + 1).",
        ),
        Mistake(
            "columns_below_zero",
            _columns_below_zero,
            "In the first rows you write to columns below 0, and Python counts those from the end: early "
            "tokens see late ones. Before the first token there is nothing.",
        ),
    ),
    alternatives=(
        _by_rows,
        lambda length, window: np.tri(length, dtype=bool) & ~np.tri(length, k=-window, dtype=bool),
    ),
    stars=1,
    minutes=10,
)  # fmt: skip

# kv_cache_step ---------------------------------------------------------------------------------------------


def _cache_step(
    keep=np.vstack, scale=lambda x, d: np.sqrt(d), weigh=softmax, give_back=lambda K, V, old: (K, V)
):
    """Return a step with a cache in which one thing can be changed."""

    def kv_cache_step(x, K, V, W_q, W_k, W_v):
        old = K, V
        q, K, V = x @ W_q, keep([K, x @ W_k]), keep([V, x @ W_v])
        z = weigh(K @ q / scale(x, len(q))) @ V
        return (z, *give_back(K, V, old))

    return kv_cache_step


def _past_only(x, K, V, W_q, W_k, W_v):
    z = softmax(K @ (x @ W_q) / np.sqrt(W_q.shape[1])) @ V
    return z, np.vstack([K, x @ W_k]), np.vstack([V, x @ W_v])


def _query_as_key(x, K, V, W_q, W_k, W_v):
    return _cache_step()(x, K, V, W_q, W_q, W_v)


def _all_queries(x, K, V, W_q, W_k, W_v):
    """Return the step, found by the library's attention with one query."""
    K, V = np.concatenate([K, (x @ W_k)[None]]), np.concatenate([V, (x @ W_v)[None]])
    return scaled_dot_product_attention((x @ W_q)[None], K, V)[0][0], K, V


def _run_cache(answer, X, W_q, W_k, W_v):
    """Return the rows that a text gets token by token, and the cache at its end."""
    K, V, rows = np.zeros((0, W_k.shape[1])), np.zeros((0, W_v.shape[1])), []
    for x in X:
        z, K, V = answer(x, K, V, W_q, W_k, W_v)
        rows.append(np.array(z))
        K, V = np.array(K), np.array(V)
    return {"Z": np.array(rows), "K": K, "V": V}


def _cache_cases(rng):
    T, D, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    X, W_q, W_k, W_v = (rng.normal(size=size) for size in ((T, D), (D, d), (D, d), (D, e)))

    def recomputed(out, X, W_q, W_k, W_v):
        Z = scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v, masks.causal_mask(len(X)))[0]
        return np.allclose(np.asarray(out["Z"], dtype=float), Z)

    equal = ("the rows are those of causal attention over the whole text", recomputed)
    log3 = float(np.log(3.0))
    return [
        Case(
            "two tokens, by hand",
            (np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0], [1.0]]), np.array([[0.0], [log3]]),
             np.array([[4.0], [8.0]])),
            "The second token has the scores 0 and ln 3, so the weights 1/4 and 3/4: 1 + 6 = 7.",
            expected={"Z": np.array([[4.0], [7.0]]), "K": np.array([[0.0], [log3]]),
                      "V": np.array([[4.0], [8.0]])},
        ),
        Case("a random text", (X, W_q, W_k, W_v), "First append, then attend.", properties=(equal,)),
        Case("one token", (X[:1], W_q, W_k, W_v), "With an empty cache a token sees itself.",
             properties=(equal,)),
        Case("a longer text", (rng.normal(size=(T + 9, D)), 2 * W_q, W_k, W_v),
             "One row of queries, all keys so far.", properties=(equal,)),
    ]  # fmt: skip


KV_CACHE_STEP = Exercise(
    id="12.kv_cache_step",
    title="A step with a cache",
    reference=_cache_step(),
    cases=_cache_cases,
    hints=(
        "The new token makes one query, one key and one value. Which of the three must be kept?",
        "Append x @ W_k to K and x @ W_v to V. Then one query attends over all rows of K.",
        "K = np.vstack([K, x @ W_k]); V = np.vstack([V, x @ W_v]); "
        "z = softmax(K @ (x @ W_q) / np.sqrt(W_q.shape[1])) @ V; return z, K, V",
    ),
    mistakes=(
        Mistake(
            "past_only",
            _past_only,
            "Your token sees the past, but not itself. Append its key and value first, then attend.",
        ),
        Mistake(
            "cache_not_returned",
            _cache_step(give_back=lambda K, V, old: old),
            "You returned the old cache, so every token starts anew. Return K and V with the new rows.",
        ),
        Mistake(
            "new_row_alone",
            _cache_step(give_back=lambda K, V, old: (K[-1:], V[-1:])),
            "You returned the new key and value alone. The cache holds those of all tokens so far.",
        ),
        Mistake(
            "newest_first",
            _cache_step(keep=lambda rows: np.vstack(rows[::-1])),
            "You put the new row in front. The rows of a cache stand in the order of the text.",
        ),
        Mistake(
            "not_scaled",
            _cache_step(scale=lambda x, d: 1.0),
            "The scores are not divided by the square root of d.",
        ),
        Mistake(
            "scaled_by_the_width_of_x",
            _cache_step(scale=lambda x, d: np.sqrt(len(x))),
            "You divided by the square root of the width of x. The width of the query, d, is what counts.",
        ),
        Mistake(
            "no_softmax",
            _cache_step(weigh=lambda s: s),
            "You mixed with the scores themselves. Softmax makes weights of them.",
        ),
        Mistake(
            "query_kept_as_key",
            _query_as_key,
            "Your keys are made with W_q. A key is x @ W_k.",
        ),
        Mistake(
            "equal_weights",
            _cache_step(weigh=lambda s: np.full(len(s), 1 / len(s))),
            "All tokens got the same weight. The weights come from the query and the keys.",
        ),
    ),
    alternatives=(_all_queries,),
    stars=2,
    minutes=15,
    driver=_run_cache,
)  # fmt: skip

# linear_attention ------------------------------------------------------------------------------------------


def _run_linear(answer, Q, K, V):
    return _held(answer, 0.4, Q, K, V)


def _explicit(Q, K, V):
    """Return linear attention by its table of likeness."""
    likeness = positive_features(Q) @ positive_features(K).T
    return likeness / likeness.sum(axis=1, keepdims=True) @ V


def _brackets(feature_q=positive_features, feature_k=positive_features, total=None):
    """Return linear attention in which the features or the total can be changed."""

    def linear(Q, K, V):
        Q, K = feature_q(Q), feature_k(K)
        norm = Q @ K.sum(axis=0)[:, None] if total is None else total(Q, K)
        return Q @ (K.T @ V) / norm

    return linear


def _one_by_one(Q, K, V):
    memory, total = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])
    for k, v in zip(positive_features(K), V, strict=True):
        memory, total = memory + np.outer(k, v), total + k
    return np.array([q @ memory / (q @ total) for q in positive_features(Q)])


def _linear_cases(rng):
    T, S, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    inside = (
        "each result lies between the values",
        lambda out, Q, K, V: (
            (np.asarray(out["Z"]) <= V.max(axis=0) + 1e-9) & (np.asarray(out["Z"]) >= V.min(axis=0) - 1e-9)
        ).all(),
    )
    long = [rng.normal(size=(600, n)) for n in (3, 3, 2)]
    return [
        Case(
            "one query, two keys, by hand",
            (np.array([[1.0]]), np.array([[0.0], [2.0]]), np.array([[4.0], [8.0]])),
            "φ(0) = 1 and φ(2) = 3, and φ(1) cancels: the weights are 1/4 and 3/4, so 1 + 6 = 7.",
            expected={"Z": np.array([[7.0]]), "held": FEW},
        ),
        Case("random sizes", (Q, K, V), "Divide by what the weights sum to.", properties=(inside,)),
        Case("negative numbers", (Q - 2, K - 2, V), "φ makes positive numbers of queries and of keys.",
             properties=(inside,)),
        Case("600 queries, 600 keys", tuple(long),
             "Z may be right, but do you build the table of 600 × 600? Move the brackets.", points=2),
    ]  # fmt: skip


LINEAR_ATTENTION = Exercise(
    id="12.linear_attention",
    title="Change the brackets",
    reference=lambda Q, K, V: linear_attention.linear_attention(Q, K, V),
    cases=_linear_cases,
    hints=(
        "Write φ(Q) φ(K)ᵀ V with other brackets: which product is small?",
        "φ(K)ᵀ V is (d, e). The weights of a query sum to φ(q) · Σ φ(k): divide by that.",
        "q, k = positive_features(Q), positive_features(K); "
        "return q @ (k.T @ V) / (q @ k.sum(axis=0))[:, None]",
    ),
    mistakes=(
        Mistake(
            "table_built",
            _explicit,
            "Your Z is right, but you built the whole table of likeness. Compute φ(K)ᵀ V first.",
        ),
        Mistake(
            "softmax_attention",
            _attend,
            "That is softmax attention. Here the likeness is φ(q) · φ(k), and its cost is linear.",
        ),
        Mistake(
            "not_divided",
            _brackets(total=lambda Q, K: 1.0),
            "The weights of a query do not sum to 1 yet. Divide by φ(q) · Σ φ(k).",
        ),
        Mistake(
            "keys_without_features",
            _brackets(feature_k=lambda K: K),
            "φ is missing on the keys: likenesses can be negative, and the division goes wild.",
        ),
        Mistake(
            "queries_without_features",
            _brackets(feature_q=lambda Q: Q),
            "φ is missing on the queries: likenesses can be negative, and the division goes wild.",
        ),
        Mistake(
            "no_features",
            _brackets(feature_q=lambda Q: Q, feature_k=lambda K: K),
            "φ is missing. Without it the weights of a query can sum to anything, even to 0.",
        ),
        Mistake(
            "divided_by_the_number_of_keys",
            _brackets(total=lambda Q, K: len(K)),
            "You divided by the number of keys. The weights of a query sum to φ(q) · Σ φ(k).",
        ),
        Mistake(
            "one_total_for_all",
            _brackets(total=lambda Q, K: (Q @ K.sum(axis=0)).sum()),
            "All queries were divided by one number. Each query has its own total.",
        ),
        Mistake(
            "scaled_queries",
            _brackets(feature_q=lambda Q: positive_features(Q / np.sqrt(Q.shape[1]))),
            "You divided the queries by the square root of d. Here nothing is scaled before φ.",
        ),
    ),
    alternatives=(_brackets(), _one_by_one),
    stars=2,
    minutes=15,
    driver=_run_linear,
)  # fmt: skip

# grouped_query_attention -----------------------------------------------------------------------------------


def _grouped(pick_K=None, pick_V=None, scale=lambda Q, K: np.sqrt(Q.shape[-1]), axis=-1):
    """Return grouped-query attention in which the choice of the group, or the scale, can be changed."""

    def grouped_query_attention(Q, K, V):
        times = len(Q) // len(K)
        own = np.arange(len(Q)) // times
        K = K[own] if pick_K is None else pick_K(K, len(Q))
        V = V[own] if pick_V is None else pick_V(V, len(Q))
        s = Q @ K.swapaxes(-1, -2) / scale(Q, K)
        return softmax(s.swapaxes(axis, -1)).swapaxes(axis, -1) @ V

    return grouped_query_attention


def _tiled(rows, H):
    return rows[np.arange(H) % len(rows)]


def _own(rows, H):
    return rows[np.arange(H) // (H // len(rows))]


def _without_repeating(Q, K, V):
    H, T, d = Q.shape
    Z = _grouped_block(Q.reshape(len(K), H // len(K), T, d), K[:, None], V[:, None])
    return Z.reshape(H, T, V.shape[-1])


def _grouped_block(Q, K, V):
    return scaled_dot_product_attention(Q, K, V)[0]


def _grouped_cases(rng):
    T, S, d, e = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
    Q, K, V = rng.normal(size=(6, T, d)), rng.normal(size=(3, S, d)), rng.normal(size=(3, S, e))
    two = np.zeros((4, 1, 1)), np.zeros((2, 2, 1)), np.array([[[1.0], [3.0]], [[10.0], [30.0]]])
    return [
        Case(
            "four heads, two groups, by hand",
            two,
            "All scores are 0: heads 0 and 1 get the mean of group 0, 2; heads 2 and 3 that of group 1, 20.",
            expected=np.array([[[2.0]], [[2.0]], [[20.0]], [[20.0]]]),
        ),
        Case("six heads, three groups", (Q, K, V), "Which group does head 3 belong to?"),
        Case("six heads, two groups", (2 * Q, K[:2], V[:2]), "Heads 0, 1, 2 share group 0."),
        Case("one group: multi-query", (Q[:4], K[:1], V[:1]), "All heads share one group."),
        Case("as many groups as heads", (Q[:3], K, V), "Then it is multi-head attention."),
    ]


GROUPED_QUERY_ATTENTION = Exercise(
    id="12.grouped_query_attention",
    title="Shared keys and values",
    reference=_grouped(),
    cases=_grouped_cases,
    hints=(
        "H heads, G groups: neighbours share. With 6 heads and 3 groups, heads 0 and 1 use group 0.",
        "np.repeat(K, H // G, axis=0) writes each group as often as it is used, neighbours together.",
        "K, V = (np.repeat(x, len(Q) // len(K), axis=0) for x in (K, V)); "
        "return softmax(Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])) @ V",
    ),
    mistakes=(
        Mistake(
            "tiled",
            _grouped(pick_K=_tiled, pick_V=_tiled),
            "You dealt the groups out in turn: 0, 1, 0, 1. Neighbours share: 0, 0, 1, 1. Use repeat, "
            "not tile.",
        ),
        Mistake(
            "values_tiled",
            _grouped(pick_V=_tiled),
            "Keys go to neighbours, but values are dealt out in turn. Both belong to the same group.",
        ),
        Mistake(
            "keys_tiled",
            _grouped(pick_K=_tiled),
            "Values go to neighbours, but keys are dealt out in turn. Both belong to the same group.",
        ),
        Mistake(
            "first_group_for_all",
            _grouped(pick_K=lambda K, H: K[[0] * H], pick_V=lambda V, H: V[[0] * H]),
            "All heads use the first group. That is right only where there is one.",
        ),
        Mistake(
            "mean_of_the_groups",
            _grouped(
                pick_K=lambda K, H: np.repeat(K.mean(axis=0, keepdims=True), H, axis=0),
                pick_V=lambda V, H: np.repeat(V.mean(axis=0, keepdims=True), H, axis=0),
            ),
            "You took the mean over the groups. Each head uses the keys and values of its own group.",
        ),
        Mistake(
            "one_head_a_group",
            lambda Q, K, V: _grouped_block(Q[:: len(Q) // len(K)], K, V),
            "You kept one head of each group. All H heads have queries of their own, and results.",
        ),
        Mistake(
            "not_scaled",
            _grouped(scale=lambda Q, K: 1.0),
            "The scores are not divided by the square root of d.",
        ),
        Mistake(
            "scaled_by_the_number_of_groups",
            _grouped(scale=lambda Q, K: np.sqrt(Q.shape[-1] * len(Q))),
            "You divided by the square root of d times the number of heads. d is the width of one head.",
        ),
        Mistake(
            "softmax_over_queries",
            _grouped(axis=-2),
            "Your weights sum to 1 over the queries. They must sum to 1 over the keys, the last axis.",
        ),
    ),
    alternatives=(
        _without_repeating,
        lambda Q, K, V: np.stack(
            [_attend(q, _own(K, len(Q))[h], _own(V, len(Q))[h]) for h, q in enumerate(Q)]
        ),
    ),
    stars=2,
    minutes=25,
)  # fmt: skip

SHEET = Sheet(
    "12",
    "Scalability",
    exercises=(
        ATTENTION_MEMORY,
        ONLINE_SOFTMAX,
        CHUNKED_ATTENTION,
        SLIDING_WINDOW_MASK,
        KV_CACHE_STEP,
        LINEAR_ATTENTION,
        GROUPED_QUERY_ATTENTION,
    ),
)
