"""A language model of the Llama family, in PyTorch. The twin of `clearhead.pretrained.language_model`."""

import torch

from clearhead.nets.llama import llama_block
from clearhead.nets.norms import rms_norm
from clearhead.pretrained.language_model import LanguageModel


class LanguageModelInTorch(LanguageModel):
    """The same numbers, multiplied by PyTorch; what comes back are NumPy arrays, as from its twin.

    Parameters
    ----------
    model : LanguageModel
    """

    _array, _block = staticmethod(torch.as_tensor), staticmethod(llama_block)

    def __init__(self, model):
        self.__dict__.update(model.__dict__)
        self.parameters = _tensors(model.parameters)

    def words(self, x):
        """Return the scores of all words (..., V) that vectors (..., D) stand for at the end of the model."""
        h = rms_norm(torch.as_tensor(x), **self.parameters["norm"])
        return (h @ self.parameters["tokens"].T).numpy()


def _tensors(weights):
    """Return dicts and lists of arrays as the same of tensors, tall matrices laid out column by column.

    One row times a matrix takes as long as reading it, and PyTorch reads fastest along the longer axis.
    """
    if isinstance(weights, dict):
        return {name: _tensors(each) for name, each in weights.items()}
    if isinstance(weights, list):
        return [_tensors(each) for each in weights]
    tensor = torch.from_numpy(weights)
    return tensor.T.contiguous().T if tensor.ndim == 2 and tensor.shape[0] > tensor.shape[1] else tensor
