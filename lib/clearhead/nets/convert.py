"""Weights out of a model: what PyTorch learnt, as arrays for `clearhead.maths`."""

from torch import nn


def to_arrays(module):
    """Return the weights of a module as nested dicts and lists of NumPy arrays, under the names of `maths`.

    Parameters
    ----------
    module : torch.nn.Module
        A module of `clearhead.nets`, or one of PyTorch's linear, embedding, norm or recurrent layers.

    Returns
    -------
    parameters : dict
        What the twin of the module in `clearhead.maths` takes as `parameters`. The arrays are copies.

    Raises
    ------
    TypeError
        Where a module keeps weights in a way that has no name in `maths`.

    Notes
    -----
    A linear layer's weight is transposed: PyTorch keeps (out, in), `maths` reads x (T, in) times (in, out).
    A norm's epsilon goes with its weights, because another epsilon gives other numbers.
    """
    for kind, convert in CONVERSIONS.items():
        if isinstance(module, kind):
            return convert(module)
    own = {name: array(weight) for name, weight in module.named_parameters(recurse=False)}
    if own and type(module).__module__.startswith("torch."):
        raise TypeError(f"to_arrays does not know how to name the weights of {type(module).__name__}.")
    parts = {name: to_arrays(part) for name, part in module.named_children()}
    return own | {name: part for name, part in parts.items() if len(part)}


def array(tensor):
    """Return a tensor's numbers as an array of their own."""
    return tensor.detach().cpu().numpy().copy()


def _linear(module):
    bias = {} if module.bias is None else {"bias": array(module.bias)}
    return {"weight": array(module.weight.mT)} | bias


def _norm(module):
    bias = {} if getattr(module, "bias", None) is None else {"bias": array(module.bias)}
    return {"gain": array(module.weight)} | bias | {"epsilon": module.eps}


def _convolution(module):
    return {"weight": array(module.weight.permute(2, 1, 0)), "bias": array(module.bias)}


def _recurrent(module):
    """Return the weights of one layer of nn.RNN, nn.LSTM, nn.GRU, or of their cells."""
    weights = {name.removesuffix("_l0"): weight for name, weight in module.named_parameters()}
    return {
        "input": {"weight": array(weights["weight_ih"].mT), "bias": array(weights["bias_ih"])},
        "hidden": {"weight": array(weights["weight_hh"].mT), "bias": array(weights["bias_hh"])},
    }


CONVERSIONS = {
    nn.Linear: _linear,
    nn.LayerNorm: _norm,
    nn.RMSNorm: _norm,
    nn.Embedding: lambda module: array(module.weight),
    nn.Conv1d: _convolution,
    nn.RNNBase: _recurrent,
    nn.RNNCellBase: _recurrent,
    nn.ModuleList: lambda modules: [to_arrays(each) for each in modules],
}
