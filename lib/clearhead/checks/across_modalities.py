"""Sheet 14, across modalities (over 200 lines: each mistake stands beside its exercise)."""

import numpy as np

from clearhead.maths import losses, multimodal
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import log_softmax, softmax
from clearhead.maths.vectors import directions
from clearhead.maths.vision import cut_series
from clearhead.text.kmers import BASES, kmer_ids

from .exercise import Case, Exercise, Mistake, Sheet

# kmer_tokenize ---------------------------------------------------------------------------------------------


def kmer_tokenize(dna, k):
    """Return the ids of all overlapping words of k letters in dna, each read in base 4 (A, C, G, T)."""
    return [int(id) for id in kmer_ids(dna, k)]


def _numbered(words, letters=BASES, base=4):
    """Return each word as a number: its letters are the digits, the first one the largest."""
    return [sum(letters.index(c) * base**i for i, c in enumerate(reversed(word))) for word in words]


def _words(dna, k, starts):
    return [dna[i : i + k] for i in starts]


def _dna(rng, length):
    """Return a random strand; all four letters stand at its end, so that none is missing."""
    return "".join(rng.choice(list(BASES), size=length - 4)) + "GATC"


def _kmer_cases(rng):
    n = int(rng.integers(9, 14))
    count = ("there are len(dna) - k + 1 words", lambda ids, dna, k: len(ids) == len(dna) - k + 1)
    whole = (
        "ids are whole numbers (int): they pick rows",
        lambda ids, *_: np.asarray(ids).dtype.kind in "iu",
    )
    both = (whole, count)
    return [
        Case(
            "ATGGCA in words of three",
            ("ATGGCA", 3),
            "The words are ATG, TGG, GGC and GCA. ATG is 0 · 16 + 3 · 4 + 2 = 14.",
            expected=[14, 58, 41, 36],
            properties=(whole,),
        ),
        Case("words of two", (_dna(rng, n), 2), "Where does the last word begin?", properties=both),
        Case("words of three", (_dna(rng, n + 2), 3), "A = 0, C = 1, G = 2, T = 3.", properties=both),
        Case("words of four", (_dna(rng, n + 3), 4), "The first letter counts most.", properties=both),
        Case("words of six", ("T" + _dna(rng, n + 3), 6), "Ids go up to 4^6 - 1 = 4095.", properties=both),
        Case("one word is all", ("TACG", 4), "A strand of k letters has one word.", properties=both),
    ]


KMER_TOKENIZE = Exercise(
    id="14.kmer_tokenize",
    title="DNA as words",
    reference=kmer_tokenize,
    cases=_kmer_cases,
    hints=(
        "Two steps: cut the words, then number each one.",
        "Words begin at 0, 1, ..., len(dna) - k. A number grows letter by letter: 4 · number + digit.",
        "for i in range(len(dna) - k + 1): number = 0; for c in dna[i : i + k]: "
        'number = 4 * number + "ACGT".index(c).',
    ),
    mistakes=(
        Mistake(
            "without_overlap",
            lambda dna, k: _numbered(_words(dna, k, range(0, len(dna) - k + 1, k))),
            "Your words do not overlap. Here the next word begins one letter later, not k letters later.",
        ),
        Mistake(
            "last_word_missing",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k))),
            "The last word is missing: range stops before its end, so it needs len(dna) - k + 1.",
        ),
        Mistake(
            "short_words_at_the_end",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna)))),
            "At the end you kept words of fewer than k letters. What fills no word is left out.",
        ),
        Mistake(
            "last_letter_first",
            lambda dna, k: _numbered([word[::-1] for word in _words(dna, k, range(len(dna) - k + 1))]),
            "You let the last letter count most. As in a decimal number, the first one does.",
        ),
        Mistake(
            "another_order_of_letters",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1)), "ATGC"),
            "Your letters have other numbers: take them in the order A, C, G, T.",
        ),
        Mistake(
            "base_ten",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1)), base=10),
            "You read the digits in base 10. There are four letters, so the base is 4: ids go up to 4^k - 1.",
        ),
        Mistake(
            "letters_from_one",
            lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1)), "?" + BASES),
            "Your letters count from 1. With A = 0 the ids go from 0 to 4^k - 1, as the rows of a table do.",
        ),
        Mistake(
            "words_not_ids",
            lambda dna, k: _words(dna, k, range(len(dna) - k + 1)),
            "You returned the words. A model takes whole numbers: number them in base 4.",
        ),
        Mistake(
            "ids_with_a_decimal_point",
            lambda dna, k: np.array(kmer_tokenize(dna, k), dtype=float),
            "Your ids are right, but they are floats. An id picks a row of a table: return whole numbers.",
        ),
        Mistake(
            "eight_bits",
            lambda dna, k: np.array(kmer_tokenize(dna, k)).astype(np.uint8),
            "Your ids begin again at 0 after 255: eight bits are too few for 4^k words. Use int.",
        ),
    ),
    alternatives=(
        lambda dna, k: kmer_ids(dna, k),
        lambda dna, k: _numbered(_words(dna, k, range(len(dna) - k + 1))),
    ),
    stars=1,
    minutes=10,
)

