"""Sheet 11, encoder, decoder, both (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from clearhead.maths import models, single_head
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import log_softmax, softmax
from clearhead.maths.transformer import post_norm_decoder_block, post_norm_encoder_block
from clearhead.text import translation
from clearhead.text.batches import IGNORE

from .exercise import Case, Exercise, Mistake, Sheet

# cross_attention -------------------------------------------------------------------------------------------


def cross_attention(Xt, Xs, W_q, W_k, W_v):
    """Return what the target tokens Xt (T, D) take from the source Xs (S, D): Z (T, e) and A (T, S)."""
    return single_head.cross_attention(Xt, Xs, W_q, W_k, W_v)


def _crossed(queries=0, keys=1, values=1, scale=lambda Xt, W_q: np.sqrt(W_q.shape[1]), bend=softmax):
    """Return an answer whose queries, keys and values come from text 0, the target, or text 1, the source."""

    def answer(Xt, Xs, W_q, W_k, W_v):
        texts = Xt, Xs
        scores = (texts[queries] @ W_q) @ (texts[keys] @ W_k).T / scale(Xt, W_q)
        A = bend(scores)
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


def _cross_cases(rng):
    T, S, D, d, e = (int(n) for n in rng.permutation(np.arange(2, 8))[:5])
    d, e = (e, d) if d == 4 else (d, e)  # so that the root of d_k is never 2, as it is on the page
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
        Case("large scores", tuple(40 * x for x in texts(T, S + 1)), "Does e to a score overflow?",
             properties=(rows,)),
    ]  # fmt: skip


CROSS_ATTENTION = Exercise(
    id="11.cross_attention",
    title="Cross-attention",
    reference=cross_attention,
    cases=_cross_cases,
    hints=(
        "It is self-attention with one change: which of the three (Q, K, V) are made from which text?",
        "Q = Xt @ W_q, but K = Xs @ W_k and V = Xs @ W_v. Then softmax(Q @ K.T / sqrt(d_k)) as always.",
        "A = softmax((Xt @ W_q) @ (Xs @ W_k).T / np.sqrt(W_q.shape[1])); return A @ (Xs @ W_v), A.",
    ),
    mistakes=(
        Mistake(
            "source_asks",
            _crossed(queries=1, keys=0, values=0),
            "Your queries come from the source. The target asks: one row for each target token.",
        ),
        Mistake(
            "keys_from_target",
            _crossed(keys=0),
            "Your keys come from the target, so the target looks at itself. Make the keys from the source.",
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
            _crossed(bend=lambda scores: softmax(scores.T).T),
            "Your columns sum to 1. Each target token shares its attention out over the source: along a row.",
        ),
        Mistake(
            "not_scaled",
            _crossed(scale=lambda Xt, W_q: 1.0),
            "The scores are not divided by the square root of d_k, the number of columns of W_q.",
        ),
        Mistake(
            "scaled_by_width",
            _crossed(scale=lambda Xt, W_q: np.sqrt(Xt.shape[1])),
            "You divided by the square root of D. It is the number of columns of W_q that counts: d_k.",
        ),
        Mistake(
            "scaled_by_two",
            _crossed(scale=lambda Xt, W_q: 2.0),
            "You divided by 2. That is right where d_k is 4, as on the page: take the square root of d_k.",
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
            _crossed(bend=_triangle),
            "You hid a triangle of the source. The whole source is known: no causal mask here.",
        ),
        Mistake(
            "weights_turned",
            lambda *given: (cross_attention(*given)[0], cross_attention(*given)[1].T),
            "Z is right, but you returned A turned round. Rows are target tokens, columns source tokens.",
        ),
        Mistake(
            "overflows",
            _crossed(bend=_unshifted),
            "Large scores overflow. softmax subtracts the largest score of each row first.",
        ),
    ),
    alternatives=(_cross_by_loops,),
    stars=1,
    minutes=15,
)

# shift_right -----------------------------------------------------------------------------------------------


def shift_right(targets, start):
    """Return what the decoder reads, (B, T), while it learns to write the targets (B, T)."""
    return translation.shift_right(targets, start)


def _with_column(targets, start, place):
    column = np.full((len(targets), 1), start)
    return np.hstack([column, targets] if place == 0 else [targets, column])


def _first_overwritten(targets, start):
    read = targets.copy()
    read[:, 0] = start
    return read


def _copied_by_loops(targets, start):
    read = np.empty_like(targets)
    for i in range(targets.shape[0]):
        for t in range(targets.shape[1]):
            read[i, t] = start if t == 0 else targets[i, t - 1]
    return read


def _shift_cases(rng):
    B, T = (int(n) for n in rng.permutation(np.arange(3, 9))[:2])
    starts = (
        "every row begins with the start token",
        lambda out, targets, start: (np.asarray(out)[:, 0] == start).all(),
    )
    more = rng.integers(2, 50, size=(B + 2, T + 3))
    return [
        Case(
            "two rows, by hand",
            (np.array([[5, 6, 7, 2], [8, 9, 2, 0]]), 1),
            "Row 1 becomes 1, 5, 6, 7: the last token is never read.",
            expected=np.array([[1, 5, 6, 7], [1, 8, 9, 2]]),
        ),
        Case("random rows", (rng.integers(2, 50, size=(B, T)), 1), "One place to the right.",
             properties=(starts,)),
        Case("another start", (more, 77), "The start token is an argument.", properties=(starts,)),
        Case("ids of a large vocabulary", (rng.integers(40_000, 50_000, size=(T, B)), 1), "An id may be "
             "large: keep a dtype that holds it.", properties=(starts,)),
        Case("one token a row", (rng.integers(2, 50, size=(4, 1)), 1), "Then only the start token is read.",
             properties=(starts,)),
    ]  # fmt: skip


SHIFT_RIGHT = Exercise(
    id="11.shift_right",
    title="Shift right",
    reference=shift_right,
    cases=_shift_cases,
    hints=(
        "At place t the decoder must say target t. What may it have read by then?",
        "A column of start tokens, then all columns of the targets but the last.",
        "np.concatenate([np.full((len(targets), 1), start), targets[:, :-1]], axis=1)",
    ),
    mistakes=(
        Mistake(
            "shifted_left",
            lambda targets, start: np.hstack([targets[:, 1:], np.full((len(targets), 1), start)]),
            "You moved the tokens to the left: each place reads a word that it has yet to write.",
        ),
        Mistake(
            "not_shifted",
            _first_overwritten,
            "You replaced the first token and moved nothing. Each later place reads its own answer.",
        ),
        Mistake(
            "rolled",
            lambda targets, start: np.roll(targets, 1, axis=1),
            "The last token came round to the front. The first one must be the start token.",
        ),
        Mistake(
            "one_too_long",
            lambda targets, start: _with_column(targets, start, 0),
            "Your rows are one longer than the targets. Drop the last target: nothing comes after it.",
        ),
        Mistake(
            "start_at_the_end",
            lambda targets, start: _with_column(targets, start, 1)[:, :-1],
            "The start token is not in front. It stands where nothing has been written yet: at place 0.",
        ),
        Mistake(
            "rows_shifted",
            lambda targets, start: np.vstack([np.full((1, targets.shape[1]), start), targets[:-1]]),
            "You shifted the sentences, not the words. The axis of the words is the last one.",
        ),
        Mistake(
            "start_is_always_1",
            lambda targets, start: shift_right(targets, 1),
            "You wrote 1 for the start token. Use the argument start.",
        ),
    ),
    alternatives=(_copied_by_loops, lambda targets, start: _with_column(targets, start, 0)[:, :-1]),
    stars=1,
    minutes=10,
)

# mlm_mask --------------------------------------------------------------------------------------------------


def mlm_mask(ids, u, v, others, mask_id, special):
    """Return what BERT reads and what it is asked, both (B, S), for sentences ids (B, S) and their dice."""
    return _masked()(ids, u, v, others, mask_id, special)


def _masked(choose=lambda u: u < 0.15, hide=0.8, replace=0.9, answers=None, spared=True):
    """Return an answer with its own shares, its own choice, and its own targets."""

    def answer(ids, u, v, others, mask_id, special):
        chosen = choose(u) & ~(np.isin(ids, special) & spared)
        shown = np.where(v < hide, mask_id, np.where(v < replace, others, ids))
        read = np.where(chosen, shown, ids)
        asked = np.where(chosen, ids, IGNORE) if answers is None else answers(ids, chosen, v, read)
        return read, asked

    return answer


def _masked_by_loops(ids, u, v, others, mask_id, special):
    read, asked = ids.copy(), np.full(ids.shape, IGNORE)
    for place in np.ndindex(*ids.shape):
        if u[place] < 0.15 and ids[place] not in special:
            asked[place] = ids[place]
            if v[place] < 0.8:
                read[place] = mask_id
            elif v[place] < 0.9:
                read[place] = others[place]
    return read, asked


def _spared_by_place(ids, u, v, others, mask_id, special):
    inside = np.pad(u[:, 1:-1], ((0, 0), (1, 1)), constant_values=1.0)
    return _masked(spared=False)(ids, inside, v, others, mask_id, special)


def _masked_up_to_the_edge(ids, u, v, others, mask_id, special):
    lower = np.nextafter(u, 0), np.nextafter(v, 0)
    return mlm_mask(ids, *lower, others, mask_id, special)


def _dice(rng, B, S, mask_id, special, most=0.3):
    """Return sentences with special tokens in them, and dice by which half of the tokens are chosen."""
    ids, others = rng.integers(10, 60, size=(2, B, S))
    u, v = most * rng.random((B, S)), rng.random((B, S))
    ids[:, 0], ids[:, -1], ids[:, S // 2] = special[0], special[-1], rng.choice(special)
    u[:, 0] = u[:, -1] = u[:, S // 2] = 0.01  # a special token may stand anywhere
    u[:, 1], v[:, 1] = 0.1, 0.85  # a random word and an unchanged one occur in every row
    u[:, 2], v[:, 2] = 0.1, 0.95
    others[others == ids] += 1
    return ids, u, v, others, mask_id, special


def _mask_cases(rng):
    B, S = int(rng.integers(3, 6)), int(rng.integers(20, 30))
    ids = np.array([[1, 11, 12, 13, 14, 0]])
    u = np.array([[0.05, 0.10, 0.14, 0.01, 0.60, 0.02]])
    v = np.array([[0.10, 0.30, 0.85, 0.95, 0.20, 0.50]])
    kept = (
        "a target is -100 or the token that stood there",
        lambda out, ids, *rest: ((np.asarray(out[1]) == ids) | (np.asarray(out[1]) == IGNORE)).all(),
    )
    return [
        Case(
            "six tokens, by hand",
            (ids, u, v, np.array([[50, 51, 52, 53, 54, 55]]), 2, (0, 1)),
            "Tokens 11, 12 and 13 are chosen. They become the mask token, the random word 52, and 13 again.",
            expected=[
                np.array([[1, 2, 52, 13, 14, 0]]),
                np.array([[IGNORE, 11, 12, 13, IGNORE, IGNORE]]),
            ],
        ),
        Case(
            "dice on the edge",
            (
                np.array([[11, 12, 13, 14]]), np.array([[0.15, 0.10, 0.10, 0.10]]),
                np.array([[0.10, 0.80, 0.90, 0.79]]), np.array([[50, 51, 52, 53]]), 2, (0, 1),
            ),
            "u = 0.15 is not below 0.15. v = 0.8 means a random word, and v = 0.9 the token itself.",
            expected=[np.array([[11, 51, 13, 2]]), np.array([[IGNORE, 12, 13, 14]])],
        ),
        Case("random sentences", _dice(rng, B, S, 2, (0, 1)), "Which tokens are asked? And what is shown?",
             properties=(kept,)),
        Case("other special tokens", _dice(rng, B + 2, S - 4, 9, (4, 5)), "Use mask_id and special.",
             properties=(kept,)),
        Case("few tokens chosen", _dice(rng, B, S + 5, 3, (7,), 1.0), "About 15 % of the tokens are asked.",
             properties=(kept,)),
    ]  # fmt: skip


MLM_MASK = Exercise(
    id="11.mlm_mask",
    title="Hide words as BERT does",
    reference=mlm_mask,
    cases=_mask_cases,
    hints=(
        "Two questions for each token: is it chosen? And if it is, what does the model see there?",
        "chosen = (u < 0.15) & ~np.isin(ids, special). Only v decides what is shown; the target is the same "
        "in all three cases.",
        "shown = np.where(v < 0.8, mask_id, np.where(v < 0.9, others, ids)); read = np.where(chosen, shown, "
        "ids); asked = np.where(chosen, ids, -100).",
    ),
    mistakes=(
        Mistake(
            "loss_everywhere",
            _masked(answers=lambda ids, chosen, v, read: ids),
            "You ask for every token. The loss counts the chosen ones only: -100 elsewhere.",
        ),
        Mistake(
            "loss_only_at_the_mask",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen & (v < 0.8), ids, IGNORE)),
            "You ask only where the mask token stands. Ask for every chosen token, whatever is shown there.",
        ),
        Mistake(
            "unchanged_not_asked",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen & (v < 0.9), ids, IGNORE)),
            "The chosen tokens that stay are not asked. The model must not know that a plain token is safe.",
        ),
        Mistake(
            "always_the_mask",
            _masked(hide=2.0),
            "Every chosen token becomes the mask token. 10 % become a random word, and 10 % stay.",
        ),
        Mistake(
            "nothing_stays",
            _masked(replace=2.0),
            "All chosen tokens change. From v = 0.9 upwards the token stays as it is.",
        ),
        Mistake(
            "nothing_random",
            _masked(replace=0.8),
            "You show no random words. From v = 0.8 to 0.9 the model reads the token of others.",
        ),
        Mistake(
            "special_tokens_chosen",
            _masked(spared=False),
            "You chose special tokens, too. Padding and [CLS] are never asked.",
        ),
        Mistake(
            "ends_spared",
            _spared_by_place,
            "You spare the first and the last place. A special token may stand anywhere: look at its id.",
        ),
        Mistake(
            "edges_included",
            _masked_up_to_the_edge,
            "Your limits are one step too wide: u < 0.15, not <=, and v = 0.8 is a random word already.",
        ),
        Mistake(
            "share_turned_round",
            _masked(choose=lambda u: u > 0.15),
            "You chose where u is above 0.15. That is 85 % of the tokens.",
        ),
        Mistake(
            "zero_for_the_rest",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen, ids, 0)),
            "Where nothing is asked you wrote 0, and 0 is a token. The loss skips -100.",
        ),
        Mistake(
            "shown_as_target",
            _masked(answers=lambda ids, chosen, v, read: np.where(chosen, read, IGNORE)),
            "Your targets are what the model reads. It must find the token that stood there before.",
        ),
    ),
    alternatives=(_masked_by_loops,),
    stars=2,
    minutes=20,
)

# classify_from_cls -----------------------------------------------------------------------------------------


def classify_from_cls(x, W, b):
    """Return the probabilities (B, C) of C classes, from what an encoder made of B texts, x (B, T, D)."""
    return softmax(x[:, 0] @ W + b)


def _from(vector, bend=softmax):
    """Return a classifier that reads vector(x) (B, D)."""
    return lambda x, W, b: bend(vector(x) @ W + b)


def _classify_cases(rng):
    B, T, D, C = (int(n) for n in rng.permutation(np.arange(2, 8))[:4])
    one = ("each row sums to 1", lambda p, x, W, b: np.allclose(np.sum(p, axis=-1), 1))
    x = np.array([[[1.0, 0], [5, 5], [7, -7]], [[0, 1.0], [3, 3], [-4, 4]]])
    W = np.log(np.array([[3.0, 1], [1, 4]]))

    def made(B, T, spread=1.0):
        return rng.normal(size=(B, T, D)), spread * rng.normal(size=(D, C)), spread * rng.normal(size=C)

    return [
        Case(
            "two texts, by hand",
            (x, W, np.zeros(2)),
            "Only the first token counts: the logits of text 1 are ln 3 and 0, so it is 3/4 and 1/4.",
            expected=np.array([[3 / 4, 1 / 4], [1 / 5, 4 / 5]]),
        ),
        Case("random texts", made(B, T), "Row 0 of each text, times W, plus b, softmax.", properties=(one,)),
        Case("other texts", made(B + 3, T + 2), "One row of probabilities for each text.", properties=(one,)),
        Case("one text", made(1, T), "The result is still a table, with one row: (1, C).", properties=(one,)),
        Case("large logits", made(B + 1, T, 900.0), "Does e to a logit overflow?", properties=(one,)),
        Case(
            "logits far from zero",
            (x, W, np.array([5000.0, 5000.0])),
            "The same number added to all logits of a text changes nothing.",
            expected=np.array([[3 / 4, 1 / 4], [1 / 5, 4 / 5]]),
        ),
    ]


def _plain_exponentials(z):
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)


CLASSIFY_FROM_CLS = Exercise(
    id="11.classify_from_cls",
    title="A label from [CLS]",
    reference=classify_from_cls,
    cases=_classify_cases,
    hints=(
        "[CLS] stands in front of each text. Which entry of the axis T is it?",
        "x[:, 0] has the shape (B, D): one vector a text. A linear map makes C numbers of it.",
        "return softmax(x[:, 0] @ W + b)",
    ),
    mistakes=(
        Mistake(
            "mean_of_tokens",
            _from(lambda x: x.mean(axis=1)),
            "You took the mean of all tokens. Some models do; here only [CLS], the first token, is read.",
        ),
        Mistake(
            "last_token",
            _from(lambda x: x[:, -1]),
            "You read the last token, as with a GPT. [CLS] is the first one.",
        ),
        Mistake(
            "first_text",
            _from(lambda x: x[0]),
            "x[0] is the first text with all its tokens. You need the first token of every text: x[:, 0].",
        ),
        Mistake(
            "logits_returned",
            _from(lambda x: x[:, 0], lambda z: z),
            "These are logits. Make probabilities of them, with softmax.",
        ),
        Mistake(
            "label_returned",
            _from(lambda x: x[:, 0], lambda z: z.argmax(axis=-1)),
            "You returned the likeliest class of each text. The probabilities of all classes are asked for.",
        ),
        Mistake(
            "softmax_over_texts",
            _from(lambda x: x[:, 0], lambda z: softmax(z.T).T),
            "Your columns sum to 1, so the texts compete. The classes of one text compete: along a row.",
        ),
        Mistake(
            "bias_forgotten",
            lambda x, W, b: softmax(x[:, 0] @ W),
            "The bias b is missing.",
        ),
        Mistake(
            "every_token_classified",
            lambda x, W, b: softmax(x @ W + b),
            "You gave every token a label. One label a text is asked for, from its first token.",
        ),
        Mistake(
            "overflows",
            _from(lambda x: x[:, 0], _plain_exponentials),
            "Large logits overflow. softmax subtracts the largest one of each row first.",
        ),
    ),
    alternatives=(
        lambda x, W, b: np.exp(log_softmax(x[:, 0, :] @ W + b)),
        lambda x, W, b: np.array([softmax(text[0] @ W + b) for text in x]),
    ),
    stars=1,
    minutes=10,
)

# which_family ----------------------------------------------------------------------------------------------


def which_family(may_read):
    """Return "encoder", "decoder" or "both" for a table (N, N) of who reads whom, and the source's size."""
    N = len(may_read)
    for S in range(N, -1, -1):
        if (may_read == _table(S, N - S)).all():
            return ("encoder" if S == N else "both" if S > 1 else "decoder"), (S if S > 1 else 0)
    return "none", 0


