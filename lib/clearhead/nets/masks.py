"""Attention masks, in which True means that a query (row) may attend. The twin of `clearhead.maths.masks`."""

import torch

from .contracts import checked


@checked
def causal_mask(length, device=None):
    """Return the mask with which each token attends to itself and to the tokens before it.

        mask_ij = (j ≤ i)

    The twin of `clearhead.maths.masks.causal_mask`, made on a device.
    """
    return torch.tril(torch.ones(length, length, dtype=torch.bool, device=device))


@checked
def padding_mask(lengths, longest):
    """Return the mask (B, 1, 1, S) that hides the padding after each sentence of a batch.

        mask_bj = (j < lengths_b)

    The twin of `clearhead.maths.masks.padding_mask`.
    """
    return torch.arange(longest, device=lengths.device) < lengths[:, None, None, None]


@checked
def causal_padding_mask(attention_mask):
    """Return the mask with which each token attends to the real tokens up to itself, and never to padding.

        mask_ij = (j ≤ i) and attention_mask_j

    The twin of `clearhead.maths.masks.causal_padding_mask`.
    """
    return causal_mask(attention_mask.shape[-1], attention_mask.device) & attention_mask[..., None, None, :]


@checked
def sliding_window_mask(length, window, device=None):
    """Return the causal mask that covers only a fixed number of tokens, the token itself included.

        mask_ij = (0 ≤ i - j < window)

    The twin of `clearhead.maths.masks.sliding_window_mask`, made on a device.
    """
    places = torch.arange(length, device=device)
    steps_back = places[:, None] - places
    return (steps_back >= 0) & (steps_back < window)


@checked
def sink_window_mask(length, num_sinks, window, device=None):
    """Return the causal mask of a cache that keeps only the first tokens and the most recent ones.

        mask_ij = (j ≤ i) and (j < num_sinks or i - j < window)

    The twin of `clearhead.maths.masks.sink_window_mask`, made on a device.
    """
    first = torch.arange(length, device=device) < num_sinks  # (T,)
    return causal_mask(length, device) & (first | sliding_window_mask(length, window, device))