# tokenize_series -------------------------------------------------------------------------------------------


def tokenize_series(series, window, stride):
    """Return the windows (N, window) of a series (T); each begins `stride` after the one before it."""
    return cut_series(series, window, stride)


def _rows(series, window, starts):
    return np.array([series[i : i + window] for i in starts])


def _series_cases(rng):
    n = int(rng.integers(3, 6))
    long, other = rng.normal(size=3 * n + 7), rng.normal(size=4 * n + 5)
    whole = ("each row is as long as the window", lambda rows, s, w, stride: np.shape(rows)[1:] == (w,))
    return [
        Case(
            "seven numbers, windows of three",
            (np.array([1.0, 2, 4, 7, 11, 16, 22]), 3, 2),
            "Windows begin at 0, 2 and 4. One that begins at 6 would have one number only.",
            expected=np.array([[1.0, 2, 4], [4, 7, 11], [11, 16, 22]]),
        ),
        Case(
            "windows that overlap",
            (long, 4, 2),
            "The next window begins `stride` later.",
            properties=(whole,),
        ),
        Case("windows that touch", (other, 5, 5), "What fills no window is left out.", properties=(whole,)),
        Case(
            "windows with gaps",
            (long, 2, 3),
            "A stride may be larger than the window.",
            properties=(whole,),
        ),
        Case("one window is all", (long[:5], 5, 3), "Then there is one row.", properties=(whole,)),
    ]


TOKENIZE_SERIES = Exercise(
    id="14.tokenize_series",
    title="A time series as tokens",
    reference=tokenize_series,
    cases=_series_cases,
    hints=(
        "Where do windows begin, and which is the last one that fits?",
        "They begin at 0, stride, 2 stride, ... as long as begin + window is at most T.",
        "[series[i:i + window] for i in range(0, len(series) - window + 1, stride)], as one array.",
    ),
    mistakes=(
        Mistake(
            "stride_not_used",
            lambda s, w, stride: _rows(s, w, range(0, len(s) - w + 1, w)),
            "Your windows touch each other, whatever the stride is. The next one begins `stride` later.",
        ),
        Mistake(
            "stride_of_one",
            lambda s, w, stride: _rows(s, w, range(len(s) - w + 1)),
            "A window begins at every measurement. Step by `stride`.",
        ),
        Mistake(
            "last_window_missing",
            lambda s, w, stride: _rows(s, w, range(0, len(s) - w, stride)),
            "A window that ends exactly at the end is missing: range stops before its end.",
        ),
        Mistake(
            "filled_with_zeros",
            lambda s, w, stride: _rows(np.append(s, np.zeros(w)), w, range(0, len(s), stride)),
            "You filled the last windows with zeros. A zero is a measurement, too: leave them out.",
        ),
        Mistake(
            "columns_not_rows",
            lambda s, w, stride: cut_series(s, w, stride).T,
            "Your windows stand in columns. Tokens are rows.",
        ),
        Mistake(
            "window_and_stride_exchanged",
            lambda s, w, stride: _rows(s, stride, range(0, len(s) - stride + 1, w)),
            "You exchanged the two: `window` is the length of a token, `stride` the way to the next one.",
        ),
        Mistake(
            "mean_of_the_window",
            lambda s, w, stride: cut_series(s, w, stride).mean(axis=1),
            "You returned one mean a window. Keep all numbers: a rise and a fall can have the same mean.",
        ),
    ),
    alternatives=(
        lambda s, w, stride: _rows(s, w, range(0, len(s) - w + 1, stride)),
        lambda s, w, stride: np.lib.stride_tricks.sliding_window_view(s, w)[::stride],
    ),
    stars=1,
    minutes=10,
)

# cross_attend_image ----------------------------------------------------------------------------------------


