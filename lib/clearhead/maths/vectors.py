"""Tables, categories, words and images, represented as vectors."""

import numpy as np

from clearhead.contracts import checked, in_float32


@checked
def standardize(X):
    """Return a table whose columns each have mean 0 and standard deviation 1.

        Z_ij = (X_ij - mean_j) / std_j,   std_j = sqrt(mean over i of (X_ij - mean_j)²)

    Parameters
    ----------
    X : (T, D) float, array or list
        One row a thing, one column a measurement, in any unit.

    Returns
    -------
    Z : (T, D) float
        The same table without units, in float64. A constant column tells nothing, and becomes zeros (up to
        rounding).

    Raises
    ------
    ValueError
        Where there is nothing to standardize: no row.

    References
    ----------
    LeCun, Bottou, Orr & Müller (1998), "Efficient BackProp", section 4.3.
    """
    X = np.asarray(X, dtype=float)
    std = np.where(X.max(axis=0) > X.min(axis=0), X.std(axis=0), 1)
    return (X - X.mean(axis=0)) / std


@checked
def one_hot(ids, vocab_size):
    """Return a one-hot row for each integer: zeros, with a single 1 at the index that the integer names.

        row_v = 1 if v = id, else 0

    Parameters
    ----------
    ids : (...) int from 0 to V-1, array or list
    vocab_size : () int V from 0
        V: how many words, or categories, there are.

    Returns
    -------
    rows : (..., V) float
        Each row sums to 1, and its largest entry stands at the id.
    """
    return np.eye(vocab_size)[np.asarray(ids)]


@checked
def image_to_vector(image):
    """Return an image as one vector: row by row, pixel by pixel, with the channels of a pixel side by side.

        vector[(r · width + c) · channels + k] = image[r, c, k]

    Parameters
    ----------
    image : (R, C, D) float, array or list
        Height R, width C, and D channels: 3 for red, green and blue; 1 for grey.

    Returns
    -------
    vector : (R·C·D,) float
        All the numbers of the image.
    """
    return np.asarray(image).reshape(-1)


@checked
def vector_to_image(vector, height, width):
    """Return the image from which a vector of pixels was made; this is the inverse of `image_to_vector`.

        image[r, c, k] = vector[(r · width + c) · channels + k]

    Parameters
    ----------
    vector : (R·C·D,) float, array or list
        All the numbers of whole pixels, row by row, the channels of a pixel side by side.
    height : () int R from 1
        R: how many rows of pixels.
    width : () int C from 1
        C: how many columns of pixels.

    Returns
    -------
    image : (R, C, D) float
        The number of channels D is what remains.
    """
    return np.asarray(vector).reshape(height, width, -1)


@checked
def safe_square(x):
    """Return the square of each entry, in float32 if x is float16, in which no number exceeds 65,504.

        y = x²

    Parameters
    ----------
    x : (..., D) float

    Returns
    -------
    y : (..., D) float
    """
    return np.square(x, dtype=np.result_type(x, np.float32))


@checked
@in_float32
def norm(x):
    """Return the length (Euclidean norm) of each row.

        ‖x‖ = √(Σ_j x_j²)

    Parameters
    ----------
    x : (..., D) float

    Returns
    -------
    norms : (..., 1) float
        One number a row, kept as a column, so that rows can be divided by it.
    """
    x = 1.0 * np.asarray(x)
    return np.sqrt(safe_square(x).sum(axis=-1, keepdims=True)).astype(x.dtype)


@checked
@in_float32
def unit_vectors(x):
    """Return each row scaled to length 1, so that only its direction is left.

        y = x / ‖x‖

    Parameters
    ----------
    x : (..., D) float
        A row of zeros has no direction, and stays zeros.

    Returns
    -------
    y : (..., D) float
        The product of two such rows is their cosine, and 0 where one of them is zeros.
    """
    norms = norm(x)
    return x / np.where(norms > 0, norms, 1)


@checked
@in_float32
def r_squared(y, predictions):
    """Return the fraction of the variance of y that the predictions explain.

        R² = 1 - Σ_i (y_i - prediction_i)² / Σ_i (y_i - mean y)²

    Parameters
    ----------
    y : (T,) float, array or list
        What was observed: at least two different numbers.
    predictions : (T,) float, array or list
        What was predicted.

    Returns
    -------
    score : () float
        1 for perfect predictions, 0 for always saying the mean of y, below 0 for worse than that.

    Raises
    ------
    ValueError
        Where y and predictions differ in shape, or all of y is one number: nothing to explain.
    """
    y, predictions = np.asarray(y), np.asarray(predictions)
    if y.max() == y.min():
        raise ValueError("All of y is one number: nothing to explain.")
    return 1 - np.sum((y - predictions) ** 2) / np.sum((y - y.mean()) ** 2)