def _table(S, T):
    """Return who may read whom: S source tokens, then T target tokens."""
    i, j = np.indices((S + T, S + T))
    return (j < S) | ((i >= S) & (j <= i))


def _by_first_row(may_read):
    """Return the family that the first row tells: how many tokens does the first one read?"""
    S = int(may_read[0].sum())
    if len(may_read) == S:
        return "encoder", S
    return ("both", S) if S > 1 else ("decoder", 0)


def _told(rule):
    """Return an answer made of rule(may_read, family, source size), from the right ones."""
    return lambda may_read: rule(may_read, *which_family(may_read))


def _family_cases(rng):
    S, T = (int(n) for n in rng.permutation(np.arange(2, 9))[:2])
    reason = "How many tokens does the first one read? And the last one?"
    return [
        Case("three tokens, by hand", (_table(0, 3),), "A triangle: nobody reads what comes later.",
             expected=["decoder", 0]),
        Case("two read, two written", (_table(2, 2),), "The first two read each other; the last two read "
             "those, and themselves so far.", expected=["both", 2]),
        Case("everybody reads everybody", (_table(S, 0),), reason),
        Case("a longer triangle", (_table(0, S + 3),), reason),
        Case("a source and a target", (_table(S, T),), reason),
        Case("a long source", (_table(S + T, 1),), "Only the last token is written."),
        Case("a long target", (_table(2, S + T),), reason),
    ]  # fmt: skip