def cross_attend_image(question, patches, W_q, W_k, W_v):
    """Return what each word of the question (T, D) takes from the patches (S, D): Z (T, e) and A (T, S)."""
    return scaled_dot_product_attention(question @ W_q, patches @ W_k, patches @ W_v)


def _attend(scores, V):
    A = softmax(scores)
    return A @ V, A


def _cross_cases(rng):
    T, S, D, d, e = (int(size) for size in rng.permutation([3, 5, 6, 4, 7]))
    question, patches = rng.normal(size=(T, D)), rng.normal(size=(S, D))
    W_q, W_k, W_v = (rng.normal(size=(D, size)) for size in (d, d, e))
    sums = ("each row of A sums to 1", lambda out, *_: np.allclose(np.sum(out[1], axis=1), 1))
    red = np.sqrt(2) * np.log(8) * np.array([[1.0, 0, 0, 0]])
    seen = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0]])
    colour, shape = np.eye(4)[:, :2], np.eye(4)[:, 2:]
    return [
        Case(
            "red asks, a red disc answers",
            (red, seen, colour, colour, shape),
            "The scores are ln 8, 0 and 0 after the division by √2, so the weights are 8 : 1 : 1.",
            expected=(np.array([[0.8, 0.1]]), np.array([[0.8, 0.1, 0.1]])),
        ),
        Case(
            "random words and patches",
            (question, patches, W_q, W_k, W_v),
            "One row a word.",
            properties=(sums,),
        ),
        Case(
            "one word, many patches",
            (question[:1], np.vstack([patches, 2 * patches[::-1]]), W_q, W_k, W_v),
            "A has one row and one column a patch.",
            properties=(sums,),
        ),
        Case(
            "large scores",
            (question, 30_000 * patches, W_q, W_k, W_v),
            "Does e to the score overflow?",
            properties=(sums,),
        ),
    ]


def _unshifted(question, patches, W_q, W_k, W_v):
    with np.errstate(all="ignore"):
        raised = np.exp(question @ W_q @ (patches @ W_k).T / np.sqrt(W_k.shape[1]))
        A = raised / raised.sum(axis=1, keepdims=True)
        return A @ (patches @ W_v), A


CROSS_ATTEND_IMAGE = Exercise(
    id="14.cross_attend_image",
    title="A question looks at an image",
    reference=cross_attend_image,
    cases=_cross_cases,
    hints=(
        "Who asks, and who answers? The words make queries. Keys and values both come from the patches.",
        "A = softmax(Q Kᵀ / √d) along the patches, and d is the number of columns of the keys.",
        "Q, K, V = question @ W_q, patches @ W_k, patches @ W_v; A = softmax(Q @ K.T / np.sqrt(K.shape[1])); "
        "return A @ V, A.",
    ),
    mistakes=(
        Mistake(
            "patches_ask",
            lambda q, p, W_q, W_k, W_v: scaled_dot_product_attention(p @ W_q, q @ W_k, q @ W_v),
            "Your patches ask and the words answer. The question makes Q; the image makes K and V.",
        ),
        Mistake(
            "softmax_over_words",
            lambda q, p, W_q, W_k, W_v: (lambda A: (A @ (p @ W_v), A))(
                softmax((q @ W_q @ (p @ W_k).T / np.sqrt(W_k.shape[1])).T).T
            ),
            "Your softmax runs over the words: columns sum to 1. Each word shares its weight among patches.",
        ),
        Mistake(
            "not_scaled",
            lambda q, p, W_q, W_k, W_v: _attend(q @ W_q @ (p @ W_k).T, p @ W_v),
            "The division by √d is missing.",
        ),
        Mistake(
            "scaled_by_the_width_of_tokens",
            lambda q, p, W_q, W_k, W_v: _attend(q @ W_q @ (p @ W_k).T / np.sqrt(q.shape[1]), p @ W_v),
            "You divided by the root of the width of a token. It is the width of the keys that counts.",
        ),
        Mistake(
            "divided_by_d",
            lambda q, p, W_q, W_k, W_v: _attend(q @ W_q @ (p @ W_k).T / W_k.shape[1], p @ W_v),
            "You divided by d. Divide by its square root.",
        ),
        Mistake(
            "looks_at_itself",
            lambda q, p, W_q, W_k, W_v: scaled_dot_product_attention(q @ W_q, q @ W_k, q @ W_v),
            "Your words look at words: that is self-attention. Keys and values come from the patches.",
        ),
        Mistake(
            "causal",
            lambda q, p, W_q, W_k, W_v: scaled_dot_product_attention(
                q @ W_q, p @ W_k, p @ W_v, np.tri(len(q), len(p), dtype=bool)
            ),
            "You hid patches with a causal mask. An image has no future: every word sees every patch.",
        ),
        Mistake(
            "keys_mixed",
            lambda q, p, W_q, W_k, W_v: _attend(q @ W_q @ (p @ W_k).T / np.sqrt(W_k.shape[1]), p @ W_k),
            "You mixed the keys. Keys are compared, values are mixed.",
        ),
        Mistake(
            "overflows",
            _unshifted,
            "e to a large score overflows. Use the softmax from the library, or subtract the largest score.",
        ),
    ),
    alternatives=(
        lambda q, p, W_q, W_k, W_v: _attend((q @ W_q / np.sqrt(W_q.shape[1])) @ (p @ W_k).T, p @ W_v),
        lambda q, p, W_q, W_k, W_v: _attend(q @ (W_q @ W_k.T) @ p.T / np.sqrt(W_k.shape[1]), p @ W_v),
    ),
    stars=2,
    minutes=15,
)

