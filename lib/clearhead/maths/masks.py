"""Attention masks. True means that a query (row) may attend to a key (column)."""

import numpy as np

from clearhead.contracts import checked


@checked
def causal_mask(length):
    """Return the mask with which each token attends to itself and to the tokens before it.

        mask_ij = (j ≤ i)

    Parameters
    ----------
    length : () int T from 0
        T: how many tokens there are.

    Returns
    -------
    mask : (T, T) bool
        True on the diagonal and below.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.2.3, third point.
    """
    return np.tril(np.ones((length, length), dtype=bool))


@checked
def padding_mask(lengths, longest):
    """Return the mask that hides the padding after each sentence of a batch.

        mask_bj = (j < lengths_b)

    Parameters
    ----------
    lengths : (B,) int from 0 to S, array or list
        How many real tokens each sentence has.
    longest : () int S from 0
        S: the length to which all sentences were padded.

    Returns
    -------
    mask : (B, 1, 1, S) bool
        Broadcasts over heads and queries: no query looks at padding.
    """
    return np.arange(longest) < np.asarray(lengths)[:, None, None, None]


@checked
def causal_padding_mask(attention_mask):
    """Return the mask with which each token attends to the real tokens up to itself, and never to padding.

        mask_ij = (j ≤ i) and attention_mask_j

    Parameters
    ----------
    attention_mask : (..., T) bool, no broadcasting
        True at the real tokens, False at the padding, on whichever side it is.

    Returns
    -------
    mask : (..., 1, T, T) bool
        The same for all heads. Where padding is on the left, its own rows may look nowhere.
    """
    return causal_mask(attention_mask.shape[-1]) & attention_mask[..., None, None, :]


@checked
def sliding_window_mask(length, window):
    """Return the causal mask that reaches back over only a fixed number of tokens.

        mask_ij = (0 ≤ i - j < window)

    Parameters
    ----------
    length : () int T from 0
        T: how many tokens there are.
    window : () int from 1
        How many tokens each token sees, itself included.

    Returns
    -------
    mask : (T, T) bool
        A band on and below the diagonal.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    Jiang et al. (2023), "Mistral 7B", section 2: the causal form.
    """
    steps_back = np.arange(length)[:, None] - np.arange(length)  # (T, T)
    return (steps_back >= 0) & (steps_back < window)


@checked
def sink_window_mask(length, num_sinks, window):
    """Return the causal mask of a cache that keeps only the first tokens and the most recent ones.

        mask_ij = (j ≤ i) and (j < num_sinks or i - j < window)

    Parameters
    ----------
    length : () int T from 0
        T: how many tokens there are.
    num_sinks : () int from 0
        How many tokens at the beginning are never evicted. With 0, it is the sliding window.
    window : () int from 1
        How many recent tokens are kept, the present one included.

    Returns
    -------
    mask : (T, T) bool
        At most num_sinks + window keys are True in each row.

    References
    ----------
    Xiao et al. (2024), "Efficient streaming language models with attention sinks", section 3.2. There,
    positions are counted within the cache; here, each token keeps its own.
    """
    first = np.arange(length) < num_sinks  # (T,)
    return causal_mask(length) & (first | sliding_window_mask(length, window))


@checked
def dilated_window_mask(length, window, dilation=1):
    """Return the mask with which each token sees some neighbours on either side, with gaps between them.

        mask_ij = (the distance from i to j is one of 0, g, 2g, ..., (window - 1) g)   with the dilation g

    Parameters
    ----------
    length : () int T from 0
        T: how many tokens there are.
    window : () int from 1
        How many tokens each token sees on either side, itself included.
    dilation : () int from 1, optional
        The step from one seen token to the next; 1 leaves no gap.

    Returns
    -------
    mask : (T, T) bool
        Bands beside the diagonal. For the causal form write `mask & causal_mask(length)`.

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    """
    distance = np.abs(np.arange(length)[:, None] - np.arange(length))  # (T, T)
    return (distance < window * dilation) & (distance % dilation == 0)


@checked
def global_mask(length, num_global):
    """Return the mask with which the first few tokens see all tokens and are seen by all tokens.

        mask_ij = (i < num_global or j < num_global)

    Parameters
    ----------
    length : () int T from 0
        T: how many tokens there are.
    num_global : () int from 0
        How many of them are global.

    Returns
    -------
    mask : (T, T) bool

    References
    ----------
    Beltagy, Peters & Cohan (2020), "Longformer: the long-document transformer", section 3.1.
    """
    chosen = np.arange(length) < num_global  # (T,)
    return chosen[:, None] | chosen


@checked
def layers_to_full_receptive_field(mask):
    """Return the number of layers after which every token can depend on every other one.

        1 where the mask lets i look at j, 2 where it lets i look at one that looked at j, and so on

    Parameters
    ----------
    mask : (T, T) bool
        True where a token may look, the same in each layer.

    Returns
    -------
    layers : (T, T) int
        0 on the diagonal, because a residual connection keeps a token; -1 where no number is enough.
    """
    heard = np.eye(len(mask), dtype=bool)
    layers = np.where(heard, 0, -1)
    for layer in range(1, len(mask)):
        heard = heard | (mask.astype(float) @ heard > 0)
        layers[heard & (layers < 0)] = layer
    return layers