WHICH_FAMILY = Exercise(
    id="11.which_family",
    title="Which family?",
    reference=which_family,
    cases=_family_cases,
    hints=(
        "Draw the three tables for five tokens: a full square, a triangle, and a block with a triangle.",
        "Look at the first row. In an encoder it is full, in a decoder it has one True. And with both?",
        "S = may_read[0].sum(). It is N for an encoder, and 1 for a decoder (its source has 0 tokens).",
    ),
    mistakes=(
        Mistake(
            "two_families_only",
            _told(lambda may, family, S: (family, S) if family == "encoder" else ("decoder", 0)),
            "You call everything with a hidden token a decoder. A block of tokens that read each other is a "
            "source.",
        ),
        Mistake(
            "decoder_has_a_source_of_one",
            lambda may: (which_family(may)[0], int(may[0].sum())),
            "In a triangle the first token reads itself. That is no source: a decoder has 0 source tokens.",
        ),
        Mistake(
            "target_counted",
            _told(lambda may, family, S: (family, len(may) - S)),
            "You counted the tokens that are written. Count those that are read from the beginning.",
        ),
        Mistake(
            "last_row_counted",
            _told(lambda may, family, S: ("encoder", int(may[-1].sum()))),
            "You read the last row (or the first column): it is full in every family. Read the first row.",
        ),
        Mistake(
            "both_are_all",
            _told(lambda may, family, S: ("both" if family == "encoder" else family, S)),
            "Where everybody reads everybody, nothing is written: that is an encoder alone.",
        ),
        Mistake(
            "every_true_counted",
            _told(lambda may, family, S: (family, int(may.sum()) if S else 0)),
            "You counted the True in the whole table. Count the tokens of the source.",
        ),
    ),
    alternatives=(_by_first_row,),
    stars=2,
    minutes=15,
)

