"""Cases of 19.multi_token_loss."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
    T, V = int(rng.integers(7, 10)), int(rng.integers(4, 7))
    sure = np.zeros((3, 2, 3))
    sure[0, 0, 1] = sure[1, 0, 2] = 40
    logits, ids = 2 * rng.normal(size=(T, 2, V)), rng.integers(V, size=T)
    far = logits + 2000 * rng.normal(size=(T, 2, 1))
    draw = lambda T, H: (2 * rng.normal(size=(T, H, V)), rng.integers(V, size=T))  # noqa: E731
    return [
        Case(
            "equal logits, by hand",
            (np.zeros((3, 2, 3)), np.array([0, 1, 2])),
            "Each head guesses among three tokens, so each loss is ln 3.",
            expected=np.full(2, np.log(3)),
        ),
        Case(
            "a first head that is certain, by hand",
            (sure, np.array([0, 1, 2])),
            "Head 0 gives its two targets the probability 1, and head 1 guesses among three tokens.",
            expected=np.array([0.0, np.log(3)]),
        ),
        Case("two heads", draw(T, 2), "Head 0 has T − 1 targets, and head 1 has T − 2."),
        Case("three heads", draw(T + 1, 3), "Head h has T − 1 − h targets."),
        Case("one head", draw(T, 1), "With one head, this is the usual loss of a language model."),
        Case("a short text", draw(4, 3), "The last head has a single target."),
        Case(
            "logits in the thousands",
            (far, ids),
            "A number that is added to all logits of a row does not change the loss. Subtract the largest "
            "logit of each row first, for example with `log_softmax`.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
