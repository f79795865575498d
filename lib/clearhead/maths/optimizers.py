"""How a gradient becomes an update: AdamW, Muon, and gradient clipping."""

import numpy as np

from clearhead.contracts import checked, in_float32


@checked
def adamw_step(
    weight, gradient, mean, square, t, learning_rate=1e-3, weight_decay=0.1, betas=(0.9, 0.99), eps=1e-8
):
    """Return the weights after one step of AdamW, and its two running means.

        m ← β₁ m + (1 - β₁) g,   v ← β₂ v + (1 - β₂) g²
        w ← w - η λ w - η m̂ / (√v̂ + ε),   m̂ = m / (1 - β₁ᵗ),   v̂ = v / (1 - β₂ᵗ)

    Parameters
    ----------
    weight : (...) float
        The weights w.
    gradient : (...) float
        The gradient g, shaped like the weights.
    mean : (...) float
        The mean m of the gradients so far; zeros at the start.
    square : (...) float from 0
        The mean v of their squares; zeros at the start.
    t : () int from 1
        The number of this step.
    learning_rate : () float, optional
        η.
    weight_decay : () float, optional
        λ: by ηλ of themselves the weights shrink, whatever the gradient is.
    betas : (float, float), optional
        How much of each mean is kept, β₁ and β₂.
    eps : () float, optional
        Keeps a gradient of 0 from dividing by 0.

    Returns
    -------
    weight : (...) float
    mean : (...) float
    square : (...) float

    References
    ----------
    Loshchilov & Hutter (2019), "Decoupled weight decay regularization", algorithm 2, with λ times the rate as
    in PyTorch. The rest is Kingma & Ba (2015), "Adam", algorithm 1.
    """
    mean = betas[0] * mean + (1 - betas[0]) * gradient
    square = betas[1] * square + (1 - betas[1]) * gradient**2
    size = (square / (1 - betas[1] ** t)) ** 0.5 + eps
    step = weight_decay * weight + mean / (1 - betas[0] ** t) / size
    return weight - learning_rate * step, mean, square


@checked
@in_float32
def clip_grad_norm(gradient, max_norm=1.0):
    """Return a gradient rescaled, if necessary, to at most a given norm.

        g ← g · min(1, c / ‖g‖)

    Parameters
    ----------
    gradient : (...) float
        All its numbers together are one vector.
    max_norm : () float, optional
        The limit c.

    Returns
    -------
    gradient : (...) float

    References
    ----------
    Pascanu, Mikolov & Bengio (2013), "On the difficulty of training recurrent neural networks", algorithm 1.
    """
    norm = np.square(gradient).sum() ** 0.5
    return gradient * (max_norm / max(norm, max_norm))


@checked
@in_float32
def newton_schulz(matrix, steps=5):
    """Return an approximation of U Vᵀ, the matrix U S Vᵀ with all its singular values set to 1.

        X ← a X + b (X Xᵀ) X + c (X Xᵀ)² X,   X starts as M divided by its length,
        a, b, c = 3.4445, -4.7750, 2.0315

    Parameters
    ----------
    matrix : (..., D, F) float
        Any matrix, M.
    steps : () int from 0, optional
        How often the polynomial is applied.

    Returns
    -------
    X : (..., D, F) float
        Singular values that were not tiny come to between 0.68 and 1.21. Those far below 0.01 of the length
        of M stay small after five steps.

    References
    ----------
    Jordan et al. (2024), "Muon: an optimizer for hidden layers in neural networks".
    """
    a, b, c = 3.4445, -4.7750, 2.0315
    wide = matrix.shape[-2] <= matrix.shape[-1]
    X = matrix if wide else matrix.mT
    X = X / (np.square(X).sum(axis=(-2, -1), keepdims=True) ** 0.5 + 1e-7)
    for _ in range(steps):
        gram = X @ X.mT  # the smaller of the two sides
        X = a * X + (b * gram + c * gram @ gram) @ X
    return X if wide else X.mT


@checked
def muon_step(weight, gradient, buffer, learning_rate=0.02, weight_decay=0.0, momentum=0.95):
    """Return a weight matrix after one step of Muon, and the running mean of its gradients.

        B ← μ B + (1 - μ) G
        W ← W - η λ W - η √max(1, F/D) newton_schulz((1 - μ) G + μ B)

    The factor √max(1, F/D) makes the step of a layer with more outputs than inputs longer, so that its
    outputs change by as much as those of a square layer.

    Parameters
    ----------
    weight : (D, F) float
        The weights of a layer with D inputs and F outputs, as in y = x W.
    gradient : (D, F) float
        Their gradient.
    buffer : (D, F) float
        The running mean of the gradients so far; zeros at the start.
    learning_rate : () float, optional
        η.
    weight_decay : () float, optional
        λ, as in AdamW.
    momentum : () float, optional
        The fraction μ of the running mean that is kept in each step.

    Returns
    -------
    weight : (D, F) float
    buffer : (D, F) float

    Notes
    -----
    `torch.optim.Muon` takes the first axis of a matrix for its outputs, because `nn.Linear` stores weights
    as (outputs, inputs): there the same factor reads √max(1, rows/columns).

    References
    ----------
    Jordan et al. (2024), "Muon: an optimizer for hidden layers in neural networks".
    """
    buffer = momentum * buffer + (1 - momentum) * gradient
    direction = newton_schulz((1 - momentum) * gradient + momentum * buffer)
    stretch = max(1, weight.shape[-1] / weight.shape[-2]) ** 0.5  # √max(1, outputs/inputs)
    return weight - learning_rate * (weight_decay * weight + stretch * direction), buffer


@checked
def mup_factors(width, base_width):
    """Return by which factors the maximal update parametrization (muP) changes a network that becomes wider.

        m = width / base_width
        input: (1, 1, 1),   hidden: (1/√m, 1/m, 1),   output: (1, 1, 1/m)

    Parameters
    ----------
    width : () int from 1
        How many entries the hidden states have.
    base_width : () int from 1
        The width at which the learning rate was tuned.

    Returns
    -------
    factors : (P, P) float, P = 3
        One row each for the input, hidden and output weights. The columns are the factors for the standard
        deviation of the initial weights, for the learning rate of Adam, and for the output of the layer.

    Notes
    -----
    The hidden matrices have the shape (width, width). With these factors, one step of Adam
    changes every hidden state and every output by an amount that does not depend on the width. At the base
    width nothing changes. The factors for SGD are different ones.

    References
    ----------
    Yang et al. (2022), "Tensor programs V: tuning large neural networks via zero-shot hyperparameter
    transfer", table 8.
    """
    ratio = width / base_width
    return np.array([[1.0, 1.0, 1.0], [ratio**-0.5, 1 / ratio, 1.0], [1.0, 1.0, 1 / ratio]])
