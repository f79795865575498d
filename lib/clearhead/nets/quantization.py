"""Quantisation to floats of 4 bits. The twin of `clearhead.maths.quantization`."""

import torch

from .contracts import checked, in_float32


@checked
@in_float32
def round_to_e2m1(x):
    """Return each number rounded to the nearest float of 4 bits, in the format E2M1.

        ±0, ±0.5, ±1, ±1.5, ±2, ±3, ±4, ±6:   1 bit of sign, 2 of exponent, 1 of mantissa

    The twin of `clearhead.maths.quantization.round_to_e2m1`. Its gradient is zero.
    """
    size = (1.0 * x).abs().clamp(max=6)
    _, exponent = torch.frexp(size.clamp(min=1))
    step = torch.ldexp(torch.ones_like(size), exponent - 2)  # the distance of neighbouring values
    return torch.copysign((torch.round(size / step) * step).clamp(max=6), x)


@checked
@in_float32
def round_to_mxfp4(x, size=32):
    """Return each number rounded to MXFP4: floats of 4 bits that share a power of two in each block.

        s = 2^(⌊log₂ max abs(x_j)⌋ - 2),   y_j = s · e2m1(x_j / s)

    The twin of `clearhead.maths.quantization.round_to_mxfp4`.
    """
    blocks = 1.0 * x.reshape(*x.shape[:-1], x.shape[-1] // size, size)
    _, exponent = torch.frexp(blocks.abs().amax(dim=-1, keepdim=True))
    scale = torch.ldexp(torch.ones_like(blocks[..., :1]), (exponent - 3).clamp(-127, 127))
    return (scale * round_to_e2m1(blocks / scale)).reshape(x.shape)
