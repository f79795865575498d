"""Optimizers: AdamW for all parameters, or Muon for the matrices of the blocks."""

import torch
from torch import nn


def adamw(model, learning_rate=3e-3, weight_decay=0.1, betas=(0.9, 0.99)):
    """Return AdamW for a model, with weight decay only for parameters with two axes or more.

        m ← β₁ m + (1 - β₁) g,   v ← β₂ v + (1 - β₂) g²,   θ ← θ - η (m̂ / (√v̂ + ε) + λ θ)

    Parameters
    ----------
    model : nn.Module
        Whose parameters are to learn.
    learning_rate : float
        η.
    weight_decay : float
        λ, for matrices and tables; gains and biases have none.
    betas : (float, float)
        β₁ and β₂.

    Returns
    -------
    optimizer : torch.optim.AdamW
        With two groups of parameters.

    References
    ----------
    Loshchilov and Hutter (2019), "Decoupled weight decay regularization", algorithm 2.
    """
    return _adamw(list(model.parameters()), learning_rate, weight_decay, betas)


def _adamw(learning, learning_rate, weight_decay, betas):
    groups = [
        {"params": [p for p in learning if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in learning if p.ndim < 2], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    return torch.optim.AdamW(groups, lr=learning_rate, betas=betas, fused=True)  # one kernel for all


def muon(
    model, learning_rate=0.02, weight_decay=0.0, others_rate=3e-3, betas=(0.9, 0.99), newton_schulz_steps=5
):
    """Return Muon for the matrices inside numbered blocks, combined with AdamW for all other parameters.

        B ← μ B + G,   θ ← θ - η √max(1, rows / columns) U Vᵀ,   where U S Vᵀ = G + μ B

    Parameters
    ----------
    model : nn.Module
        A model whose blocks stand in a list, so that their parameters are called such as
        "blocks.0.attention.weight". Embeddings and the output layer are left to AdamW.
    learning_rate : float
        η, for the matrices.
    weight_decay : float
        For the matrices.
    others_rate : float
        The learning rate of AdamW.
    betas : (float, float)
        The averages of AdamW.
    newton_schulz_steps : int
        How often a polynomial is applied to come near U Vᵀ; fewer are faster.

    Returns
    -------
    optimizer : CombinedOptimizer
        The two optimizers as one.

    Raises
    ------
    ValueError
        If the model has no matrix in a numbered block.

    References
    ----------
    Jordan et al. (2024), "Muon: an optimizer for hidden layers in neural networks".
    """
    hidden = muon_parameters(model)
    if not hidden:
        raise ValueError("Muon finds no matrix in a numbered block: put the blocks in an nn.ModuleList.")
    chosen = {id(p) for p in hidden}
    others = [p for p in model.parameters() if id(p) not in chosen]
    options = {"weight_decay": weight_decay, "ns_steps": newton_schulz_steps}
    optimizers = [torch.optim.Muon(hidden, lr=learning_rate, **options)]
    return CombinedOptimizer(optimizers + ([_adamw(others, others_rate, 0.0, betas)] if others else []))


def muon_parameters(model):
    """Return the parameters with two axes that are in a numbered block and not in an embedding.

    Parameters
    ----------
    model : nn.Module
        Any model.

    Returns
    -------
    matrices : list of nn.Parameter
        In the order of the model.
    """
    tables = {id(p) for m in model.modules() if isinstance(m, nn.Embedding) for p in m.parameters()}
    return [
        p
        for name, p in model.named_parameters()
        if p.ndim == 2 and id(p) not in tables and any(part.isdigit() for part in name.split("."))
    ]


class CombinedOptimizer:
    """Several optimizers that step as one.

    Parameters
    ----------
    optimizers : list of torch.optim.Optimizer
        Each with parameters of its own.
    """

    def __init__(self, optimizers):
        self.optimizers = list(optimizers)

    @property
    def param_groups(self):
        """Return the parameter groups of all optimizers."""
        return [group for optimizer in self.optimizers for group in optimizer.param_groups]

    def step(self):
        """Make the update of each optimizer."""
        for optimizer in self.optimizers:
            optimizer.step()

    def zero_grad(self):
        """Reset the gradients."""
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def state_dict(self):
        """Return the state of each optimizer."""
        return {"optimizers": [optimizer.state_dict() for optimizer in self.optimizers]}

    def load_state_dict(self, state):
        """Restore the state of each optimizer."""
        for optimizer, remembered in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(remembered)
