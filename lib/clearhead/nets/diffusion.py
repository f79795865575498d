"""Denoisers that learn, and the steps of a diffusion model. The twin of `clearhead.maths.diffusion`."""

import torch
from torch import nn
from torch.nn import functional as F

from .contracts import checked, in_float32
from .heads import MultiHeadAttention
from .layers import Embedding
from .softmax import softmax
from .transformer import FeedForward
from .vision import patchify, unpatchify


@checked
def add_noise(x, noise, sigma):
    """Return the images with noise of level sigma. The twin of `clearhead.maths.diffusion.add_noise`."""
    return x + sigma * noise


@checked
@in_float32
def optimal_denoiser(x, images, sigma):
    """Return the mean of the images, weighted by how well each explains the noisy one, and the weights.

    The twin of `clearhead.maths.diffusion.optimal_denoiser`.
    """
    squared = ((x[..., None, :] - images) ** 2).sum(-1)  # (..., S)
    A = softmax(-squared / (2 * sigma**2))
    return A @ images, A


@checked
def score_from_denoiser(x, denoised, sigma):
    """Return the gradient of the log density of noisy images.

    The twin of `clearhead.maths.diffusion.score_from_denoiser`.
    """
    return (denoised - x) / sigma**2


@checked
def euler_step(x, denoised, sigma, next_sigma):
    """Return the images after one step to a smaller noise level.

    The twin of `clearhead.maths.diffusion.euler_step`.
    """
    return x + (next_sigma - sigma) * (x - denoised) / sigma


@checked
def classifier_free_guidance(conditional, unconditional, guidance):
    """Return the denoised images for a class, moved further away from those for no class.

    The twin of `clearhead.maths.diffusion.classifier_free_guidance`.
    """
    return unconditional + guidance * (conditional - unconditional)


@checked
@in_float32
def adaptive_layer_norm(x, shift, scale):
    """Return the normalised tokens, scaled and shifted by vectors that depend on the condition.

    The twin of `clearhead.maths.diffusion.adaptive_layer_norm`.
    """
    normalised = F.layer_norm(x, x.shape[-1:])
    return normalised * (1 + scale[..., None, :]) + shift[..., None, :]


class AdaptiveEncoderBlock(nn.Module):
    """An encoder block whose norms and gates depend on a condition; before training it changes nothing.

    The twin of `clearhead.maths.diffusion.adaptive_encoder_block`.

    Parameters
    ----------
    d_model, num_heads : int
        D and H. H must divide D.
    d_ff : int
        F: numbers inside the feed-forward network; 4 D if not said.
    """

    def __init__(self, d_model, num_heads, d_ff=None):
        super().__init__()
        self.modulation = _zero(nn.Linear(d_model, 6 * d_model))
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff or 4 * d_model)

    def forward(self, x, condition):
        """Return y (..., T, D) for x (..., T, D) and a condition (..., D)."""
        shift, scale, gate, shift_2, scale_2, gate_2 = self.modulation(F.silu(condition)).chunk(6, -1)
        h = adaptive_layer_norm(x, shift, scale)
        x = x + gate[..., None, :] * self.attention(h, h)
        h = adaptive_layer_norm(x, shift_2, scale_2)
        return x + gate_2[..., None, :] * self.feed_forward(h)


def _zero(layer):
    """Return a layer whose parameters are zeros, so that it contributes nothing before training."""
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class NoiseAndClass(nn.Module):
    """The condition of a denoiser: one vector for the noise level and the class.

        condition = W_2 silu(W_1 [sin(f c), cos(f c)] + b_1) + b_2 + classes[label]

    Parameters
    ----------
    num_classes, d_model : int
        The number of classes, and D. One more row of the table of classes, the last, means "no class".

    References
    ----------
    Ho et al. (2020), appendix B: sinusoids, as for the positions of a transformer. Peebles & Xie (2023),
    section 3.2: the sum with the class.
    """

    def __init__(self, num_classes, d_model):
        super().__init__()
        self.register_buffer("frequencies", torch.pi * torch.arange(1, 9) / 4)
        self.first, self.second = nn.Linear(16, d_model), nn.Linear(d_model, d_model)
        self.classes = Embedding(num_classes + 1, d_model)

    def forward(self, log_sigma, labels):
        """Return conditions (B, D) for a quarter of ln σ (B,) and labels (B,)."""
        angles = log_sigma[:, None] * self.frequencies
        waves = torch.cat([angles.sin(), angles.cos()], dim=-1)
        return self.second(F.silu(self.first(waves))) + self.classes(labels)


