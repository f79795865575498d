"""Conversion of weights from files of `transformers` to models and back, and to arrays for `maths`."""

import json
from pathlib import Path

import torch
from torch import nn

from clearhead.files import write_whole
from clearhead.nets.arrays import to_array

from . import configs, hub
from .layouts import LAYOUTS, full_name
from .tensors import by_plain_name, check_tensors, written


def to_arrays(module):
    """Return the weights of a module as nested dicts and lists of NumPy arrays, with the names in `maths`.

    Parameters
    ----------
    module : torch.nn.Module
        A module of `clearhead.nets`, or one of PyTorch's linear, embedding, norm or recurrent layers.

    Returns
    -------
    parameters : dict
        The `parameters` for the twin of the module in `clearhead.maths`. The arrays are copies, and those of
        a module in bfloat16 are float32, because NumPy has no bfloat16.

    Raises
    ------
    TypeError
        If a module has weights for which `maths` has no name.

    Notes
    -----
    The weight of a linear layer is transposed, because PyTorch stores (out, in), whereas `maths` multiplies
    x (T, in) by (in, out). A norm's epsilon is returned with its weights, because it affects the results.
    """
    for kind, convert in CONVERSIONS.items():
        if isinstance(module, kind):
            return convert(module)
    own = {name: to_array(weight) for name, weight in module.named_parameters(recurse=False)}
    if own and type(module).__module__.startswith("torch."):
        raise TypeError(f"to_arrays does not know how to name the weights of {type(module).__name__}.")
    parts = {name: to_arrays(part) for name, part in module.named_children()}
    return own | {name: part for name, part in parts.items() if len(part)}


def _linear(module):
    bias = {} if module.bias is None else {"bias": to_array(module.bias)}
    return {"weight": to_array(module.weight.mT)} | bias


def _norm(module):
    bias = {} if getattr(module, "bias", None) is None else {"bias": to_array(module.bias)}
    return {"gain": to_array(module.weight)} | bias | {"eps": module.eps}


def _convolution(module):
    _check_plain(module, {"stride": (1,), "padding": (0,), "dilation": (1,), "groups": 1})
    return {"weight": to_array(module.weight.permute(2, 1, 0)), "bias": to_array(module.bias)}


def _check_plain(module, only):
    """Raise TypeError if a PyTorch layer has no bias, or an option that its twin in `maths` lacks."""
    found = {name: getattr(module, name) for name in only if hasattr(module, name)}
    found["bias"] = module.bias is not None and module.bias is not False  # a tensor, or whether there is one
    for name, value in found.items():
        if value != (wanted := only.get(name, True)):
            raise TypeError(
                f"to_arrays has no name for the weights of {type(module).__name__} with {name} = {value!r}: "
                f"the layer in maths has {name} = {wanted!r}."
            )


def _recurrent(module):
    """Return the weights of a layer of nn.RNN, nn.LSTM or nn.GRU, or of one of their cells."""
    only = {"num_layers": 1, "bidirectional": False, "proj_size": 0, "nonlinearity": "tanh"}
    _check_plain(module, only)
    weights = {name.removesuffix("_l0"): weight for name, weight in module.named_parameters()}
    return {
        "input": {"weight": to_array(weights["weight_ih"].mT), "bias": to_array(weights["bias_ih"])},
        "hidden": {"weight": to_array(weights["weight_hh"].mT), "bias": to_array(weights["bias_hh"])},
    }


CONVERSIONS = {
    nn.Linear: _linear,
    nn.LayerNorm: _norm,
    nn.RMSNorm: _norm,
    nn.Embedding: lambda module: to_array(module.weight),
    nn.Conv1d: _convolution,
    nn.RNNBase: _recurrent,
    nn.RNNCellBase: _recurrent,
    nn.ModuleList: lambda modules: [to_arrays(each) for each in modules],
}


def from_pretrained(layout, source, download=False, sha256=None, cache=None):
    """Return a model with the weights that are in a folder, or that belong to a model on the hub.

    Parameters
    ----------
    layout : str
        "gpt2", "bert" or "vit", which determines the names and the layouts of the tensors.
    source : str or path
        A folder with `config.json` and `model.safetensors`, or a hub id such as "openai-community/gpt2".
    download : bool
        Whether the files may be downloaded. If not, a hub id must be in the cache already.
    sha256 : dict, optional
        File name -> its SHA-256 in hexadecimal digits, which is checked for files in a folder, too.
    cache : path, optional
        The folder for downloads; by default the cache of the package huggingface_hub.

    Returns
    -------
    model : GPT, TextEncoder, MaskedLanguageModel or VisionTransformer
        On the CPU, in evaluation mode and in the precision of the file. BERT's language-model head makes it a
        `MaskedLanguageModel`; a ViT without classifier gives the normed class token.

    Raises
    ------
    ValueError
        If a tensor is missing, superfluous or of another shape than config.json says, if config.json
        describes a model that ours cannot be, or if a checksum differs.
    FileNotFoundError
        If there is neither such a folder nor a copy in the cache, or if one of the two files is missing.
    ConnectionError
        If a download fails.
    ImportError
        If the package safetensors is not installed or, for a hub id, huggingface_hub.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"There is no layout {layout!r}; there are {', '.join(LAYOUTS)}.")
    folder = hub.locate(source, download, sha256, cache)
    config = configs.read(folder / "config.json")
    tensors, called = by_plain_name(layout, _read(folder / "model.safetensors"))
    model = configs.build(layout, config, set(tensors))
    entries = LAYOUTS[layout](model)
    check_tensors(layout, written(model, entries), tensors, called)
    ours = {}
    for name, (names, way) in entries.items():
        parts = (part.clone(memory_format=torch.contiguous_format) for part in way.read(tensors[name]))
        ours |= dict(zip(names, parts, strict=True))
    model.load_state_dict(ours, assign=True)
    return model.eval()


def save(model, folder):
    """Write a model as `config.json` and `model.safetensors`, which `load` and `transformers` read.

    Parameters
    ----------
    model : GPT, TextEncoder, MaskedLanguageModel or VisionTransformer
    folder : str or path
        The folder, which is created if it does not exist. Each file is written completely or not at all.

    Raises
    ------
    TypeError
        If the published layouts have no name for the model, or for a part of it.
    ImportError
        If the package safetensors is not installed.
    """
    layout, config, prefixed = configs.describe(model)
    tensors = written(model, LAYOUTS[layout](model))
    named = {full_name(layout, name, prefixed): t.detach().cpu().contiguous() for name, t in tensors.items()}
    blob = _safetensors().torch.save(named, metadata={"format": "pt"})
    write_whole(Path(folder) / "model.safetensors", blob)
    write_whole(Path(folder) / "config.json", json.dumps(config, indent=2))


def load(folder):
    """Return the model in a folder that `save` or `transformers` has written.

    Parameters
    ----------
    folder : str or path

    Returns
    -------
    model : GPT, TextEncoder, MaskedLanguageModel or VisionTransformer

    Raises
    ------
    FileNotFoundError, ValueError
        For the same reasons as `from_pretrained`.
    """
    folder = hub.locate(folder)
    config = configs.read(folder / "config.json")
    return from_pretrained(config.get("model_type"), folder)


def _safetensors():
    try:
        import safetensors.torch
    except ImportError:
        raise ImportError("Weights are kept with safetensors: pip install 'clearhead[pretrained]'.") from None
    return safetensors


def _read(path):
    """Return the tensors of a file by name."""
    package = _safetensors()
    try:
        return package.torch.load_file(path)
    except package.SafetensorError as error:
        raise ValueError(f"{path} is not a whole safetensors file: {error}.") from error
