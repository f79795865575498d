"""Conversion between NumPy and PyTorch, in both directions, for every dtype, layout and device."""

import numpy as np
import torch


def to_array(tensor):
    """Return a copy of a tensor as a NumPy array.

    Parameters
    ----------
    tensor : torch.Tensor
        Of any dtype, on any device, with a gradient or without.

    Returns
    -------
    array : numpy.ndarray
        It shares no memory with the tensor. NumPy has no bfloat16, and none of the 8-bit floats: those come
        as float32, which holds each of their numbers exactly.
    """
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    if tensor.is_floating_point() and tensor.dtype not in (torch.float16, torch.float32, torch.float64):
        tensor = tensor.float()
    return np.array(tensor.numpy())


def to_tensor(array, device=None):
    """Return a copy of numbers as a tensor.

    Parameters
    ----------
    array : array, tensor or list
        A view, a memory map, an array that is read-only, runs backwards or lies in another order of bytes:
        all of these are copied. A tensor is only brought to the device.
    device : torch.device, optional

    Returns
    -------
    tensor : torch.Tensor
        Integers of every width are int64, because only these are ids and targets for PyTorch; floats and
        booleans keep their dtype.

    Raises
    ------
    TypeError
        Where the array holds no numbers.
    ValueError
        Where an unsigned integer is larger than int64 can hold.
    """
    if isinstance(array, torch.Tensor):
        return array.to(device=device)
    array = np.asarray(array)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"A tensor holds numbers, but this array has the dtype {array.dtype}.")
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"A tensor holds integers up to 2^63 - 1, but this array holds {array.max()}.")
    if array.dtype.kind in "iu":
        kind = np.dtype(np.int64)
    elif array.dtype == np.longdouble:
        kind = np.dtype(np.float64)
    else:
        kind = array.dtype.newbyteorder("=")
    return torch.from_numpy(np.array(array, dtype=kind, order="C")).to(device=device)
