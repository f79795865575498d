"""Additional cases of entry points, each made by a function that has the name of its entry point."""

import numpy as np

from clearhead.checks.exercise import Case


def _sizes(rng, count, low=2, high=8):
    """Return `count` different integers from `low` to `high` in random order, so that axes differ in size."""
    return tuple(int(n) for n in rng.permutation(np.arange(low, high + 1))[:count])


def attention(rng):
    T, S, d, e = _sizes(rng, 4)
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    padding = np.ones((T, S), dtype=bool)
    padding[:, S - S // 2 :] = False
    step = np.ones((1, S), dtype=bool)
    return [
        Case("no mask", (Q, K, V, np.ones((T, S), dtype=bool)), "Every query may attend to every key."),
        Case("padding on the right", (Q, K, V, padding), "The last keys are padding for all queries."),
        Case("a decoding step with one query", (Q[:1], K, V, step), "The only query sees all cached keys."),
    ]


def causal_attention(rng):
    T, d, e, more = _sizes(rng, 4, 3)
    S = T + more
    Q, K, V = rng.normal(size=(S, d)), rng.normal(size=(S, d)), rng.normal(size=(S, e))
    return [
        Case("as many queries as keys", (Q, K, V), "The first token sees only itself."),
        Case("one token", (Q[:1], K[:1], V[:1]), "With one key, the result is its value."),
        Case("two tokens", (Q[:2], K[:2], V[:2]), "The first token sees only itself."),
        Case("new tokens after cached ones", (Q[-T:], K, V), "The last query belongs to the last key."),
        Case("a decoding step with one query", (Q[-1:], K, V), "The new token sees all keys."),
        Case(
            "large scores", (60 * Q, 60 * K, V), "Subtract the largest score of a row before the exponential."
        ),
    ]


def sliding_window_attention(rng):
    T, d, e = _sizes(rng, 3, 4, 9)
    Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(T, d)), rng.normal(size=(T, e))
    return [
        Case("a window of two", (Q, K, V, 2), "Each token sees itself and the one before."),
        Case("a window of three", (Q, K, V, 3), "Each token sees itself and two before."),
        Case("a window of one", (Q, K, V, 1), "Each token sees only itself."),
        Case("a window wider than the text", (Q, K, V, T + 3), "This is causal attention."),
    ]


def alibi_bias(rng):
    T = int(rng.integers(3, 9))
    return [
        Case("eight heads", (8, T), "The slopes are 1/2, 1/4, ..., 1/256."),
        Case("four heads", (4, T + 1), "The slopes are 1/4, 1/16, 1/64, 1/256."),
        Case("two heads", (2, T + 2), "The slopes are 1/16 and 1/256."),
        Case("one token", (8, 1), "The only distance is 0."),
    ]


def _padded(rng):
    """Return the mask (texts, T) of texts of different lengths that are padded on the left."""
    B, T = _sizes(rng, 2, 3)
    T += 3
    lengths = np.concatenate([[T, 1], rng.integers(2, T, size=B)])
    return np.arange(T) >= T - lengths[:, None]


def left_padded_positions(rng):
    real = _padded(rng)
    return [
        Case("texts that are padded on the left", (real,), "The first real token has position 0."),
        Case("no padding", (np.ones((2, 4), dtype=bool),), "The positions are 0, 1, 2 and 3."),
        Case("one text", (real[2:3],), "The first real token has position 0."),
    ]


def left_padded_mask(rng):
    real = _padded(rng)
    return [
        Case("texts that are padded on the left", (real,), "Keys that are padding are visible to nobody."),
        Case("no padding", (np.ones((2, 4), dtype=bool),), "This is the causal mask."),
        Case("padding on the right", (real[:, ::-1].copy(),), "The mask does not depend on the side."),
    ]


