"""Images as sequences of patches, and images with words. The twin of `clearhead.maths.vision`."""

import math

import torch
from torch import nn

from .contracts import checked
from .heads import MultiHeadAttention
from .layers import Embedding
from .transformer import FeedForward


@checked
def patchify(images, patch_size):
    """Return each image as a sequence of patches. The twin of `clearhead.maths.vision.patchify`."""
    *leading, height, width, channels = images.shape
    P = patch_size
    squares = images.reshape(*leading, height // P, P, width // P, P, channels).swapaxes(-4, -3)
    return squares.reshape(*leading, (height // P) * (width // P), P * P * channels)


@checked
def unpatchify(patches, height, width, patch_size):
    """Return the images that were cut into patches. The twin of `clearhead.maths.vision.unpatchify`."""
    *leading, _, columns = patches.shape
    P = patch_size
    squares = patches.reshape(*leading, height // P, width // P, P, P, columns // (P * P))
    return squares.swapaxes(-4, -3).reshape(*leading, height, width, columns // (P * P))


@checked
def add_class_token(x, cls, positions):
    """Return the tokens with a class token in front and the position embeddings added.

    The twin of `clearhead.maths.vision.add_class_token`.
    """
    first = cls.expand(*x.shape[:-2], 1, -1)
    return torch.cat([first, x], dim=-2) + positions


class TwoTowers(nn.Module):
    """A dual encoder that maps images and texts into one space, with a learned temperature.

    Parameters
    ----------
    image : nn.Module
        image(images) gives x (B, D).
    text : nn.Module
        text(ids, mask) gives one vector a token; text.pooled makes y (B, D) of them.
    padding : int
        The id that fills short texts. It is not looked at.
    temperature : float
        The first one; CLIP begins with 0.07.

    References
    ----------
    Radford et al. (2021), "Learning transferable visual models from natural language supervision", figure 3.
    """

    def __init__(self, image, text, padding=0, temperature=0.07):
        super().__init__()
        self.image, self.text, self.padding = image, text, padding
        self.log_temperature = nn.Parameter(torch.tensor(math.log(temperature)))

    @property
    def temperature(self):
        """Return the temperature by which the similarities are divided."""
        return self.log_temperature.exp()

    def forward(self, images):
        """Return x (B, D) for images (B, R, C, channels)."""
        return self.image(images)

    def read(self, ids):
        """Return y (B, D) for texts, ids (B, T)."""
        real = (ids != self.padding)[:, None, None, :]
        return self.text.pooled(self.text(ids, real))


class VQAModel(nn.Module):
    """A model that answers questions about an image: the question attends to the patches once.

    The twin of `clearhead.maths.vision.vqa_model`.

    Parameters
    ----------
    vocab_size, num_patches, patch_width, num_answers, d_model : int
        V, S, F, the number of answers, and D.
    """

    def __init__(self, vocab_size, num_patches, patch_width, num_answers, d_model):
        super().__init__()
        self.words = Embedding(vocab_size, d_model)
        self.patches = nn.Linear(patch_width, d_model)
        self.places = Embedding(num_patches, d_model)
        self.context_norm, self.question_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, 1, bias=False)
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, 4 * d_model)
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, num_answers)

    def forward(self, patches, ids):
        """Return logits (B, e) for patches (B, S, F) and the words of the questions, ids (B, T)."""
        context = self.context_norm(self.patches(patches) + self.places.weight)  # (B, S, D)
        x = self.words(ids).sum(-2)[..., None, :]  # (B, 1, D)
        x = x + self.attention(self.question_norm(x), context)
        x = x + self.feed_forward(self.feed_forward_norm(x))
        return self.head(self.norm(x))[..., 0, :]
