"""Images as sentences: cut into patches, each patch a token. The twin of `clearhead.maths.vision`."""

import torch

from .contracts import checked


@checked
def patchify(images, patch_size):
    """Return each image as a sentence of patches. The twin of `clearhead.maths.vision.patchify`."""
    *leading, height, width, channels = images.shape
    P = patch_size
    squares = images.reshape(*leading, height // P, P, width // P, P, channels).swapaxes(-4, -3)
    return squares.reshape(*leading, (height // P) * (width // P), P * P * channels)


@checked
def add_class_token(x, cls, positions):
    """Return the tokens with one more in front, and what says where each of them stands.

    The twin of `clearhead.maths.vision.add_class_token`.
    """
    first = cls.expand(*x.shape[:-2], 1, -1)
    return torch.cat([first, x], dim=-2) + positions
