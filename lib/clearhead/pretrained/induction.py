"""The small network of chapter 15 at twenty checkpoints of its training, with one byte per parameter."""

from pathlib import Path

import numpy as np

CHECKPOINTS = Path(__file__).with_name("induction.npz")
SIZES = dict(vocab_size=16, context_length=24, d_model=20, num_heads=2, num_layers=2)
LETTERS = "abcdefghijklmnop"


def shapes():
    """Return the tensors of the network in the order of the file, each with its shape in `maths`.

    Returns
    -------
    shapes : dict
        Name -> shape. A weight of a block is called such as "blocks.0.query".
    """
    V, T, D, L = (SIZES[name] for name in ("vocab_size", "context_length", "d_model", "num_layers"))
    parts = [f"blocks.{i}.{part}" for i in range(L) for part in ("query", "key", "value", "output")]
    return {"tokens": (V, D), "positions": (T, D), **dict.fromkeys(parts, (D, D)), "unembed": (D, V)}


def checkpoints():
    """Return the contents of the file: codes, scales, and the scores of the network at each checkpoint.

    Returns
    -------
    found : dict of arrays
        "steps" (S), "accuracy" (S) and "loss" (S) at each moment; "codes" (S, N) int8, all numbers one after
        the other; "scales" (S, tensors) float32. A number is its code times the scale of its tensor.
    """
    with np.load(CHECKPOINTS) as file:
        return {name: file[name] for name in file.files}


def induction_parameters(moment=-1):
    """Return the weights at one checkpoint, under the names that `attention_only` reads.

    Parameters
    ----------
    moment : int
        Which of the twenty, counted from 0; the last one by default.

    Returns
    -------
    parameters : dict
        Arrays in single precision.
    """
    found = checkpoints()
    return unpacked(found["codes"][moment], found["scales"][moment])


def unpacked(codes, scales):
    """Return the parameters from codes (N) and scales (tensors)."""
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
    """Return codes (N) int8 and scales (tensors) float32 for the parameters of a network."""
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