# encdec_forward --------------------------------------------------------------------------------------------


def encdec_forward(source, target, parameters, num_heads, real):
    """Return the logits (T, V) of a translator that has read source (S,) and written target (T,)."""
    return models.encoder_decoder(source, target, parameters, num_heads, real)


def _forward(
    read=lambda x, past, real: real,
    first=lambda source, target: (source, target),
    past=causal_mask,
    blocks=lambda blocks: blocks,
    context=lambda contexts, i: contexts[-1],
    crossed=lambda real: real,
    finish=lambda x, table: x @ table.T,
):
    """Return a forward pass in which each of these parts can be replaced by a wrong one."""

    def answer(source, target, parameters, num_heads, real):
        table = parameters["tokens"]
        ids, said = first(source, target)
        contexts, x = [models._placed(ids, table)], models._placed(said, table)
        relu = {"activation": lambda z: np.maximum(z, 0)}
        for block in blocks(parameters["encoder"]):
            mask = read(contexts[-1], causal_mask(len(ids)), real)
            contexts.append(post_norm_encoder_block(contexts[-1], block, num_heads, mask, **relu))
        for i, block in enumerate(blocks(parameters["decoder"])):
            seen = x if context is None else context(contexts, i)
            mask = None if context is None else crossed(real)
            x = post_norm_decoder_block(x, seen, block, num_heads, past(len(said)), mask, **relu)
        return finish(x, table)

    return answer


