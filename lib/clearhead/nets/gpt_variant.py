"""A GPT-2 in which single parts can be replaced by newer ones, so that each change can be measured."""

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from .attention import fast_attention
from .heads import GroupedQueryAttention, merge_heads
from .layers import Embedding, rms_norm
from .masks import causal_padding_mask
from .models import check_like_ids, init_weights, placed
from .positions import apply_rotary, rotary_angles
from .transformer import FeedForward


@dataclass(frozen=True)
class GPTVariantConfig:
    """The parts that differ from those of GPT-2; `GPTVariantConfig()` is GPT-2 itself.

    `dataclasses.replace` makes a modified copy.

    Parameters
    ----------
    rms_norm : bool
        Norms without mean and bias.
    gated : bool
        A gated feed-forward network with silu, narrower by a third, so that it has as many numbers.
    rotary : bool
        Queries and keys are turned; no table of positions.
    num_groups : int, optional
        So many heads have keys and values of their own; all of them if not said.
    qk_norm : bool
        Queries and keys are brought to one length, with a learned gain for each column.
    scale_residual_init : bool
        What writes into the stream begins smaller by 1/√(2L). (GPT-2 has this; our `GPT` has not.)
    """

    rms_norm: bool = False
    gated: bool = False
    rotary: bool = False
    num_groups: int | None = None
    qk_norm: bool = False
    scale_residual_init: bool = False


MODERN = GPTVariantConfig(
    rms_norm=True, gated=True, rotary=True, num_groups=2, qk_norm=True, scale_residual_init=True
)


class GatedFeedForward(nn.Module):
    """A gated feed-forward layer: two linear maps up, of which one scales the other, and one down. No biases.

        y = (silu(x W_gate) · (x W_up)) W_down

    `clearhead.maths.transformer.gated_feed_forward` with learning weights.

    Parameters
    ----------
    d_model, d_ff : int
        D and F. With F a third smaller than that of `FeedForward`, both have as many weights.
    """

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        """Return y (..., T, D) for x (..., T, D)."""
        return self.down(F.silu(self.gate(x)) * self.up(x))


class CausalAttention(GroupedQueryAttention):
    """Causal grouped-query attention, whose queries and keys may be normalised and rotated.

    Parameters
    ----------
    d_model, num_heads : int
        D and H.
    config : GPTVariantConfig
        Its `num_groups`, `qk_norm` and `rotary` are read.
    """

    def __init__(self, d_model, num_heads, config):
        super().__init__(d_model, num_heads, config.num_groups or num_heads)
        d_k = d_model // num_heads
        self.angles = rotary_angles if config.rotary else None  # another function stretches them
        self.gains = nn.Parameter(torch.ones(2, d_k)) if config.qk_norm else None

    def heads(self, x, context):
        """Return Q (..., H, T, d), K (..., H, S, d) and V (..., H, S, d)."""
        Q, K, V = super().heads(x, context)
        if self.gains is not None:
            Q, K = rms_norm(Q, self.gains[0]), rms_norm(K, self.gains[1])
        if self.angles is not None:
            angles = self.angles(*Q.shape[-2:])  # (T, d/2)
            Q, K = apply_rotary(Q, angles), apply_rotary(K, angles)
        return Q, K, V

    def forward(self, x, mask=None):
        """Return Z (..., T, D) for x (..., T, D); without a mask, a causal one is used."""
        return self.output(merge_heads(fast_attention(*self.heads(x, x), mask, causal=mask is None)))


class GPTVariantBlock(nn.Module):
    """A pre-norm block: x = x + attention(norm(x)), then x = x + feed_forward(norm(x)).

    Parameters
    ----------
    d_model, num_heads : int
        D and H.
    config : GPTVariantConfig
        Which parts are new.
    """

    def __init__(self, d_model, num_heads, config):
        super().__init__()
        norm = nn.RMSNorm if config.rms_norm else nn.LayerNorm
        self.attention_norm, self.feed_forward_norm = (norm(d_model, eps=1e-5) for _ in range(2))
        self.attention = CausalAttention(d_model, num_heads, config)
        inside = round(8 * d_model / 3) if config.gated else 4 * d_model
        self.feed_forward = (GatedFeedForward if config.gated else FeedForward)(d_model, inside)

    def forward(self, x, mask=None):
        """Return y (..., T, D) for x (..., T, D); without a mask, a causal one is used."""
        x = x + self.attention(self.attention_norm(x), mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class GPTVariant(nn.Module):
    """A GPT-2 with some parts replaced, which predicts the next token at every position.

    Parameters
    ----------
    vocab_size, context_length, d_model, num_heads, num_layers : int
        V, the longest text, D, H and L. With rotary positions any text may be read.
    config : GPTVariantConfig
        Which parts are new.
    generator : torch.Generator, optional
        For the first weights.
    """

    def __init__(
        self, vocab_size, context_length, d_model, num_heads, num_layers, config, generator=None
    ):  # fmt: skip
        super().__init__()
        self.tokens = Embedding(vocab_size, d_model)
        self.positions = None if config.rotary else Embedding(context_length, d_model)
        self.blocks = nn.ModuleList(GPTVariantBlock(d_model, num_heads, config) for _ in range(num_layers))
        self.norm = (nn.RMSNorm if config.rms_norm else nn.LayerNorm)(d_model, eps=1e-5)
        init_weights(self, generator)
        if config.scale_residual_init:
            scale_residual_init(self)

    def forward(self, ids, attention_mask=None, position_ids=None):
        """Return logits (B, T, V) for ids (B, T); mask and positions are those of `GPT`.

        With rotary positions, only the mask is needed: they enter as distances, which padding leaves alone.
        """
        check_like_ids(ids, attention_mask=attention_mask, position_ids=position_ids)
        x = self.tokens(ids)
        if self.positions is not None:
            x = x + placed(self.positions, ids, attention_mask, position_ids)
        elif position_ids is not None:
            raise ValueError("Rotary positions enter as distances only, so this model takes no position_ids.")
        mask = None if attention_mask is None else causal_padding_mask(attention_mask)
        for block in self.blocks:
            x = block(x, mask)
        return F.linear(self.norm(x), self.tokens.weight)


@torch.no_grad()
def scale_residual_init(model):
    """Return a model in which the output maps of all blocks are scaled by 1/√(2L), as at the start of GPT-2.

    Parameters
    ----------
    model : torch.nn.Module
        With `blocks`, each with `attention.output` and `feed_forward.down`. It is changed in place.

    Returns
    -------
    model : torch.nn.Module
        The same model. 2L steps of spread s then add up to a spread of s, not of s √(2L).

    References
    ----------
    Radford et al. (2019), "Language models are unsupervised multitask learners", section 2.3.
    """
    for block in model.blocks:
        for writes in (block.attention.output, block.feed_forward.down):
            writes.weight /= math.sqrt(2 * len(model.blocks))
    return model
