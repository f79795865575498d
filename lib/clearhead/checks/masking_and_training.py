"""Sheet 09, masking and training (over 200 lines: each mistake stands beside its exercise)."""

from itertools import pairwise

import numpy as np

from clearhead.maths import losses, masks
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import log_softmax, softmax
from clearhead.text.batches import shift

from .exercise import Case, Exercise, Mistake, Sheet

IGNORE = losses.IGNORE
WORDS = [
    "after",
    "long",
    "day",
    "work",
    "she",
    "sat",
    "down",
    "enjoy",
    "warm",
    "cup",
    "coffee",
    "tea",
    "soup",
    "king",
]


def _sizes(rng, count):
    """Return that many sizes from 2 to 8, all different."""
    return [int(size) for size in rng.permutation(np.arange(2, 9))[:count]]


# training_pairs --------------------------------------------------------------------------------------------


def training_pairs(tokens):
    """Return every (prefix, next token) of a list of tokens (N): N - 1 pairs."""
    return [(tokens[:n], tokens[n]) for n in range(1, len(tokens))]


def _pairs_cases(rng):
    def drawn(length):
        return [str(word) for word in rng.permutation(WORDS)[:length]]

    counted = (
        "N tokens give N - 1 pairs",
        lambda pairs, tokens: len(pairs) == max(len(tokens) - 1, 0),
    )
    return [
        Case(
            "three words, by hand",
            (["a", "warm", "cup"],),
            "After ‘a’ comes ‘warm’, after ‘a warm’ comes ‘cup’. Nothing is known to come after ‘cup’.",
            expected=[(["a"], "warm"), (["a", "warm"], "cup")],
            properties=(counted,),
        ),
        Case(
            "five random words", (drawn(5),), "Each prefix begins at the first token.", properties=(counted,)
        ),
        Case("twelve random words", (drawn(12),), "Is a pair missing?", properties=(counted,)),
        Case("one word alone", (drawn(1),), "One token has no next token: the answer is an empty list."),
    ]


TRAINING_PAIRS = Exercise(
    id="09.training_pairs",
    title="One sentence, many pairs",
    reference=training_pairs,
    cases=_pairs_cases,
    hints=(
        "Where can you cut the sentence, so that there is something in front of the cut and behind it?",
        "The cut n runs from 1 to N - 1. In front of it stands tokens[:n]. What is the next token?",
        "[(tokens[:n], tokens[n]) for n in range(1, len(tokens))]",
    ),
    mistakes=(
        Mistake(
            "last_pair_missing",
            lambda tokens: [(tokens[:n], tokens[n]) for n in range(1, len(tokens) - 1)],
            "The last pair is missing. range(1, N) ends at N - 1, and tokens[N - 1] is the last token.",
        ),
        Mistake(
            "prefix_holds_the_answer",
            lambda tokens: [(tokens[: n + 1], tokens[n]) for n in range(1, len(tokens))],
            "Your prefixes hold their own answers. tokens[:n] ends before tokens[n].",
        ),
        Mistake(
            "empty_prefix",
            lambda tokens: [(tokens[:n], tokens[n]) for n in range(len(tokens))],
            "Your first prefix is empty. Here the first token is given; begin with n = 1.",
        ),
        Mistake(
            "answer_is_the_last_of_the_prefix",
            lambda tokens: [(tokens[:n], tokens[n - 1]) for n in range(1, len(tokens))],
            "Each answer is the last word of its own prefix. It must be the word after it: tokens[n].",
        ),
        Mistake(
            "one_word_prefixes",
            lambda tokens: [([a], b) for a, b in pairwise(tokens)],
            "Your prefixes have one word each. A prefix reaches back to the first word.",
        ),
        Mistake(
            "longest_first",
            lambda tokens: training_pairs(tokens)[::-1],
            "The pairs are right, but they begin with the longest prefix. Begin with the shortest.",
        ),
        Mistake(
            "prefix_as_text",
            lambda tokens: [(" ".join(tokens[:n]), tokens[n]) for n in range(1, len(tokens))],
            "You joined each prefix to one text. Leave it a list of words: tokens[:n].",
        ),
        Mistake(
            "all_that_follows",
            lambda tokens: [(tokens[:n], tokens[n:]) for n in range(1, len(tokens))],
            "Your answers are all words behind the cut. The answer is one word, the next: tokens[n].",
        ),
        Mistake(
            "one_list_for_all_prefixes",
            lambda tokens: [(tokens[:-1], word) for word in tokens[1:]],
            "All your prefixes are the same list, and it grew while you appended to it. Make a new list for "
            "each pair: tokens[:n].",
        ),
        Mistake(
            "suffixes",
            lambda tokens: [(tokens[n:], tokens[n - 1]) for n in range(1, len(tokens))],
            "You guess the word in front from what comes after it. The prefix stands on the left of the cut.",
        ),
    ),
    alternatives=(
        lambda tokens: [[list(tokens[: i + 1]), word] for i, word in enumerate(tokens[1:])],
        lambda tokens: [
            (tokens[: -len(rest)], rest[0]) for rest in (tokens[n:] for n in range(1, len(tokens)))
        ],
    ),
    stars=1,
    minutes=5,
)

