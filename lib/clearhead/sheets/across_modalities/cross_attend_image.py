"""14.cross_attend_image: A question looks at an image."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.softmax import softmax

from .cross_attend_image_wrong import MORE


def cross_attend_image(question, patches, W_q, W_k, W_v):
    """Return what each word of the question (T, D) takes from the patches (S, D): Z (T, e) and A (T, S)."""
    return scaled_dot_product_attention(question @ W_q, patches @ W_k, patches @ W_v)


def _attend(scores, V):
    A = softmax(scores)
    return A @ V, A


#: Scores of thousands, whole numbers; for the first row two of them have the gap 1.
LARGE = np.array([[64.0, 1, 0, 0], [64, 3, 0, 0], [-20, 0, 0, 0]])


def _cross_cases(rng):
    T, S, D, d, e = (int(size) for size in rng.permutation([3, 5, 6, 7, 8]))
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
            (LARGE[:2], LARGE, np.eye(4), np.eye(4), np.arange(1.0, 13).reshape(4, 3)),
            "Does e to the score overflow? Two of them lie close together.",
            properties=(sums,),
        ),
    ]


def _unshifted(question, patches, W_q, W_k, W_v):
    with np.errstate(all="ignore"):
        raised = np.exp(question @ W_q @ (patches @ W_k).T / np.sqrt(W_k.shape[1]))
        A = raised / raised.sum(axis=1, keepdims=True)
        return A @ (patches @ W_v), A


EXERCISE = Exercise(
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
        Mistake(
            "weights_first",
            lambda question, patches, W_q, W_k, W_v: cross_attend_image(question, patches, W_q, W_k, W_v)[
                ::-1
            ],
            "The right two things, in the other order: first Z, then A.",
        ),
        Mistake(
            "softmax_forgotten",
            lambda question, patches, W_q, W_k, W_v: (lambda S: (S @ (patches @ W_v), S))(
                (question @ W_q) @ (patches @ W_k).T / np.sqrt(W_q.shape[1])
            ),
            "The softmax is missing: you mixed with the scores.",
        ),
        Mistake(
            "patches_mixed_as_they_are",
            lambda question, patches, W_q, W_k, W_v: (lambda A: (A @ patches, A))(
                cross_attend_image(question, patches, W_q, W_k, W_v)[1]
            ),
            "You mixed the patches themselves. Mix their values, patches @ W_v.",
        ),
        Mistake(
            "best_patch_alone",
            lambda question, patches, W_q, W_k, W_v: (lambda A: (A @ (patches @ W_v), A))(
                np.eye(len(patches))[((question @ W_q) @ (patches @ W_k).T).argmax(axis=1)]
            ),
            "Each word takes the best patch alone. Softmax lets the others share.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda q, p, W_q, W_k, W_v: _attend((q @ W_q / np.sqrt(W_q.shape[1])) @ (p @ W_k).T, p @ W_v),
        lambda q, p, W_q, W_k, W_v: _attend(q @ (W_q @ W_k.T) @ p.T / np.sqrt(W_k.shape[1]), p @ W_v),
    ),
    stars=2,
    minutes=15,
)
