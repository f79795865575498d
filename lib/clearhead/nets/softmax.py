"""From scores to weights. The twin of `clearhead.maths.softmax`."""

import torch

from .contracts import checked, in_float32


@checked
@in_float32
def softmax(scores):
    """Return the scores as positive weights that sum to 1 along the last axis.

    The twin of `clearhead.maths.softmax.softmax`. A row of -inf alone gives zeros, where PyTorch's own
    softmax gives NaN.
    """
    weights = torch.softmax(scores, dim=-1)
    if not weights[..., :1].isnan().any():
        return weights
    nowhere = torch.isneginf(scores).all(dim=-1, keepdim=True)  # filled before, so that gradients are 0 too
    return torch.softmax(scores.masked_fill(nowhere, 0.0), dim=-1).masked_fill(nowhere, 0.0)


@checked
@in_float32
def log_softmax(scores):
    """Return the logarithm of softmax; a row that contains only -inf gives -inf.

    The twin of `clearhead.maths.softmax.log_softmax`.
    """
    nowhere = torch.isneginf(scores).all(dim=-1, keepdim=True)
    return torch.log_softmax(scores.masked_fill(nowhere, 0.0), dim=-1).masked_fill(nowhere, -torch.inf)


@checked
def scale_by_temperature(scores, temperature):
    """Return the scores divided by a temperature, ready for softmax; at 0, only the highest are left.

    The twin of `clearhead.maths.softmax.scale_by_temperature`.
    """
    if temperature > 0:
        return scores / float(temperature)
    return torch.where(scores < scores.amax(dim=-1, keepdim=True), -torch.inf, scores)