# info_nce --------------------------------------------------------------------------------------------------


def info_nce(x, y, temperature):
    """Return the contrastive loss of partners x (B, D) and y (B, D), rows and columns averaged."""
    return float(losses.info_nce(x, y, temperature))


def _halves(S):
    """Return the mean surprise of the rows and of the columns at the diagonal."""
    return -np.diag(log_softmax(S)).mean(), -np.diag(log_softmax(S.T)).mean()


def _cosines(x, y):
    return directions(x) @ directions(y).T


def _without_itself(S):
    """Return the rows' loss where the right one is left out of the sum below the fraction."""
    others = np.where(np.eye(len(S), dtype=bool), -np.inf, S)
    top = others.max(axis=1)
    return (top + np.log(np.exp(others - top[:, None]).sum(axis=1)) - np.diag(S)).mean()


def _overflowing(x, y, temperature):
    with np.errstate(all="ignore"):
        raised = np.exp(_cosines(x, y) / temperature)
        right = np.diag(raised)
        return float(-(np.log(right / raised.sum(1)) + np.log(right / raised.sum(0))).mean() / 2)


def _after_softmax(x, y, temperature, little):
    """Return the loss with the logarithm taken after the softmax, of each probability and a little more."""
    S = _cosines(x, y) / temperature
    with np.errstate(all="ignore"):
        right = np.concatenate([np.diag(softmax(S)), np.diag(softmax(S.T))])
        return float(-np.log(right + little).mean())


def _duplicates(rng, B, D):
    """Return images, and captions of which some are equal."""
    names = rng.normal(size=(3, D))
    return rng.normal(size=(B, D)), names[rng.permutation(np.arange(B) % 3)]


def _nce_cases(rng):
    B, D = int(rng.integers(4, 6)), int(rng.integers(6, 9))
    x, y = rng.normal(size=(2, B, D))
    half = np.sqrt(3) / 2
    positive = ("a loss is 0 or more", lambda loss, *_: loss > -1e-9)
    return [
        Case(
            "two pairs at an angle of 60°, by hand",
            (np.array([[2.0, 0.0], [1.0, 2 * half]]), np.array([[1.0, 0.0], [0.5, half]]), 0.5 / np.log(9)),
            "The cosines are 1 and ½. Over T: 2 ln 9 and ln 9, so the weights are 9 : 1: -ln 0.9.",
            expected=-float(np.log(0.9)),
        ),
        Case(
            "random pairs",
            (x, 3 * y + 1, 0.3),
            "Rows have other lengths: only directions count.",
            properties=(positive,),
        ),
        Case(
            "other pairs",
            (2 * x[:-1] + y[:-1], y[:-1], 0.8),
            "Rows and columns, both.",
            properties=(positive,),
        ),
        Case(
            "nothing can be told apart",
            (np.ones((B, D)), np.ones((B, D)), 0.07),
            "Then it is ln B.",
            expected=float(np.log(B)),
        ),
        Case(
            "a name twice",
            (*_duplicates(rng, B + 2, D), 0.2),
            "Equal captions need no special care.",
            properties=(positive,),
        ),
        Case("a very small temperature", (y, 2 * x + 3 * y, 0.001), "e to 1000 overflows."),
        Case(
            "two pairs, each with the wrong partner, by hand",
            (np.eye(2), np.eye(2)[::-1], 0.001),
            "The partner has the score 0, the other one 1000: so the surprise is 1000. "
            "log_softmax never takes the logarithm of 0.",
            expected=1000.0,
        ),
    ]