def _random_block(rng, D, cross):
    def matrix(*shape):
        return rng.normal(size=shape) / np.sqrt(shape[0])

    def norm():
        return {"gain": 1 + 0.3 * rng.normal(size=D), "bias": 0.3 * rng.normal(size=D)}

    def attention():
        names = ("query", "key", "value", "output")
        return {name: {"weight": 1.5 * matrix(D, D), "bias": 0.3 * rng.normal(size=D)} for name in names}

    parts = {"attention": attention(), "attention_norm": norm(), "feed_forward_norm": norm()}
    parts["feed_forward"] = {
        "up": {"weight": matrix(D, 2 * D), "bias": 0.3 * rng.normal(size=2 * D)},
        "down": {"weight": matrix(2 * D, D), "bias": 0.3 * rng.normal(size=D)},
    }
    return parts | ({"cross_attention": attention(), "cross_attention_norm": norm()} if cross else {})


def _translator(rng, V, D, num_layers):
    """Return the weights of a translator that has learned nothing."""
    return {
        "tokens": rng.normal(size=(V, D)) / np.sqrt(D),
        "encoder": [_random_block(rng, D, False) for _ in range(num_layers)],
        "decoder": [_random_block(rng, D, True) for _ in range(num_layers)],
    }


def _forward_cases(rng):
    V, S, T = (int(n) for n in rng.permutation(np.arange(5, 10))[:3])
    ids = {n: rng.integers(0, V, size=n) for n in (1, S, T)}
    small, large = _translator(rng, V, 4, 2), _translator(rng, V, 6, 2)
    single = _translator(rng, V, 4, 1)
    whole, padded = np.ones(S, dtype=bool), np.arange(S) < S - 2

    def causal(logits, source, target, parameters, num_heads, real):
        shorter = encdec_forward(source, target[:-1], parameters, num_heads, real)
        return np.allclose(np.asarray(logits)[:-1], shorter)

    past = ("a later target token changes no earlier row", causal)
    return [
        Case("two layers", (ids[S], ids[T], small, 2, whole), "Encoder blocks first; their last output "
             "goes to every decoder block.", properties=(past,)),
        Case("three heads, and two tokens of padding", (ids[S], ids[T], large, 3, padded), "Nobody may "
             "look at padding: neither in the encoder, nor in cross-attention."),
        Case("one target token", (ids[S], ids[1], single, 1, whole), "There is one row: the first word."),
    ]  # fmt: skip


