"""14.info_nce: The contrastive loss."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.losses import info_nce
from clearhead.maths.softmax import log_softmax, softmax

from .info_nce_wrong import MORE
from .shared import cosines


def _halves(S):
    """Return the mean surprise of the rows and of the columns at the diagonal."""
    return -np.diag(log_softmax(S)).mean(), -np.diag(log_softmax(S.T)).mean()


def _without_itself(S):
    """Return the rows' loss where the right one is left out of the sum below the fraction."""
    others = np.where(np.eye(len(S), dtype=bool), -np.inf, S)
    top = others.max(axis=1)
    return (top + np.log(np.exp(others - top[:, None]).sum(axis=1)) - np.diag(S)).mean()


def _overflowing(x, y, temperature):
    with np.errstate(all="ignore"):
        raised = np.exp(cosines(x, y) / temperature)
        right = np.diag(raised)
        return float(-(np.log(right / raised.sum(1)) + np.log(right / raised.sum(0))).mean() / 2)


def _after_softmax(x, y, temperature, little):
    """Return the loss with the logarithm taken after the softmax, of each probability and a little more."""
    S = cosines(x, y) / temperature
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


EXERCISE = Exercise(
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
            lambda x, y, t: float(_halves(cosines(x, y) / t)[0]),
            "Only the x choose in your loss. The y choose, too: take the columns as well, and average.",
        ),
        Mistake(
            "columns_alone",
            lambda x, y, t: float(_halves(cosines(x, y) / t)[1]),
            "Only the y choose in your loss. The x choose, too: take the rows as well, and average.",
        ),
        Mistake(
            "halves_added",
            lambda x, y, t: float(np.sum(_halves(cosines(x, y) / t))),
            "You added the two halves. Average them, so that guessing gives ln B.",
        ),
        Mistake(
            "summed_over_the_batch",
            lambda x, y, t: float(len(x) * np.mean(_halves(cosines(x, y) / t))),
            "You summed over the batch. Take the mean, so that batches of other sizes can be compared.",
        ),
        Mistake(
            "multiplied_by_temperature",
            lambda x, y, t: float(np.mean(_halves(cosines(x, y) * t))),
            "You multiplied by the temperature. Divide: a small one makes the choice sharp.",
        ),
        Mistake(
            "temperature_not_used",
            lambda x, y, t: float(np.mean(_halves(cosines(x, y)))),
            "Your result does not depend on the temperature.",
        ),
        Mistake(
            "right_one_left_out_below",
            lambda x, y, t: float(
                (_without_itself(cosines(x, y) / t) + _without_itself(cosines(x, y).T / t)) / 2
            ),
            "You left the right partner out of the sum below the fraction. A softmax has all of them in it.",
        ),
        Mistake(
            "sign_forgotten",
            lambda x, y, t: -float(np.mean(_halves(cosines(x, y) / t))),
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
        Mistake(
            "one_side_keeps_its_lengths",
            lambda x, y, T=0.07: float(
                np.mean(_halves((x / np.linalg.norm(x, axis=1, keepdims=True)) @ y.T / T))
            ),
            "Only one of the two sides has rows of length 1. Both need it: only directions count.",
        ),
        Mistake(
            "temperature_squared",
            lambda x, y, temperature: info_nce(x, y, temperature**2),
            "You divided by the temperature twice, or by its square. Once is enough.",
        ),
        Mistake(
            "first_pair_alone",
            lambda x, y, temperature: (lambda S: -(log_softmax(S)[0, 0] + log_softmax(S.T)[0, 0]) / 2)(
                cosines(x, y) / temperature
            ),
            "You took the first pair alone. Average over all pairs.",
        ),
        Mistake(
            "share_found",
            lambda x, y, temperature: float((cosines(x, y).argmax(axis=1) == np.arange(len(x))).mean()),
            "That is the share that finds its partner. The loss is the mean surprise.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda x, y, t: float(np.mean(_halves(cosines(x, y) / t))),
        lambda x, y, t: np.mean(_halves(cosines(y, x) / t)),
    ),
    stars=2,
    minutes=20,
)
