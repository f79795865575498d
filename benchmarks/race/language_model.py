"""A language model of the Llama family in PyTorch, the twin of `clearhead.pretrained.language_model`.

To write a token, one row goes through every matrix: that takes at least as long as reading all numbers once.
So matrices that take the same row lie side by side as one, in the order in which they are read, and little
else is done. That it is the same model is proved beside.
"""

import numpy as np
import torch
from torch.nn import functional as F

from clearhead.maths.positions import rotary_angles
from clearhead.pretrained.language_model import Cache, LanguageModel


class LanguageModelInTorch(LanguageModel):
    """The same model with products in PyTorch; like its twin, it returns NumPy arrays.

    Parameters
    ----------
    model : LanguageModel
    """

    def __init__(self, model):
        self.__dict__.update(model.__dict__)
        tokens, gain = model.parameters["tokens"], torch.from_numpy(model.parameters["norm"]["gain"])
        blocks = [_joined(block) for block in model.parameters["blocks"]]
        self.parameters = {"tokens": _laid_out(tokens), "norm": gain, "blocks": blocks}

    def with_parameters(self, parameters):
        """Return the same model with other weights, given as a dict of NumPy arrays, for an experiment."""
        return LanguageModelInTorch(super().with_parameters(parameters))

    @torch.inference_mode()
    def unembed(self, x):
        """Return the logits of all tokens (..., V) for vectors (..., D) at the end of the model."""
        return (_norm(torch.as_tensor(x), self.parameters["norm"]) @ self.parameters["tokens"].T).numpy()

    @torch.inference_mode()
    def blocks(self, x, layer=0, cache=None):
        """Yield the vectors (T, D) after each block and its attention weights; the cache grows."""
        cache = self.empty_cache() if cache is None else cache
        x, start, end = torch.as_tensor(x), cache.length, cache.length + len(x)
        angles = torch.from_numpy(rotary_angles(end, self.d_k, self.base)[start:])
        unit_complex = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)  # (T, d/2)
        pairs = cache.room(end)
        for i, block in enumerate(self.parameters["blocks"][layer:], layer):
            x, A = _block(x, block, unit_complex, *pairs[i])
            yield x.numpy(), A.numpy()
        cache.length = end

    def empty_cache(self):
        """Return a cache without tokens, for the beginning of a text."""
        return CacheInTorch(self)


class CacheInTorch(Cache):
    """A cache (L, 2, G, room, d) with space for later tokens, so that a new token copies no other."""

    def __init__(self, model):
        self.length, count = 0, len(model.parameters["blocks"])
        self.pairs = torch.zeros(count, 2, model.num_groups, 0, model.d_k)

    def crop(self, length):
        """Keep only the first tokens."""
        self.length = length

    def room(self, end):
        """Return keys and values (L, 2, G, S, d) of S tokens, stored or yet to come."""
        if end > self.pairs.shape[-2]:
            self.pairs = F.pad(self.pairs, (0, 0, 0, end))  # then it is at least twice as long
        return self.pairs[..., :end, :]


def _block(x, block, unit_complex, keys, values):
    """Return the result of `llama_block`; the new keys and values go to the end of room (G, S+T, d)."""
    T, (G, length, d) = len(x), keys.shape
    heads = (_norm(x, block["attention_norm"]) @ block["query_key_value"]).view(T, -1, d).swapaxes(0, 1)
    turned = _rotate(heads[:-G], unit_complex)  # queries and keys: (H+G, T, d)
    keys[:, -T:], values[:, -T:] = turned[-G:], heads[-G:]
    scores = turned[:-G].reshape(G, -1, d) @ keys.mT / d**0.5  # heads of a group ask in a row
    if T > 1:  # a token alone is the newest: it may look everywhere
        mask = torch.ones(T, length, dtype=torch.bool).tril(length - T)
        scores = scores.view(G, -1, T, length).where(mask, -torch.inf).view(scores.shape)
    A = scores.softmax(dim=-1)
    Z = (A @ values).view(-1, T, d).swapaxes(0, 1).reshape(T, -1)
    x = x + Z @ block["output"]
    gate, up = (_norm(x, block["feed_forward_norm"]) @ block["gate_up"]).chunk(2, dim=-1)
    return x + (F.silu(gate) * up) @ block["down"], A.view(-1, T, length)


def _norm(x, gain):
    return F.rms_norm(x, gain.shape, gain, 1e-5)


def _rotate(x, unit_complex):
    """Return the result of `apply_rotary`, computed as a product of complex numbers."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * unit_complex).flatten(-2)


def _joined(block):
    """Return the weights of a block, with those that multiply the same row joined side by side."""
    attention, feed_forward = block["attention"], block["feed_forward"]
    together = {
        "query_key_value": [attention[name] for name in ("query", "key", "value")],
        "output": [attention["output"]],
        "gate_up": [feed_forward[name] for name in ("gate", "up")],
        "down": [feed_forward["down"]],
    }
    found = {name: _laid_out(np.hstack([w["weight"] for w in each])) for name, each in together.items()}
    gains = ("attention_norm", "feed_forward_norm")
    return found | {name: torch.from_numpy(block[name]["gain"]) for name in gains}


def _laid_out(matrix):
    """Return a matrix as a tensor in the order of memory in which it is read along its longer axis."""
    tensor = torch.from_numpy(matrix)
    return tensor.T.contiguous().T if tensor.shape[0] > tensor.shape[1] else tensor
