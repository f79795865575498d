"""Learning from preferences. The twin of `clearhead.maths.post_training`."""

import torch

from .contracts import checked


@checked
def preference_loss(chosen, rejected):
    """Return the mean surprise at who won. The twin of `clearhead.maths.post_training.preference_loss`."""
    return torch.logaddexp(torch.zeros_like(chosen), rejected - chosen).mean()


@checked
def dpo_loss(chosen, rejected, reference_chosen, reference_rejected, beta=0.1):
    """Return the loss of a policy's own rewards. The twin of `clearhead.maths.post_training.dpo_loss`."""
    return preference_loss(beta * (chosen - reference_chosen), beta * (rejected - reference_rejected))
