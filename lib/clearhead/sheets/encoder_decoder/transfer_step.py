"""11.transfer_step: One step, in three ways."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise

from .transfer_step_wrong import MISTAKES, _by_trying, _right


def transfer_step(way, pretrained, fresh, x, labels, rate):
    """Return {"encoder": (F, D), "head": (D, C)} after one step on x (B, F) with labels (B,)."""
    return _right(way, pretrained, fresh, x, labels, rate)


def _cases(rng):
    sizes = [int(n) for n in rng.permutation(np.arange(2, 8))]
    F, D, C, B = sizes[:4]

    def made(way, F, D, C, B, old, rate):
        draw = rng.normal
        pretrained = {"encoder": draw(size=(F, D)), "head": draw(size=(D, old))}
        fresh = {"encoder": draw(size=(F, D)), "head": draw(size=(D, C))}
        return way, pretrained, fresh, draw(size=(B, F)), rng.integers(C, size=B), rate

    def stays(out, way, pretrained, *rest):
        return np.array_equal(np.asarray(out["encoder"]), pretrained["encoder"])

    def leaves(out, way, pretrained, *rest):
        return not np.allclose(np.asarray(out["encoder"]), pretrained["encoder"])

    half = np.arctanh(0.5)
    by_hand = (
        "frozen",
        {"encoder": np.array([[half]]), "head": np.array([[9.0, -9.0]])},
        {"encoder": np.array([[-2.0]]), "head": np.zeros((1, 2))},
        np.array([[1.0], [-1.0]]),
        np.array([0, 1]),
        1.0,
    )
    return [
        Case(
            "two texts, frozen, by hand",
            by_hand,
            "The encoder says 0.5 and -0.5. Both shares are 1/2: each text pulls its class up by 1/4.",
            expected={"encoder": np.array([[half]]), "head": np.array([[0.25, -0.25]])},
        ),
        Case("frozen", made("frozen", F, D, C, B, C + 1, 0.5),
             "Only the head moves. It is a fresh one: the old head knew other classes.",
             properties=(("a frozen encoder is as it was", stays),)),
        Case("fine-tuned", made("fine-tuned", F, D, C, B + 1, C + 2, 0.3),
             "The pretrained encoder and a fresh head, and both move.",
             properties=(("the encoder has moved", leaves),)),
        Case("from scratch", made("from scratch", D, F, C, B + 2, C + 1, 0.7),
             "Nothing of the pretrained weights is used, and both parts move."),
        Case("fine-tuned, as many old classes as new ones", made("fine-tuned", F + 1, D, C, B, C, 2.0),
             "The old head would fit, and it knows other classes: the head is fresh."),
        Case("frozen, other sizes", made("frozen", D + 1, F + 1, C + 1, B + 3, C + 1, 0.1),
             "Only the head moves."),
        Case("from scratch, scores of several thousand",
             ("from scratch", *[{name: 3000 * w for name, w in each.items()} for each in
                                made("from scratch", F, D, C, B, C, 0.2)[1:3]],
              rng.normal(size=(B, F)), rng.integers(C, size=B), 0.2),
             "Does e to a score overflow?"),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="11.transfer_step",
    title="Transfer: one step, in three ways",
    reference=transfer_step,
    cases=_cases,
    hints=(
        "First choose what you begin with, then what may move. Only then compute.",
        "At the logits the gradient is (p - y) / B. For the head it is h.T @ that; for the encoder it goes "
        "back through the head as it was, and through tanh, whose slope is 1 - h**2.",
        "dz = (softmax(h @ head) - np.eye(C)[labels]) / len(x); to_head = h.T @ dz; "
        "to_encoder = x.T @ ((dz @ head.T) * (1 - h**2))",
    ),
    mistakes=MISTAKES,
    alternatives=(_by_trying,),
    stars=2,
    minutes=20,
)  # fmt: skip
