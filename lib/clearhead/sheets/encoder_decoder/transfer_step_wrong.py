"""The wrong answers of 11.transfer_step."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import log_softmax, softmax


def _gradients(x, labels, encoder, head, scores_to_shares=softmax, slope=lambda h, z: 1 - h**2):
    """Return the gradients of the mean cross-entropy for the encoder and for the head."""
    z = x @ encoder
    h = np.tanh(z)
    dz = (scores_to_shares(h @ head) - np.eye(head.shape[1])[labels]) / len(x)
    return x.T @ ((dz @ head.T) * slope(h, z)), h.T @ dz


def _step(encoder, head, x, labels, rate, moves=("encoder", "head"), **how):
    """Return both weights after a step in which only the named ones move."""
    to_encoder, to_head = _gradients(x, labels, encoder, head, **how)
    return {
        "encoder": encoder - rate * to_encoder * ("encoder" in moves),
        "head": head - rate * to_head * ("head" in moves),
    }


def _right(way, pretrained, fresh, x, labels, rate):
    """Return the right step."""
    encoder = (fresh if way == "from scratch" else pretrained)["encoder"]
    moves = ("head",) if way == "frozen" else ("encoder", "head")
    return _step(encoder, fresh["head"], x, labels, rate, moves)


def _started(way, pretrained, fresh):
    return (fresh if way == "from scratch" else pretrained)["encoder"], fresh["head"]


def _moving(way):
    return ("head",) if way == "frozen" else ("encoder", "head")


def _with(**how):
    """Return transfer_step with another way to compute the gradients."""
    return lambda way, pretrained, fresh, x, labels, rate: _step(
        *_started(way, pretrained, fresh), x, labels, rate, _moving(way), **how
    )


def _scaled(factor):
    """Return transfer_step with its rate multiplied by factor(number of texts)."""
    return lambda way, pretrained, fresh, x, labels, rate: _right(
        way, pretrained, fresh, x, labels, rate * factor(len(x))
    )


def _from(encoder_of=_started, head_of=lambda way, pretrained, fresh: fresh["head"], moves=_moving):
    """Return transfer_step that begins with other weights, or moves others."""

    def answer(way, pretrained, fresh, x, labels, rate):
        encoder = encoder_of(way, pretrained, fresh)
        encoder = encoder[0] if isinstance(encoder, tuple) else encoder
        return _step(encoder, head_of(way, pretrained, fresh), x, labels, rate, moves(way))

    return answer


def _head_first(way, pretrained, fresh, x, labels, rate):
    encoder, head = _started(way, pretrained, fresh)
    head = _step(encoder, head, x, labels, rate, ("head",))["head"]
    moved = _step(encoder, head, x, labels, rate, _moving(way))["encoder"]
    return {"encoder": moved, "head": head}


def _only_what_moved(way, pretrained, fresh, x, labels, rate):
    moved = _right(way, pretrained, fresh, x, labels, rate)
    return {name: moved[name] for name in _moving(way)}


def _by_trying(way, pretrained, fresh, x, labels, rate):
    """The same step, with gradients from central differences: slow, and right."""
    weights = dict(zip(("encoder", "head"), _started(way, pretrained, fresh), strict=True))

    def loss():
        z = np.tanh(x @ weights["encoder"]) @ weights["head"]
        return -log_softmax(z)[np.arange(len(x)), labels].mean()

    moved = {name: weight.copy() for name, weight in weights.items()}
    for name in _moving(way):
        weights[name] = weights[name].copy()
        for place in np.ndindex(*weights[name].shape):
            kept, ends = weights[name][place], []
            for nudge in (1e-5, -1e-5):
                weights[name][place] = kept + nudge
                ends.append(loss())
            weights[name][place] = kept
            moved[name][place] -= rate * (ends[0] - ends[1]) / 2e-5
    return moved


def _plain_exponentials(z):
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)


MISTAKES = (
    Mistake(
        "frozen_encoder_moved",
        _from(moves=lambda way: ("encoder", "head")),
        "The encoder has moved although it was frozen. Then only the head gets a gradient.",
    ),
    Mistake(
        "always_frozen",
        _from(moves=lambda way: ("head",)),
        "The encoder stands still in all three ways. It stays only where the way is frozen.",
    ),
    Mistake(
        "head_frozen_instead",
        _from(moves=lambda way: ("encoder",) if way == "frozen" else ("encoder", "head")),
        "With a frozen encoder, the head stood still and the encoder moved: the other way round.",
    ),
    Mistake(
        "old_head_kept",
        _from(head_of=lambda way, old, fresh: (fresh if way == "from scratch" else old)["head"]),
        "You went on with the head of pretraining. It knows other classes: take the fresh one.",
    ),
    Mistake(
        "encoder_always_fresh",
        _from(encoder_of=lambda way, pretrained, fresh: fresh["encoder"]),
        "In each way the encoder began with the fresh weights. Frozen and fine-tuned begin with the "
        "pretrained ones.",
    ),
    Mistake(
        "encoder_always_pretrained",
        _from(encoder_of=lambda way, pretrained, fresh: pretrained["encoder"]),
        "From scratch began with the pretrained encoder. There nothing of pretraining is used.",
    ),
    Mistake(
        "frozen_at_random",
        _from(encoder_of=lambda way, old, fresh: (old if way == "fine-tuned" else fresh)["encoder"]),
        "The frozen encoder is the fresh one. What is frozen is what was learned: the pretrained one.",
    ),
    Mistake(
        "summed_over_texts",
        _scaled(lambda B: B),
        "Your step is B times too long: the loss is the mean over the texts, so divide by their number.",
    ),
    Mistake(
        "uphill",
        _scaled(lambda B: -1),
        "The weights went up the gradient. A step goes against it: minus the rate times the gradient.",
    ),
    Mistake(
        "rate_forgotten",
        lambda way, pretrained, fresh, x, labels, rate: _right(way, pretrained, fresh, x, labels, 1.0),
        "Your step is as long as the gradient. Multiply it by the rate.",
    ),
    Mistake(
        "slope_of_tanh_forgotten",
        _with(slope=lambda h, z: 1),
        "The head is right. On its way to the encoder the gradient passes tanh: multiply by 1 - h**2.",
    ),
    Mistake(
        "slope_of_the_input",
        _with(slope=lambda h, z: 1 - z**2),
        "The slope of tanh is 1 - h**2, where h is what tanh gives, not what it is given.",
    ),
    Mistake(
        "scores_without_softmax",
        _with(scores_to_shares=lambda z: z),
        "You subtracted the labels from the scores. First make probabilities of them, with softmax.",
    ),
    Mistake(
        "overflows",
        _with(scores_to_shares=_plain_exponentials),
        "Large scores overflow. The library's softmax subtracts the largest score of each row first.",
    ),
    Mistake(
        "softmax_over_texts",
        _with(scores_to_shares=lambda z: softmax(z.T).T),
        "Your shares sum to 1 down a column, so the texts compete. The classes of one text compete.",
    ),
    Mistake(
        "head_moved_first",
        _head_first,
        "The head is right. The gradient of the encoder went back through the head that had moved "
        "already: use the head as it was.",
    ),
    Mistake(
        "only_what_moved",
        _only_what_moved,
        "Return both weights, also the one that stayed as it was.",
    ),
)
