"""How well a prediction explains numbers."""

import numpy as np


def r_squared(y, predictions):
    """Return the share of the spread of y that the predictions explain.

        R² = 1 - Σ_i (y_i - prediction_i)² / Σ_i (y_i - mean y)²

    Parameters
    ----------
    y : (T,) float
        What was observed: at least two different numbers.
    predictions : (T,) float
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
    if y.shape != predictions.shape:
        shapes = f"y has shape {y.shape}, predictions {predictions.shape}"
        raise ValueError(f"{shapes}: give one prediction for each y.")
    if y.max() == y.min():
        raise ValueError("All of y is one number: nothing to explain.")
    return 1 - np.sum((y - predictions) ** 2) / np.sum((y - y.mean()) ** 2)
