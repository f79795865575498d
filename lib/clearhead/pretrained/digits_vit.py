"""A vision transformer with 4,198 parameters for digits, at twenty checkpoints of its training."""

import math
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "digits_vit.npz"
IMAGE_SIZE, PATCH_SIZE, CLASSES = 8, 2, 10
D_MODEL, NUM_HEADS, NUM_LAYERS = 12, 3, 2


def _linear(rows, columns):
    return {"weight": (rows, columns), "bias": (columns,)}


_NORM = {"gain": (D_MODEL,), "bias": (D_MODEL,)}
_BLOCK = {
    "attention_norm": _NORM,
    "attention": {part: _linear(D_MODEL, D_MODEL) for part in ("query", "key", "value", "output")},
    "feed_forward_norm": _NORM,
    "feed_forward": {"up": _linear(D_MODEL, 4 * D_MODEL), "down": _linear(4 * D_MODEL, D_MODEL)},
}
SHAPES = {
    "patches": _linear(PATCH_SIZE**2, D_MODEL),
    "cls": (D_MODEL,),
    "positions": ((IMAGE_SIZE // PATCH_SIZE) ** 2 + 1, D_MODEL),
    "blocks": [_BLOCK] * NUM_LAYERS,
    "norm": _NORM,
    "head": _linear(D_MODEL, CLASSES),
}


def digits_vit(checkpoint=-1):
    """Return the weights of the small vision transformer, for `maths.models.vision_transformer`.

        weight = scale · code,   with one scale for each array, and integer codes from -127 to 127

    Parameters
    ----------
    checkpoint : () int, optional
        The index of the checkpoint, from 0 (untrained) to 19; the last one by default.

    Returns
    -------
    parameters : dict
        For images of 8 × 8 pixels from 0 to 1, patches of 2 × 2, 3 heads.

    Notes
    -----
    The weights were made by `recipes/train_digits_vit.py`, as `README.md` in this folder describes.
    """
    with np.load(FILE) as file:
        return dequantised(file["codes"][checkpoint], file["scales"][checkpoint])


def digits_training():
    """Return the training curves, measured with the weights that are stored in the file.

    Returns
    -------
    steps : (L,) int
        The number of steps before each of the L checkpoints.
    losses : (L,) float
        The mean cross-entropy on the 1,400 training images, in nats.
    accuracies : (L,) float
        The fraction of the 397 test images that are classified correctly.
    """
    with np.load(FILE) as file:
        return file["steps"], file["losses"], file["accuracies"]


def digit_examples():
    """Return a few of the 397 test images: the first of each digit, then two that are misclassified.

    Returns
    -------
    images : (B, 8, 8) float
        Ink from 0 to 1, in steps of 1/16.
    labels : (B,) int
        The digit that the writer meant.
    """
    with np.load(FILE) as file:
        return file["examples"] / 16, file["labels"]


def quantised(parameters):
    """Return weights as integer codes and scales, array by array in the order of `SHAPES`.

    Parameters
    ----------
    parameters : dict
        Of `digits_vit`.

    Returns
    -------
    codes : (V,) int
        V = 4,198, each from -127 to 127.
    scales : (S,) float
        S = 40, one for each array.
    """
    arrays = [np.asarray(array, dtype=float) for array in _in_order(SHAPES, parameters)]
    scales = [np.float32(abs(array).max() / 127 or 1) for array in arrays]
    codes = [np.rint(array / scale).ravel() for array, scale in zip(arrays, scales, strict=True)]
    return np.concatenate(codes).astype(np.int8), np.array(scales)


def dequantised(codes, scales):
    """Return the weights from codes and scales, which is the inverse of `quantised` up to rounding.

    Parameters
    ----------
    codes : (V,) int
    scales : (S,) float

    Returns
    -------
    parameters : dict
        Of `digits_vit`.
    """
    ends = np.cumsum([math.prod(shape) for shape in _in_order(SHAPES, SHAPES)])
    pieces = zip(np.split(codes, ends[:-1]), scales.astype(float), strict=True)
    return _filled(SHAPES, iter([scale * piece for piece, scale in pieces]))


def _in_order(shapes, tree):
    """Return the leaves of a tree of dicts and lists, in the order of the shapes."""
    if isinstance(shapes, tuple):
        return [tree]
    keys = shapes if isinstance(shapes, dict) else range(len(shapes))
    return [leaf for key in keys for leaf in _in_order(shapes[key], tree[key])]


def _filled(shapes, arrays):
    """Return the tree of shapes in which each shape is replaced by the next array."""
    if isinstance(shapes, tuple):
        return next(arrays).reshape(shapes)
    if isinstance(shapes, list):
        return [_filled(shape, arrays) for shape in shapes]
    return {name: _filled(shape, arrays) for name, shape in shapes.items()}
