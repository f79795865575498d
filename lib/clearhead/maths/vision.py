"""Images as sequences of patches, and models of images and words together."""

import numpy as np

from clearhead.contracts import checked, in_float32

from .heads import multi_head_attention
from .layers import embed, layer_norm, linear
from .transformer import feed_forward
from .vectors import unit_vectors


@checked
def patchify(images, patch_size):
    """Return each image as a sequence of patches, row by row, with each patch as one vector.

        patches[r · (C/P) + c] = the pixels of the square at (r P, c P), row by row, channels innermost

    Parameters
    ----------
    images : (..., R, C, c) float
        Height R, width C, and c channels, last.
    patch_size : () int P from 1
        P: the side of a patch. It must divide height and width.

    Returns
    -------
    patches : (..., R/P·C/P, P·P·c) float

    References
    ----------
    Dosovitskiy et al. (2021), "An image is worth 16x16 words", section 3.1.
    """
    *leading, height, width, channels = images.shape
    P = patch_size
    # (..., R/P, C/P, P, P, c)
    squares = images.reshape(*leading, height // P, P, width // P, P, channels).swapaxes(-4, -3)
    return squares.reshape(*leading, (height // P) * (width // P), P * P * channels)


@checked
def unpatchify(patches, height, width, patch_size):
    """Return the images that were cut into patches; this is the inverse of `patchify`.

        images[r P + i, c P + j] = patches[r · (C/P) + c][(i P + j) c : (i P + j + 1) c]

    Parameters
    ----------
    patches : (..., R/P·C/P, P·P·c) float
    height : () int R from 1
        The height of the image, R.
    width : () int C from 1
        The width of the image, C.
    patch_size : () int P from 1
        The side of a patch, P.

    Returns
    -------
    images : (..., R, C, c) float
    """
    *leading, _, columns = patches.shape
    P = patch_size
    # (..., R/P, C/P, P, P, c)
    squares = patches.reshape(*leading, height // P, width // P, P, P, columns // (P * P))
    return squares.swapaxes(-4, -3).reshape(*leading, height, width, columns // (P * P))


@checked
def patch_embed(images, parameters, patch_size):
    """Return one vector for each patch of an image: the tokens of a vision transformer.

        x = patchify(images) weight + bias

    Parameters
    ----------
    images : (..., R, C, c) float
        Channels last.
    parameters : dict
        - weight : (P·P·c, D) float
        - bias : (D,) float, optional
    patch_size : () int P from 1
        The side of a patch, P.

    Returns
    -------
    x : (..., R/P·C/P, D) float

    Notes
    -----
    A convolution with kernel P and stride P is the same map, with its weight in another order.

    References
    ----------
    Dosovitskiy et al. (2021), eq. 1. Their E is our weight.
    """
    return linear(patchify(images, patch_size), **parameters)


@checked
def add_class_token(x, cls, positions):
    """Return the tokens of an image with a class token in front and the position embeddings added.

        y = [cls; x_1; x_2; ...] + positions

    Parameters
    ----------
    x : (..., T, D) float
        One token a patch.
    cls : (D,) float
        The class token: learned, the same for each image, and made of no pixel.
    positions : (T+1, D) float
        One row a place, learned. Row 0 is that of the class token.

    Returns
    -------
    y : (..., T+1, D) float

    References
    ----------
    Dosovitskiy et al. (2021), eq. 1. Their x_class is our cls, their E_pos our positions.
    """
    first = np.broadcast_to(cls, (*x.shape[:-2], 1, x.shape[-1]))  # (..., 1, D)
    return np.concatenate([first, x], axis=-2) + positions


@checked
def patchify_series(series, window, stride=None):
    """Return a series cut into windows, each of which is a token.

        tokens_n = series[n · stride : n · stride + W],   n = 0 ... ⌊(T - W) / stride⌋

    Parameters
    ----------
    series : (..., T) float, array or list
        Measurements, equally far apart in time.
    window : () int W from 1 to T
        How many measurements make a token, W.
    stride : () int from 1, optional
        From the start of one token to the start of the next; W if not said, so that nothing is twice.

    Returns
    -------
    tokens : (..., T//W, W) float
        Another stride gives ⌊(T - W) / stride⌋ + 1 of them. What fills no whole window at the end is left
        out.

    Raises
    ------
    ValueError
        Where the window is wider than the series, or window or stride is below 1.

    References
    ----------
    Nie et al. (2023), "A time series is worth 64 words: long-term forecasting with transformers".
    """
    series, stride = np.asarray(series), window if stride is None else stride
    starts = np.arange(0, series.shape[-1] - window + 1, stride)  # (N,)
    return series[..., starts[:, None] + np.arange(window)]


@checked
@in_float32
def retrieve(x, y):
    """Return, for each row of x, the index of the row of y with the largest cosine similarity.

        found_i = argmax_j cos(x_i, y_j)

    Parameters
    ----------
    x : (..., D) float
        What is given, such as the vectors of images.
    y : (S, D) float, S from 1
        Among what to search, such as the vectors of captions.

    Returns
    -------
    found : (...) int
        From 0 to S - 1; the first of those that are equally near.

    Raises
    ------
    ValueError
        Where there is nothing to search among, or the widths differ.
    """
    return (unit_vectors(x) @ unit_vectors(y).T).argmax(-1)


@checked
@in_float32
def vqa_model(patches, ids, parameters):
    """Return the logits of all answers to a question about an image, and the attention of the question.

        c = norm(patches W + b + places),   x = Σ_t words[id_t],
        x = x + attention(norm(x), c),   x = x + feed_forward(norm(x)),   logits = norm(x) W_h + b_h

    Parameters
    ----------
    patches : (..., S, F) float
        An image as a sentence of patches.
    ids : (..., T) int from 0 to V-1
        The words of the question; their order does not matter here.
    parameters : dict
        - words : (V, D) float
        - patches.weight : (F, D) float
        - patches.bias : (D,) float, optional
        - places : (S, D) float
        - context_norm.gain : (D,) float
        - context_norm.bias : (D,) float
        - question_norm.gain : (D,) float
        - question_norm.bias : (D,) float
        - attention.query.weight : (D, D) float
        - attention.key.weight : (D, D) float
        - attention.value.weight : (D, D) float
        - attention.output.weight : (D, D) float
        - feed_forward_norm.gain : (D,) float
        - feed_forward_norm.bias : (D,) float
        - feed_forward.up.weight : (D, 4·D) float
        - feed_forward.up.bias : (4·D,) float, optional
        - feed_forward.down.weight : (4·D, D) float
        - feed_forward.down.bias : (D,) float, optional
        - norm.gain : (D,) float
        - norm.bias : (D,) float
        - head.weight : (D, e) float
        - head.bias : (e,) float, optional

    Returns
    -------
    logits : (..., e) float
        One score for each of e answers.
    A : (..., S) float
        The attention weights: one row, because the words of the question were added into one token.
    """
    context = linear(patches, **parameters["patches"]) + parameters["places"]  # (..., S, D)
    context = layer_norm(context, **parameters["context_norm"])
    x = embed(ids, parameters["words"]).sum(-2)[..., None, :]  # (..., 1, D)
    asked = layer_norm(x, **parameters["question_norm"])
    Z, A = multi_head_attention(asked, context, parameters["attention"], num_heads=1)
    x = x + Z
    x = x + feed_forward(layer_norm(x, **parameters["feed_forward_norm"]), parameters["feed_forward"])
    logits = linear(layer_norm(x, **parameters["norm"]), **parameters["head"])  # (..., 1, e)
    return logits[..., 0, :], A[..., 0, 0, :]