def log_softmax(rng):
    rows, columns = _sizes(rng, 2)
    scores = rng.normal(size=(rows, columns))
    return [
        Case("three scores, by hand", (np.log([1.0, 2.0, 5.0]),), "", expected=np.log([1 / 8, 2 / 8, 5 / 8])),
        Case("random rows", (scores,), "Each row is normalized by itself."),
        Case("three axes", (rng.normal(size=(2, rows, columns)),), "The last axis is normalized."),
        Case("scores near 1,000", (1000 + scores,), "The exponential of 1,000 overflows."),
        Case(
            "weights that are rounded to 0",
            (1000 * scores,),
            "The logarithm of a rounded weight is infinite.",
        ),
    ]


def embedding(rng):
    B, T, V, D = _sizes(rng, 4)
    table = rng.normal(size=(V, D))
    return [
        Case("random ids", (rng.integers(0, V, size=(B, T)), table), "Each id selects its row."),
        Case("the first and the last id", (np.array([[0, V - 1]]), table), "The ids begin with 0."),
    ]


def rms_norm(rng):
    B, T, D = _sizes(rng, 3)
    x, gain = rng.normal(size=(T, D + 1)), rng.normal(size=D + 1)
    zeros = np.vstack([x, 0 * x[:1]])
    return [
        Case(
            "two rows, by hand",
            (np.array([[1.0, 1, 1, 1], [3, 4, 0, 0]]), np.ones(4), 0.0),
            "The mean squares are 1 and 25/4.",
            expected=np.array([[1.0, 1, 1, 1], [1.2, 1.6, 0, 0]]),
        ),
        Case("a random gain", (x, gain, 1e-5), "The gain multiplies the normalized row."),
        Case("a large epsilon", (x, gain, 0.5), "Epsilon is added to the mean of the squares."),
        Case("rows with a mean far from 0", (3 + x, gain, 1e-5), "The mean is not subtracted."),
        Case("tiny rows", (1e-3 * x, gain, 1e-5), "Epsilon is not negligible here."),
        Case("a row of zeros", (zeros, gain, 1e-5), "Epsilon prevents a division by 0."),
        Case(
            "a batch of sequences",
            (rng.normal(size=(B, T, D + 1)), gain, 1e-5),
            "Rows lie along the last axis.",
        ),
    ]


def silu(rng):
    T, D = _sizes(rng, 2)
    return [
        Case("a matrix", (2 * rng.normal(size=(T, D)),), "x times its sigmoid."),
        Case("numbers from -4 to 4", (np.linspace(-4, 4, 17),), "x times its sigmoid."),
        Case(
            "numbers far from 0", (np.array([1000.0, -1000.0, 80.0]),), "The exponential of 1,000 overflows."
        ),
    ]


def label_smoothing(rng):
    T, V = _sizes(rng, 2, 3)
    logits, targets = rng.normal(size=(T, V)), rng.integers(0, V, size=T)
    return [
        Case("a smoothing of 0.1", (logits, targets, 0.1), "The true word gets 0.9 and its part of 0.1."),
        Case("a smoothing of 0.3", (2 * logits, targets, 0.3), "The fraction is spread evenly."),
        Case("no smoothing", (logits, targets, 0.0), "This is the cross-entropy."),
    ]


def kl_divergence(rng):
    T, V = _sizes(rng, 2, 3)
    p, q = rng.normal(size=(T, V)), rng.normal(size=(T, V))
    return [
        Case("random logits", (p, 2 * q), "The expectation is over p."),
        Case("equal logits", (p, p + 3), "A constant in the logits changes nothing, so the divergence is 0."),
        Case("one row", (p[:1], q[:1]), "One row is its own mean."),
        Case("logits near 1,000", (1000 + p, 1000 + q), "The exponential of 1,000 overflows."),
    ]


