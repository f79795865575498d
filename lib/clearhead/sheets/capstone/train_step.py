"""Cases of 15.train_step."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes

from .drivers import three_steps


def cases(rng):
    B, T, V, D = different_sizes(rng, 4, 5, 8)
    ids = rng.integers(V, size=(B, T + 1))
    hidden = ids[:, 1:].copy()
    hidden[np.arange(T) <= np.arange(B)[:, None] % (T - 1)] = -100  # not as many in each row
    falls = (
        "the loss falls from step to step",
        lambda found, inputs, targets, table: found["losses"][0] > found["losses"][1] > found["losses"][2],
    )
    even, steep = np.zeros((4, 2)), 2 * rng.normal(size=(V + 1, D))
    steep[V] = rng.choice([-2.0, 2.0], size=D)
    steep[0] = -steep[V]  # the model turns the table round: so V is the unlikeliest word after V
    return [
        Case(
            "four equally probable words",
            (np.array([[0, 1, 2]]), np.array([[1, 2, 3]]), even),
            "With a table of zeros, all logits are 0, so the first loss must be ln 4 = 1.386.",
        ),
        Case(
            f"{B} sequences of {T} tokens",
            (ids[:, :-1], ids[:, 1:], rng.normal(size=(V, D))),
            "Call zero_grad, backward and step, in this order.",
            properties=(falls,),
        ),
        Case(
            "some targets of -100",
            (ids[:, :-1], hidden, rng.normal(size=(V, D))),
            "Positions with the target -100 do not count. cross_entropy ignores them by default.",
            properties=(falls,),
        ),
        Case(
            "one word repeated, with a large gradient",
            (np.full((B + 1, T + 1), V), np.full((B + 1, T + 1), V), steep),
            "The optimizer must get the gradient as it is, however large it is.",
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=three_steps,
    given={"table": "a small `model` that is built from a table {}, for three steps"},
    returns={
        "losses": "the losses that you return",
        "weights": "the weights after three steps",
        "table": "the shared table after three steps",
        "mode": "the mode of the model afterwards",
    },
    needs=("torch",),
)
