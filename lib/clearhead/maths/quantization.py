"""Quantisation: numbers in few bits, rounded one by one or in blocks of 32 that share a scale."""

import numpy as np

from clearhead.contracts import checked


@checked
def to_bfloat16(x):
    """Return each number rounded to the nearest bfloat16, which keeps only 16 of the 32 bits of a float32.

        sign, 8 bits of exponent and 7 of 23 others are kept; half-way, the even neighbour is taken

    Parameters
    ----------
    x : (...) float

    Returns
    -------
    y : (...) float
        In the precision of x, so that NumPy, which has no bfloat16, can go on with it.

    Notes
    -----
    The largest number stays that of float32, about 3.4e38, and neighbours stand 1/128 apart between 1 and 2.
    A float64 is first rounded to float32. What is not a number stays so.

    References
    ----------
    Kalamkar et al. (2019), "A study of bfloat16 for deep learning training", section 3.
    """
    single = np.asarray(x, dtype=np.float32)
    bits = single.view(np.uint32)
    even = (bits >> 16) & 1
    kept = ((bits + np.uint32(0x7FFF) + even) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(single), single, kept).astype(np.asarray(x).dtype)


@checked
def unpack_q8_0(blocks):
    """Return the values of blocks in the format Q8_0, each with a scale and 32 integers of 8 bits.

        x_j = d q_j

    Parameters
    ----------
    blocks : (..., 34) int from 0 to 255
        Bytes. First d in float16 (2 bytes), then q_0 ... q_31, from -128 to 127 (a byte each).

    Returns
    -------
    x : (..., 32) float
        In float32.

    References
    ----------
    The file format GGUF, as the project ggml writes it: type 8.
    """
    blocks = np.ascontiguousarray(blocks, dtype=np.uint8)
    scale = blocks[..., :2].view(np.float16).astype(np.float32)  # (..., 1)
    return scale * blocks[..., 2:].view(np.int8)


@checked
def unpack_q4_1(blocks):
    """Return the values of blocks in the format Q4_1, each with a scale, a minimum and 32 integers of 4 bits.

        x_j = d q_j + m

    Parameters
    ----------
    blocks : (..., 20) int from 0 to 255
        Bytes. First d and m in float16 (2 bytes each), then 16 bytes: the lower halves are q_0 ... q_15, the
        upper halves q_16 ... q_31, each from 0 to 15.

    Returns
    -------
    x : (..., 32) float
        In float32.

    References
    ----------
    The file format GGUF, as the project ggml writes it: type 3.
    """
    blocks = np.ascontiguousarray(blocks, dtype=np.uint8)
    scale = blocks[..., 0:2].view(np.float16).astype(np.float32)  # (..., 1)
    smallest = blocks[..., 2:4].view(np.float16).astype(np.float32)
    halves = np.concatenate([blocks[..., 4:] & 15, blocks[..., 4:] >> 4], axis=-1)  # (..., 32)
    return scale * halves + smallest


@checked
def round_to_bits(x, bits, size=32):
    """Return each number rounded to the nearest of 2^bits values that are evenly spaced in its block.

        q_j = round((x_j - m) / d),   y_j = d q_j + m,   m = min x,   d = (max x - m) / (2^bits - 1)

    Parameters
    ----------
    x : (..., R·c) float
        R blocks of c numbers in each row.
    bits : () int from 1
        How many for each number. With 4, and the scale and the smallest value in float16, it is Q4_1.
    size : () int c from 1, optional
        How many neighbours share d and m, c: a block.

    Returns
    -------
    y : (..., R·c) float
        No number moves by more than d / 2.

    References
    ----------
    Jacob et al. (2018), "Quantization and training of neural networks for efficient integer-arithmetic-only
    inference", eq. 1, block by block.
    """
    blocks = x.reshape(*x.shape[:-1], x.shape[-1] // size, size)
    smallest = blocks.min(axis=-1, keepdims=True)
    step = (blocks.max(axis=-1, keepdims=True) - smallest) / (2**bits - 1)
    codes = np.round((blocks - smallest) / np.where(step > 0, step, 1))
    return (step * codes + smallest).reshape(x.shape)
