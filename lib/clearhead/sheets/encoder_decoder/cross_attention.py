"""11.cross_attention: Cross-attention."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import single_head
from clearhead.maths.softmax import softmax

from .cross_attention_wrong import MORE


def cross_attention(Xt, Xs, W_q, W_k, W_v):
    """Return what the target tokens Xt (T, D) take from the source Xs (S, D): Z (T, e) and A (T, S)."""
    return single_head.cross_attention(Xt, Xs, W_q, W_k, W_v)


def _crossed(queries=0, keys=1, values=1, scale=lambda Xt, W_q: np.sqrt(W_q.shape[1]), weigh=softmax):
    """Return an answer whose queries, keys and values come from text 0, the target, or text 1, the source."""

    def answer(Xt, Xs, W_q, W_k, W_v):
        texts = Xt, Xs
        scores = (texts[queries] @ W_q) @ (texts[keys] @ W_k).T / scale(Xt, W_q)
        A = weigh(scores)
        return A @ (texts[values] @ W_v), A

    return answer


def _unshifted(scores):
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)


def _triangle(scores):
    i, j = np.indices(scores.shape)
    return softmax(np.where(j <= i, scores, -np.inf))


def _cross_by_loops(Xt, Xs, W_q, W_k, W_v):
    A = [softmax(np.array([(x @ W_q) @ (s @ W_k) for s in Xs]) / np.sqrt(W_q.shape[1])) for x in Xt]
    return [sum(w * (s @ W_v) for w, s in zip(a, Xs, strict=True)) for a in A], A


#: Scores of thousands, whole numbers; for the first row two of them have the gap 1.
LARGE = np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]])


def _cross_cases(rng):
    T, S, D, d, e = (int(n) for n in rng.permutation(np.arange(5, 10))[:5])
    d, e = (e, d) if d == 4 else (d, e)  # so that the root of d is never 2, as it is on the page
    both = (max(T, S), min(T, S)) if rng.random() < 0.5 else (T, S)

    def texts(T, S):
        W_q, W_k, W_v = (rng.normal(size=(D, n)) for n in (d, d, e))
        return rng.normal(size=(T, D)), rng.normal(size=(S, D)), W_q, W_k, W_v

    rows = ("each row of A sums to 1", lambda out, *given: np.allclose(np.sum(out[1], axis=1), 1))
    hand = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]])
    e1, e2 = np.exp(2.0), np.exp(-2.0)
    a = np.array([e1, e2, 1]) / (e1 + e2 + 1)
    Xs, W_v = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 0, 2], [0, 1, 1]])
    return [
        Case(
            "la casa roja, two rows by hand",
            (np.array([[2.0, -2], [0, 0]]), Xs, hand, hand, W_v),
            "The scores of row 1 are 2, -2 and 0, those of row 2 are 0, 0 and 0: three equal weights.",
            expected=[
                np.array([a @ Xs @ W_v, np.full(3, 1 / 3) @ Xs @ W_v]),
                np.array([a, np.full(3, 1 / 3)]),
            ],
        ),
        Case("a longer source", texts(min(both), max(both) + 3), "A has one row for each target token "
             "and one column for each source token.", properties=(rows,)),
        Case("a longer target", texts(max(both) + 2, min(both)), "The target asks; the source answers.",
             properties=(rows,)),
        Case("one asks, one answers", texts(1, 1), "The only weight is 1. Z is still (1, e), and A (1, 1).",
             properties=(rows,)),
        Case("large scores", (LARGE[:2], LARGE, np.eye(4), np.eye(4), np.arange(1.0, 13).reshape(4, 3)),
             "Does e to a score overflow? Two of them lie close together.", properties=(rows,)),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.cross_attention",
    title="Cross-attention",
    reference=cross_attention,
    cases=_cross_cases,
    hints=(
        "It is self-attention with one change: which of the three (Q, K, V) are made from which text?",
        "Q = Xt @ W_q, but K = Xs @ W_k and V = Xs @ W_v. Then softmax(Q @ K.T / sqrt(d)) as always.",
        "A = softmax((Xt @ W_q) @ (Xs @ W_k).T / np.sqrt(W_q.shape[1])); return A @ (Xs @ W_v), A.",
    ),
    mistakes=(
        Mistake(
            "source_asks",
            _crossed(queries=1, keys=0, values=0),
            "Your queries come from the source. The target asks: one row for each target token.",
        ),
        Mistake(
            "a_column_for_each_target_token",
            _crossed(keys=0),
            "Your weights have T columns, the values S rows. Make the keys from Xs, and write Q @ K.T.",
        ),
        Mistake(
            "values_from_target",
            _crossed(values=0),
            "Your values come from the target. What is looked at must also be what is taken: the source.",
        ),
        Mistake(
            "self_attention_of_target",
            _crossed(keys=0, values=0),
            "You never use the source: this is self-attention of the target.",
        ),
        Mistake(
            "softmax_over_target",
            _crossed(weigh=lambda scores: softmax(scores.T).T),
            "Your columns sum to 1. Each target token shares its attention out over the source: along a row.",
        ),
        Mistake(
            "not_scaled",
            _crossed(scale=lambda Xt, W_q: 1.0),
            "The scores are not divided by the square root of d, the number of columns of W_q.",
        ),
        Mistake(
            "scaled_by_width",
            _crossed(scale=lambda Xt, W_q: np.sqrt(Xt.shape[1])),
            "You divided by the square root of D. It is the number of columns of W_q that counts: d.",
        ),
        Mistake(
            "scaled_by_two",
            _crossed(scale=lambda Xt, W_q: 2.0),
            "You divided by 2. That is right where d is 4, as on the page: take the square root of d.",
        ),
        Mistake(
            "projections_swapped",
            lambda Xt, Xs, W_q, W_k, W_v: cross_attention(Xt, Xs, W_k, W_q, W_v),
            "You gave W_k to the target and W_q to the source. W_q makes the queries: of the target.",
        ),
        Mistake(
            "source_not_projected",
            lambda Xt, Xs, W_q, W_k, W_v: (
                cross_attention(Xt, Xs, W_q, W_k, W_v)[1] @ Xs,
                cross_attention(Xt, Xs, W_q, W_k, W_v)[1],
            ),
            "You took a mean of the source tokens themselves. Take the mean of their values: Xs @ W_v.",
        ),
        Mistake(
            "causal_mask_added",
            _crossed(weigh=_triangle),
            "You hid a triangle of the source. The whole source is known: no causal mask here.",
        ),
        Mistake(
            "weights_turned",
            lambda *given: (cross_attention(*given)[0], cross_attention(*given)[1].T),
            "Z is right, but you returned A turned round. Rows are target tokens, columns source tokens.",
        ),
        Mistake(
            "overflows",
            _crossed(weigh=_unshifted),
            "Large scores overflow. softmax subtracts the largest score of each row first.",
        ),
        Mistake(
            "divided_by_d",
            _crossed(scale=lambda Xt, W_q: W_q.shape[1]),
            "You divided by d. Divide by its square root.",
        ),
        Mistake(
            "weights_first",
            lambda Xt, Xs, W_q, W_k, W_v: cross_attention(Xt, Xs, W_q, W_k, W_v)[::-1],
            "The right two things, in the other order: first Z, then A.",
        ),
        Mistake(
            "weights_forgotten",
            lambda Xt, Xs, W_q, W_k, W_v: cross_attention(Xt, Xs, W_q, W_k, W_v)[0],
            "The weights are missing. Return two things: Z and A.",
        ),
        Mistake(
            "looks_at_itself_as_well",
            lambda Xt, Xs, W_q, W_k, W_v: cross_attention(Xt, np.vstack([Xs, Xt]), W_q, W_k, W_v),
            "The target looks at the source and at itself. Here the source alone answers.",
        ),
        Mistake(
            "softmax_forgotten",
            _crossed(weigh=lambda scores: scores),
            "The softmax is missing: you mixed with the scores.",
        ),
        Mistake(
            "mixes_the_keys",
            lambda Xt, Xs, W_q, W_k, W_v: (
                cross_attention(Xt, Xs, W_q, W_k, W_k)[0],
                cross_attention(Xt, Xs, W_q, W_k, W_v)[1],
            ),
            "You mixed the keys. Keys are compared; values are mixed.",
        ),
        *MORE,
    ),
    alternatives=(_cross_by_loops,),
    stars=1,
    minutes=15,
)
