"""A guess of where an encoder looked in all. The twin of `clearhead.maths.rollout`."""

import torch

from .contracts import checked


@checked
def attention_rollout(A):
    """Return how much of each first token is in each last token, if blocks did nothing but mix tokens.

    The twin of `clearhead.maths.rollout.attention_rollout`. A is what `look` of a model returns.
    """
    mixed = A.mean(dim=-3) / 2 + torch.eye(A.shape[-1], dtype=A.dtype, device=A.device) / 2
    R = mixed[0]
    for M in mixed[1:]:
        R = M @ R
    return R
