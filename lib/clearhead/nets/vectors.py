"""Tables, categories, words and images, represented as vectors. The twin of `clearhead.maths.vectors`."""

import torch
from torch.nn import functional as F

from .contracts import checked, in_float32


@checked
@in_float32
def standardize(X):
    """Return a table whose columns each have mean 0 and standard deviation 1.

        Z_ij = (X_ij - mean_j) / std_j,   std_j = sqrt(mean over i of (X_ij - mean_j)²)

    The twin of `clearhead.maths.vectors.standardize`.
    """
    std = torch.where(X.amax(dim=0) > X.amin(dim=0), X.std(dim=0, correction=0), 1)
    return (X - X.mean(dim=0)) / std


@checked
def one_hot(ids, vocab_size):
    """Return a one-hot row for each integer: zeros, with a single 1 at the index that the integer names.

        row_v = 1 if v = id, else 0

    The twin of `clearhead.maths.vectors.one_hot`.
    """
    return F.one_hot(ids.long(), vocab_size).to(torch.get_default_dtype())


@checked
def image_to_vector(image):
    """Return an image as one vector: row by row, pixel by pixel, with the channels of a pixel side by side.

        vector[(r · width + c) · channels + k] = image[r, c, k]

    The twin of `clearhead.maths.vectors.image_to_vector`. Channels come last
    here; many PyTorch layers want them first: `image.permute(2, 0, 1)`.
    """
    return image.reshape(-1)


@checked
@in_float32
def unit_vectors(x):
    """Return each row scaled to length 1; a row of zeros stays as it is, and gets no gradient from this.

    The twin of `clearhead.maths.vectors.unit_vectors`.
    """
    x = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    lengths = torch.linalg.vector_norm(torch.where(x == 0, 0, x), dim=-1, keepdim=True)
    return x / torch.where(lengths > 0, lengths, torch.inf)
