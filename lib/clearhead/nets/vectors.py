"""Tables, categories, words and images as vectors: the twin of `clearhead.maths.vectors`."""

import torch
from torch.nn import functional as F


def standardize(X):
    """Return a table whose columns each have mean 0 and standard deviation 1.

        Z_ij = (X_ij - mean_j) / std_j,   std_j = sqrt(mean over i of (X_ij - mean_j)²)

    Parameters
    ----------
    X : (T, D) float
        One row a thing, one column a measurement, in any unit.

    Returns
    -------
    Z : (T, D) float
        The same table without units. A constant column tells nothing, and becomes zeros (up to rounding).

    References
    ----------
    LeCun, Bottou, Orr & Müller (1998), "Efficient BackProp", section 4.3.
    """
    std = torch.where(X.amax(dim=0) > X.amin(dim=0), X.std(dim=0, correction=0), 1)
    return (X - X.mean(dim=0)) / std


def one_hot(ids, vocab_size):
    """Return, for each integer, a row of zeros with a single 1 in the place that the integer names.

        row_v = 1 if v = id, else 0

    Parameters
    ----------
    ids : (..., T) int
        Whole numbers from 0 to vocab_size - 1.
    vocab_size : () int
        V: how many words, or categories, there are.

    Returns
    -------
    rows : (..., T, V) float
        Each row sums to 1, and its largest entry stands at the id.

    Raises
    ------
    ValueError
        Where an id is below 0 or above vocab_size - 1.
    """
    if ids.numel() and not 0 <= ids.min() <= ids.max() < vocab_size:
        found = f"The ids go from {ids.min()} to {ids.max()}"
        raise ValueError(f"{found}; give ids from 0 to {vocab_size - 1}.")
    return F.one_hot(ids.long(), vocab_size).to(torch.get_default_dtype())


def image_to_vector(image):
    """Return an image as one vector: row by row, pixel by pixel, the channels of a pixel side by side.

        vector[(r · width + c) · channels + k] = image[r, c, k]

    Parameters
    ----------
    image : (R, C, D) float
        Height R, width C, and D channels: 3 for red, green and blue; 1 for grey. Channels come last here;
        many PyTorch layers want them first: `image.permute(2, 0, 1)`.

    Returns
    -------
    vector : (R·C·D,) float
        All the numbers of the image.
    """
    return image.reshape(-1)


def vector_to_image(vector, height, width):
    """Return the image that a vector of pixels came from: the inverse of `image_to_vector`.

        image[r, c, k] = vector[(r · width + c) · channels + k]

    Parameters
    ----------
    vector : (R·C·D,) float
        All the numbers of the image, row by row, the channels of a pixel side by side.
    height : () int
        R: how many rows of pixels.
    width : () int
        C: how many columns of pixels.

    Returns
    -------
    image : (R, C, D) float
        The number of channels D is what remains.

    Raises
    ------
    ValueError
        Where the numbers do not fill whole pixels.
    """
    if vector.numel() % (height * width):
        found = f"{vector.numel()} numbers do not fill {height} × {width} pixels"
        raise ValueError(f"{found}: check height and width.")
    return vector.reshape(height, width, -1)


def directions(x):
    """Return each row brought to length 1; a row of zeros stays zeros, and gets no gradient from here.

    The twin of `clearhead.maths.vectors.directions`.
    """
    x = x if x.is_floating_point() else x.to(torch.get_default_dtype())
    lengths = torch.linalg.vector_norm(torch.where(x == 0, 0, x), dim=-1, keepdim=True)
    return x / torch.where(lengths > 0, lengths, torch.inf)