def repetition_penalty(rng):
    V = int(rng.integers(6, 11))
    logits = 2 * rng.normal(size=V)
    logits[:2] = 1.5, -1.5
    ids = rng.permutation(V)[: V // 2]
    return [
        Case(
            "a positive and a negative logit, by hand",
            (np.array([3.0, -3.0, 1.0]), np.array([0, 1]), 2.0),
            "The positive logit is divided by 2, the negative one multiplied by 2.",
            expected=np.array([1.5, -6.0, 1.0]),
        ),
        Case(
            "random logits", (logits, np.concatenate([[0, 1], ids]), 1.3), "Other tokens keep their logits."
        ),
        Case("a token that occurs three times", (logits, np.array([1, 0, 1, 1]), 1.7), "It counts once."),
        Case("a penalty of 1", (logits, ids, 1.0), "A penalty of 1 changes nothing."),
    ]


def residual_distribution(rng):
    V = int(rng.integers(4, 9))
    p, q = rng.dirichlet(np.ones(V)), rng.dirichlet(np.ones(V))
    return [
        Case(
            "three tokens, by hand",
            (np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.6, 0.2])),
            "Only token 0 is proposed too rarely.",
            expected=np.array([1.0, 0, 0]),
        ),
        Case("random distributions", (p, q), "The differences are divided by their sum."),
        Case(
            "the draft's distribution and the model's swapped",
            (q, p),
            "The differences are divided by their sum.",
        ),
    ]


def tokenizer_round_trip(rng):
    words = ["Cat", "naïve", "cafe\u0301", "ﬁne", "猫", "🐈", "Straße", "x = 1", "don't"]
    drawn = " ".join(words[i] for i in rng.permutation(len(words)))
    return [
        Case("a sentence", ("The cat sat on the mat.",), "Capitals and punctuation come back."),
        Case(
            "spaces at both ends and inside", ("  two  spaces\n\tand tabs \n",), "All white space comes back."
        ),
        Case("a space in front", (" a cat",), "The first space comes back."),
        Case("a space at the end", ("a cat ",), "The last space comes back."),
        Case("two spaces", ("a  cat",), "Both spaces come back."),
        Case("a line break", ("a\ncat",), "The line break comes back as a line break."),
        Case("a tab", ("a\tcat",), "The tab comes back as a tab."),
        Case(
            "characters of several bytes",
            ("naïve café, 猫, 🐈",),
            "A character may consist of several tokens.",
        ),
        Case("a letter and a combining accent", ("e\u0301 and ﬁ",), "Two characters come back as two."),
        Case("random words", (drawn,), ""),
        Case("an empty text", ("",), ""),
    ]


def adamw_step(rng):
    D, F, n = _sizes(rng, 3)
    w, gradients = rng.normal(size=(D, F)), rng.normal(size=(n, D, F))
    return [
        Case(
            "gradients as small as epsilon",
            (w, 1e-8 * gradients, 0.1, 0.01),
            "Epsilon is added to the square root of the corrected mean of the squares.",
        ),
    ]


def clip_grad_norm(rng):
    D, F = _sizes(rng, 2)
    gradient = rng.normal(size=(D, F))
    return [
        Case("a norm of 5, by hand", (np.array([[3.0, 4.0]]), 1.0), "", expected=np.array([[0.6, 0.8]])),
        Case("a large gradient", (10 * gradient, 1.0), "All entries are divided by the same number."),
        Case("a small gradient", (0.01 * gradient, 1.0), "A gradient below the limit stays as it is."),
        Case("a large limit", (gradient, 100.0), "A gradient below the limit stays as it is."),
    ]


def gradient_accumulation(rng):
    M, D = _sizes(rng, 2, 3)
    gradients = rng.normal(size=(M, D))
    counts = rng.permutation(np.arange(1, 12))[:M]
    return [
        Case(
            "three tokens and one, by hand",
            (np.array([[4.0], [8.0]]), np.array([3, 1])),
            "The mean over the four tokens is (4 + 4 + 4 + 8) / 4.",
            expected=np.array([5.0]),
        ),
        Case("random micro-batches", (gradients, counts), "Each token counts the same."),
        Case("equal micro-batches", (gradients, np.full(M, 5)), "The mean of the gradients."),
    ]
