"""A series of measurements as tokens."""

import numpy as np


def cut_series(series, window, stride=None):
    """Return a series cut into windows: each window is a token.

        tokens_n = series[n · stride : n · stride + W],   n = 0 ... ⌊(T - W) / stride⌋

    Parameters
    ----------
    series : (..., T) float
        Measurements, equally far apart in time.
    window : () int
        How many measurements make a token, W.
    stride : () int, optional
        From the start of one token to the start of the next; W if not said, so that nothing is twice.

    Returns
    -------
    tokens : (..., T/W, W) float
        Another stride gives ⌊(T - W) / stride⌋ + 1 of them. What fills no whole window at the end is left
        out.

    Raises
    ------
    ValueError
        Where the window is wider than the series, or window or stride is below 1.

    References
    ----------
    Nie et al. (2023), "A time series is worth 64 words: long-term forecasting with transformers".
    """
    series, stride = np.asarray(series), window if stride is None else stride
    if window < 1 or stride < 1:
        raise ValueError(f"window and stride must be at least 1, got {window} and {stride}.")
    if series.ndim == 0 or series.shape[-1] < window:
        raise ValueError(f"A window of {window} does not fit into a series of shape {series.shape}.")
    starts = np.arange(0, series.shape[-1] - window + 1, stride)
    return series[..., starts[:, None] + np.arange(window)]