# causal_mask -----------------------------------------------------------------------------------------------


def causal_mask(n):
    """Return the table (n, n) of booleans: True where token i may look at token j."""
    return masks.causal_mask(n)


def _causal_cases(rng):
    small, large = sorted(int(n) for n in rng.permutation(np.arange(4, 12))[:2])
    counted = (
        "row i (counted from 0) is True in i + 1 places",
        lambda mask, n: np.array_equal(np.asarray(mask).astype(int).sum(axis=-1), np.arange(1, n + 1)),
    )
    by_hand = np.array([[True, False, False], [True, True, False], [True, True, True]])
    return [
        Case("three tokens, by hand", (3,), "Token 1 sees itself only. Token 3 sees all.", expected=by_hand),
        Case(f"{small} tokens", (small,), "How many True has each row?", properties=(counted,)),
        Case(f"{large} tokens", (large,), "Does row 1 see one token, or all?", properties=(counted,)),
        Case("one token", (1,), "A token may look at itself."),
    ]


CAUSAL_MASK = Exercise(
    id="09.causal_mask",
    title="The causal mask",
    reference=causal_mask,
    cases=_causal_cases,
    hints=(
        "Row i, column j: may token i look at token j? Write the condition with i and j.",
        "j <= i. np.tril keeps what is on the diagonal and below; np.arange gives you i and j.",
        "np.tril(np.ones((n, n), dtype=bool))",
    ),
    mistakes=(
        Mistake(
            "upper_triangle",
            lambda n: np.triu(np.ones((n, n), dtype=bool)),
            "Your first token sees all and your last only itself: the triangle is turned. Rows are queries; "
            "keep what is on the diagonal and below.",
        ),
        Mistake(
            "diagonal_hidden",
            lambda n: np.tril(np.ones((n, n), dtype=bool), -1),
            "Your tokens may not look at themselves, and the first one may look nowhere. Keep the diagonal.",
        ),
        Mistake(
            "true_means_blocked",
            lambda n: np.triu(np.ones((n, n), dtype=bool), 1),
            "This is the mask that nn.MultiheadAttention wants, where True means blocked. Here True means "
            "may look.",
        ),
        Mistake(
            "one_step_ahead",
            lambda n: np.tril(np.ones((n, n), dtype=bool), 1),
            "Each of your tokens also sees the next one, and that is the answer. Take k = 0, the diagonal.",
        ),
        Mistake(
            "only_the_past_token",
            lambda n: np.eye(n, dtype=bool) | np.eye(n, k=-1, dtype=bool),
            "Your tokens see one step back only. The causal mask lets them see everything in front of them.",
        ),
        Mistake(
            "scores_not_booleans",
            lambda n: np.where(np.tril(np.ones((n, n), dtype=bool)), 0, -np.inf),
            "You returned what is added to the scores, 0 and -inf. The mask is a table of True and False.",
        ),
    ),
    alternatives=(
        lambda n: np.arange(n)[:, None] >= np.arange(n),
        lambda n: [[j <= i for j in range(n)] for i in range(n)],
    ),
    stars=1,
    minutes=5,
)

# masked_attention ------------------------------------------------------------------------------------------


def masked_attention(Q, K, V, mask):
    """Return Z (T, e) for queries Q (T, d), keys K (S, d), values V (S, e) and a mask (T, S)."""
    return scaled_dot_product_attention(Q, K, V, mask)[0]


def _naive_softmax(scores):
    """Return softmax with the shift, but without care for a row of -inf alone."""
    with np.errstate(all="ignore"):
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


def _divided(weights):
    """Return the weights divided by the sum of each row, whatever it is."""
    with np.errstate(all="ignore"):
        return weights / weights.sum(axis=-1, keepdims=True)


def _infinity_times_false(scores, mask):
    """Return weights after a product of the mask with infinity: NaN wherever the mask allows."""
    with np.errstate(all="ignore"):
        return softmax(scores + ~mask * -np.inf)


def _masked_with(weigh):
    """Return a masked attention whose weights come from weigh(scores, mask)."""
    return lambda Q, K, V, mask: weigh(Q @ K.T / np.sqrt(Q.shape[-1]), mask) @ V


