"""The parameters of the live figure's GPT, which `recipes/train_live_gpt.py` learned, and its tokenizer."""

from pathlib import Path

import numpy as np

from clearhead.text.rules import STOP
from clearhead.text.tokenizers import BytePairTokenizer

WEIGHTS = Path(__file__).with_name("live_gpt.npz")
SIZES = dict(vocab_size=3072, context_length=128, d_model=224, num_heads=4, num_layers=4)


def live_codes():
    """Return the trained weights as they are stored: integers of one byte, and a scale for each row.

        weight = scale · code

    Returns
    -------
    kept : dict of str to (codes, scales)
        The names are such as "blocks.0.attention.query.weight". The weight of a linear map is (in, out), as
        in `maths`.
    """
    codes, scales = _rows("codes."), _rows("scales.")
    return {name: (codes[name], scales[name]) for name in codes}


def live_arrays():
    """Return the trained weights by name, as arrays in single precision.

    Returns
    -------
    arrays : dict of str to array
        Each row is its codes times its scale.
    """
    return {name: codes * scales[..., None] for name, (codes, scales) in live_codes().items()}


def live_parameters():
    """Return the trained weights under the names that `clearhead.maths.models.gpt` reads.

    Returns
    -------
    parameters : dict
        Nested dicts and lists of arrays in single precision.
    """
    parameters = {"blocks": [{} for _ in range(SIZES["num_layers"])]}
    for name, array in live_arrays().items():
        *path, last = name.split(".")
        place = parameters
        for step in path:
            place = place[int(step)] if step.isdigit() else place.setdefault(step, {})
        place[last] = array
    return parameters


def live_gpt():
    """Return the trained GPT as a PyTorch model.

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
    """Return the tokenizer with which the model was trained.

    Returns
    -------
    tokenizer : BytePairTokenizer
        Its special token "<stop>" is before and after each passage of the training data, so every text should
        begin with it.
    """
    with np.load(WEIGHTS) as file:
        return BytePairTokenizer(file["merges"].tolist(), special=(STOP,))


def write(model, tokenizer, validation):
    """Write a trained model with one byte per parameter, its tokenizer, and the validation rows to a file."""
    kept = {}
    for name, p in model.state_dict().items():
        codes, scales = rounded((p.mT if _is_linear(name) else p).numpy())
        kept |= {f"codes.{_in_maths(name)}": codes, f"scales.{_in_maths(name)}": scales}
    rows = {f"validation.{name}": ids.astype(np.uint16) for name, ids in validation.items()}
    np.savez_compressed(WEIGHTS, merges=np.array(tokenizer.merges, dtype=np.uint16), **kept, **rows)


def rounded(array):
    """Return an array as integer codes from -127 to 127, and the scale of each of its rows.

        scale = max |row| / 127,   code = row / scale, rounded

    Parameters
    ----------
    array : (..., D) float
        The array. A row of zeros gets the scale 1.

    Returns
    -------
    codes : (..., D) int8
        From -127 to 127.
    scales : (...) float32
    """
    scales = np.abs(array).max(axis=-1) / 127
    scales = np.where(scales == 0, 1, scales).astype(np.float32)
    return np.rint(array / scales[..., None]).astype(np.int8), scales


def _rows(prefix):
    with np.load(WEIGHTS) as file:
        return {name.removeprefix(prefix): file[name] for name in file.files if name.startswith(prefix)}


def _is_linear(name):
    """Return True for a weight that is (out, in) in PyTorch, but (in, out) in `clearhead.maths`."""
    return name.endswith("weight") and not name.startswith(("tokens", "positions")) and "norm." not in name


def _in_maths(name):
    """Return the name that a parameter of `nets` has in `maths`."""
    if name.startswith(("tokens", "positions")):
        return name.removesuffix(".weight")
    return name.replace("norm.weight", "norm.gain")
