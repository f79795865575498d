"""Multi-head attention, and the attention weights of whole models. The twin of `clearhead.maths.heads`."""

import math

from torch import nn

from clearhead.maths.shapes import check_divides

from .attention import fast_attention, scaled_dot_product_attention, with_causal_mask
from .contracts import checked


@checked
def split_heads(x, num_heads):
    """Return the columns of each token split among the heads: head h gets the h-th block of columns.

    The twin of `clearhead.maths.heads.split_heads`.
    """
    return _split(x, num_heads)


def _split(x, num_heads):
    """Return the result of `split_heads`, for a width that was checked when the module was created."""
    return x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads).swapaxes(-3, -2)


@checked
def merge_heads(x):
    """Return the heads concatenated to one row per token; this is the inverse of `split_heads`.

    The twin of `clearhead.maths.heads.merge_heads`.
    """
    *leading, num_heads, length, d_k = x.shape
    return x.swapaxes(-3, -2).reshape(*leading, length, num_heads * d_k)


class GroupedQueryAttention(nn.Module):
    """Attention with H heads in G groups, whose heads share their keys and values.

    The twin of `clearhead.maths.heads.grouped_query_attention`: the same names of parameters, the same Z.

    Parameters
    ----------
    d_model : int
        D: numbers for a token. Each head gets d = D/H of them.
    num_heads : int
        How many heads, H. It must divide D.
    num_groups : int
        How many groups, G. It must divide H.
    bias : bool
        Whether the four linear maps add a bias; the first transformer's did not.
    """

    def __init__(self, d_model, num_heads, num_groups, bias=True):
        super().__init__()
        check_divides(d_model=d_model, num_heads=num_heads)
        check_divides(num_heads=num_heads, num_groups=num_groups)
        self.num_heads, self.num_groups = num_heads, num_groups
        shared = d_model // num_heads * num_groups
        self.query = nn.Linear(d_model, d_model, bias)
        self.key = nn.Linear(d_model, shared, bias)
        self.value = nn.Linear(d_model, shared, bias)
        self.output = nn.Linear(d_model, d_model, bias)

    def heads(self, x, context):
        """Return Q (..., H, T, d), K (..., H, S, d) and V (..., H, S, d)."""
        Q = _split(self.query(x), self.num_heads)  # (..., H, T, d)
        K = _split(self.key(context), self.num_groups)  # (..., G, S, d)
        V = _split(self.value(context), self.num_groups)  # (..., G, S, d)
        times = self.num_heads // self.num_groups
        return (Q, K, V) if times == 1 else (Q, *(each.repeat_interleave(times, dim=-3) for each in (K, V)))

    def forward(self, x, context, mask=None, causal=False):
        """Return Z (..., T, D) by the fast kernels, for x (..., T, D) and context (..., S, D)."""
        Z = fast_attention(*self.heads(x, context), mask, causal)  # (..., H, T, d)
        return self.output(merge_heads(Z))

    def forward_with_weights(self, x, context, mask=None, causal=False):
        """Return Z (..., T, D) and A (..., H, T, S), computed without the fast kernels."""
        Q, K, V = self.heads(x, context)
        Z, A = scaled_dot_product_attention(Q, K, V, with_causal_mask(mask, Q, K) if causal else mask)
        return self.output(merge_heads(Z)), A


class MultiHeadAttention(GroupedQueryAttention):
    """Attention with H heads, each of which has its own keys and values.

    The twin of `clearhead.maths.heads.multi_head_attention`.

    Parameters
    ----------
    d_model : int
        D: numbers for a token. Each head gets d = D/H of them.
    num_heads : int
        How many heads, H. It must divide D.
    bias : bool
        Whether the four linear maps add a bias.
    """

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__(d_model, num_heads, num_heads, bias)


class MultiHeadLatentAttention(GroupedQueryAttention):
    """Attention with H heads whose keys and values are all computed from one short vector per token.

    The twin of `clearhead.maths.heads.multi_head_latent_attention`.

    Parameters
    ----------
    d_model : int
        D: the dimensions of a token. Each head gets d = D/H of them.
    num_heads : int
        How many heads, H. It must divide D.
    rank : int
        r: the dimensions of the short vector, which is all that a cache has to keep.
    """

    def __init__(self, d_model, num_heads, rank):
        super().__init__(d_model, num_heads, num_heads, bias=False)
        self.down = nn.Linear(d_model, rank, bias=False)
        self.key, self.value = (nn.Linear(rank, d_model, bias=False) for _ in range(2))

    def heads(self, x, context):
        """Return Q (..., H, T, d), K (..., H, S, d) and V (..., H, S, d)."""
        latent = self.down(context)  # (..., S, r)
        projected = self.query(x), self.key(latent), self.value(latent)
        return tuple(_split(each, self.num_heads) for each in projected)

    def absorbed(self, x, context, mask=None, causal=False):
        """Return the Z of `forward`, for which the queries take over the matrix of the keys.

        The twin of `clearhead.maths.heads.absorbed_latent_attention`. Without the keys and values of the
        heads, all heads read the same latent vectors.
        """
        C = self.down(context)[..., None, :, :]  # (..., 1, S, r)
        Q = _split(self.query(x), self.num_heads)  # (..., H, T, d)
        W_k, W_v = (_split(layer.weight.mT, self.num_heads) for layer in (self.key, self.value))  # (H, r, d)
        scale = math.sqrt(C.shape[-1] / Q.shape[-1])  # attention divides by √r, and √d is meant
        C = C.expand(*C.shape[:-3], self.num_heads, *C.shape[-2:])
        Z = fast_attention(scale * (Q @ W_k.mT), C, C, mask, causal)  # (..., H, T, r)
        return self.output(merge_heads(Z @ W_v))


def attention_weights(model, *inputs, **options):
    """Return the attention weights of every attention layer of a model for some inputs.

    Parameters
    ----------
    model : torch.nn.Module
        Any model with `GroupedQueryAttention` or `MultiHeadAttention` in it.
    inputs, options
        What the model is called with.

    Returns
    -------
    maps : list of (..., H, T, S) tensors
        The weights A, in the order in which the attentions ran. The model itself runs on its fast path; A is
        what the visible path makes of the same inputs of each attention.
    """
    maps = []

    def note(attention, given, named, _output):
        maps.append(attention.forward_with_weights(*given, **named)[1])

    attentions = [module for module in model.modules() if isinstance(module, GroupedQueryAttention)]
    hooks = [module.register_forward_hook(note, with_kwargs=True) for module in attentions]
    try:
        model(*inputs, **options)
    finally:
        for hook in hooks:
            hook.remove()
    return maps