def _by_rows(Q, K, V, mask):
    """Return masked attention row by row, from the allowed keys alone."""
    rows = [softmax(K[may] @ q / np.sqrt(len(q))) @ V[may] for q, may in zip(Q, mask, strict=True)]
    return np.array(rows)


def _blind_to(Z, V, mask):
    """Return whether each row lies between the smallest and largest values that it may see."""
    for z, may in zip(np.asarray(Z), mask, strict=True):
        seen = V[may] if may.any() else np.zeros((1, V.shape[1]))
        if not (np.all(z >= seen.min(axis=0) - 1e-9) and np.all(z <= seen.max(axis=0) + 1e-9)):
            return False
    return True


def _masked_cases(rng):
    T, S, d, e = _sizes(rng, 4)
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    mask = rng.random((T, S)) < 0.6
    mask[:, 0] = True
    mask[0, 1:] = False
    inside = (
        "each row is a mixture of the values that it may see",
        lambda Z, Q, K, V, mask: _blind_to(Z, V, mask),
    )
    square = rng.normal(size=(6, d))
    surprise = np.concatenate([V[:1] * 0 + 1, V[:1] * 0 + 1000])
    empty = mask.copy()
    empty[-1] = False
    q, near, far = np.array([[400.0, 0]]), np.array([[-100.0, 0]]), np.zeros((3, 2))
    return [
        Case(
            "two tokens, by hand",
            (np.zeros((2, 3)), np.zeros((2, 3)), np.array([[4.0], [8.0]]), masks.causal_mask(2)),
            "All scores are 0. Row 1 sees the value 4 only. Row 2 sees both, so it gets their mean, 6.",
            expected=np.array([[4.0], [6.0]]),
        ),
        Case("a random mask", (Q, K, V, mask), "The mask acts on the scores, before the softmax.",
             properties=(inside,)),
        Case(
            "a causal mask: row 1 is the first value",
            (square, 2 * square, rng.normal(size=(6, e)), masks.causal_mask(6)),
            "Is something of the future in your rows?",
            properties=(inside,),
        ),
        Case(
            "a large value in the future",
            (Q[:2], K[:2], surprise, masks.causal_mask(2)),
            "Row 1 may not see the 1000.",
            properties=(inside,),
        ),
        Case("a row with nowhere to look", (Q, K, V, empty), "The last row must be zeros, not NaN."),
        Case(
            "a very low score is the only one allowed",
            (q, np.concatenate([near, far]), np.array([[5.0], [1], [1], [1]]),
             np.array([[True, False, False, False]])),
            "The allowed score is about -28,000. Is the number that you fill in lower than that?",
        ),
    ]  # fmt: skip


