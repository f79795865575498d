"""A transformer of attention alone, now learning. The twin of `clearhead.maths.attention_only`."""

import math

import torch
from torch import nn

from .heads import MultiHeadAttention, look
from .positions import learned


class AttentionOnly(nn.Module):
    """Scores, at every token, all words to come next, by attention alone: no norm, no feed-forward part.

    The twin of `clearhead.maths.attention_only.attention_only`.

    Parameters
    ----------
    vocab_size, context_length, d_model, num_heads, num_layers : int
        V, the longest text, D, H and L.
    generator : torch.Generator, optional
        For the first weights: normal numbers of spread 1/√D.
    """

    def __init__(self, vocab_size, context_length, d_model, num_heads, num_layers, generator=None):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(context_length, d_model)
        blocks = (MultiHeadAttention(d_model, num_heads, bias=False) for _ in range(num_layers))
        self.blocks = nn.ModuleList(blocks)
        self.unembed = nn.Linear(d_model, vocab_size, bias=False)
        for weight in self.parameters():
            nn.init.normal_(weight, std=1 / math.sqrt(d_model), generator=generator)

    def forward(self, ids):
        """Return logits (B, T, V) for ids (B, T)."""
        x = self.tokens(ids) + learned(ids.shape[-1], self.positions.weight)
        for block in self.blocks:
            x = x + block(x, x, causal=True)
        return self.unembed(x)

    def look(self, ids):
        """Return where every head of every block looks: A (L, B, H, T, T) for ids (B, T)."""
        return torch.stack(look(self, ids))
