"""Complete models, from ids or pixels to logits, to be read side by side."""

import math

from clearhead.contracts import checked

from .layers import embed, gelu, layer_norm, linear, relu
from .masks import causal_mask, causal_padding_mask
from .positions import learned_positions, padded_positions, sinusoidal
from .shapes import check_patches
from .transformer import encoder_block, post_norm_decoder_block, post_norm_encoder_block
from .vision import add_class_token, patch_embed


@checked
def gpt(ids, parameters, num_heads, activation=gelu, attention_mask=None, position_ids=None):
    """Return the logits of the next token at every position. A token sees only the past.

        x = tokens[id] + positions,   x = block(x) for each block,   logits = norm(x) tokensᵀ

    Parameters
    ----------
    ids : (..., T) int from 0 to V-1
    parameters : dict
        - tokens : (V, D) float
        - positions : (S, D) float
          One row for each position, up to the longest text S of the training.
        - blocks : list of dict of encoder_block
        - norm.gain : (D,) float
        - norm.bias : (D,) float
    num_heads : () int H from 1
        How many heads, H.
    activation : function, optional
        GPT-2 has gelu_tanh.
    attention_mask : (..., T) bool, no broadcasting, optional
        True at the real tokens of a padded batch. Padding on the left moves every token of a text, so it
        needs the mask and the positions; padding on the right needs neither.
    position_ids : (..., T) int from 0 to S-1, no broadcasting, optional
        The position of each token; by default, its place among the real tokens, `padded_positions`.

    Returns
    -------
    logits : (..., T, V) float
        At the real tokens, those of each text without padding. What stands at the padding means nothing.

    References
    ----------
    Radford et al. (2019), "Language models are unsupervised multitask learners", section 2.3.
    """
    positions = _positions(ids, parameters["positions"], attention_mask, position_ids)
    mask = causal_mask(ids.shape[-1]) if attention_mask is None else causal_padding_mask(attention_mask)
    x = embed(ids, parameters["tokens"]) + positions  # (..., T, D)
    for block in parameters["blocks"]:
        x = encoder_block(x, block, num_heads, mask, activation)
    return layer_norm(x, **parameters["norm"]) @ parameters["tokens"].T  # (..., T, V)


def _positions(ids, table, attention_mask, position_ids):
    """Return the row of the position table for each token."""
    if position_ids is None and attention_mask is None:
        return learned_positions(ids.shape[-1], table)
    return embed(padded_positions(attention_mask) if position_ids is None else position_ids, table)


@checked
def encoder_decoder(source, target, parameters, num_heads, source_mask=None, activation=relu):
    """Return the logits of the next target token at every position, given a source text.

        context = encoder(source),   logits = decoder(target, context) tokensᵀ

    Parameters
    ----------
    source : (..., S) int from 0 to V-1
        The text that is read.
    target : (..., T) int from 0 to V-1
        The text being written, as far as it is known.
    parameters : dict
        - tokens : (V, D) float
        - encoder : list of dict of post_norm_encoder_block
        - decoder : list of dict of post_norm_decoder_block
    num_heads : () int H from 1
        How many heads, H.
    source_mask : (..., 1, 1, S) bool, optional
        True at the real tokens of the source: the padding mask.
    activation : function, optional

    Returns
    -------
    logits : (..., T, V) float

    Notes
    -----
    One table serves for reading, writing and scoring. Its rows are multiplied by √D before positions are
    added.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.
    """
    # (..., S, D) and (..., T, D)
    context, x = (_placed(ids, parameters["tokens"]) for ids in (source, target))
    for block in parameters["encoder"]:
        context = post_norm_encoder_block(context, block, num_heads, source_mask, activation)
    past = causal_mask(target.shape[-1])
    for block in parameters["decoder"]:
        x = post_norm_decoder_block(x, context, block, num_heads, past, source_mask, activation)
    return x @ parameters["tokens"].T


def _placed(ids, table):
    """Return the tokens' vectors times √D, plus their sinusoidal positions."""
    x = embed(ids, table) * math.sqrt(table.shape[-1])
    return x + sinusoidal(*x.shape[-2:]).astype(x.dtype)


@checked
def vision_transformer(images, parameters, num_heads, patch_size, activation=gelu):
    """Return the logits of all classes for each image, which is read as a sequence of patches.

        x = [cls, patches W + b] + positions,   x = block(x) for each block,   logits = norm(x)_0 W_h + b_h

    Parameters
    ----------
    images : (..., R, C, c) float
        Channels last.
    parameters : dict
        - patches.weight : (P·P·c, D) float
        - patches.bias : (D,) float, optional
        - cls : (D,) float
        - positions : (R/P·C/P+1, D) float
        - blocks : list of dict of encoder_block
        - norm.gain : (D,) float
        - norm.bias : (D,) float
        - head.weight : (D, V) float
        - head.bias : (V,) float, optional
    num_heads : () int H from 1
        How many heads, H.
    patch_size : () int P from 1
        The side of a patch, P. It must divide height and width.
    activation : function, optional

    Returns
    -------
    logits : (..., V) float
        Here V counts the classes.

    Raises
    ------
    ValueError
        Where the images have as many patches as there are positions, but in another arrangement: a table for
        k² patches is read as that of square images. Or where types and shapes do not fit.

    References
    ----------
    Dosovitskiy et al. (2021), "An image is worth 16x16 words", eqs. 1 to 4.
    """
    check_patches(images.shape, len(parameters["positions"]) - 1, patch_size)
    x = patch_embed(images, parameters["patches"], patch_size)  # (..., R/P·C/P, D)
    x = add_class_token(x, parameters["cls"], parameters["positions"])  # (..., R/P·C/P+1, D)
    for block in parameters["blocks"]:
        x = encoder_block(x, block, num_heads, None, activation)
    return linear(layer_norm(x[..., 0, :], **parameters["norm"]), **parameters["head"])
