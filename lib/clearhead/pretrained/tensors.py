"""The comparison of the tensors of a file with those of a model, which must have equal names and shapes."""

import re

import torch

from .layouts import LEFT_OUT, TIED, plain_name


def written(model, entries):
    """Return the tensors of a model under the names of a layout, arranged as in the files of this layout.

    Parameters
    ----------
    model : torch.nn.Module
        It may be on the meta device, where tensors only have shapes.
    entries : dict
        The entries that `layouts.gpt2`, `layouts.bert` or `layouts.vit` returns.

    Returns
    -------
    tensors : dict of str to tensor
    """
    ours = model.state_dict()
    return {name: way.write(*(ours[each] for each in names)) for name, (names, way) in entries.items()}


def by_plain_name(layout, file):
    """Return the tensors of a file by their names without prefixes, and their original names.

    Parameters
    ----------
    layout : str
        "gpt2", "bert" or "vit".
    file : dict of str to tensor

    Returns
    -------
    tensors : dict of str to tensor
        The tensors by plain name, without those of `layouts.LEFT_OUT` and without second copies of tied
        tensors. If a file has a tied tensor only under its second name, it is here under its first.
    called : dict of str to str
        The original name of each of them.

    Raises
    ------
    ValueError
        If the file has a tensor twice, or if the two copies of a tied tensor differ.
    """
    tensors, called = {}, {}
    for name, tensor in file.items():
        plain = plain_name(layout, name)
        if any(re.fullmatch(pattern, plain) for pattern in LEFT_OUT[layout]):
            continue
        if plain in tensors:
            raise ValueError(f"The file holds {plain!r} twice: as {called[plain]!r} and as {name!r}.")
        tensors[plain], called[plain] = tensor, name
    for twin, name in TIED[layout].items():
        if twin not in tensors:
            continue
        if name not in tensors:  # the file keeps the one tensor under its other name
            tensors[name], called[name] = tensors.pop(twin), called.pop(twin)
        elif not torch.equal(tensors.pop(twin), tensors[name]):
            raise ValueError(
                f"Tensor {called[twin]!r} must equal {called[name]!r}: our model has one for both."
            )
    return tensors, called


def check_tensors(layout, expected, found, called):
    """Raise an error if the tensors of a file are not the expected ones, by name and by shape.

    Parameters
    ----------
    layout : str
    expected, found : dict of str to tensor
    called : dict of str to str
        The original name of each tensor that was found.

    Raises
    ------
    ValueError
        If a tensor is missing, superfluous or of another shape; the message has its name and the shapes.
    """
    for name, tensor in expected.items():
        if name not in found:
            shape = tuple(tensor.shape)
            raise ValueError(f"The file has no tensor {name!r} of shape {shape}, which config.json asks for.")
        shapes = tuple(found[name].shape), tuple(tensor.shape)
        if shapes[0] != shapes[1]:
            raise ValueError(
                f"Tensor {called[name]!r} has shape {shapes[0]}, but config.json asks for {shapes[1]}."
            )
    if over := sorted(set(found) - set(expected)):
        raise ValueError(
            f"The file has a tensor {called[over[0]]!r} of shape {tuple(found[over[0]].shape)}, for which "
            f"there is no place in the {layout} that config.json describes."
        )
