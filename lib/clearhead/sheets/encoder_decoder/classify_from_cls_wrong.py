"""More wrong answers of 11.classify_from_cls."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _of(scores=lambda x, W, b: x[:, 0] @ W + b, share=softmax):
    """Return share(scores(x, W, b))."""
    return lambda x, W, b: share(scores(x, W, b))


def _naive_over_texts(z):
    with np.errstate(all="ignore"):
        return np.exp(z) / np.exp(z).sum(axis=0)


def _naive_over_all(z):
    with np.errstate(all="ignore"):
        return np.exp(z) / np.exp(z).sum()


MORE = (
    Mistake(
        "texts_compete_and_overflow",
        _of(share=_naive_over_texts),
        "You divided by the sum of a column, so the texts compete. The classes of one text compete: "
        "axis=1. And e "
        "to large logits overflows: use softmax.",
    ),
    Mistake(
        "everything_competes_and_overflows",
        _of(share=_naive_over_all),
        "You divided by the sum of the whole table. The classes of one text compete: axis=1, "
        "keepdims=True. And e "
        "to large logits overflows: use softmax.",
    ),
    Mistake(
        "everything_competes",
        _of(share=lambda z: softmax(z.ravel()).reshape(z.shape)),
        "All your probabilities together sum to 1. Those of each text do.",
    ),
    Mistake(
        "vectors_returned",
        lambda x, W, b: x[:, 0],
        "You returned the vectors of [CLS]. A linear map makes logits of them, softmax probabilities.",
    ),
    Mistake(
        "softmax_before_the_map",
        lambda x, W, b: softmax(x[:, 0]) @ W + b,
        "You took the softmax of the vectors. Take it of the logits, at the end.",
    ),
    Mistake(
        "softmax_before_the_bias",
        lambda x, W, b: softmax(x[:, 0] @ W) + b,
        "You added the bias to the probabilities. Add it to the logits, before the softmax.",
    ),
    Mistake(
        "logarithms_returned",
        _of(share=lambda z: np.log(np.maximum(softmax(z), 1e-300))),
        "These are the logarithms. Return the probabilities.",
    ),
    Mistake(
        "softmax_twice",
        _of(share=lambda z: softmax(softmax(z))),
        "You took the softmax twice. Once is enough.",
    ),
    Mistake(
        "mean_without_cls",
        _of(lambda x, W, b: x[:, 1:].mean(axis=1) @ W + b),
        "You took the mean of all tokens but [CLS]. Read [CLS] alone: x[:, 0].",
    ),
    Mistake(
        "mean_of_the_probabilities",
        lambda x, W, b: softmax(x @ W + b).mean(axis=1),
        "You classified every token, and took the mean. Classify [CLS] alone: x[:, 0].",
    ),
    Mistake(
        "bias_multiplied",
        _of(lambda x, W, b: x[:, 0] @ W * b),
        "You multiplied by the bias. Add it.",
    ),
    Mistake(
        "divided_by_the_root",
        _of(lambda x, W, b: (x[:, 0] @ W + b) / np.sqrt(len(W))),
        "You divided the logits by √D. That belongs to attention; here nothing is divided.",
    ),
    Mistake(
        "powers_not_divided",
        _of(share=lambda z: np.exp(z - z.max(axis=1, keepdims=True))),
        "Your rows do not all sum to 1: divide each by its sum.",
    ),
    Mistake(
        "likeliest_probability",
        _of(share=lambda z: softmax(z).max(axis=1)),
        "You returned the largest probability of each text. Return all C of them.",
    ),
    Mistake(
        "sigmoids_divided_by_their_sum",
        _of(share=lambda z: (s := 1 / (1 + np.exp(-np.clip(z, -700, 700)))) / s.sum(axis=1, keepdims=True)),
        "You divided sigmoids by their sum. Softmax divides e to each logit by the sum of those.",
    ),
    Mistake(
        "one_for_the_likeliest",
        lambda x, W, b: np.eye(W.shape[1])[(x[:, 0] @ W + b).argmax(axis=1)],
        "You returned 1 for the likeliest class and 0 for the others. Return the probabilities.",
    ),
)
