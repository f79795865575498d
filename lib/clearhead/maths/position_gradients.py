"""Gradients by hand of what says where a token stands. dX stands for ∂loss/∂X, shaped like X."""

import numpy as np

from .gradient_shapes import check_gradient
from .positions import learned
from .relative_positions import relative_bias, rotate


def learned_gradient(dpositions, table):
    """Return the gradient of learned with respect to the table: rows that no token used get zeros.

        dtable_t = dpositions_t for t below T, 0 behind

    Parameters
    ----------
    dpositions : (T, D) float
        How the loss changes with each position's vector, summed over the batch.
    table : (S, D) float
        What the rows were taken from; only its shape counts.

    Returns
    -------
    dtable : (S, D) float

    Raises
    ------
    ValueError
        Where there are more positions than the table has, or their width is another one.
    """
    check_gradient(learned(dpositions.shape[0], table).shape, dpositions=dpositions)
    dtable = np.zeros(table.shape, dpositions.dtype)
    dtable[: len(dpositions)] = dpositions
    return dtable


def relative_bias_gradient(dbias, table):
    """Return the gradient of relative_bias with respect to the table: a distance collects from all its pairs.

        dtable_hr = Σ dbias_hij over the pairs i, j whose distance is told by column r

    Parameters
    ----------
    dbias : (H, T, T) float
        How the loss changes with each bias, summed over the batch.
    table : (H, 2R+1) float
        What the biases were taken from; only its shape counts.

    Returns
    -------
    dtable : (H, 2R+1) float

    Raises
    ------
    ValueError
        Where the table has an even number of columns, or dbias is not shaped like the bias.
    """
    length = dbias.shape[-1]
    check_gradient((*table.shape[:-1], length, length), dbias=dbias)
    columns = relative_bias(np.arange(table.shape[-1]), length)
    dtable = np.zeros(table.shape, dbias.dtype)
    np.add.at(dtable, (..., columns), dbias)
    return dtable


def rotate_gradient(dy, angles):
    """Return the gradient of rotate with respect to what was turned: turn it back.

        dx = rotate(dy, -angles)

    Parameters
    ----------
    dy : (..., T, d) float
        How the loss changes with each rotated query or key.
    angles : (T, d/2) float
        By how much they were turned.

    Returns
    -------
    dx : (..., T, d) float
        As long as dy, row by row.

    Raises
    ------
    ValueError
        Where there is not one angle for each pair of columns.

    Notes
    -----
    The transpose of a rotation is the rotation back.
    """
    return rotate(dy, -angles)