MASKED_ATTENTION = Exercise(
    id="09.masked_attention",
    title="Masked attention",
    reference=masked_attention,
    cases=_masked_cases,
    hints=(
        "Four steps become five: compare, scale, mask, weigh, mix. What must a forbidden score be, so that "
        "its weight is 0?",
        "np.where(mask, scores, -np.inf) keeps what is allowed. Softmax comes after it.",
        "A = softmax(np.where(mask, Q @ K.T / np.sqrt(Q.shape[-1]), -np.inf)), then A @ V.",
    ),
    mistakes=(
        Mistake(
            "mask_after_softmax",
            _masked_with(lambda s, m: np.where(m, softmax(s), 0)),
            "Your rows no longer sum to 1, and what is missing depends on the hidden tokens. Mask the scores "
            "before the softmax.",
        ),
        Mistake(
            "masked_scores_are_zero",
            _masked_with(lambda s, m: softmax(np.where(m, s, 0))),
            "You set forbidden scores to 0, but e to the 0 is 1. They must be minus infinity.",
        ),
        Mistake(
            "mask_upside_down",
            _masked_with(lambda s, m: softmax(np.where(m, -np.inf, s))),
            "You hid what is allowed, and showed what is hidden. In this book True means may look.",
        ),
        Mistake(
            "mask_not_used",
            _masked_with(lambda s, m: softmax(s)),
            "Your result does not depend on the mask. Fill the forbidden scores with -inf.",
        ),
        Mistake(
            "mask_added_as_numbers",
            _masked_with(lambda s, m: softmax(s + m)),
            "Adding booleans adds 1 to the allowed scores. That favours them; it does not hide the others.",
        ),
        Mistake(
            "minus_ten_thousand",
            _masked_with(lambda s, m: softmax(np.where(m, s, -1e4))),
            "You filled in -10,000. A score can be lower than that, and a row with nowhere to look then sees "
            "everything. Use -np.inf.",
        ),
        Mistake(
            "minus_a_billion",
            _masked_with(lambda s, m: softmax(np.where(m, s, -1e9))),
            "You filled in a finite number, such as -1,000,000,000. In a row with nowhere to look all scores "
            "are then alike, so it looks everywhere. Use -np.inf.",
        ),
        Mistake(
            "nan_for_an_empty_row",
            _masked_with(lambda s, m: _naive_softmax(np.where(m, s, -np.inf))),
            "A row with nowhere to look became NaN: 0/0. The softmax of the library gives zeros there.",
        ),
        Mistake(
            "no_scale",
            lambda Q, K, V, mask: softmax(np.where(mask, Q @ K.T, -np.inf)) @ V,
            "The mask is right, but the scale is missing: divide the scores by the square root of d.",
        ),
        Mistake(
            "scaled_by_number_of_keys",
            lambda Q, K, V, mask: masked_attention(Q * np.sqrt(Q.shape[1] / len(K)), K, V, mask),
            "You took the root of the number of keys. A score adds up d terms: take the root of Q.shape[-1].",
        ),
        Mistake(
            "scaled_by_value_width",
            lambda Q, K, V, mask: masked_attention(Q * np.sqrt(Q.shape[1] / V.shape[1]), K, V, mask),
            "You took the root of the size of a value. A score adds up d terms: np.sqrt(Q.shape[-1]).",
        ),
        Mistake(
            "infinity_times_false",
            _masked_with(_infinity_times_false),
            "0 times infinity is NaN, so a product with the mask spoils every allowed score. Choose instead "
            "of multiplying: np.where(mask, scores, -np.inf).",
        ),
        Mistake(
            "empty_row_sees_all",
            _masked_with(lambda s, m: softmax(np.where(m | ~m.any(axis=1, keepdims=True), s, -np.inf))),
            "A row with nowhere to look now looks everywhere. It must give zeros.",
        ),
        Mistake(
            "renormalized_too_late_with_zeros",
            _masked_with(lambda s, m: repair_weights(softmax(s), m)),
            "You masked after the softmax and divided by the sum. When a hidden score is much larger, the "
            "allowed weights are rounded to 0, and the row is lost. Mask first.",
        ),
        Mistake(
            "renormalized_too_late",
            _masked_with(lambda s, m: _divided(np.where(m, softmax(s), 0))),
            "You masked after the softmax and divided by the sum. When a hidden score is much larger, "
            "nothing is left to divide. Mask first.",
        ),
    ),
    alternatives=(
        _by_rows,
        _masked_with(lambda s, m: softmax(s + np.where(m, 0, -np.inf))),
    ),
    stars=2,
    minutes=20,
)

# repair_weights --------------------------------------------------------------------------------------------


def repair_weights(A, mask):
    """Return the weights (T, S) of a mask before the softmax, from A (T, S) without a mask."""
    kept = np.where(mask, A, 0)
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total > 0, total, 1)


def _repair_cases(rng):
    T, S = _sizes(rng, 2)
    scores = rng.normal(size=(T, S))
    mask = rng.random((T, S)) < 0.6
    mask[:, 0] = True
    mask[0, -1] = False
    empty = mask.copy()
    empty[0] = False

    def as_if_masked_first(name, scores, mask, look):
        same = (
            "the weights are those of a mask before the softmax",
            lambda W, A, mask: np.allclose(W, softmax(np.where(mask, scores, -np.inf))),
        )
        return Case(name, (softmax(scores), mask), look, properties=(same,))

    return [
        Case(
            "one row, by hand",
            (np.array([[0.2, 0.3, 0.5]]), np.array([[True, True, False]])),
            "0.2 and 0.3 are left, together 0.5. They keep their proportion: 0.4 and 0.6.",
            expected=np.array([[0.4, 0.6, 0]]),
        ),
        as_if_masked_first("a random mask", scores, mask, "Each row shares its own remainder."),
        as_if_masked_first("sharp weights", 3 * rng.normal(size=(T + 1, S)), np.vstack([mask, mask[:1]]),
                           "Only proportions count."),
        Case("a row with nothing left", (softmax(scores), empty), "That row must be zeros, not NaN."),
    ]  # fmt: skip