INFO_NCE = Exercise(
    id="14.info_nce",
    title="The contrastive loss",
    reference=info_nce,
    cases=_nce_cases,
    hints=(
        "Bring every row to length 1. Then all cosines are one matrix product.",
        "Softmax each row of S and look at the diagonal; do the same for the columns; average.",
        "S = x̂ @ ŷ.T / temperature; rows = -np.diag(log_softmax(S)).mean(); columns the same with S.T; "
        "(rows + columns) / 2.",
    ),
    mistakes=(
        Mistake(
            "lengths_kept",
            lambda x, y, t: float(np.mean(_halves(x @ y.T / t))),
            "You compared products, not cosines: a long vector then wins. Bring every row to length 1 first.",
        ),
        Mistake(
            "rows_alone",
            lambda x, y, t: float(_halves(_cosines(x, y) / t)[0]),
            "You let images choose captions only. Captions choose as well: take S.T, too, and average.",
        ),
        Mistake(
            "columns_alone",
            lambda x, y, t: float(_halves(_cosines(x, y) / t)[1]),
            "You let captions choose images only. Images choose as well: take the rows, too, and average.",
        ),
        Mistake(
            "halves_added",
            lambda x, y, t: float(np.sum(_halves(_cosines(x, y) / t))),
            "You added the two halves. Average them, so that guessing gives ln B.",
        ),
        Mistake(
            "summed_over_the_batch",
            lambda x, y, t: float(len(x) * np.mean(_halves(_cosines(x, y) / t))),
            "You summed over the batch. Take the mean, so that batches of other sizes can be compared.",
        ),
        Mistake(
            "multiplied_by_temperature",
            lambda x, y, t: float(np.mean(_halves(_cosines(x, y) * t))),
            "You multiplied by the temperature. Divide: a small one makes the choice sharp.",
        ),
        Mistake(
            "temperature_not_used",
            lambda x, y, t: float(np.mean(_halves(_cosines(x, y)))),
            "Your result does not depend on the temperature.",
        ),
        Mistake(
            "right_one_left_out_below",
            lambda x, y, t: float(
                (_without_itself(_cosines(x, y) / t) + _without_itself(_cosines(x, y).T / t)) / 2
            ),
            "You left the right partner out of the sum below the fraction. A softmax has all of them in it.",
        ),
        Mistake(
            "sign_forgotten",
            lambda x, y, t: -float(np.mean(_halves(_cosines(x, y) / t))),
            "The sign is wrong: the surprise is MINUS the logarithm of a probability.",
        ),
        Mistake(
            "overflows",
            _overflowing,
            "e to a cosine over a small temperature overflows. Use log_softmax from the library.",
        ),
        Mistake(
            "logarithm_of_softmax",
            lambda x, y, t: _after_softmax(x, y, t, 0),
            "The probability of a far partner is rounded to 0, and its logarithm is -inf. Use log_softmax.",
        ),
        Mistake(
            "a_little_added_before_the_logarithm",
            lambda x, y, t: _after_softmax(x, y, t, 1e-9),
            "You added a little to each probability, so that none is 0. Then no surprise is above 21, "
            "however far the partner is. Use log_softmax.",
        ),
    ),
    alternatives=(
        lambda x, y, t: float(np.mean(_halves(_cosines(x, y) / t))),
        lambda x, y, t: np.mean(_halves(_cosines(y, x) / t)),
    ),
    stars=2,
    minutes=20,
)

# loss_floor ------------------------------------------------------------------------------------------------


def loss_floor(labels):
    """Return the least InfoNCE loss of a batch in which captions with one label (B) are the same."""
    counts = np.bincount(labels)
    counts = counts[counts > 0]
    return float((counts * np.log(counts)).sum() / counts.sum())


def _counts(labels):
    return np.unique(labels, return_counts=True)[1]


