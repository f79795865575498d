"""The small network of chapter 15 at twenty checkpoints of its training, with one byte per parameter."""

from pathlib import Path

import numpy as np

CHECKPOINTS = Path(__file__).with_name("induction.npz")
SIZES = dict(vocab_size=16, context_length=24, d_model=20, num_heads=2, num_layers=2)
LETTERS = "abcdefghijklmnop"


def shapes():
    """Return a dict from the name of each tensor to its shape in `maths`, in the order of the file.

    Returns
    -------
    shapes : dict
        Name -> shape. The weights of blocks have names such as "blocks.0.query".
    """
    V, T, D, L = (SIZES[name] for name in ("vocab_size", "context_length", "d_model", "num_layers"))
    parts = [f"blocks.{i}.{part}" for i in range(L) for part in ("query", "key", "value", "output")]
    return {"tokens": (V, D), "positions": (T, D), **dict.fromkeys(parts, (D, D)), "unembed": (D, V)}


def checkpoints():
    """Return codes, scales, and the measurements of the network at each checkpoint.

    Returns
    -------
    found : dict of arrays
        "steps" (S), "accuracy" (S) and "loss" (S) of each checkpoint; "codes" (S, N) int8, with a row of all
        parameters; "scales" (S, tensors) float32. A parameter is its code times the scale of its tensor.
    """
    with np.load(CHECKPOINTS) as file:
        return {name: file[name] for name in file.files}


def induction_parameters(moment=-1):
    """Return the weights at one checkpoint, under the names that `attention_only` reads.

    Parameters
    ----------
    moment : int
        The index of the checkpoint, from 0 to 19; the last one by default.

    Returns
    -------
    parameters : dict
        Arrays in single precision.
    """
    found = checkpoints()
    return unpacked(found["codes"][moment], found["scales"][moment])


def unpacked(codes, scales):
    """Return the parameters of the network from codes (N) and scales (one per tensor)."""
    blocks, others, start = [{} for _ in range(SIZES["num_layers"])], {}, 0
    for (name, shape), scale in zip(shapes().items(), scales, strict=True):
        stop = start + int(np.prod(shape))
        weight, start = codes[start:stop].reshape(shape).astype(np.float32) * scale, stop
        if name.startswith("blocks."):
            blocks[int(name.split(".")[1])][name.split(".")[2]] = {"weight": weight}
        else:
            others[name] = weight
    return others | {"unembed": {"weight": others["unembed"]}, "blocks": blocks}


def packed(parameters):
    """Return the codes (N) int8 and the scales (one per tensor) float32 of the parameters of a network."""
    codes, scales = [], []
    for name in shapes():
        if name.startswith("blocks."):
            _, block, part = name.split(".")
            weight = parameters["blocks"][int(block)][part]["weight"]
        else:
            weight = parameters[name]["weight"] if name == "unembed" else parameters[name]
        scales.append(np.float32(np.abs(weight).max() / 127))
        codes.append(np.round(weight / scales[-1]).astype(np.int8).ravel())
    return np.concatenate(codes), np.array(scales)
