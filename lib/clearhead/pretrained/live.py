"""The GPT of the live figure: one million numbers that `train_live_gpt` found, and its tokenizer."""

from pathlib import Path

import numpy as np

from clearhead.text.rules import STOP
from clearhead.text.tokenizers import BytePairTokenizer

WEIGHTS = Path(__file__).with_name("live_gpt.npz")
SIZES = dict(vocab_size=2048, context_length=128, d_model=240, num_heads=6, num_layers=4)


def live_arrays():
    """Return the trained weights in half precision, as they are kept.

    Returns
    -------
    arrays : dict of str to array
        Such as "blocks.0.attention.query.weight"; a linear map's weight is (in, out), as in `maths`.
    """
    return _rows("model.")


def live_parameters():
    """Return the trained weights under the names that `clearhead.maths.models.gpt` reads.

    Returns
    -------
    parameters : dict
        Nested dicts and lists of arrays in single precision, whose values fit into half precision.
    """
    parameters = {"blocks": [{} for _ in range(SIZES["num_layers"])]}
    for name, array in live_arrays().items():
        *path, last = name.split(".")
        place = parameters
        for step in path:
            place = place[int(step)] if step.isdigit() else place.setdefault(step, {})
        place[last] = array.astype(np.float32)
    return parameters


def live_gpt():
    """Return the trained model, ready to be asked.

    Returns
    -------
    model : clearhead.nets.models.GPT
        In evaluation mode and single precision.
    """
    import torch

    from clearhead.nets.models import GPT

    model, arrays = GPT(**SIZES), live_arrays()
    with torch.no_grad():
        for name, p in model.named_parameters():
            array = torch.from_numpy(arrays[_in_maths(name)])
            p.copy_(array.mT if _is_linear(name) else array)
    return model.eval()


def live_tokenizer():
    """Return the tokenizer that the model was trained with.

    Returns
    -------
    tokenizer : BytePairTokenizer
        Its special token "<stop>" stands before and after each passage: begin every text with it.
    """
    with np.load(WEIGHTS) as file:
        return BytePairTokenizer(file["merges"].tolist(), special=(STOP,))


def write(model, tokenizer, validation):
    """Write a trained model in half precision, its tokenizer and the held-out rows into one file."""
    own = model.state_dict()
    arrays = {
        f"model.{_in_maths(name)}": (p.mT if _is_linear(name) else p).numpy() for name, p in own.items()
    }
    halves = {name: np.ascontiguousarray(array, dtype=np.float16) for name, array in arrays.items()}
    rows = {f"validation.{name}": ids.astype(np.uint16) for name, ids in validation.items()}
    np.savez_compressed(WEIGHTS, merges=np.array(tokenizer.merges, dtype=np.uint16), **halves, **rows)


def _rows(prefix):
    with np.load(WEIGHTS) as file:
        return {name.removeprefix(prefix): file[name] for name in file.files if name.startswith(prefix)}


def _is_linear(name):
    """Return True for a weight that PyTorch keeps as (out, in) and `clearhead.maths` as (in, out)."""
    return name.endswith("weight") and not name.startswith(("tokens", "positions")) and "norm." not in name


def _in_maths(name):
    """Return the name that a parameter of `nets` has in `maths`."""
    if name.startswith(("tokens", "positions")):
        return name.removesuffix(".weight")
    return name.replace("norm.weight", "norm.gain")
