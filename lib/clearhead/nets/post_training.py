"""Learning from preferences. The twin of `clearhead.maths.post_training`."""

import torch

from .contracts import checked


@checked
def preference_loss(chosen, rejected):
    """Return the surprisal of preferences. The twin of `clearhead.maths.post_training.preference_loss`."""
    return torch.logaddexp(torch.zeros_like(chosen), rejected - chosen).mean()


@checked
def dpo_loss(chosen, rejected, reference_chosen, reference_rejected, beta=0.1):
    """Return the loss of implicit rewards. The twin of `clearhead.maths.post_training.dpo_loss`."""
    return preference_loss(beta * (chosen - reference_chosen), beta * (rejected - reference_rejected))


@checked
def grpo_loss(log_p, old_log_p, reference_log_p, advantages, completion_mask, epsilon=0.2, beta=0.04):
    """Return the complete loss of GRPO. The twin of `clearhead.maths.post_training.grpo_loss`."""
    ratio, k = torch.exp(log_p - old_log_p), log_p - reference_log_p
    a = advantages[:, None]
    gain = torch.minimum(ratio * a, torch.clip(ratio, 1 - epsilon, 1 + epsilon) * a)
    each = torch.where(completion_mask, gain - beta * (torch.exp(-k) + k - 1), 0.0)  # (G, T)
    return -(each.sum(dim=1) / completion_mask.sum(dim=1).clip(min=1)).mean()
