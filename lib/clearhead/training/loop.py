"""The training loop: batch, loss, gradient, update, and again."""

import math

import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from clearhead.maths.shapes import check_whole
from clearhead.nets.arrays import to_tensor
from clearhead.targets import IGNORE

from .history import History
from .optimizers import adamw
from .parallel import SINGLE_PROCESS
from .schedules import constant


def token_loss(logits, targets):
    """Return the mean of -ln P(target) over all positions that have a target.

        loss = -(1/N) Σ_n log softmax(logits_n)[target_n]

    Parameters
    ----------
    logits : (..., V) float
        What the model says.
    targets : (...) int
        What is right; -100 where nothing is asked.

    Returns
    -------
    loss : () float
        In nats.
    """
    at_least_single = logits.to(torch.promote_types(logits.dtype, torch.float32))
    return F.cross_entropy(at_least_single.flatten(0, -2), targets.flatten(), ignore_index=IGNORE)


def train(
    model,
    batches,
    steps,
    optimizer=None,
    schedule=constant,
    loss=token_loss,
    clip=1.0,
    measure=None,
    every=100,
    history=None,
    precision=None,
    progress=False,
    workers=SINGLE_PROCESS,
):
    """Return the history of a model that learns from batches until it has made `steps` updates.

    Parameters
    ----------
    model : nn.Module
        `model(inputs)` gives logits. It is changed in place. It learns on the device where it lies.
    batches : iterable of (inputs, targets)
        NumPy arrays or tensors, such as `clearhead.text.batches.random_batches` gives.
    steps : int
        How many updates in all, those in `history` included.
    optimizer : torch.optim.Optimizer or Together, optional
        `adamw(model)` if it is not given.
    schedule : function
        Takes the step, gives the factor of the learning rate.
    loss : function
        Takes logits and targets, gives one number.
    clip : float
        A gradient longer than this is shortened to it; inf leaves all as they are.
    measure : function, optional
        Takes the model, gives a number; called before the first update and after every `every`-th.
    every : int
        How often to measure, at least 1.
    history : History, optional
        What happened before: training goes on from there. It is copied, not changed.
    precision : torch.dtype, optional
        Such as torch.bfloat16: what matrix products are computed in (`torch.autocast`).
    progress : bool
        True shows a bar, where the package tqdm is there.
    workers : Workers
        Who shares each batch; see `clearhead.training.parallel`.

    Returns
    -------
    history : History
        Every loss, learning rate and gradient length, and what was measured.

    Raises
    ------
    ValueError
        If the batches end before the last step, or a batch holds no target; or if something is to be
        measured, and `every` is not at least 1.
    FloatingPointError
        If the loss or the gradient is no longer finite. The model is as it was before this step, and
        the error's `history` has all steps until then.

    Notes
    -----
    On a graphics card, a large vocabulary makes the loss as costly as several blocks. Compile it along with
    the model, so that it needs fewer passes over the logits:
    `train(torch.compile(model), batches, steps, loss=torch.compile(token_loss), precision=torch.bfloat16)`.
    """
    if measure:
        check_whole(1, every=every)
    history = History() if history is None else history.copy()
    optimizer = adamw(model) if optimizer is None else optimizer
    batches = iter(batches)
    if measure and history.step == 0:
        history.measured[0] = float(measure(model))
    for step in _bar(range(history.step, steps), progress):
        model.train()
        rate = _set_rate(optimizer, schedule(step))
        inputs, targets, share = workers.shard(*_next(batches, step, steps))
        inputs, targets = to_tensors((inputs, targets), model)
        value = share * _loss(model, inputs, targets, loss, precision)
        optimizer.zero_grad()
        value.backward()
        workers.all_reduce_gradients(model)
        norm = clip_grad_norm_(model.parameters(), clip)
        total, norm = _floats(workers.all_reduce_sum(value), norm)
        _check_finite(total, norm, step, history)
        optimizer.step()
        history.losses.append(total)
        history.rates.append(rate)
        history.norms.append(norm)
        if measure and history.step % every == 0:
            history.measured[history.step] = float(measure(model))
    return history


@torch.no_grad()
def evaluate(model, batches, loss=token_loss, precision=None):
    """Return the mean loss over some batches, counting each position that has a target once.

    Parameters
    ----------
    model : nn.Module
        `model(inputs)` gives logits. Dropout is off meanwhile; nothing is changed.
    batches : iterable of (inputs, targets)
        Finite, such as `clearhead.text.batches.sequential_batches` gives.
    loss : function
        Takes logits and targets, gives their mean loss.
    precision : torch.dtype, optional
        See `train`.

    Returns
    -------
    loss : float
        In nats.

    Raises
    ------
    ValueError
        If there is no batch with a target.
    """
    was_training = model.training
    model.eval()
    total, count = 0.0, 0
    try:
        for batch in batches:
            inputs, targets = to_tensors(batch, model)
            here = int((targets != IGNORE).sum())
            total += here * float(_loss(model, inputs, targets, loss, precision)) if here else 0.0
            count += here
    finally:
        model.train(was_training)
    if count == 0:
        raise ValueError("There is nothing to evaluate: the batches hold no target.")
    return total / count


def to_tensors(batch, model):
    """Return a batch as tensors on the model's device, floats in the model's precision, integers as int64.

    Parameters
    ----------
    batch : tuple of arrays or tensors
        Inputs, targets. Integers of every width, and views such as slices of a memory map, are welcome.
    model : nn.Module
        A model with parameters.

    Returns
    -------
    tensors : tuple of torch.Tensor
        In the same order.
    """
    like = next(model.parameters())
    tensors = [to_tensor(array) for array in batch]
    dtypes = [like.dtype if t.is_floating_point() else integers(t.dtype) for t in tensors]
    # A copy to a graphics card need not be waited for; one from it must be.
    return tuple(
        t.to(like.device, dtype, non_blocking=like.is_cuda) for t, dtype in zip(tensors, dtypes, strict=True)
    )


def integers(dtype):
    """Return int64 for an integer dtype, and every other dtype unchanged."""
    return dtype if dtype == torch.bool or dtype.is_complex else torch.int64


def _loss(model, inputs, targets, loss, precision):
    with torch.autocast(inputs.device.type, dtype=precision, enabled=precision is not None):
        logits = model(inputs)
    return loss(logits, targets)


def _floats(*numbers):
    """Return tensors of one number each as floats, for which a graphics card has to be waited for once."""
    return torch.stack([number.double().to(numbers[0].device) for number in numbers]).tolist()


def _set_rate(optimizer, factor):
    """Set each group's learning rate to its initial one times the factor; return that of the first group."""
    for group in optimizer.param_groups:
        group["lr"] = group.setdefault("initial_lr", group["lr"]) * factor
    return optimizer.param_groups[0]["lr"]


def _next(batches, step, steps):
    try:
        return next(batches)
    except StopIteration:
        raise ValueError(f"The batches ended after {step} of {steps} steps: give as many as steps.") from None


def _check_finite(loss, norm, step, history):
    for name, value in (("loss", loss), ("length of the gradient", norm)):
        if not math.isfinite(value):
            error = FloatingPointError(
                f"The {name} is {value} at step {step}: lower the learning rate or clip. "
                "The model is as it was before this step."
            )
            error.history = history
            raise error


def _bar(steps, show):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return steps
    return tqdm(steps, disable=not show)
