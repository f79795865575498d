"""Quantisation: numbers in few bits, rounded one by one or in blocks of 32 that share a scale."""

import numpy as np

from clearhead.contracts import checked, in_float32


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


@checked
@in_float32
def round_to_e2m1(x):
    """Return each number rounded to the nearest float of 4 bits, in the format E2M1.

        ±0, ±0.5, ±1, ±1.5, ±2, ±3, ±4, ±6:   1 bit of sign, 2 of exponent, 1 of mantissa

    Parameters
    ----------
    x : (..., S) float

    Returns
    -------
    y : (..., S) float
        Half-way, the neighbour whose mantissa is even is taken. What exceeds 6 becomes 6, and what is
        below -6 becomes -6; NaN remains NaN.

    References
    ----------
    Open Compute Project (2023), "OCP microscaling formats (MX) specification", version 1.0, section 5.3.3.
    """
    size = np.minimum(np.abs(1.0 * x), 6)
    _, exponent = np.frexp(np.maximum(size, 1))  # 1 ≤ size < 2 has exponent 1
    step = np.ldexp(np.ones_like(size), exponent - 2)  # the distance of neighbouring values
    return np.copysign(np.minimum(np.round(size / step) * step, 6), x)


@checked
@in_float32
def round_to_mxfp4(x, size=32):
    """Return each number rounded to MXFP4: floats of 4 bits that share a power of two in each block.

        s = 2^(⌊log₂ max abs(x_j)⌋ - 2),   y_j = s · e2m1(x_j / s)

    Parameters
    ----------
    x : (..., R·c) float
        R blocks of c numbers in each row.
    size : () int c from 1, optional
        How many neighbours share a scale, c: a block.

    Returns
    -------
    y : (..., R·c) float
        The largest number of a block is between 4 and 8 times its scale, so that it uses the largest values.

    Notes
    -----
    A scale has 8 bits: its exponent is from -127 to 127. With 32 numbers per block, a number costs 4.25 bits.

    References
    ----------
    Open Compute Project (2023), "OCP microscaling formats (MX) specification", version 1.0, section 6.3.
    Rouhani et al. (2023), "Microscaling data formats for deep learning", algorithm 1.
    """
    blocks = 1.0 * x.reshape(*x.shape[:-1], x.shape[-1] // size, size)
    _, exponent = np.frexp(np.abs(blocks).max(axis=-1, keepdims=True))
    scale = np.ldexp(np.ones((), blocks.dtype), np.clip(exponent - 3, -127, 127))
    return (scale * round_to_e2m1(blocks / scale)).reshape(x.shape)


@checked
def hadamard(size):
    """Return the rotation of Hadamard, which distributes every entry of a vector over all of them.

        H_1 = (1),   H_2D = (H_D, H_D; H_D, -H_D) / √2

    Parameters
    ----------
    size : () int D from 1
        A power of 2.

    Returns
    -------
    H : (D, D) float
        Symmetric, and its own inverse. Each entry is 1/√D or -1/√D.

    Raises
    ------
    ValueError
        Where the size is not a power of 2.

    References
    ----------
    Sylvester (1867), "Thoughts on inverse orthogonal matrices"; for quantization Ashkboos et al. (2024),
    "QuaRot: outlier-free 4-bit inference in rotated LLMs".
    """
    if size & (size - 1):
        raise ValueError(f"A Hadamard matrix of this kind needs a power of 2, got size = {size}.")
    H = np.ones((1, 1))
    while len(H) < size:
        H = np.block([[H, H], [H, -H]])
    return H / np.sqrt(size)
