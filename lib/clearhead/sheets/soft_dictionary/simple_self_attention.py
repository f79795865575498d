"""04.simple_self_attention: A sentence that looks at itself."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .shared import naive_softmax
from .simple_self_attention_wrong import MORE


def simple_self_attention(X):
    """Return the new vectors Z (T, D) and the weights A (T, T) when X is queries, keys and values."""
    A = softmax(X @ X.T)
    return A @ X, A


def simple_self_attention_by_loop(X):
    A = np.zeros((len(X), len(X)))
    for i, query in enumerate(X):
        scores = np.array([query @ key for key in X])
        positive = np.exp(scores - scores.max())
        A[i] = positive / positive.sum()
    return np.einsum("ij,jk->ik", A, X), A


def attend(X, scores):
    """Return the pair (Z, A) for given scores."""
    A = softmax(scores)
    return A @ X, A


def without_self(X):
    """Return self-attention in which no token sees itself."""
    return attend(X, np.where(np.eye(len(X), dtype=bool), -np.inf, X @ X.T))


def cosines(X):
    """Return the cosine between every two rows; a row of zeros gives 0."""
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    return unit @ unit.T


def self_attention_cases(rng):
    rows = (
        ("each row of A sums to 1", lambda out, X: np.allclose(np.asarray(out[1]).sum(axis=1), 1)),
        ("Z has the shape of X", lambda out, X: np.shape(out[0]) == X.shape),
    )
    long = np.zeros((4, 6))  # scores of 4097 and 4098
    long[:, :3] = [[64, 1, 0], [64, 2, 0], [-20, 0, 5], [0, 30, -9]]
    apple = np.array([[0, 0, 0], [2, 0, 0], [0, 0, 0], [1, 1, 0]])
    return [
        Case(
            "two vectors at a right angle, worked by hand",
            (np.sqrt(np.log(3)) * np.array([[1.0, 0, 0], [0, 0, 1]]),),
            "the scores are ln 3 and 0, so the weights of a row are 3/4 and 1/4",
            expected=(
                np.sqrt(np.log(3)) * np.array([[0.75, 0, 0.25], [0.25, 0, 0.75]]),
                np.array([[0.75, 0.25], [0.25, 0.75]]),
            ),
            properties=rows,
        ),
        Case(
            "I ate an apple",
            (apple,),
            "row i of A belongs to word i: softmax runs along each row",
            1,
            properties=rows,
        ),
        Case(
            "a vector that looks away from itself",
            (np.array([[1.0, 0, 0], [5, 1, 0]]),),
            "the score of the first with itself is 1, with the second 5",
            properties=(*rows, ("the first looks more at the second", lambda out, X: out[1][0][1] > 0.98)),
        ),
        Case("fresh numbers", (rng.normal(size=(5, 3)),), "", 2, properties=rows),
        Case(
            "long vectors",
            (long,),
            "the scores of the first word are 4097, 4098 and less, so two of its weights are not 0. Subtract "
            "the largest score of each row before the exponential",
            properties=rows,
        ),
    ]


EXERCISE = Exercise(
    id="04.simple_self_attention",
    title="A sentence that looks at itself",
    reference=simple_self_attention,
    cases=self_attention_cases,
    hints=(
        "X is the queries, the keys and the values. Write the matrix form of the chapter, and put X "
        "in three places.",
        "`X @ X.T` holds all scores: row i for query i. The softmax runs along each row, so `axis=-1`.",
        "`A = softmax(X @ X.T)`; `return A @ X, A`.",
    ),
    mistakes=(
        Mistake(
            "softmax_over_columns",
            lambda X: (softmax(X @ X.T).T @ X, softmax(X @ X.T).T),
            "Your columns sum to 1. Each row must: row i belongs to query i. Softmax along the last axis.",
        ),
        Mistake(
            "softmax_over_everything",
            lambda X: _over_everything(X),
            "All your weights together sum to 1. Each query has its own sum: one softmax for each row.",
        ),
        Mistake(
            "mixed_with_the_transpose",
            lambda X: (softmax(X @ X.T).T @ X, softmax(X @ X.T)),
            "Your weights are right, but you mixed with their transpose. Row i of A makes row i of "
            "Z: `A @ X`.",
        ),
        Mistake(
            "left_itself_out",
            without_self,
            "You left each word itself out. A word also meets its own key: keep the diagonal.",
        ),
        Mistake(
            "scaled_by_sqrt_d",
            lambda X: attend(X, X @ X.T / np.sqrt(X.shape[1])),
            "You divided the scores by √d. That comes in chapter 5; here the score is the plain dot product.",
        ),
        Mistake(
            "cosine_scores",
            lambda X: attend(X, cosines(X)),
            "You divided by the lengths (norms) of the vectors. The score is the plain dot product.",
        ),
        Mistake(
            "overflows",
            lambda X: (naive_softmax(X @ X.T) @ X, naive_softmax(X @ X.T)),
            "Right for short vectors, but `np.exp` overflows for long ones. Subtract the largest "
            "score of each row.",
        ),
        Mistake(
            "returned_in_the_other_order",
            lambda X: simple_self_attention(X)[::-1],
            "Both parts are right, in the wrong order. First the new vectors Z, then the weights A.",
        ),
        Mistake(
            "softmax_forgotten",
            lambda X: (X @ X.T @ X, X @ X.T),
            "The softmax is missing: these are the scores. Make weights of each row.",
        ),
        Mistake(
            "shared_without_exponential",
            lambda X: (lambda A: (A @ X, A))(X @ X.T / (X @ X.T).sum(axis=1, keepdims=True)),
            "You divided each row of scores by its sum. Take the exponential first: weights are positive.",
        ),
        Mistake(
            "words_added_at_the_end",
            lambda X: (X + simple_self_attention(X)[0], simple_self_attention(X)[1]),
            "You added the words themselves. Here the mixture alone is the answer.",
        ),
        Mistake(
            "only_the_new_vectors",
            lambda X: simple_self_attention(X)[0],
            "The weights are missing. Return two things: Z and A.",
        ),
        Mistake(
            "looks_back_only",
            lambda X: attend(X, np.where(np.tri(len(X), dtype=bool), X @ X.T, -np.inf)),
            "Each word looks back only. Every word compares itself with every word.",
        ),
        Mistake(
            "equal_weights",
            lambda X: attend(X, np.zeros((len(X), len(X)))),
            "All weights are equal, whatever the words are. Compare them: X @ X.T.",
        ),
        *MORE,
    ),
    alternatives=(simple_self_attention_by_loop,),
    stars=2,
    minutes=10,
)


def _over_everything(X):
    scores = X @ X.T
    positive = np.exp(scores - scores.max())
    A = positive / positive.sum()
    return A @ X, A