REPAIR_WEIGHTS = Exercise(
    id="09.repair_weights",
    title="Too late, and mended",
    reference=repair_weights,
    cases=_repair_cases,
    hints=(
        "Softmax is e to each score, divided by a sum. Which of the two does the mask change?",
        "Only the sum: it runs over the allowed keys. So the allowed weights keep their proportions.",
        "Set hidden weights to 0, then divide each row by its own sum. Take care of a sum of 0.",
    ),
    mistakes=(
        Mistake(
            "not_divided",
            lambda A, mask: np.where(mask, A, 0),
            "The hidden weights are gone, but the rows no longer sum to 1. Divide each row by its sum.",
        ),
        Mistake(
            "softmax_again",
            lambda A, mask: softmax(np.where(mask, A, -np.inf)),
            "You took the softmax of weights. It changes their proportions: 0.2 and 0.3 must stay 2 to 3.",
        ),
        Mistake(
            "one_sum_for_all_rows",
            lambda A, mask: np.where(mask, A, 0) / np.where(mask, A, 0).sum() * len(A),
            "You divided by one sum for the whole table. Each row has its own: sum over the last axis.",
        ),
        Mistake(
            "divided_by_the_whole_table",
            lambda A, mask: np.where(mask, A, 0) / np.where(mask, A, 0).sum(),
            "The whole table sums to 1. Each row should: divide it by its own sum, with keepdims=True.",
        ),
        Mistake(
            "columns_divided",
            lambda A, mask: _divided(np.where(mask, A, 0).T).T,
            "You divided each column by its sum. A row belongs to a query, and rows must sum to 1.",
        ),
        Mistake(
            "rest_shared_equally",
            lambda A, mask: np.where(
                mask,
                A + np.where(mask, 0, A).sum(-1, keepdims=True) / np.maximum(mask.sum(-1, keepdims=True), 1),
                0,
            ),
            "You shared what was hidden equally. Softmax shares it in proportion: multiply, do not add.",
        ),
        Mistake(
            "nan_for_an_empty_row",
            lambda A, mask: _divided(np.where(mask, A, 0)),
            "Right, but for a row with nothing left: 0/0 is NaN. There the weights must be zeros.",
        ),
    ),
    alternatives=(
        lambda A, mask: softmax(np.where(mask, np.log(A), -np.inf)),
        lambda A, mask: A * mask / np.maximum((A * mask).sum(axis=1, keepdims=True), 1e-300),
    ),
    stars=2,
    minutes=15,
)

# padding_mask ----------------------------------------------------------------------------------------------


def padding_mask(lengths, longest):
    """Return the mask (B, 1, 1, S) that hides the padding behind lengths (B), S = longest."""
    return masks.padding_mask(lengths, longest)


def _as_table(lengths, longest):
    return np.arange(longest) < np.asarray(lengths)[:, None]


def _padding_cases(rng):
    def drawn(B, longest):
        lengths = rng.integers(1, longest, size=B)
        lengths[0] = longest
        return lengths, longest

    B, S = sorted(_sizes(rng, 2))
    by_hand = np.array([[[[True, True, False]]], [[[True, True, True]]]])
    counted = (
        "each sentence has as many True as it has tokens",
        lambda mask, lengths, longest: np.array_equal(
            np.asarray(mask).astype(int).reshape(len(lengths), -1).sum(axis=1), lengths
        ),
    )
    ending = rng.integers(1, S + 3, size=B + 1)
    return [
        Case(
            "lengths 2 and 3, by hand",
            (np.array([2, 3]), 3),
            "The third place of the first sentence is padding. The shape is (2, 1, 1, 3).",
            expected=by_hand,
        ),
        Case("random lengths", drawn(B, S + 2), "Compare j with the length: real places are 0 to length - 1.",
             properties=(counted,)),
        Case("room behind all of them", (ending, S + 6), "The width comes from `longest`."),
        Case("an empty sentence", (np.array([0, 4, 1]), 5), "A length of 0 leaves nothing to look at."),
    ]  # fmt: skip


PADDING_MASK = Exercise(
    id="09.padding_mask",
    title="The padding mask",
    reference=padding_mask,
    cases=_padding_cases,
    hints=(
        "Place j of sentence b is real if j is smaller than its length. Compare them all at once.",
        "np.arange(longest) has shape (S,), lengths[:, None] has shape (B, 1): together (B, S).",
        "np.arange(longest) < lengths[:, None, None, None] has the shape (B, 1, 1, S).",
    ),
    mistakes=(
        Mistake(
            "true_means_padding",
            lambda lengths, longest: ~masks.padding_mask(lengths, longest),
            "You marked the padding. In this book True means may look: mark the real tokens.",
        ),
        Mistake(
            "one_too_many",
            lambda lengths, longest: np.arange(longest) <= np.asarray(lengths)[:, None, None, None],
            "One pad of each sentence may be seen. Places count from 0: the real ones are below the length.",
        ),
        Mistake(
            "two_axes_only",
            _as_table,
            "The booleans are right, but the shape is (B, S). Add axes for heads and queries: (B, 1, 1, S).",
        ),
        Mistake(
            "hides_queries",
            lambda lengths, longest: _as_table(lengths, longest)[:, None, :, None],
            "Your mask has the shape (B, 1, S, 1): it hides queries. Padding must be hidden as keys, on the "
            "last axis.",
        ),
        Mistake(
            "padding_in_front",
            lambda lengths, longest: masks.padding_mask(lengths, longest)[..., ::-1],
            "You hid the first places. Here the padding stands behind the sentence.",
        ),
        Mistake(
            "width_from_the_data",
            lambda lengths, longest: masks.padding_mask(lengths, int(np.max(lengths))),
            "Your mask is as wide as the longest of these sentences. The rectangle has the width `longest`.",
        ),
        Mistake(
            "axes_before_the_batch",
            lambda lengths, longest: _as_table(lengths, longest)[None, None],
            "Your shape is (1, 1, B, S): the batch stands where queries belong. Put it first: (B, 1, 1, S).",
        ),
    ),
    alternatives=(
        lambda lengths, longest: _as_table(lengths, longest).reshape(len(lengths), 1, 1, longest),
        lambda lengths, longest: [[[[j < n for j in range(longest)]]] for n in lengths],
    ),
    stars=2,
    minutes=10,
)

