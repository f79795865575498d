"""15.train_step: One step of training."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise

from .drivers import three_steps
from .train_step_wrong import MISTAKES, _step


def train_step(model, optimizer, inputs, targets):
    """Return the loss () before one update of the model; inputs and targets are (B, T), -100 is not asked."""
    from torch.nn import functional as F

    loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def _training_cases(rng):
    B, T, V, D = (int(n) for n in rng.permutation(np.arange(5, 9))[:4])
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
            "all words alike: the first loss is ln 4",
            (np.array([[0, 1, 2]]), np.array([[1, 2, 3]]), even),
            "With a table of zeros all logits are 0, so the first loss must be ln 4 = 1.386.",
        ),
        Case(
            f"{B} sentences of {T}",
            (ids[:, :-1], ids[:, 1:], rng.normal(size=(V, D))),
            "Zero, backward, step.",
            properties=(falls,),
        ),
        Case(
            "some places are not asked",
            (ids[:, :-1], hidden, rng.normal(size=(V, D))),
            "cross_entropy leaves out -100 by itself.",
            properties=(falls,),
        ),
        Case(
            "one word, again and again: a large gradient",
            (np.full((B + 1, T + 1), V), np.full((B + 1, T + 1), V), steep),
            "The optimizer gets the gradient as it is, however large.",
        ),
    ]


def _zero_at_the_end(model, optimizer, inputs, targets):
    value = _step(model, optimizer, inputs, targets)
    for weight in model.parameters():
        weight.grad = None
    return value


EXERCISE = Exercise(
    id="15.train_step",
    title="One step of training",
    reference=train_step,
    cases=_training_cases,
    hints=(
        "Five lines: logits, loss, forget old gradients, new gradients, update. Which order?",
        "F.cross_entropy wants (N, V) and (N,): flatten the batch and the places together. It leaves out "
        "-100.",
        "loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()); optimizer.zero_grad(); "
        "loss.backward(); optimizer.step(); return loss.item()",
    ),
    mistakes=MISTAKES,
    alternatives=(
        _zero_at_the_end,
        lambda model, optimizer, inputs, targets: _step(
            model,
            optimizer,
            inputs,
            targets,
            loss=lambda F, logits, targets: (
                -F.log_softmax(logits, -1)[targets >= 0].gather(-1, targets[targets >= 0][:, None]).mean()
            ),
        ),
    ),
    stars=2,
    minutes=25,
    driver=three_steps,
    returns={
        "losses": "the losses that you return",
        "weights": "the weights after three steps",
        "table": "the shared table after three steps",
        "mode": "the mode of the model afterwards",
    },
    given="a small model is made of table, and takes three steps",
    needs=("torch",),
)
