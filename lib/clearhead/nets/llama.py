"""A current language model of the Llama family. The twin of `clearhead.maths.llama`."""

import torch

from .attention import scaled_dot_product_attention
from .contracts import checked, in_float32
from .heads import merge_heads, split_heads
from .layers import linear, relu, rms_norm
from .positions import apply_rotary
from .transformer import gated_feed_forward


@checked
def llama_attention(x, parameters, num_heads, angles, keys, values, attention_mask=None):
    """Return the attention output of each new token, the attention weights, and the keys and values to cache.

    The twin of `clearhead.maths.llama.llama_attention`.
    """
    past, groups = keys.shape[-2], keys.shape[-3]
    Q = apply_rotary(split_heads(linear(x, **parameters["query"]), num_heads), angles)  # (..., H, T, d)
    K = apply_rotary(split_heads(linear(x, **parameters["key"]), groups), angles)  # (..., G, T, d)
    V = split_heads(linear(x, **parameters["value"]), groups)  # (..., G, T, d)
    K, V = torch.cat([keys, K], dim=-2), torch.cat([values, V], dim=-2)
    mask = x.new_ones(x.shape[-2], K.shape[-2], dtype=torch.bool).tril(past)  # (T, S+T)
    mask = mask if attention_mask is None else mask & attention_mask[..., None, None, :]
    together = num_heads // groups  # heads of a group: they ask in a row, of the same keys
    asked = Q.reshape(*K.shape[:-2], together * x.shape[-2], K.shape[-1])  # (..., G, H/G·T, d)
    Z, A = scaled_dot_product_attention(asked, K, V, torch.cat([mask] * together, dim=-2))
    Z, A = Z.reshape(Q.shape), A.reshape(*Q.shape[:-1], K.shape[-2])
    return linear(merge_heads(Z), **parameters["output"]), A, K, V


@checked
def llama_block(x, parameters, num_heads, angles, keys, values, attention_mask=None):
    """Return the new tokens after one block, its attention weights, and the keys and values to cache.

    The twin of `clearhead.maths.llama.llama_block`.
    """
    h = rms_norm(x, **parameters["attention_norm"])
    attention = parameters["attention"]
    Z, A, keys, values = llama_attention(h, attention, num_heads, angles, keys, values, attention_mask)
    x = x + Z
    h = rms_norm(x, **parameters["feed_forward_norm"])
    return x + gated_feed_forward(h, parameters["feed_forward"]), A, keys, values


@checked
def top_k_gates(scores, k):
    """Return, for each token, the weights of its k best experts, which sum to 1; all others get 0.

    The twin of `clearhead.maths.llama.top_k_gates`.
    """
    best = torch.argsort(scores, dim=-1, descending=True, stable=True)[..., :k]
    chosen = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, best, True)
    return torch.where(chosen, scores, -torch.inf).softmax(dim=-1)


@checked
def load_balancing_loss(scores, gates):
    """Return how unevenly the experts are used. The twin of `clearhead.maths.llama.load_balancing_loss`."""
    chosen = (gates > 0).to(scores.dtype)
    used = chosen.sum(dim=0) / chosen.sum()
    return scores.shape[-1] * (used * scores.softmax(dim=-1).mean(dim=0)).sum()


@checked
@in_float32
def mixture_of_experts(x, parameters, k, activation=relu):
    """Return each token after its k best experts, weighted by their gates, and the gates.

    The twin of `clearhead.maths.llama.mixture_of_experts`.
    """
    gates = top_k_gates(x @ parameters["router"]["weight"], k)
    hidden = activation(torch.einsum("...d,edf->...ef", x, parameters["up"]["weight"]))
    each = torch.einsum("...ef,efd->...ed", hidden, parameters["down"]["weight"])
    return (gates[..., None] * each).sum(dim=-2), gates
