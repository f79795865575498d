"""Muon for many matrices at once: matrices of one shape are stacked and multiplied in one call."""

import torch

#: a, b and c of the polynomial that PyTorch's Muon applies five times.
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
#: The best first three for singular values from 0.001 on, each over 1.01 against rounding.
POLAR_EXPRESS = [
    (a / 1.01, b / 1.01**3, c / 1.01**5)
    for a, b, c in (
        (8.28721201814563, -23.595886519098837, 17.300387312530933),
        (4.107059111542203, -2.9478499167379106, 0.5448431082926601),
        (3.9486908534822946, -2.908902115962949, 0.5518191394370137),
    )
]


class StackedMuon(torch.optim.Optimizer):
    """`torch.optim.Muon` with products in a dtype that this processor multiplies fast.

        B ← μ B + (1 - μ) G,   W ← (1 - η λ) W - η √max(1, D/F) orthogonal((1 - μ) G + μ B)

    Parameters
    ----------
    params : list of nn.Parameter
        Matrices.
    lr : float
        η.
    polynomials : list of (float, float, float)
        a, b and c of each that is applied, one after the other.
    dtype : torch.dtype
        What matrices are multiplied in. PyTorch's own takes bfloat16 on every processor, also on one that
        does not multiply it.
    momentum : float
        μ.
    decay : float
        λ.

    References
    ----------
    Jordan et al. (2024), "Muon: an optimizer for hidden layers in neural networks". Amsel et al. (2025), "The
    Polar Express", algorithm 1, and its section on wide matrices, which need products of their squares alone.
    """

    def __init__(self, params, lr, polynomials, dtype, momentum=0.95, decay=0.0):
        super().__init__(params, {"lr": lr})
        self.polynomials, self.dtype, self.momentum, self.decay = polynomials, dtype, momentum, decay

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
        """Update matrices of one shape, tall ones transposed."""
        gradients = torch.stack([_wide(matrix.grad) for matrix in matrices])
        state = self.state[matrices[0]]
        mean = state.setdefault("mean", torch.zeros_like(gradients)).lerp_(gradients, 1 - self.momentum)
        steps = orthogonal(gradients.lerp(mean, self.momentum), self.polynomials, self.dtype)
        for matrix, step in zip(matrices, steps, strict=True):
            rows, columns = matrix.shape
            tall = rows > columns
            matrix.mul_(1 - rate * self.decay)
            matrix.sub_(step.mT if tall else step, alpha=rate * max(1, rows / columns) ** 0.5)


def _wide(matrix):
    return matrix.mT if matrix.shape[0] > matrix.shape[1] else matrix


def orthogonal(stack, polynomials, dtype):
    """Return approximately U Vᵀ for each wide matrix U S Vᵀ of a stack, by X ← a X + b XXᵀX + c XXᵀXXᵀX."""
    X = (stack / stack.norm(dim=(-2, -1), keepdim=True).clamp(min=1e-7)).to(dtype)
    if X.shape[-1] >= 2 * X.shape[-2] and dtype != torch.bfloat16:
        return (_factor(X @ X.mT, polynomials) @ X).to(stack.dtype)
    for a, b, c in polynomials:
        X = torch.baddbmm(X, _inner(X @ X.mT, b, c), X, beta=a)
    return X.to(stack.dtype)


def _inner(gram, b, c):
    """Return b XXᵀ + c XXᵀXXᵀ for XXᵀ."""
    return torch.baddbmm(gram, gram, gram, beta=b, alpha=c)


def _factor(gram, polynomials):
    """Return the matrix by which all polynomials together multiply a wide X, computed from the small XXᵀ.

    Each is Q = a I + b XXᵀ + c XXᵀXXᵀ, and QX has the square Q XXᵀ Q. In bfloat16 rounding would grow.
    """
    whole = None
    for a, b, c in polynomials:
        Q = _inner(gram, b, c)
        Q.diagonal(dim1=-2, dim2=-1).add_(a)
        whole = Q if whole is None else Q @ whole
        gram = Q @ gram @ Q
    return whole
