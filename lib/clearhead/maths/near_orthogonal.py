"""Many directions nearly at right angles: the cosines of all pairs, and a set that can be written down."""

import numpy as np

from .sizes import check_whole
from .vectors import directions


def pair_cosines(X):
    """Return the cosine of every two rows of a table, each pair once.

        cos(X_i, X_j) = X_i · X_j / (‖X_i‖ ‖X_j‖),   i < j

    Parameters
    ----------
    X : (T, D) float
        One vector a row. A row of zeros has no direction: its cosines are 0.

    Returns
    -------
    cosines : (T·(T-1)/2,) float
        The first row with all later ones, then the second row, and so on. For random directions their
        mean square is near 1/D: they spread by 1/√D.
    """
    Y = directions(np.asarray(X))
    return (Y @ Y.T)[np.triu_indices(len(Y), 1)]


def axes_and_signs(d_model):
    """Return twice as many directions as there are dimensions, every two of them nearly at right angles.

        rows 1 ... D are the axes;   row D + 1 + i is H_i / √D,   H_ij = (-1)^(ones in the bits of i and j)

    Parameters
    ----------
    d_model : () int
        D: a power of 2.

    Returns
    -------
    X : (2D, D) float
        Rows of length 1. Within each half the cosines are 0; between the halves they are 1/√D or -1/√D.

    Raises
    ------
    ValueError
        Where D is not a power of 2.

    References
    ----------
    Sylvester (1867), "Thoughts on inverse orthogonal matrices": the table of signs H, later Hadamard's.
    """
    check_whole(1, d_model=d_model)
    if d_model & (d_model - 1):
        raise ValueError(f"d_model must be a power of 2, got {d_model}.")
    signs = np.ones((1, 1))
    while len(signs) < d_model:
        signs = np.block([[signs, signs], [signs, -signs]])
    return np.concatenate([np.eye(d_model), signs / np.sqrt(d_model)])
