"""11.classify_from_cls: A label from [CLS]."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import log_softmax, softmax

from .classify_from_cls_wrong import MORE


def classify_from_cls(x, W, b):
    """Return the probabilities (B, C) of C classes, from what an encoder made of B texts, x (B, T, D)."""
    return softmax(x[:, 0] @ W + b)


def _from(vector, squash=softmax):
    """Return a classifier that reads vector(x) (B, D)."""
    return lambda x, W, b: squash(vector(x) @ W + b)


def _classify_cases(rng):
    B, T, D, C = (int(n) for n in rng.permutation(np.arange(3, 9))[:4])
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


EXERCISE = Exercise(
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
        Mistake(
            "second_token",
            _from(lambda x: x[:, 1]),
            "You read the token behind [CLS]. [CLS] is the first: x[:, 0].",
        ),
        Mistake(
            "largest_over_tokens",
            _from(lambda x: x.max(axis=1)),
            "You took the largest number over all tokens. Read the first token.",
        ),
        Mistake(
            "sum_over_tokens",
            _from(lambda x: x.sum(axis=1)),
            "You added all tokens up. Read the first token.",
        ),
        Mistake(
            "sigmoid_in_place_of_softmax",
            _from(lambda x: x[:, 0], lambda z: 1 / (1 + np.exp(-z))),
            "You took a sigmoid of each logit. Classes share: softmax.",
        ),
        Mistake(
            "bias_subtracted",
            lambda x, W, b: classify_from_cls(x, W, -b),
            "You subtracted the bias. Add it.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda x, W, b: np.exp(log_softmax(x[:, 0, :] @ W + b)),
        lambda x, W, b: np.array([softmax(text[0] @ W + b) for text in x]),
    ),
    stars=1,
    minutes=10,
)
