"""Muon for many matrices at once: those of one size lie in a stack, and are multiplied in one call."""

import torch


class StackedMuon(torch.optim.Optimizer):
    """`torch.optim.Muon` without weight decay, in a type of number that this processor multiplies fast.

        B ← μ B + (1 - μ) G,   W ← W - η √max(1, D/F) newton_schulz((1 - μ) G + μ B)

    Parameters
    ----------
    params : list of nn.Parameter
        Matrices.
    lr : float
        η.
    ns_steps : int
        How often the polynomial is applied.
    dtype : torch.dtype
        What matrices are multiplied in. PyTorch's own takes bfloat16 on every processor, also on one that
        does not multiply it.
    momentum : float
        μ.

    References
    ----------
    Jordan et al. (2024), "Muon: an optimizer for hidden layers in neural networks".
    """

    def __init__(self, params, lr, ns_steps, dtype, momentum=0.95):
        super().__init__(params, {"lr": lr})
        self.ns_steps, self.dtype, self.momentum = ns_steps, dtype, momentum

    @torch.no_grad()
    def step(self):
        """Make one update."""
        for group in self.param_groups:
            stacks = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    stacks.setdefault(tuple(sorted(matrix.shape)), []).append(matrix)
            for matrices in stacks.values():
                self._update(matrices, group["lr"])

    def _update(self, matrices, rate):
        """Update matrices that are as large, the tall ones turned."""
        gradients = torch.stack([_wide(matrix.grad) for matrix in matrices])
        state = self.state[matrices[0]]
        mean = state.setdefault("mean", torch.zeros_like(gradients)).lerp_(gradients, 1 - self.momentum)
        steps = orthogonal(gradients.lerp(mean, self.momentum), self.ns_steps, self.dtype)
        for matrix, step in zip(matrices, steps, strict=True):
            rows, columns = matrix.shape
            tall = rows > columns
            matrix.sub_(step.mT if tall else step, alpha=rate * max(1, rows / columns) ** 0.5)


def _wide(matrix):
    return matrix.mT if matrix.shape[0] > matrix.shape[1] else matrix


def orthogonal(stack, steps, dtype):
    """Return nearly U Vᵀ of each matrix U S Vᵀ in a stack of wide ones, by Newton and Schulz."""
    a, b, c = 3.4445, -4.7750, 2.0315
    X = (stack / stack.norm(dim=(-2, -1), keepdim=True).clamp(min=1e-7)).to(dtype)
    for _ in range(steps):
        gram = X @ X.mT
        X = torch.baddbmm(X, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), X, beta=a)
    return X.to(stack.dtype)