# shift_targets ---------------------------------------------------------------------------------------------


def shift_targets(ids, real):
    """Return inputs and targets (B, T-1) for ids (B, T), -100 where the target is padding by real (B, T)."""
    inputs, targets = shift(ids)
    return inputs, np.where(real[:, 1:], targets, IGNORE)


def _shift_cases(rng):
    def drawn(B, T, pad):
        lengths = rng.integers(2, T, size=B)
        lengths[0], lengths[-1] = 2, T
        real = np.arange(T) < lengths[:, None]
        return np.where(real, rng.integers(0, 50, size=(B, T)), pad), real

    B, T = sorted(_sizes(rng, 2))
    last = (
        "the last real token of each sentence is a target",
        lambda out, ids, real: all(
            np.asarray(out[1])[b, n - 2] == ids[b, n - 1] for b, n in enumerate(real.sum(axis=1))
        ),
    )
    ids = np.array([[5, 0, 8, 3], [7, 2, 0, 0]])
    real = np.array([[True, True, True, True], [True, True, False, False]])
    by_hand = [np.array([[5, 0, 8], [7, 2, 0]]), np.array([[0, 8, 3], [2, IGNORE, IGNORE]])]
    return [
        Case(
            "two sentences, by hand",
            (ids, real),
            "In the first sentence 0 is a word: it is real. In the second, only 2 is a target.",
            expected=by_hand,
        ),
        Case("random sentences", drawn(B, T + 2, 0), "Is each target one further?", properties=(last,)),
        Case("padded with 9", drawn(B + 1, T + 4, 9), "Here 9 stands in the padding, and 9 is also a word.",
             properties=(last,)),
        Case("nothing is padded", (rng.integers(1, 9, size=(2, 5)), np.ones((2, 5), dtype=bool)),
             "Every input has a target."),
    ]  # fmt: skip


SHIFT_TARGETS = Exercise(
    id="09.shift_targets",
    title="Inputs and targets",
    reference=shift_targets,
    cases=_shift_cases,
    hints=(
        "The same rectangle twice: once without its last column, once without its first.",
        "inputs = ids[:, :-1], targets = ids[:, 1:]. A target is padding where real[:, 1:] is False.",
        "return ids[:, :-1], np.where(real[:, 1:], ids[:, 1:], -100)",
    ),
    mistakes=(
        Mistake(
            "not_shifted",
            lambda ids, real: (ids[:, :-1], np.where(real[:, :-1], ids[:, :-1], IGNORE)),
            "Your targets are the inputs themselves: the model would learn to copy. Targets are one further.",
        ),
        Mistake(
            "shifted_backwards",
            lambda ids, real: (ids[:, 1:], np.where(real[:, :-1], ids[:, :-1], IGNORE)),
            "Your model guesses the word before. Exchange the two: the target is the next token.",
        ),
        Mistake(
            "padding_counted",
            lambda ids, real: (ids[:, :-1], ids[:, 1:]),
            "The shift is right, but padding is still a target. Put -100 where real[:, 1:] is False.",
        ),
        Mistake(
            "real_of_the_inputs",
            lambda ids, real: (ids[:, :-1], np.where(real[:, :-1], ids[:, 1:], IGNORE)),
            "You asked whether the input is real. Ask whether the target is: real[:, 1:].",
        ),
        Mistake(
            "zeros_ignored",
            lambda ids, real: (ids[:, :-1], np.where(ids[:, 1:] != 0, ids[:, 1:], IGNORE)),
            "You took every 0 for padding. An id of 0 can be a word; `real` says what is padding.",
        ),
        Mistake(
            "inputs_and_targets_exchanged",
            lambda ids, real: shift_targets(ids, real)[::-1],
            "Both are right, but they have changed places: return the inputs first, then the targets.",
        ),
        Mistake(
            "padding_of_the_inputs_made_zero",
            lambda ids, real: (np.where(real, ids, 0)[:, :-1], np.where(real, ids, IGNORE)[:, 1:]),
            "You changed the padding of the inputs. Leave the inputs as they are: ids[:, :-1].",
        ),
        Mistake(
            "zero_in_place_of_ignore",
            lambda ids, real: (ids[:, :-1], np.where(real, ids, 0)[:, 1:]),
            "Padding became the target 0, and 0 is a word: the model would learn to say it. Put -100.",
        ),
        Mistake(
            "rolled_round",
            lambda ids, real: (ids, np.where(np.roll(real, -1, axis=1), np.roll(ids, -1, axis=1), IGNORE)),
            "np.roll brings the first word back as the last target. Cut instead: ids[:, :-1] and ids[:, 1:].",
        ),
        Mistake(
            "inputs_ignored_too",
            lambda ids, real: (
                np.where(real[:, :-1], ids[:, :-1], IGNORE),
                np.where(real[:, 1:], ids[:, 1:], IGNORE),
            ),
            "You put -100 into the inputs as well. There is no word -100; only targets are ignored.",
        ),
    ),
    alternatives=(
        lambda ids, real: (
            np.delete(ids, -1, axis=1),
            np.delete(ids, 0, axis=1) * real[:, 1:] - 100 * ~real[:, 1:],
        ),
        lambda ids, real: (
            [row[:-1] for row in ids],
            [
                [int(x) if r else -100 for x, r in zip(a[1:], b[1:], strict=True)]
                for a, b in zip(ids, real, strict=True)
            ],
        ),
    ),
    stars=2,
    minutes=15,
)

