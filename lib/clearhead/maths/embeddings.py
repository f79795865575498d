"""Word vectors: similarity, nearest neighbours, vectors from counts, and nearly orthogonal directions."""

import math

import numpy as np

from clearhead.contracts import checked, in_float32

from .vectors import unit_vectors


@checked
@in_float32
def cosine(x, y):
    """Return the cosine similarity of two vectors: 1 for the same direction, 0 for a right angle.

        cos(x, y) = x · y / (‖x‖ ‖y‖)

    Parameters
    ----------
    x : (..., D) float, array or list
        Vectors. A vector of zeros has no direction: its cosine is 0.
    y : (..., D) float, array or list
        As many vectors, or one for all.

    Returns
    -------
    cosines : (...) float
        Numbers from -1 to 1.
    """
    x, y = 1.0 * np.asarray(x), 1.0 * np.asarray(y)
    lengths = np.linalg.norm(x, axis=-1) * np.linalg.norm(y, axis=-1)  # (...)
    return (x * y).sum(axis=-1) / np.where(lengths > 0, lengths, 1)


@checked
@in_float32
def nearest(E, query, exclude=()):
    """Return the rows of a table in descending order of their cosine similarity to a vector.

        cos(E[first], q) ≥ cos(E[second], q) ≥ ...

    Parameters
    ----------
    E : (V, D) float, array or list
        One vector a word.
    query : (D,) float, array or list
        Any vector, not only one of the table.
    exclude : sequence of whole numbers, optional
        Ids that are left out.

    Returns
    -------
    ids : (V,) int
        Fewer by those that were left out. Of equally near rows, the one with the smaller id comes first.
    """
    ids = np.argsort(-cosine(E, query), kind="stable")
    return ids[~np.isin(ids, exclude)]


@checked
@in_float32
def analogy(E, a, b, c, exclude=True):
    """Return the id that is to c as b is to a, which is the row nearest to b - a + c.

        argmax_i cos(E[i], E[b] - E[a] + E[c])

    Parameters
    ----------
    E : (V, D) float
        One vector a word. Rows of length 1 give a, b and c the same say.
    a : () int
        The id of man, in "man is to king as woman is to ...".
    b : () int
        The id of king.
    c : () int
        The id of woman.
    exclude : bool, optional
        Leave out a, b and c as answers. This is the custom, and it should be said.

    Returns
    -------
    id : () int
        The id of the answer.

    References
    ----------
    Mikolov, Yih and Zweig (2013), "Linguistic regularities in continuous space word representations",
    section 4. Their x_b - x_a + x_c is ours.
    """
    left_out = (a, b, c) if exclude else ()
    return nearest(E, E[b] - E[a] + E[c], left_out)[0]


@checked
@in_float32
def ppmi(counts):
    """Return the PPMI: the logarithm of how much more often than by chance each pair occurs, or 0 if less.

        PPMI_ij = max(0, ln(C_ij · n / (row_i · column_j))),   n the sum of all counts

    Parameters
    ----------
    counts : (T, S) float, array or list
        How often thing i meets thing j.

    Returns
    -------
    table : (T, S) float
        Not negative. 0 where two things never meet, or meet as often as chance says.

    References
    ----------
    Levy and Goldberg (2014), "Neural word embedding as implicit matrix factorization", section 3.3.
    """
    counts = np.asarray(counts)
    rows, columns = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    by_chance = rows * columns / (counts.sum() or 1)
    ratio = counts / np.where(by_chance > 0, by_chance, 1)
    return np.log(np.maximum(ratio, 1))


@checked
def welch_bound(M, N):
    """Return the Welch bound, a lower bound on the largest absolute cosine of M vectors in N dimensions.

        largest abs(cos) ≥ sqrt((M - N) / (N (M - 1)))

    Parameters
    ----------
    M : () int
        How many vectors.
    N : () int
        How many numbers each of them has.

    Returns
    -------
    cosine : () float
        0 for M ≤ N: that many can all be perpendicular.

    References
    ----------
    Welch (1974), "Lower bounds on the maximum cross correlation of signals", the case k = 1.
    """
    return 0.0 if M <= N else math.sqrt((M - N) / (N * (M - 1)))


@checked
def max_near_orthogonal(N, deg):
    """Return an upper bound on the number of vectors whose angles all lie within deg degrees of 90.

        M ≤ N (1 - ε²) / (1 - N ε²),   ε = sin(deg),   if N ε² < 1

    Parameters
    ----------
    N : () int
        How many numbers each vector has.
    deg : () float
        How far an angle may be from 90 degrees.

    Returns
    -------
    most : () int
        Infinity (a float) where N ε² ≥ 1, since this bound then says nothing.

    Notes
    -----
    This is `welch_bound` solved for M. It does not promise that so many vectors can be found.
    """
    squared = math.sin(math.radians(deg)) ** 2
    if N * squared > 1 - 1e-12:  # 0.9999999999999998 is 1
        return math.inf
    most = N * (1 - squared) / (1 - N * squared)
    return math.floor(most + 1e-9)  # 2.9999999999999996 is 3


@checked
@in_float32
def pair_cosines(X):
    """Return the cosine similarity of every pair of rows of a table, each pair once.

        cos(X_i, X_j) = X_i · X_j / (‖X_i‖ ‖X_j‖),   i < j

    Parameters
    ----------
    X : (T, D) float, array or list
        One vector a row. A row of zeros has no direction: its cosines are 0.

    Returns
    -------
    cosines : ((T·(T-1))/2,) float
        The first row with all later ones, then the second row, and so on. For random directions their
        mean square is near 1/D: they spread by 1/√D.
    """
    Y = unit_vectors(np.asarray(X))
    return (Y @ Y.T)[np.triu_indices(len(Y), 1)]


@checked
def identity_plus_hadamard(d_model):
    """Return twice as many directions as dimensions, any two of which are nearly orthogonal.

        rows 1 ... D are the axes;   row D + 1 + i is H_i / √D,   H_ij = (-1)^(ones in the bits of i and j)

    Parameters
    ----------
    d_model : () int D from 1
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
    if d_model & (d_model - 1):
        raise ValueError(f"d_model must be a power of 2, got {d_model}.")
    signs = np.ones((1, 1))
    while len(signs) < d_model:
        signs = np.block([[signs, signs], [signs, -signs]])
    return np.concatenate([np.eye(d_model), signs / np.sqrt(d_model)])
