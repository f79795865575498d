"""Gradients by hand of the parts of a block, and of a whole block. dX stands for ∂loss/∂X, shaped like X."""

from .activation_gradients import GRADIENT_OF, check_activation
from .activations import gelu
from .attention import scaled_dot_product_attention
from .gradient_shapes import check_gradient
from .gradients import attention_gradients, summed_to
from .heads import merge_heads, multi_head_attention, split_heads
from .layer_gradients import through_linear, through_norm
from .layers import linear
from .norms import layer_norm


def feed_forward_gradients(dy, x, parameters, activation=gelu):
    """Return the gradients of feed_forward with respect to its input and each of its parameters.

        dh = dy W_downᵀ,   da = dh activation'(a),   dx = da W_upᵀ   for   a = x W_up + b_up

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    parameters : dict of feed_forward
        What went into the layer.
    activation : function, optional
        One of those in `activation_gradients`.

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict of feed_forward

    Raises
    ------
    ValueError
        Where the shapes do not fit together, or nobody has written the gradient of the activation.
    """
    check_activation(activation)
    before = linear(x, **parameters["up"])
    dhidden, down = through_linear(dy, activation(before), parameters["down"])
    dx, up = through_linear(GRADIENT_OF[activation](dhidden, before), x, parameters["up"])
    return dx, {"up": up, "down": down}


def multi_head_attention_gradients(dZ, x, context, parameters, num_heads, mask=None):
    """Return the gradients of multi_head_attention with respect to both inputs and each of its parameters.

        back through W_o, then through attention head by head, then through W_q, W_k and W_v

    Parameters
    ----------
    dZ : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    context : (..., S, D) float
    parameters : dict of multi_head_attention
    num_heads : () int
        How many heads, H.
    mask : (..., 1, T, S) bool, optional
        What went into the attention.

    Returns
    -------
    dx : (..., T, D) float
    dcontext : (..., S, D) float
        In self-attention, the two are added: x went in twice.
    dparameters : dict of multi_head_attention

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    """
    Q = split_heads(linear(x, **parameters["query"]), num_heads)
    K = split_heads(linear(context, **parameters["key"]), num_heads)
    V = split_heads(linear(context, **parameters["value"]), num_heads)
    Z, A = scaled_dot_product_attention(Q, K, V, mask)

    dheads, output = through_linear(dZ, merge_heads(Z), parameters["output"])
    dQ, dK, dV = attention_gradients(split_heads(dheads, num_heads), Q, K, V, A)
    dx, query = through_linear(merge_heads(dQ), x, parameters["query"])
    dcontext_k, key = through_linear(merge_heads(dK), context, parameters["key"])
    dcontext_v, value = through_linear(merge_heads(dV), context, parameters["value"])
    return dx, dcontext_k + dcontext_v, {"query": query, "key": key, "value": value, "output": output}


def encoder_block_gradients(dy, x, parameters, num_heads, mask=None, activation=gelu):
    """Return the gradients of a whole pre-norm block with respect to its input and each of its parameters.

        m = x + attention(norm(x)),   y = m + feed_forward(norm(m))
        dm = dy + (dy back through feed_forward and norm),   dx = dm + (dm back through attention and norm)

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    parameters : dict of encoder_block
    num_heads : () int
        How many heads, H.
    mask : (..., 1, T, T) bool, optional
    activation : function, optional
        What went into the block.

    Returns
    -------
    dx : (..., T, D) float
    dparameters : dict of encoder_block

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    """
    names = ("attention_norm", "attention", "feed_forward_norm", "feed_forward")
    first_norm, attention, second_norm, feed = (parameters[name] for name in names)
    h = layer_norm(x, **first_norm)
    m = x + multi_head_attention(h, h, attention, num_heads, mask)[0]
    check_gradient(m.shape, dy=dy)

    dh, dfeed = feed_forward_gradients(dy, layer_norm(m, **second_norm), feed, activation)
    dnorm, dsecond_norm = through_norm(dh, m, second_norm)
    dm = dy + dnorm
    dh, dcontext, dattention = multi_head_attention_gradients(dm, h, h, attention, num_heads, mask)
    dnorm, dfirst_norm = through_norm(dh + dcontext, x, first_norm)
    return summed_to(dm, x) + dnorm, dict(
        zip(names, (dfirst_norm, dattention, dsecond_norm, dfeed), strict=True)
    )