# cross_entropy ---------------------------------------------------------------------------------------------


def cross_entropy(logits, targets):
    """Return the mean of -log p(target) over logits (T, V) and targets (T), those of -100 left out."""
    return losses.cross_entropy(logits, targets)


def _surprises(logits, targets):
    """Return which targets count, and the surprise at each."""
    counts = targets != IGNORE
    rows = np.arange(len(targets))
    return counts, np.where(counts, -log_softmax(logits)[rows, np.where(counts, targets, 0)], 0)


def _loss_with(finish):
    """Return a loss made of finish(surprises, counts)."""
    return lambda logits, targets: finish(*_surprises(logits, targets)[::-1])


def _overflowing(logits, targets):
    """Return the loss by way of a softmax without the shift, and a logarithm of what may be 0."""
    counts = targets != IGNORE
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        return -np.log(p[counts, targets[counts]]).sum() / max(counts.sum(), 1)


def _by_softmax(care):
    """Return a loss that takes the logarithm of care(probabilities), which may be 0."""

    def loss(logits, targets):
        counts = targets != IGNORE
        with np.errstate(all="ignore"):
            p = care(softmax(logits)[counts, targets[counts]])
            return -np.log(p).sum() / max(counts.sum(), 1)

    return loss


def _minus_the_logit(logits, targets):
    counts = targets != IGNORE
    return -logits[counts, targets[counts]].sum() / max(counts.sum(), 1)


def _by_tokens(logits, targets):
    """Return the loss with a loop, by log-sum-exp."""
    surprises = [
        np.logaddexp.reduce(row) - row[target]
        for row, target in zip(logits, targets, strict=True)
        if target != IGNORE
    ]
    return sum(surprises) / max(len(surprises), 1)


def _over_tokens(logits, targets):
    """Return the loss by a softmax that runs over the tokens."""
    counts = targets != IGNORE
    picked = log_softmax(logits.T).T[counts, targets[counts]]
    return -picked.sum() / max(counts.sum(), 1)


def _loss_cases(rng):
    T, V = _sizes(rng, 2)
    logits, targets = rng.normal(size=(T + 3, V)), rng.integers(0, V, size=T + 3)
    targets[0] = 0  # word 0 is a word like any other
    some = targets.copy()
    some[1 + rng.permutation(T + 2)[:2]] = IGNORE
    large = 2000 * logits
    large[0, :2] = 3000, 6000
    at_least_zero = ("a loss is not below 0", lambda loss, *given: np.all(np.asarray(loss) >= -1e-12))
    return [
        Case(
            "four words, nothing known, by hand",
            (np.zeros((2, 4)), np.array([1, 3])),
            "Each word has probability 1/4. The loss is ln 4, about 1.386.",
            expected=1.3862943611,
        ),
        Case("random logits", (2 * logits, targets), "The logarithm of the probability of the true word.",
             properties=(at_least_zero,)),
        Case("two targets ignored", (logits, some), "-100 is no word: leave these targets out, "
             "and divide by how many are left.",
             properties=(at_least_zero,)),
        Case("logits of thousands", (large, some), "Does it survive large logits? Use log_softmax."),
        Case("everything ignored", (logits, np.full(T + 3, IGNORE)), "With nothing to count the loss is 0, "
             "not NaN."),
    ]  # fmt: skip