def _floor_cases(rng):
    labels = rng.integers(6, size=int(rng.integers(12, 20)))
    labels[:4] = 0, 0, 0, 1
    other = np.append(labels[::-1] + 3, [7, 7, 12])
    low = ("it is from 0 to ln B", lambda floor, labels: -1e-9 < floor <= np.log(len(labels)) + 1e-9)
    return [
        Case(
            "a name three times, a name once",
            (np.array([4, 4, 7, 4]),),
            "Three images share their belief among three equal captions: ln 3 each. The fourth is sure: 0.",
            expected=float(3 * np.log(3) / 4),
        ),
        Case("a random batch", (labels,), "How large is each group?", properties=(low,)),
        Case("another batch", (other,), "Labels may be any numbers.", properties=(low,)),
        Case("no name twice", (np.array([5, 2, 9]),), "Then the floor is 0.", expected=0.0),
        Case(
            "one name only",
            (np.full(6, 3),),
            "Then nothing can be told apart: ln B.",
            expected=float(np.log(6)),
        ),
    ]


LOSS_FLOOR = Exercise(
    id="14.loss_floor",
    title="How low can the loss go?",
    reference=loss_floor,
    cases=_floor_cases,
    hints=(
        "What is the best that one image can do if n captions of the batch are equal and right?",
        "Its surprise is ln n. Average this over the images, not over the names.",
        "n = np.unique(labels, return_counts=True)[1]; return (n * np.log(n)).sum() / n.sum().",
    ),
    mistakes=(
        Mistake(
            "always_zero",
            lambda labels: 0.0,
            "0 needs each image to be sure of its own caption. Among n equal captions the best is 1/n each.",
        ),
        Mistake(
            "entropy_of_the_names",
            lambda labels: float(np.log(len(labels)) - loss_floor(labels)),
            "That is the entropy of the names. The floor is ln B minus it.",
        ),
        Mistake(
            "mean_over_names",
            lambda labels: float(np.log(_counts(labels)).mean()),
            "You averaged over the names. A frequent name has more images, and each of them counts.",
        ),
        Mistake(
            "log_of_the_mean",
            lambda labels: float(np.log(_counts(labels).mean())),
            "You took the logarithm of the mean count. Take the logarithm for each image first.",
        ),
        Mistake(
            "log_of_how_many_names",
            lambda labels: float(np.log(len(_counts(labels)))),
            "You counted the different names. What matters is how often each one occurs.",
        ),
        Mistake(
            "chance",
            lambda labels: float(np.log(len(labels))),
            "ln B is what guessing gives: the worst of sensible values, not the best.",
        ),
        Mistake(
            "in_bits",
            lambda labels: float(loss_floor(labels) / np.log(2)),
            "You took the logarithm to base 2. Our losses are in nats: np.log.",
        ),
        Mistake(
            "summed",
            lambda labels: float(loss_floor(labels) * len(labels)),
            "You summed over the images. Take the mean.",
        ),
    ),
    alternatives=(
        lambda labels: np.mean([np.log(np.sum(labels == label)) for label in labels]),
        lambda labels: np.log((labels[:, None] == labels).sum(axis=1)).mean(),
    ),
    stars=2,
    minutes=10,
)

# retrieval_accuracy ----------------------------------------------------------------------------------------


def retrieval_accuracy(x, y, labels):
    """Return the share of images x (B, D) whose nearest caption among y (C, D) is labels (B)."""
    return float((multimodal.retrieve(x, y) == labels).mean())


def _retrieval_cases(rng):
    C, D, B = (int(size) for size in rng.permutation([5, 7, 11]))
    y = rng.normal(size=(C, D)) * np.linspace(0.2, 3, C)[:, None]
    labels = rng.integers(C, size=B)
    x = directions(y)[labels] * rng.uniform(0.2, 4, size=(B, 1)) + 0.5 * rng.normal(size=(B, D))
    share = ("it is a share, from 0 to 1", lambda share, *_: 0 <= share <= 1)
    captions = np.array([[1.0, 0], [0, 1], [6, 6]])
    images = np.array([[2.0, 0.1], [0.1, 0.3], [3, 0.2], [1, 0.9]])
    return [
        Case(
            "four images, three captions, by hand",
            (images, captions, np.array([0, 1, 2, 2])),
            "By direction the images belong to captions 0, 1, 0 and 2. The third is labelled 2.",
            expected=0.75,
        ),
        Case("random vectors", (x, y, labels), "One caption for each image.", properties=(share,)),
        Case("other vectors", (x[::-1][:-2], y, labels[:-2]), "Compare by cosine.", properties=(share,)),
        Case("all right", (5 * y, y, np.arange(C)), "Each caption is nearest to itself.", expected=1.0),
        Case(
            "all captions point away",
            (np.array([[-3.0, -1], [-1, -2]]), captions, np.array([1, 0])),
            "All cosines are below 0. The nearest caption has the largest: -0.32 for the first image.",
            expected=1.0,
        ),
    ]


