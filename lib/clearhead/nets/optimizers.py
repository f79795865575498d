"""How a gradient becomes a step. The twin of `clearhead.maths.optimizers`."""

from .contracts import checked


@checked
def adamw_step(weight, gradient, mean, square, count, rate=0.001, decay=0.1, betas=(0.9, 0.99), epsilon=1e-8):
    """Return the weights after one step of AdamW, and its two running means.

    The twin of `clearhead.maths.optimizers.adamw_step`. `torch.optim.AdamW` does this to a whole model.
    """
    mean = mean.lerp(gradient, 1 - betas[0])
    square = square.lerp(gradient.square(), 1 - betas[1])
    size = (square / (1 - betas[1] ** count)).sqrt() + epsilon
    return weight - rate * decay * weight - rate * mean / (1 - betas[0] ** count) / size, mean, square


@checked
def clipped(gradient, longest=1.0):
    """Return a gradient that is at most so long. The twin of `clearhead.maths.optimizers.clipped`.

    `torch.nn.utils.clip_grad_norm_` takes all gradients of a model as one vector.
    """
    return gradient * (longest / gradient.norm().clamp(min=longest))


@checked
def newton_schulz(matrix, steps=5):
    """Return nearly U Vᵀ, where U S Vᵀ is the matrix. The twin of `clearhead.maths.optimizers.newton_schulz`.

    In float32 or wider; `torch.optim.Muon` computes it in bfloat16.
    """
    a, b, c = 3.4445, -4.7750, 2.0315
    wide = matrix.shape[-2] <= matrix.shape[-1]
    X = matrix if wide else matrix.mT
    X = X / (X.square().sum(dim=(-2, -1), keepdim=True).sqrt() + 1e-7)
    for _ in range(steps):
        gram = X @ X.mT
        X = a * X + (b * gram + c * gram @ gram) @ X
    return X if wide else X.mT


@checked
def muon_step(weight, gradient, momentum, rate=0.02, decay=0.0, keep=0.95):
    """Return a matrix of weights after one step of Muon, and the mean of its gradients.

    The twin of `clearhead.maths.optimizers.muon_step`.
    """
    momentum = momentum.lerp(gradient, 1 - keep)
    direction = newton_schulz(gradient.lerp(momentum, keep))
    stretch = max(1, weight.shape[-2] / weight.shape[-1]) ** 0.5
    return weight - rate * decay * weight - rate * stretch * direction, momentum