ENCDEC_FORWARD = Exercise(
    id="11.encdec_forward",
    title="The whole translator",
    reference=encdec_forward,
    cases=_forward_cases,
    hints=(
        "Two loops: first over the encoder blocks, then over the decoder blocks. Which text enters which?",
        "context = encoder_block(context, block, num_heads, real) in the first loop. In the second, x is the "
        "target, and every block gets the finished context.",
        "x = decoder_block(x, context, block, num_heads, causal_mask(len(target)), real), and at the end "
        "x @ parameters['tokens'].T.",
    ),
    mistakes=(
        Mistake(
            "decoder_reads_the_source",
            _forward(first=lambda source, target: (source, source)),
            "Your decoder reads the source. It reads the target; the source enters as context only.",
        ),
        Mistake(
            "encoder_forgotten",
            _forward(context=lambda contexts, i: contexts[0]),
            "Your context has not been through the encoder blocks.",
        ),
        Mistake(
            "layer_by_layer",
            _forward(context=lambda contexts, i: contexts[i + 1]),
            "Decoder block i reads encoder block i. All decoder blocks read the last output of the encoder.",
        ),
        Mistake(
            "no_causal_mask",
            _forward(past=lambda length: None),
            "Your target tokens see their future. Give the decoder block a causal mask.",
        ),
        Mistake(
            "encoder_is_causal",
            _forward(read=lambda x, past, real: past & real),
            "Your encoder hides the future of the source. The whole source is known: no triangle there.",
        ),
        Mistake(
            "padding_read_by_the_encoder",
            _forward(read=lambda x, past, real: None),
            "Your encoder looks at padding. Give its blocks the mask real.",
        ),
        Mistake(
            "padding_read_by_the_decoder",
            _forward(crossed=lambda real: None),
            "Your cross-attention looks at padding. The decoder block takes two masks: causal, then real.",
        ),
        Mistake(
            "one_block_only",
            _forward(blocks=lambda blocks: blocks[:1]),
            "You use the first block of each side only.",
        ),
        Mistake(
            "cross_attention_to_itself",
            _forward(context=None),
            "Your decoder blocks get x as their context, so they never see the source.",
        ),
        Mistake(
            "vectors_returned",
            _forward(finish=lambda x, table: x),
            "These are vectors (T, D). Compare them with the table of tokens to get logits (T, V).",
        ),
        Mistake(
            "probabilities_returned",
            _forward(finish=lambda x, table: softmax(x @ table.T)),
            "You returned probabilities. Logits are asked for: no softmax at the end.",
        ),
    ),
    alternatives=(_forward(),),
    stars=3,
    minutes=25,
    tolerance=1e-5,
)