def _share(found, labels):
    return float((found == labels).mean())


RETRIEVAL_ACCURACY = Exercise(
    id="14.retrieval_accuracy",
    title="Does an image find its caption?",
    reference=retrieval_accuracy,
    cases=_retrieval_cases,
    hints=(
        "One row of cosines for each image. Where is the largest?",
        "Bring the rows to length 1, multiply, take argmax along the captions, compare with the labels.",
        "found = (x̂ @ ŷ.T).argmax(axis=1); return (found == labels).mean().",
    ),
    mistakes=(
        Mistake(
            "lengths_of_captions_count",
            lambda x, y, labels: _share((x @ y.T).argmax(axis=1), labels),
            "You compared products: a long caption then wins too often. Bring the rows of y to length 1.",
        ),
        Mistake(
            "distance_not_direction",
            lambda x, y, labels: _share(((x[:, None] - y) ** 2).sum(-1).argmin(axis=1), labels),
            "You compared distances. The towers are trained by direction: use cosines.",
        ),
        Mistake(
            "furthest",
            lambda x, y, labels: _share(_cosines(x, y).argmin(axis=1), labels),
            "You took the smallest cosine. The nearest caption has the largest.",
        ),
        Mistake(
            "sign_dropped",
            lambda x, y, labels: _share(np.abs(_cosines(x, y)).argmax(axis=1), labels),
            "You dropped the sign of the cosine. A caption that points the other way is not near.",
        ),
        Mistake(
            "search_begins_at_zero",
            lambda x, y, labels: _share(np.maximum(_cosines(x, y), 0).argmax(axis=1), labels),
            "Your search begins with 0 as the best so far, so a cosine below 0 is never found. Use argmax.",
        ),
        Mistake(
            "captions_choose",
            lambda x, y, labels: float((labels[_cosines(x, y).argmax(axis=0)] == np.arange(len(y))).mean()),
            "Your captions choose images. Here each image chooses: argmax along the captions, axis=1.",
        ),
        Mistake(
            "count_not_share",
            lambda x, y, labels: float((multimodal.retrieve(x, y) == labels).sum()),
            "You returned a number of images. Divide by how many there are.",
        ),
        Mistake(
            "errors_counted",
            lambda x, y, labels: float((multimodal.retrieve(x, y) != labels).mean()),
            "You returned the share of errors. One minus it is the accuracy.",
        ),
        Mistake(
            "only_the_first_images",
            lambda x, y, labels: float((multimodal.retrieve(x, y) == np.arange(len(x))).mean()),
            "You compared with 0, 1, 2, ... That holds in a training batch of pairs. Here use the labels.",
        ),
    ),
    alternatives=(
        lambda x, y, labels: np.mean(
            [np.argmax(directions(y) @ row) == k for row, k in zip(x, labels, strict=True)]
        ),
        lambda x, y, labels: _share(
            ((directions(x)[:, None] - directions(y)) ** 2).sum(-1).argmin(1), labels
        ),
    ),
    stars=1,
    minutes=10,
)

# attention_is_not_explanation ------------------------------------------------------------------------------


def attention_is_not_explanation(a, V):
    """Return other weights (S) with the same mixture of V (S, e) as a (S): one weight of a is used up."""
    n = _unseen(np.hstack([V, np.ones((len(V), 1))]))
    return _to_the_border(a, n)


def _unseen(conditions):
    """Return a direction n (S) with n @ conditions = 0: the last one of the decomposition."""
    return np.linalg.svd(conditions.T)[2][-1]


def _to_the_border(a, n):
    """Return a moved along n until the first weight is 0."""
    falling = n < -1e-9
    return a + n * (a[falling] / -n[falling]).min()


def _run_explanation(answer, a, V):
    """Return facts about other weights: there are many right ones."""
    b = answer(a, V)
    if b is None:
        return None
    b = np.asarray(b, dtype=float)
    if b.shape != a.shape:
        raise ValueError(f"the new weights have shape {b.shape}, the old ones {a.shape}: one for each token")
    return {
        "output": b @ V,
        "sum of the weights": float(b.sum()),
        "no weight is below 0": bool((b > -1e-9).all()),
        "another map": bool(np.abs(b - a).max() > 1e-6),
        "a weight became 0": bool((np.abs(b) < 1e-9).any()),
    }


