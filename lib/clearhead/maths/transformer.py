"""The blocks of a transformer, with their norm before (pre-norm) or after (post-norm) each part."""

from clearhead.contracts import checked

from .heads import multi_head_attention
from .layers import gelu, layer_norm, linear, silu


@checked
def feed_forward(x, parameters, activation=gelu):
    """Return each token after two linear maps with an activation in between. Tokens do not interact.

        y = activation(x W_up + b_up) W_down + b_down

    Parameters
    ----------
    x : (..., D) float
    parameters : dict
        - up.weight : (D, F) float
        - up.bias : (F,) float, optional
        - down.weight : (F, D) float
        - down.bias : (D,) float, optional
    activation : function, optional
        The activation: gelu, or relu as in the first transformer.

    Returns
    -------
    y : (..., D) float

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", eq. 2. Their W_1 and W_2 are our up and down.
    """
    hidden = activation(linear(x, **parameters["up"]))  # (..., F)
    return linear(hidden, **parameters["down"])


@checked
def gated_feed_forward(x, parameters, activation=silu):
    """Return each token after a gated feed-forward layer, in which one half scales the other.

        y = (activation(x W_gate + b_gate) · (x W_up + b_up)) W_down + b_down

    Parameters
    ----------
    x : (..., D) float
    parameters : dict
        - gate.weight : (D, F) float
        - gate.bias : (F,) float, optional
        - up.weight : (D, F) float
        - up.bias : (F,) float, optional
        - down.weight : (F, D) float
        - down.bias : (D,) float, optional
    activation : function, optional
        silu makes it SwiGLU.

    Returns
    -------
    y : (..., D) float

    References
    ----------
    Shazeer (2020), "GLU variants improve transformer", eq. 6. His W, V and W_2 are our gate, up and down.
    """
    hidden = activation(linear(x, **parameters["gate"])) * linear(x, **parameters["up"])  # (..., F)
    return linear(hidden, **parameters["down"])


@checked
def encoder_block(x, parameters, num_heads, mask=None, activation=gelu):
    """Return the tokens after a pre-norm encoder block: self-attention, then a feed-forward layer.

        x = x + attention(norm(x)),   y = x + feed_forward(norm(x))

    Parameters
    ----------
    x : (..., T, D) float
    parameters : dict
        - attention_norm.gain : (D,) float
        - attention_norm.bias : (D,) float
        - attention : dict of multi_head_attention
        - feed_forward_norm.gain : (D,) float
        - feed_forward_norm.bias : (D,) float
        - feed_forward : dict of feed_forward
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, T) bool, optional
        True where a token may look. With a causal mask, this is the block of a GPT.
    activation : function, optional
        The activation of the feed-forward network.

    Returns
    -------
    y : (..., T, D) float

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`: without the axes of the
    heads and of the queries, it is taken for a mask (T, S) if B = T, because the two shapes are then equal.

    References
    ----------
    Xiong et al. (2020), "On layer normalization in the transformer architecture", table 1, right.
    """
    h = layer_norm(x, **parameters["attention_norm"])
    x = x + multi_head_attention(h, h, parameters["attention"], num_heads, mask)[0]
    h = layer_norm(x, **parameters["feed_forward_norm"])
    return x + feed_forward(h, parameters["feed_forward"], activation)


@checked
def post_norm_encoder_block(x, parameters, num_heads, mask=None, activation=gelu):
    """Return the tokens after a post-norm encoder block, as in the original transformer and in BERT.

        x = norm(x + attention(x)),   y = norm(x + feed_forward(x))

    Parameters as for `encoder_block`.

    Returns
    -------
    y : (..., T, D) float
        Each row has mean 0 and variance 1 before the last gain and bias.

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.1.
    """
    x = x + multi_head_attention(x, x, parameters["attention"], num_heads, mask)[0]
    x = layer_norm(x, **parameters["attention_norm"])
    x = x + feed_forward(x, parameters["feed_forward"], activation)
    return layer_norm(x, **parameters["feed_forward_norm"])


@checked
def decoder_block(x, context, parameters, num_heads, mask=None, context_mask=None, activation=gelu):
    """Return the tokens after a pre-norm decoder block: self-attention, cross-attention, feed-forward layer.

        x = x + attention(norm(x)),   x = x + attention(norm(x), context),   y = x + feed_forward(norm(x))

    Parameters
    ----------
    x : (..., T, D) float
        The tokens being written.
    context : (..., S, D) float
        What the encoder made of the tokens that were read.
    parameters : dict
        - attention_norm.gain : (D,) float
        - attention_norm.bias : (D,) float
        - attention : dict of multi_head_attention
        - cross_attention_norm.gain : (D,) float
        - cross_attention_norm.bias : (D,) float
        - cross_attention : dict of multi_head_attention
        - feed_forward_norm.gain : (D,) float
        - feed_forward_norm.bias : (D,) float
        - feed_forward : dict of feed_forward
    num_heads : () int H from 1
        How many heads, H.
    mask : (..., H, T, T) bool, optional
        True where a token may look among those being written: mostly the causal mask.
    context_mask : (..., H, T, S) bool, optional
        True where a token may look among those read: mostly the padding mask.
    activation : function, optional
        The activation of the feed-forward network.

    Returns
    -------
    y : (..., T, D) float

    Notes
    -----
    Give the mask (B, S) of the real tokens of a batch as `mask[:, None, None, :]`, and `context_mask` in the
    same way: without the axes of the heads and of the queries, it is taken for a mask (T, S) if B = T,
    because the two shapes are then equal.

    References
    ----------
    Vaswani et al. (2017), section 3.1, with the norms moved as in Xiong et al. (2020).
    """
    h = layer_norm(x, **parameters["attention_norm"])
    x = x + multi_head_attention(h, h, parameters["attention"], num_heads, mask)[0]
    h = layer_norm(x, **parameters["cross_attention_norm"])
    x = x + multi_head_attention(h, context, parameters["cross_attention"], num_heads, context_mask)[0]
    h = layer_norm(x, **parameters["feed_forward_norm"])
    return x + feed_forward(h, parameters["feed_forward"], activation)


@checked
def post_norm_decoder_block(x, context, parameters, num_heads, mask=None, context_mask=None, activation=gelu):
    """Return the tokens after a post-norm decoder block, as in the original transformer.

        x = norm(x + attention(x)),   x = norm(x + attention(x, context)),   y = norm(x + feed_forward(x))

    Parameters as for `decoder_block`.

    Returns
    -------
    y : (..., T, D) float

    References
    ----------
    Vaswani et al. (2017), "Attention is all you need", section 3.1.
    """
    x = x + multi_head_attention(x, x, parameters["attention"], num_heads, mask)[0]
    x = layer_norm(x, **parameters["attention_norm"])
    x = x + multi_head_attention(x, context, parameters["cross_attention"], num_heads, context_mask)[0]
    x = layer_norm(x, **parameters["cross_attention_norm"])
    x = x + feed_forward(x, parameters["feed_forward"], activation)
    return layer_norm(x, **parameters["feed_forward_norm"])
