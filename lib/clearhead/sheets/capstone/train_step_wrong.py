"""The wrong answers of 15.train_step."""

from clearhead.checks.exercise import Mistake


def _step(model, optimizer, inputs, targets, loss=None, zero=True, step=True, sign=1, flat=True):
    from torch.nn import functional as F

    logits = model(inputs)
    logits, targets = (logits.flatten(0, 1), targets.flatten()) if flat else (logits, targets)
    value = F.cross_entropy(logits, targets) if loss is None else loss(F, logits, targets)
    if zero:
        optimizer.zero_grad()
    (sign * value).backward()
    if step:
        optimizer.step()
    return value.item()


def _late(model, optimizer, inputs, targets):
    from torch.nn import functional as F

    value = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
    optimizer.step()
    optimizer.zero_grad()
    value.backward()
    return value.item()


def _after(model, optimizer, inputs, targets):
    from torch.nn import functional as F

    _step(model, optimizer, inputs, targets)
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()).item()


def _with(**options):
    return lambda model, optimizer, inputs, targets: _step(model, optimizer, inputs, targets, **options)


def _tensor(model, optimizer, inputs, targets):
    import torch

    return torch.tensor(_step(model, optimizer, inputs, targets), dtype=torch.float64)


def _in_eval_mode(model, optimizer, inputs, targets):
    model.eval()
    return _step(model, optimizer, inputs, targets)


def _same_gradient_twice(model, optimizer, inputs, targets):
    value = _step(model, optimizer, inputs, targets)
    optimizer.step()
    return value


def _twice(model, optimizer, inputs, targets):
    value = _step(model, optimizer, inputs, targets)
    _step(model, optimizer, inputs, targets)
    return value


MISTAKES = (
    Mistake(
        "gradients_pile_up",
        _with(zero=False),
        "From the second step on your update holds the old gradients, too. Call optimizer.zero_grad() "
        "before backward().",
    ),
    Mistake(
        "weights_never_change",
        _with(step=False),
        "Your weights do not change: optimizer.step() is missing, or finds no gradients when it is called. "
        "The order is zero_grad(), backward(), step().",
    ),
    Mistake(
        "one_step_late",
        _late,
        "You update before backward(). The first step has no gradient; at the second PyTorch refuses, as "
        "the weights changed after the logits were computed. The order is zero_grad, backward, step.",
    ),
    Mistake(
        "probabilities_not_logits",
        _with(loss=lambda F, logits, targets: F.cross_entropy(logits.softmax(-1), targets)),
        "F.cross_entropy takes logits and does the softmax itself. You gave it probabilities, so it "
        "did it twice.",
    ),
    Mistake(
        "sum_instead_of_mean",
        _with(loss=lambda F, logits, targets: F.cross_entropy(logits, targets, reduction="sum")),
        "Your loss is the sum over all places, so it and the step grow with the batch. Take the mean.",
    ),
    Mistake(
        "unasked_places_count",
        _with(loss=lambda F, logits, targets: F.cross_entropy(logits, targets.clamp(min=0))),
        "Places with the target -100 are not asked. You made a word of them; leave -100 as it is.",
    ),
    Mistake(
        "unasked_places_divide",
        _with(
            loss=lambda F, logits, targets: F.cross_entropy(logits, targets, reduction="sum") / len(targets)
        ),
        "You divide by all places, also by those that are not asked. F.cross_entropy takes the right mean.",
    ),
    Mistake(
        "mean_of_sentence_means",
        _with(
            flat=False,
            loss=lambda F, logits, targets: sum(map(F.cross_entropy, logits, targets)) / len(targets),
        ),
        "You take the mean of each sentence, then the mean of those. A sentence with few places asked "
        "then weighs too much: take one mean over all places.",
    ),
    Mistake(
        "a_tensor_comes_back",
        _tensor,
        "Your numbers are right, but a tensor or an array comes back, and no plain number. Return "
        "loss.item().",
    ),
    Mistake(
        "in_the_mode_of_use",
        _in_eval_mode,
        "Your model learns after model.eval(), which switches dropout off. Training needs model.train().",
    ),
    Mistake(
        "loss_after_the_update",
        _after,
        "You compute the loss again after the update. Return the one whose gradient you used.",
    ),
    Mistake(
        "uphill",
        _with(sign=-1),
        "The loss grows: you follow the gradient upwards. Call backward() on the loss itself.",
    ),
    Mistake(
        "reshaped_not_turned",
        _with(
            flat=False,
            loss=lambda F, logits, targets: F.cross_entropy(
                logits.reshape(len(logits), logits.shape[2], -1), targets
            ),
        ),
        "You made (B, V, T) with reshape, which mixes places and words. Turn the axes: transpose(1, 2).",
    ),
    Mistake(
        "targets_shifted_again",
        _with(
            flat=False,
            loss=lambda F, logits, targets: F.cross_entropy(
                logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten()
            ),
        ),
        "You shifted the targets once more. They are the right answers of their places already.",
    ),
    Mistake(
        "word_0_left_out",
        _with(loss=lambda F, logits, targets: F.cross_entropy(logits, targets, ignore_index=0)),
        "You leave out the word 0, and ask at -100. cross_entropy leaves out -100 by itself.",
    ),
    Mistake(
        "not_flattened",
        _with(flat=False),
        "F.cross_entropy takes the second axis for the words. Flatten logits to (B T, V) and targets to "
        "(B T,).",
    ),
    Mistake(
        "no_logarithm",
        _with(loss=lambda F, logits, targets: F.nll_loss(logits, targets)),
        "F.nll_loss wants logarithms of probabilities, and you gave it logits. F.cross_entropy takes logits.",
    ),
    Mistake(
        "words_and_places_exchanged",
        _with(
            flat=False,
            loss=lambda F, logits, targets: F.nll_loss(logits.log_softmax(1).mT, targets),
        ),
        "Your softmax runs over the places. It runs over the words, the last axis.",
    ),
    Mistake(
        "last_place_alone",
        _with(flat=False, loss=lambda F, logits, targets: F.cross_entropy(logits[:, -1], targets[:, -1])),
        "You trained on the last place alone. Every place that is asked counts.",
    ),
    Mistake(
        "nothing_recorded",
        _with(loss=lambda F, logits, targets: F.cross_entropy(logits.detach(), targets)),
        "backward() finds no way back: torch.no_grad(), detach(), item() or a new tensor has cut it.",
    ),
    Mistake(
        "stepped_twice",
        _same_gradient_twice,
        "You call optimizer.step() twice with the same gradients. One call makes one update.",
    ),
    Mistake(
        "two_steps",
        _twice,
        "Your weights have moved twice. One call makes one update.",
    ),
)
