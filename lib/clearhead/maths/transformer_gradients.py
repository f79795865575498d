"""Gradients by hand of the other blocks: post-norm, and those of a decoder. dX stands for ∂loss/∂X."""

from .activations import gelu
from .block_gradients import feed_forward_gradients, multi_head_attention_gradients
from .gradient_shapes import check_gradient
from .gradients import summed_to
from .heads import multi_head_attention
from .layer_gradients import through_norm
from .norms import layer_norm
from .transformer import feed_forward


def post_norm_encoder_block_gradients(dy, x, parameters, num_heads, mask=None, activation=gelu):
    """Return the gradients of a whole post-norm block with respect to its input and each of its parameters.

        a = x + attention(x),   m = norm(a),   b = m + feed_forward(m),   y = norm(b)
        dm = db + (db back through feed_forward),   dx = da + (da back through attention)

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
        On its way, each gradient passes a norm: there is no path from y to x without one.
    dparameters : dict of encoder_block

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where the mask is not boolean.
    """
    names = ("attention_norm", "attention", "feed_forward_norm", "feed_forward")
    first_norm, attention, second_norm, feed = (parameters[name] for name in names)
    a = x + multi_head_attention(x, x, attention, num_heads, mask)[0]
    m = layer_norm(a, **first_norm)
    b = m + feed_forward(m, feed, activation)
    check_gradient(b.shape, dy=dy)

    db, dsecond_norm = through_norm(dy, b, second_norm)
    dm, dfeed = feed_forward_gradients(db, m, feed, activation)
    da, dfirst_norm = through_norm(db + dm, a, first_norm)
    dx, dcontext, dattention = multi_head_attention_gradients(da, x, x, attention, num_heads, mask)
    dparts = dfirst_norm, dattention, dsecond_norm, dfeed
    return summed_to(da, x) + dx + dcontext, dict(zip(names, dparts, strict=True))


def decoder_block_gradients(
    dy, x, context, parameters, num_heads, mask=None, context_mask=None, activation=gelu
):
    """Return the gradients of a whole pre-norm decoder block with respect to both inputs and each parameter.

        m = x + attention(norm(x)),   n = m + attention(norm(m), context),   y = n + feed_forward(norm(n))
        dn = dy + ...,   dm = dn + ...,   dx = dm + ...,   each with what comes back through its part and norm

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    context : (..., S, D) float
    parameters : dict of decoder_block
    num_heads : () int
        How many heads, H.
    mask : (..., 1, T, T) bool, optional
    context_mask : (..., 1, T, S) bool, optional
    activation : function, optional
        What went into the block.

    Returns
    -------
    dx : (..., T, D) float
    dcontext : (..., S, D) float
        What the encoder learns from: to be added over all blocks of the decoder.
    dparameters : dict of decoder_block

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where a mask is not boolean.
    """
    p, dp = parameters, {}
    h = layer_norm(x, **p["attention_norm"])
    m = x + multi_head_attention(h, h, p["attention"], num_heads, mask)[0]
    asked = layer_norm(m, **p["cross_attention_norm"])
    n = m + multi_head_attention(asked, context, p["cross_attention"], num_heads, context_mask)[0]
    check_gradient(n.shape, dy=dy)
    thought = layer_norm(n, **p["feed_forward_norm"])

    dh, dp["feed_forward"] = feed_forward_gradients(dy, thought, p["feed_forward"], activation)
    dnorm, dp["feed_forward_norm"] = through_norm(dh, n, p["feed_forward_norm"])
    dn = dy + dnorm
    dasked, dcontext, dp["cross_attention"] = multi_head_attention_gradients(
        dn, asked, context, p["cross_attention"], num_heads, context_mask
    )
    dnorm, dp["cross_attention_norm"] = through_norm(dasked, m, p["cross_attention_norm"])
    dm = summed_to(dn, m) + dnorm
    dh, dself, dp["attention"] = multi_head_attention_gradients(dm, h, h, p["attention"], num_heads, mask)
    dnorm, dp["attention_norm"] = through_norm(dh + dself, x, p["attention_norm"])
    return summed_to(dm, x) + dnorm, dcontext, dp


def post_norm_decoder_block_gradients(
    dy, x, context, parameters, num_heads, mask=None, context_mask=None, activation=gelu
):
    """Return the gradients of a whole post-norm decoder block with respect to both inputs and each parameter.

        a = x + attention(x),   m = norm(a),   b = m + attention(m, context),   n = norm(b),
        c = n + feed_forward(n),   y = norm(c);   then dc, dn, db, dm, da, dx, one after the other

    Parameters
    ----------
    dy : (..., T, D) float
        How the loss changes with each output.
    x : (..., T, D) float
    context : (..., S, D) float
    parameters : dict of decoder_block
    num_heads : () int
        How many heads, H.
    mask : (..., 1, T, T) bool, optional
    context_mask : (..., 1, T, S) bool, optional
    activation : function, optional
        What went into the block.

    Returns
    -------
    dx : (..., T, D) float
    dcontext : (..., S, D) float
        What the encoder learns from: to be added over all blocks of the decoder.
    dparameters : dict of decoder_block

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    TypeError
        Where a mask is not boolean.
    """
    p, dp = parameters, {}
    a = x + multi_head_attention(x, x, p["attention"], num_heads, mask)[0]
    m = layer_norm(a, **p["attention_norm"])
    b = m + multi_head_attention(m, context, p["cross_attention"], num_heads, context_mask)[0]
    n = layer_norm(b, **p["cross_attention_norm"])
    c = n + feed_forward(n, p["feed_forward"], activation)
    check_gradient(c.shape, dy=dy)

    dc, dp["feed_forward_norm"] = through_norm(dy, c, p["feed_forward_norm"])
    dn, dp["feed_forward"] = feed_forward_gradients(dc, n, p["feed_forward"], activation)
    db, dp["cross_attention_norm"] = through_norm(dc + dn, b, p["cross_attention_norm"])
    dm, dcontext, dp["cross_attention"] = multi_head_attention_gradients(
        db, m, context, p["cross_attention"], num_heads, context_mask
    )
    da, dp["attention_norm"] = through_norm(summed_to(db, m) + dm, a, p["attention_norm"])
    dx, dself, dp["attention"] = multi_head_attention_gradients(da, x, x, p["attention"], num_heads, mask)
    return summed_to(da, x) + dx + dself, dcontext, dp
