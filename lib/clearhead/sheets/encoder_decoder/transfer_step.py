"""11.transfer_step: One step, in three ways."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.softmax import softmax

from .transfer_step_wrong import MISTAKES, _by_trying, _moving, _right, _started, _with


def transfer_step(way, pretrained, fresh, x, labels, rate):
    """Return {"encoder": (F, D), "head": (D, C)} after one step on x (B, F) with labels (B,)."""
    return _right(way, pretrained, fresh, x, labels, rate)


def _cases(rng):
    sizes = [int(n) for n in rng.permutation(np.arange(2, 8))]
    F, D, C, B = sizes[:4]

    def made(way, F, D, C, B, old, rate, unseen=0):
        draw = rng.normal
        pretrained = {"encoder": draw(size=(F, D)), "head": draw(size=(D, old))}
        fresh = {"encoder": draw(size=(F, D)), "head": draw(size=(D, C))}
        return way, pretrained, fresh, draw(size=(B, F)), rng.integers(C - unseen, size=B), rate

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
            "The encoder says 0.5 and -0.5. Both shares are 1/2: at the scores each text pulls its class up "
            "by 1/4.",
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
        Case("frozen, and one class has no text",
             made("frozen", D + 1, F + 1, C + 1, B + 3, C + 1, 0.1, unseen=1),
             "The head tells how many classes there are: head.shape[1]."),
        Case("from scratch, scores of several thousand",
             ("from scratch", *[{name: 3000 * w for name, w in each.items()} for each in
                                made("from scratch", F, D, C, B, C, 0.2)[1:3]],
              rng.normal(size=(B, F)), rng.integers(C, size=B), 0.2),
             "Does e to a score overflow?"),
    ]  # fmt: skip


def _by_hand(
    targets=lambda labels, C: np.eye(C)[labels], head_first=False, through=None, share=softmax, mean=len
):
    """Return a step with other targets, another way back through the head, other shares or another mean."""

    def answer(way, pretrained, fresh, x, labels, rate):
        encoder, head = _started(way, pretrained, fresh)
        h = np.tanh(x @ encoder)
        dz = (share(h @ head) - targets(labels, head.shape[1])) / mean(x)
        new = head - rate * h.T @ dz
        to_h = dz @ (new if head_first else head).T if through is None else through(dz, head)
        moves = "encoder" in _moving(way)
        return {"encoder": encoder - rate * moves * x.T @ (to_h * (1 - h**2)), "head": new}

    return answer


def _frozen_too(*ways, head_too=False):
    """Return a step that moves no encoder in these ways, and no head where head_too."""

    def answer(way, pretrained, fresh, x, labels, rate):
        encoder, head = _started(way, pretrained, fresh)
        moved = _right(way, pretrained, fresh, x, labels, rate)
        if way not in ways:
            return moved
        return {"encoder": encoder, "head": head if head_too else moved["head"]}

    return answer


def _without_tanh(way, pretrained, fresh, x, labels, rate):
    encoder, head = _started(way, pretrained, fresh)
    dz = (softmax(x @ encoder @ head) - np.eye(head.shape[1])[labels]) / len(x)
    moves = "encoder" in _moving(way)
    return {
        "encoder": encoder - rate * moves * x.T @ dz @ head.T,
        "head": head - rate * (x @ encoder).T @ dz,
    }


_MORE = (
    Mistake(
        "nothing_moves_when_frozen",
        _frozen_too("frozen", head_too=True),
        "With a frozen encoder nothing has moved. The head still takes its step.",
    ),
    Mistake(
        "frozen_from_scratch",
        _frozen_too("from scratch"),
        "From scratch the encoder has not moved. There both parts move: only the way frozen keeps it.",
    ),
    Mistake(
        "tanh_forgotten",
        _without_tanh,
        "Your model has no tanh: h is np.tanh(x @ encoder), and the gradient passes it on its way back.",
    ),
    Mistake(
        "classes_counted_from_the_labels",
        _by_hand(targets=lambda labels, C: np.eye(labels.max() + 1)[labels]),
        "You took the largest label for the last class. A class can be without a text: the head tells how "
        "many there are, head.shape[1].",
    ),
    Mistake(
        "new_head_on_the_way_back",
        _by_hand(head_first=True),
        "On its way to the encoder your gradient passes the new head. It must pass the old one: compute both "
        "gradients first, then move.",
    ),
    Mistake(
        "slope_of_a_sigmoid",
        _with(slope=lambda h, z: h * (1 - h)),
        "The head is right. For the encoder you took h (1 - h), the slope of a sigmoid. That of tanh is 1 "
        "- h**2.",
    ),
    Mistake(
        "slope_without_its_square",
        _with(slope=lambda h, z: 1 - h),
        "The head is right. For the encoder you took 1 - h. The slope of tanh is 1 - h**2.",
    ),
    Mistake(
        "tanh_on_the_way_back",
        _with(slope=lambda h, z: h),
        "The head is right. For the encoder you multiplied by h. The slope of tanh is 1 - h**2.",
    ),
    Mistake(
        "labels_missing",
        _by_hand(targets=lambda labels, C: 0),
        "The labels are missing: at the scores the gradient is the shares less the labels, one-hot.",
    ),
    Mistake(
        "sigmoid_for_softmax",
        _by_hand(share=lambda z: 1 / (1 + np.exp(-np.clip(z, -700, 700)))),
        "You took the sigmoid of each score. Softmax makes the shares of a text sum to 1.",
    ),
    Mistake(
        "divided_by_all_numbers_of_x",
        _by_hand(mean=lambda x: len(x) * x.shape[1]),
        "You divided by how many numbers x holds. The loss is the mean over the texts: divide by len(x).",
    ),
    Mistake(
        "divided_by_texts_and_classes",
        _by_hand(share=lambda z: softmax(z) / z.shape[1], targets=lambda labels, C: np.eye(C)[labels] / C),
        "You divided by texts times classes. The loss is the mean over the texts: divide by len(x).",
    ),
)


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
    mistakes=(*MISTAKES, *_MORE),
    alternatives=(_by_trying,),
    stars=2,
    minutes=20,
)  # fmt: skip