class DiffusionTransformer(nn.Module):
    """A transformer for images: patches become tokens, and the condition steers every block.

    Parameters
    ----------
    image_size, patch_size, channels, num_classes, d_model, num_heads, num_layers : int
        The side of a square image, P, c, the number of classes, D, H and L.

    References
    ----------
    Peebles & Xie (2023), "Scalable diffusion models with transformers", figure 3, with adaLN-Zero.
    """

    def __init__(self, image_size, patch_size, channels, num_classes, d_model, num_heads, num_layers):
        super().__init__()
        self.image_size, self.patch_size = image_size, patch_size
        width = patch_size**2 * channels
        self.condition = NoiseAndClass(num_classes, d_model)
        self.patches = nn.Linear(width, d_model)
        self.positions = Embedding((image_size // patch_size) ** 2, d_model)
        self.blocks = nn.ModuleList(
            AdaptiveEncoderBlock(d_model, num_heads, 2 * d_model) for _ in range(num_layers)
        )
        self.modulation = _zero(nn.Linear(d_model, 2 * d_model))
        self.head = _zero(nn.Linear(d_model, width))

    def forward(self, images, log_sigma, labels):
        """Return images (B, R, R, c) for images (B, R, R, c), a quarter of ln σ (B,) and labels (B,)."""
        condition = self.condition(log_sigma, labels)
        x = self.patches(patchify(images, self.patch_size)) + self.positions.weight
        for block in self.blocks:
            x = block(x, condition)
        x = adaptive_layer_norm(x, *self.modulation(F.silu(condition)).chunk(2, -1))
        return unpatchify(self.head(x), self.image_size, self.image_size, self.patch_size)


class ConvolutionalDenoiser(nn.Module):
    """Residual convolutions of 3 × 3 pixels; the condition scales and shifts their channels.

    Parameters
    ----------
    channels, num_classes, d_model, num_layers : int
        The channels of an image, the number of classes, the width of the hidden channels and of the
        condition, and how many residual layers there are.
    """

    def __init__(self, channels, num_classes, d_model, num_layers):
        super().__init__()
        self.condition = NoiseAndClass(num_classes, d_model)
        self.first = nn.Conv2d(channels, d_model, 3, padding=1)
        self.layers = nn.ModuleList(nn.Conv2d(d_model, d_model, 3, padding=1) for _ in range(num_layers))
        self.modulations = nn.ModuleList(nn.Linear(d_model, 2 * d_model) for _ in range(num_layers))
        self.head = _zero(nn.Conv2d(d_model, channels, 3, padding=1))

    def forward(self, images, log_sigma, labels):
        """Return images (B, R, C, c) for images (B, R, C, c), a quarter of ln σ (B,) and labels (B,)."""
        condition = F.silu(self.condition(log_sigma, labels))
        x = self.first(images.permute(0, 3, 1, 2))  # (B, D, R, C)
        for layer, modulation in zip(self.layers, self.modulations, strict=True):
            scale, shift = modulation(condition)[:, :, None, None].chunk(2, dim=1)
            x = x + layer(F.silu(F.group_norm(x, 1) * (1 + scale) + shift))
        return self.head(F.silu(x)).permute(0, 2, 3, 1)


class Denoiser(nn.Module):
    """A network with inputs and outputs of standard size at every noise level.

        D(x; σ) = σ_d² / (σ² + σ_d²) x + σ σ_d / √(σ² + σ_d²) network(x / √(σ² + σ_d²), ln σ / 4)

    Parameters
    ----------
    network : nn.Module
        network(images, log_sigma, labels) gives images of the same shape.
    sigma_data : float
        σ_d: the standard deviation of a pixel of the clean images.

    References
    ----------
    Karras et al. (2022), eq. 7 and table 1.
    """

    def __init__(self, network, sigma_data):
        super().__init__()
        self.network, self.sigma_data = network, sigma_data

    def forward(self, x, sigma, labels):
        """Return denoised images (B, R, C, c) for noisy ones, their noise levels (B,) and labels (B,)."""
        s = sigma[:, None, None, None]
        total = (s**2 + self.sigma_data**2).sqrt()
        found = self.network(x / total, sigma.log() / 4, labels)
        return (self.sigma_data / total) ** 2 * x + s * self.sigma_data / total * found


def denoising_loss(denoiser, images, labels, sigma, noise):
    """Return the mean squared error of a denoiser, weighted so that each noise level counts alike.

        mean of (σ² + σ_d²) / (σ σ_d)² (D(x + σ noise; σ) - x)²

    Parameters
    ----------
    denoiser : Denoiser
    images, noise : (B, R, C, c) float
        Clean images x, and standard normal numbers.
    labels : (B,) int
        Their classes, or the number of classes where the denoiser is not told the class.
    sigma : (B,) float
        Their noise levels.

    Returns
    -------
    loss : () float

    References
    ----------
    Karras et al. (2022), eqs. 2 and 8, and table 1 for the weight.
    """
    s = sigma[:, None, None, None]
    weight = (s**2 + denoiser.sigma_data**2) / (s * denoiser.sigma_data) ** 2
    error = denoiser(images + s * noise, sigma, labels) - images
    return (weight * error**2).mean()
