"""Gradients by hand of one step back through time, for three kinds of memory. dX stands for ∂loss/∂X."""

import numpy as np

from .activation_gradients import sigmoid_gradient, tanh_gradient
from .activations import sigmoid
from .gradient_shapes import check_gradient
from .gradients import summed_to
from .layer_gradients import through_linear
from .layers import linear


def rnn_step_gradients(dh_next, x, h, parameters):
    """Return the gradients of rnn_step: one step back through time.

        da = dh' (1 - h'²),   dx = da W_xᵀ,   dh = da W_hᵀ   for   h' = tanh(a)

    Parameters
    ----------
    dh_next : (..., F) float
        How the loss changes with the memory after the token: by its own use, and by all that came later.
    x : (..., D) float
        The token.
    h : (..., F) float
        The memory before it.
    parameters : dict of rnn_step
        What went into the step.

    Returns
    -------
    dx : (..., D) float
    dh : (..., F) float
        The dh_next of the step before: so the loss travels back through a text.
    dparameters : dict of rnn_step
        To be added over all steps: they share their weights.

    Raises
    ------
    ValueError
        Where the shapes do not fit together.

    References
    ----------
    Werbos (1990), "Backpropagation through time: what it does and how to do it".
    """
    before = linear(x, **parameters["input"]) + linear(h, **parameters["hidden"])
    check_gradient(before.shape, dh_next=dh_next)
    da = tanh_gradient(dh_next, before)
    dx, from_input = through_linear(da, x, parameters["input"])
    dh, from_hidden = through_linear(da, h, parameters["hidden"])
    return dx, dh, {"input": from_input, "hidden": from_hidden}


def lstm_step_gradients(dh_next, dc_next, x, h, c, parameters):
    """Return the gradients of lstm_step: one step back through time.

        dc' = dc' + dh' o (1 - tanh(c')²),   dc = f dc',   df = c dc',   di = g dc',   dg = i dc',
        do = dh' tanh(c'),   then back through the bends, W_x and W_h

    Parameters
    ----------
    dh_next : (..., F) float
        How the loss changes with the short memory after the token.
    dc_next : (..., F) float
        How it changes with the long memory after the token, by what came later.
    x : (..., D) float
        The token.
    h : (..., F) float
    c : (..., F) float
        The memories before it.
    parameters : dict of lstm_step
        What went into the step.

    Returns
    -------
    dx : (..., D) float
    dh : (..., F) float
    dc : (..., F) float
        Along the long memory nothing stands in the way but the gate f: open, it lets a gradient live on.
    dparameters : dict of lstm_step

    Raises
    ------
    ValueError
        Where the shapes do not fit together.

    References
    ----------
    Hochreiter & Schmidhuber (1997), "Long short-term memory", appendix A.1; here nothing is cut off.
    """
    gates = linear(x, **parameters["input"]) + linear(h, **parameters["hidden"])
    i, f, g, o = np.split(gates, 4, axis=-1)
    c_next = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    check_gradient(c_next.shape, dh_next=dh_next, dc_next=dc_next)
    dc_next = dc_next + tanh_gradient(dh_next * sigmoid(o), c_next)
    di, df = sigmoid_gradient(dc_next * np.tanh(g), i), sigmoid_gradient(dc_next * c, f)
    dg, do = tanh_gradient(dc_next * sigmoid(i), g), sigmoid_gradient(dh_next * np.tanh(c_next), o)
    dgates = np.concatenate([di, df, dg, do], axis=-1)
    dx, from_input = through_linear(dgates, x, parameters["input"])
    dh, from_hidden = through_linear(dgates, h, parameters["hidden"])
    return dx, dh, summed_to(dc_next * sigmoid(f), c), {"input": from_input, "hidden": from_hidden}


def gru_step_gradients(dh_next, x, h, parameters):
    """Return the gradients of gru_step: one step back through time.

        dn = (1 - z) dh',   dz = (h - n) dh',   dr = dn (1 - n²) (h U_n + d_n),
        dh = z dh' + what comes back through U, in which dn passes r

    Parameters
    ----------
    dh_next : (..., F) float
        How the loss changes with the memory after the token.
    x : (..., D) float
        The token.
    h : (..., F) float
        The memory before it.
    parameters : dict of gru_step
        What went into the step.

    Returns
    -------
    dx : (..., D) float
    dh : (..., F) float
    dparameters : dict of gru_step

    Raises
    ------
    ValueError
        Where the shapes do not fit together.
    """
    r_x, z_x, n_x = np.split(linear(x, **parameters["input"]), 3, axis=-1)
    r_h, z_h, n_h = np.split(linear(h, **parameters["hidden"]), 3, axis=-1)
    r, z = sigmoid(r_x + r_h), sigmoid(z_x + z_h)
    before = n_x + r * n_h
    check_gradient(before.shape, dh_next=dh_next)
    dn = tanh_gradient(dh_next * (1 - z), before)
    dz = sigmoid_gradient(dh_next * (h - np.tanh(before)), z_x + z_h)
    dr = sigmoid_gradient(dn * n_h, r_x + r_h)
    dx, from_input = through_linear(np.concatenate([dr, dz, dn], axis=-1), x, parameters["input"])
    dh, from_hidden = through_linear(np.concatenate([dr, dz, dn * r], axis=-1), h, parameters["hidden"])
    return dx, summed_to(dh_next * z, h) + dh, {"input": from_input, "hidden": from_hidden}