CROSS_ENTROPY = Exercise(
    id="09.cross_entropy",
    title="Cross-entropy",
    reference=cross_entropy,
    cases=_loss_cases,
    hints=(
        "For each token: softmax of its logits, the probability of the true word, minus its logarithm. Then "
        "the mean of those that count.",
        "log_softmax(logits) does softmax and logarithm in one, safely. Rows that count: targets != -100.",
        "keep = targets != -100; picked = log_softmax(logits[keep])[np.arange(keep.sum()), targets[keep]]; "
        "then -picked.sum() / max(keep.sum(), 1).",
    ),
    mistakes=(
        Mistake(
            "sum_not_mean",
            _loss_with(lambda surprise, counts: surprise.sum()),
            "You added the surprises up. The loss is their mean, so that long and short texts compare.",
        ),
        Mistake(
            "divided_by_all",
            _loss_with(lambda surprise, counts: surprise.mean()),
            "You divided by the number of all targets. Divide by the number of those that count.",
        ),
        Mistake(
            "sign_forgotten",
            _loss_with(lambda surprise, counts: -surprise.sum() / max(counts.sum(), 1)),
            "Your loss is below 0. The logarithm of a probability is negative: put a minus in front.",
        ),
        Mistake(
            "bits_not_nats",
            _loss_with(lambda surprise, counts: surprise.sum() / max(counts.sum(), 1) / np.log(2)),
            "You used the logarithm to base 2. Losses here are in nats: the natural logarithm.",
        ),
        Mistake(
            "one_minus_the_probability",
            _loss_with(lambda surprise, counts: (1 - np.exp(-surprise))[counts].sum() / max(counts.sum(), 1)),
            "You took 1 minus the probability. The surprise is minus its logarithm.",
        ),
        Mistake(
            "overflows",
            _overflowing,
            "Large logits overflow, or a probability is rounded to 0 and its logarithm is -inf. Use "
            "log_softmax.",
        ),
        Mistake(
            "logarithm_of_zero",
            _by_softmax(lambda p: p),
            "A probability was rounded to 0, and its logarithm is -inf. log_softmax never makes that 0.",
        ),
        Mistake(
            "probability_clipped",
            _by_softmax(lambda p: np.maximum(p, 1e-12)),
            "You kept the probability above a small number. That hides the rounding, and the loss is too "
            "small. log_softmax needs no such help.",
        ),
        Mistake(
            "logarithm_of_the_mean",
            lambda logits, targets: (
                -np.log(np.exp(-_surprises(logits, targets)[1][targets != IGNORE]).mean())
                if (targets != IGNORE).any()
                else 0.0
            ),
            "You took the logarithm of the mean probability. First each logarithm, then the mean.",
        ),
        Mistake(
            "word_0_left_out",
            lambda logits, targets: losses.cross_entropy(logits, np.where(targets > 0, targets, IGNORE)),
            "You left out word 0 as well. Only -100 is left out: compare with it, targets != -100.",
        ),
        Mistake(
            "minus_the_logit",
            _minus_the_logit,
            "You averaged the logits of the true words. A logit is no probability yet: log_softmax first.",
        ),
        Mistake(
            "perplexity_returned",
            lambda logits, targets: np.exp(losses.cross_entropy(logits, targets)),
            "This is the perplexity, e to the loss. Return the loss itself.",
        ),
        Mistake(
            "nan_when_all_is_ignored",
            _loss_with(lambda surprise, counts: surprise.sum() / counts.sum() if counts.any() else np.nan),
            "With nothing to count you divide 0 by 0. Divide by at least 1.",
        ),
        Mistake(
            "over_the_tokens",
            _over_tokens,
            "Your softmax runs over the tokens. Each token has its own distribution over the words: the last "
            "axis.",
        ),
        Mistake(
            "ignored_targets_are_word_0",
            lambda logits, targets: _by_tokens(logits, np.where(targets == IGNORE, 0, targets)),
            "You count an ignored target as if it were word 0. Leave it out of the sum.",
        ),
    ),
    alternatives=(_by_tokens,),
    stars=3,
    minutes=25,
)

SHEET = Sheet(
    "09",
    "Masking and training",
    exercises=(
        TRAINING_PAIRS,
        CAUSAL_MASK,
        MASKED_ATTENTION,
        REPAIR_WEIGHTS,
        PADDING_MASK,
        SHIFT_TARGETS,
        CROSS_ENTROPY,
    ),
)