# greedy_translate ------------------------------------------------------------------------------------------


def _run_greedy(answer, table, source, start, stop, longest):
    """Return what the answer writes; table (M, V) holds logits, chosen by the source and what is written."""

    def step(source, target):
        target = np.asarray(target, dtype=int)
        places = np.cumsum((np.arange(len(target)) + 1) * (target + 3)) + 7 * int(np.sum(source))
        return table[places % len(table)].copy()

    return answer(step, source, start, stop, longest)


def greedy_translate(step, source, start, stop, longest):
    """Return the new tokens, without start and stop; step(source, target) gives logits (T, V)."""
    target = [start]
    for _ in range(longest):
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def _greedy(
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


def _never_empty(step, source, start, stop, longest):
    target = [start, int(np.argmax(step(source, [start])[-1]))]
    while len(target) <= longest:
        token = int(np.argmax(step(source, target)[-1]))
        if token == stop:
            break
        target.append(token)
    return target[1:]


def _greedy_cases(rng):
    V, M = int(rng.integers(6, 10)), 97
    source = rng.integers(3, V, size=int(rng.integers(4, 8)))
    table = rng.normal(size=(M, V))
    never, soon = table.copy(), table.copy()
    never[:, 2], never[:, 1] = -20, -20
    soon[:, 1] = -20
    words = _run_greedy(greedy_translate, never, source, 1, 2, 6)
    stop = next((w for w in words[2:] if w not in words[:2]), 2)
    hand = np.tile([0.0, 0, 0, 1], (M, 1))
    hand[(4 + 7 * 5) % M] = [5, 0, 0, 0]  # behind the start: token 0
    hand[(4 + 2 * 3 + 7 * 5) % M] = [0, 0, 0, 9]  # then token 3
    hand[(4 + 2 * 3 + 3 * 6 + 7 * 5) % M] = [0, 0, 7, 0]  # then the stop, 2
    short = ("neither start nor stop is in the result", lambda out, table, source, start, stop, longest:
             start not in list(out) and stop not in list(out))  # fmt: skip
    return [
        Case("two words and a stop, by hand", (hand, np.array([2, 3]), 1, 2, 9), "It writes 0, then 3, then "
             "the stop, which ends the sentence.", expected=[0, 3]),
        Case("no stop comes", (never, source, 1, 2, 6), "Then the longest length ends it.",
             properties=(short,)),
        Case("a stop at once", (np.tile([0.0, 0, 9, 0], (M, 1)), source, 1, 2, 5), "Then there is nothing to "
             "say: an empty list.", expected=[]),
        Case("a short source, a long target", (never, source[:2], 1, 2, 15), "Only `longest` limits the "
             "target, not the source.", properties=(short,)),
        Case("another start token", (never, source, 50, 2, 6), "The start token is an argument."),
        Case("a stop after some words", (never, source, 1, stop, 12), "The stop token ends the sentence, "
             "and is not part of it.", properties=(short,)),
        Case("another sentence", (never[::-1].copy(), source[::-1].copy() + 1, 1, 2, 8), "Is the whole "
             "target shown to step, start token first?", properties=(short,)),
        Case("any table", (soon, source, 1, 2, 7), "Read the last row of the logits.", properties=(short,)),
    ]  # fmt: skip


GREEDY_TRANSLATE = Exercise(
    id="11.greedy_translate",
    title="Translate, and stop",
    reference=greedy_translate,
    cases=_greedy_cases,
    hints=(
        "Begin with the start token alone. In each round ask step, choose a word, append it.",
        "step gives a row for each target token. The last row says what comes next. Its largest logit wins.",
        "target = [start]; in each round: token = int(np.argmax(step(source, target)[-1])); if token == stop "
        "break, else target.append(token). Return target[1:].",
    ),
    mistakes=(
        Mistake(
            "first_row_read",
            _greedy(row=lambda logits: np.argmax(logits[0])),
            "You read the first row of the logits: it always says the first word. Read the last one.",
        ),
        Mistake(
            "all_rows_read",
            _greedy(row=lambda logits: np.argmax(logits) % logits.shape[1]),
            "You look for the largest logit in all rows. Only the last row is about the next word.",
        ),
        Mistake(
            "stop_ignored",
            _greedy(ends=False),
            "Your sentence goes on after the stop token. Leave the loop when it comes.",
        ),
        Mistake(
            "stop_kept",
            _greedy(finish=lambda target, stopped, stop: target[1:] + [stop] * stopped),
            "The stop token is still in your result. It ends the sentence, and is not a part of it.",
        ),
        Mistake(
            "start_kept",
            _greedy(finish=lambda target, stopped, stop: target),
            "The start token is still in your result.",
        ),
        Mistake(
            "last_word_shown",
            _greedy(shown=lambda target, source: target[-1:]),
            "You show step the last word only. It needs the whole target so far.",
        ),
        Mistake(
            "start_not_shown",
            _greedy(shown=lambda target, source: target[1:] or target),
            "The start token is no longer shown once there are words. It stays in front.",
        ),
        Mistake(
            "source_shown",
            _greedy(shown=lambda target, source: [*source, *target]),
            "You put the source in front of the target. The source is the first argument of step.",
        ),
        Mistake(
            "one_too_few",
            _greedy(steps=lambda n: n - 1),
            "`longest` counts the new words; you counted the start token, too.",
        ),
        Mistake(
            "start_is_always_1",
            lambda step, source, start, stop, longest: greedy_translate(step, source, 1, stop, longest),
            "You wrote 1 for the start token. Use the argument start.",
        ),
        Mistake(
            "never_empty",
            _never_empty,
            "You append the first word without a look at it. It may be the stop: then the result is empty.",
        ),
        Mistake(
            "length_of_the_source",
            lambda step, source, start, stop, longest: _greedy(steps=lambda n: len(source))(
                step, source, start, stop, longest
            ),
            "You write as many words as the source has. A translation may be longer or shorter.",
        ),
    ),
    alternatives=(_greedy(),),
    stars=2,
    minutes=15,
    driver=_run_greedy,
)

SHEET = Sheet(
    "11",
    "Encoder, decoder, both",
    exercises=(
        CROSS_ATTENTION,
        SHIFT_RIGHT,
        MLM_MASK,
        CLASSIFY_FROM_CLS,
        WHICH_FAMILY,
        ENCDEC_FORWARD,
        GREEDY_TRANSLATE,
    ),
)