def _explanation_cases(rng):
    S, e = int(rng.integers(6, 8)), int(rng.integers(2, 4))
    a, V = softmax(rng.normal(size=S)), rng.normal(size=(S, e)) + 1
    twins = rng.normal(size=(4, 3))
    return [
        Case(
            "two equal values, by hand",
            (np.array([0.5, 0.2, 0.3]), np.array([[1.0, 2], [1, 2], [5, 0]])),
            "The first two values are equal, so their weights can be shared in any way: 0.7 and 0, say.",
            expected={
                "output": np.array([2.2, 1.4]),
                "sum of the weights": 1.0,
                "no weight is below 0": True,
                "another map": True,
                "a weight became 0": True,
            },
        ),
        Case("more tokens than columns", (a, V), "Look for n with n @ V = 0 and a sum of 0."),
        Case(
            "a square",
            (np.array([0.4, 0.3, 0.2, 0.1]), np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])),
            "What is added on one diagonal is taken from the other.",
        ),
        Case(
            "equal values in a wide head",
            (softmax(rng.normal(size=4)), np.hstack([twins, twins])[[0, 1, 2, 1]]),
            "Only two values are equal here, and there are more columns than tokens.",
        ),
    ]


def _greedy_swap(a, V):
    b = a.copy()
    b[[0, 1]] = b[[1, 0]]
    return b


ATTENTION_IS_NOT_EXPLANATION = Exercise(
    id="14.attention_is_not_explanation",
    title="Another map, the same output",
    reference=attention_is_not_explanation,
    cases=_explanation_cases,
    driver=_run_explanation,
    hints=(
        "Write the new weights as a + s · n. What must hold for n, so that the sum and the mixture stay?",
        "n @ V = 0 and n.sum() = 0: together n @ [V, 1] = 0. The last row of svd([V, 1].T)[2] is such an n. "
        "How large may s be?",
        "n = np.linalg.svd(np.hstack([V, np.ones((len(V), 1))]).T)[2][-1]; down = n < -1e-9; "
        "s = (a[down] / -n[down]).min(); return a + s * n.",
    ),
    mistakes=(
        Mistake(
            "the_same_map",
            lambda a, V: a.copy(),
            "These are the weights that were there. Find others.",
        ),
        Mistake(
            "not_far_enough",
            lambda a, V: (a + attention_is_not_explanation(a, V)) / 2,
            "The output stays, but no weight became 0. Go on in this direction until the first one does.",
        ),
        Mistake(
            "too_far",
            lambda a, V: a + 2 * (attention_is_not_explanation(a, V) - a),
            "The output stays, but a weight is negative. Stop where the first weight is 0.",
        ),
        Mistake(
            "sum_not_kept",
            lambda a, V: a * (a < a.max()),
            "Your weights do not sum to 1: what one loses, others must get.",
        ),
        Mistake(
            "two_exchanged",
            _greedy_swap,
            "You exchanged two weights. That leaves the output as it is only if their values are equal.",
        ),
        Mistake(
            "sorted_the_other_way",
            lambda a, V: a[::-1].copy(),
            "You turned the map round. The values do not turn with it, so the output changes.",
        ),
        Mistake(
            "all_to_the_strongest",
            lambda a, V: np.eye(len(a))[a.argmax()],
            "All weight on one token gives its value alone. Move along what the values cannot see.",
        ),
        Mistake(
            "renormalised",
            lambda a, V: np.where(a < a.max(), a, 0) / (1 - a.max()),
            "You removed a token and stretched the rest. The sum is 1 again, but the mixture is another one.",
        ),
        Mistake(
            "equal_weights",
            lambda a, V: np.full(len(a), 1 / len(a)),
            "Equal weights give the plain mean of the values, which is another output.",
        ),
    ),
    alternatives=(
        lambda a, V: _to_the_border(a, -_unseen(np.hstack([V, np.ones((len(V), 1))]))),
        lambda a, V: _to_the_border(a, _unseen(np.hstack([V - V[0], np.ones((len(V), 1))]))),
    ),
    stars=3,
    minutes=25,
)

SHEET = Sheet(
    "14",
    "Across modalities",
    exercises=(
        KMER_TOKENIZE,
        TOKENIZE_SERIES,
        CROSS_ATTEND_IMAGE,
        INFO_NCE,
        LOSS_FLOOR,
        RETRIEVAL_ACCURACY,
        ATTENTION_IS_NOT_EXPLANATION,
    ),
)
