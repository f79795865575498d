"""Batches of tokens for a model: windows of a long text, or sentences padded to equal length."""

import numpy as np

from clearhead.targets import IGNORE


def split(ids, fraction=0.9):
    """Return a text split into a first part for training and the rest for validation.

    Parameters
    ----------
    ids : (T,) int
        A long text.
    fraction : () float
        The share of the first part, between 0 and 1.

    Returns
    -------
    training : (N,) int
        The first N tokens, N = ⌊fraction T⌋.
    validation : (M,) int
        The other tokens, M = T - N.

    Raises
    ------
    ValueError
        If the fraction is not between 0 and 1.
    """
    if not 0 < fraction < 1:
        raise ValueError(f"A fraction of {fraction} leaves one part empty: choose one between 0 and 1.")
    cut = int(fraction * len(ids))
    return ids[:cut], ids[cut:]


def inputs_and_targets(ids):
    """Return all tokens except the last one as inputs, and the token after each of them as targets.

        y_t = x_{t+1}

    Parameters
    ----------
    ids : (..., T) int
        Rows of at least 2 tokens.

    Returns
    -------
    inputs : (..., T-1) int
        What the model sees.
    targets : (..., T-1) int
        What it should say.

    Raises
    ------
    ValueError
        If the rows have fewer than 2 tokens.
    """
    ids = np.asarray(ids)
    if ids.ndim == 0 or ids.shape[-1] < 2:
        raise ValueError(
            f"Inputs and targets need at least 2 tokens in each row, but the shape is {ids.shape}."
        )
    return ids[..., :-1].copy(), ids[..., 1:].copy()


def random_batches(ids, length, batch, rng):
    """Yield random windows of a text forever: inputs, and targets shifted by one token.

    Parameters
    ----------
    ids : (N,) int
        A long text.
    length : () int
        How many tokens in a window (T).
    batch : () int
        How many windows at a time (B).
    rng : numpy.random.Generator
        Where the draws come from; each batch draws as it is asked for, so the state of `rng` is the position.

    Yields
    ------
    inputs : (B, T) int
        Every place where a whole window fits is equally likely.
    targets : (B, T) int
        The token after each.

    Raises
    ------
    ValueError
        If the text has no place for one window and its next token.
    """
    ids = _long_enough(ids, length)
    return _random_batches(ids, length, batch, rng)


def _random_batches(ids, length, batch, rng):
    while True:
        starts = rng.integers(len(ids) - length, size=batch)
        yield inputs_and_targets(ids[starts[:, None] + np.arange(length + 1)])


def sequential_batches(ids, length, batch):
    """Yield the windows of a text one after the other, once, for a deterministic evaluation.

    Parameters
    ----------
    ids : (N,) int
        A long text.
    length : () int
        How many tokens in a window (T).
    batch : () int
        How many windows at a time (B); the last batch may have fewer.

    Yields
    ------
    inputs : (B, T) int
        Windows side by side, (N - 1) // T in all; what fills no whole window at the end is left out.
    targets : (B, T) int
        The token after each.

    Raises
    ------
    ValueError
        If the text has no place for one window and its next token.
    """
    ids = _long_enough(ids, length)
    starts = np.arange(0, len(ids) - length, length)
    places = starts[:, None] + np.arange(length + 1)
    return (inputs_and_targets(ids[places[i : i + batch]]) for i in range(0, len(starts), batch))


def pad(sequences, value=0):
    """Return sequences of different lengths as one padded array, and the mask of its real tokens.

    Parameters
    ----------
    sequences : list of (T,) int
        One row each (B in all); S is the length of the longest.
    value : () int
        The id that fills the rest of a row.

    Returns
    -------
    ids : (B, S) int
        Each sequence starts at the left.
    real : (B, S) bool
        True where a token came from a sequence, False where it fills.
    """
    lengths = np.array([len(sequence) for sequence in sequences], dtype=int)
    real = np.arange(lengths.max(initial=0)) < lengths[:, None]
    ids = np.full(real.shape, value, dtype=np.int64)
    ids[real] = np.concatenate([np.asarray(s, dtype=np.int64) for s in sequences]) if len(sequences) else []
    return ids, real


def padded_batches(sequences, batch, rng, value=0):
    """Yield random sentences as padded arrays forever: inputs, and targets shifted by one token.

    Parameters
    ----------
    sequences : list of (T,) int
        Each at least 2 tokens, best with a first token that says "a sentence starts here".
    batch : () int
        How many sentences at a time (B).
    rng : numpy.random.Generator
        Where the draws come from.
    value : () int
        The id that fills the inputs.

    Yields
    ------
    inputs : (B, S-1) int
        Filled up at the right.
    targets : (B, S-1) int
        The token after each, and -100 (`IGNORE`) where there is none: PyTorch's `cross_entropy` skips it.
    """
    while True:
        chosen = rng.integers(len(sequences), size=batch)
        ids, real = pad([sequences[i] for i in chosen], value)
        inputs, targets = inputs_and_targets(ids)
        yield inputs, np.where(real[:, 1:], targets, IGNORE)


def _long_enough(ids, length):
    ids = np.asarray(ids)
    if ids.ndim != 1 or length < 1 or len(ids) <= length:
        raise ValueError(
            f"A window of {length} tokens and the one after it do not fit into ids of shape {ids.shape}: "
            "give one row of more tokens, or ask for a shorter window."
        )
    return ids
