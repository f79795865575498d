"""Attention-only transformers, and the hidden states between the blocks of any transformer."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from .heads import MultiHeadAttention, attention_weights
from .layers import Embedding
from .positions import learned_positions


class AttentionOnly(nn.Module):
    """An attention-only transformer, which predicts the next token without norms or feed-forward layers.

    The twin of `clearhead.maths.circuits.attention_only`.

    Parameters
    ----------
    vocab_size, context_length, d_model, num_heads, num_layers : int
        V, the longest text, D, H and L.
    generator : torch.Generator, optional
        For the first weights: normal numbers of spread 1/√D.
    """

    def __init__(self, vocab_size, context_length, d_model, num_heads, num_layers, generator=None):
        super().__init__()
        self.tokens = Embedding(vocab_size, d_model)
        self.positions = Embedding(context_length, d_model)
        blocks = (MultiHeadAttention(d_model, num_heads, bias=False) for _ in range(num_layers))
        self.blocks = nn.ModuleList(blocks)
        self.unembed = nn.Linear(d_model, vocab_size, bias=False)
        for weight in self.parameters():
            nn.init.normal_(weight, std=1 / math.sqrt(d_model), generator=generator)

    def forward(self, ids):
        """Return logits (B, T, V) for ids (B, T)."""
        x = self.tokens(ids) + learned_positions(ids.shape[-1], self.positions.weight)
        for block in self.blocks:
            x = x + block(x, x, causal=True)
        return self.unembed(x)

    def attention_weights(self, ids):
        """Return the attention weights of every head of every block, A (L, B, H, T, T), for ids (B, T)."""
        return torch.stack(attention_weights(self, ids))


class SparseAutoencoder(nn.Module):
    """A wide layer with few active features, from which hidden states are reconstructed.

    The twin of `clearhead.maths.circuits.sparse_autoencoder`.

    Parameters
    ----------
    d_model, num_features, num_active : int
        D, the width F of the dictionary, and the largest number of features that are active in one state.
    generator : torch.Generator, optional
        For the first directions: random ones of length 1. The encoder begins as the decoder, transposed.
    """

    def __init__(self, d_model, num_features, num_active, generator=None):
        super().__init__()
        self.num_active = num_active
        self.encoder, self.decoder = nn.Linear(d_model, num_features), nn.Linear(num_features, d_model)
        nn.init.normal_(self.decoder.weight, generator=generator)
        self.normalize()
        with torch.no_grad():
            self.encoder.weight.copy_(self.decoder.weight.T)
            self.encoder.bias.zero_()
            self.decoder.bias.zero_()

    @torch.no_grad()
    def normalize(self):
        """Give each direction of the dictionary the length 1, so that activations cannot hide in it."""
        self.decoder.weight.copy_(F.normalize(self.decoder.weight, dim=0))

    def codes(self, x):
        """Return the activations (..., T, F) of the features, for x (..., T, D)."""
        codes = F.relu(self.encoder(x - self.decoder.bias))
        values, places = codes.topk(min(self.num_active, codes.shape[-1]), dim=-1)
        return torch.zeros_like(codes).scatter(-1, places, values)

    def forward(self, x):
        """Return the reconstructed states (..., T, D) for x (..., T, D)."""
        return self.decoder(self.codes(x))


def hidden_states(model, *inputs, **options):
    """Return the input of the first block of a model, and the output of each block.

        x_0, x_l = block_l(x_{l-1})

    Parameters
    ----------
    model : torch.nn.Module
        With a list `blocks`, as GPT, TextEncoder and VisionTransformer have, or an `encoder` that has one.
    inputs, options
        What the model is called with.

    Returns
    -------
    states : (L+1, B, T, D) tensor
        For L blocks. No gradient flows through them.

    Raises
    ------
    ValueError
        Where the model has no blocks.
    """
    blocks = getattr(getattr(model, "encoder", model), "blocks", ())
    if not len(blocks):
        raise ValueError(f"{type(model).__name__} has no blocks: there is nothing between them to return.")
    states = []
    hooks = [blocks[0].register_forward_pre_hook(lambda _block, given: states.append(given[0]))]
    for block in blocks:
        hooks.append(block.register_forward_hook(lambda _block, _given, out: states.append(out)))
    try:
        with torch.no_grad():
            model(*inputs, **options)
    finally:
        for hook in hooks:
            hook.remove()
    return torch.stack(states)
