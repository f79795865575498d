"""A mixture of experts. The twin of `clearhead.maths.experts`."""

import torch

from .activations import relu
from .contracts import checked


@checked
def top_k_gates(scores, k):
    """Return for each token the weights of its k best experts, which sum to 1; all others get 0.

    The twin of `clearhead.maths.experts.top_k_gates`.
    """
    best = torch.argsort(scores, dim=-1, descending=True, stable=True)[..., :k]
    chosen = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, best, True)
    return torch.where(chosen, scores, -torch.inf).softmax(dim=-1)


@checked
def balance_loss(scores, gates):
    """Return how unevenly the experts are used. The twin of `clearhead.maths.experts.balance_loss`."""
    chosen = (gates > 0).to(scores.dtype)
    used = chosen.sum(dim=0) / chosen.sum()
    return scores.shape[-1] * (used * scores.softmax(dim=-1).mean(dim=0)).sum()


@checked
def mixture_of_experts(x, parameters, k, activation=relu):
    """Return each token after its k best experts, weighted by their gates, and the gates.

    The twin of `clearhead.maths.experts.mixture_of_experts`.
    """
    gates = top_k_gates(x @ parameters["router"]["weight"], k)
    hidden = activation(torch.einsum("...d,edf->...ef", x, parameters["up"]["weight"]))
    each = torch.einsum("...ef,efd->...ed", hidden, parameters["down"]["weight"])
    return (gates[..., None] * each).sum(dim=-2), gates
