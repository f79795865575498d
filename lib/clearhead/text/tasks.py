"""Small tasks whose correct answers are known.

Every task takes the sizes first and the random generator last, and gives arrays; inputs are ids from 0.
"""

import numpy as np

ADD, EQUALS = 10, 11


def copy(batch, length, vocab_size, rng):
    """Return random sequences and the same sequences as targets.

        y_t = x_t

    Parameters
    ----------
    batch : () int
        How many sequences (B).
    length : () int
        How many tokens in each (T).
    vocab_size : () int
        How many different tokens (V).
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    inputs : (B, T) int
        Uniform draws from 0 to V - 1.
    targets : (B, T) int
        An equal array.
    """
    inputs = rng.integers(vocab_size, size=(batch, length))
    return inputs, inputs.copy()


def reverse(batch, length, vocab_size, rng):
    """Return random sequences and, as targets, the same sequences reversed.

        y_t = x_{T-1-t}

    Parameters as for `copy`.

    Returns
    -------
    inputs : (B, T) int
        Uniform draws from 0 to V - 1.
    targets : (B, T) int
        The reversed rows.
    """
    inputs = rng.integers(vocab_size, size=(batch, length))
    return inputs, inputs[:, ::-1].copy()


def sort(batch, length, vocab_size, rng):
    """Return random sequences and, as targets, the same tokens in ascending order.

        y = sort(x)

    Parameters as for `copy`.

    Returns
    -------
    inputs : (B, T) int
        Uniform draws from 0 to V - 1.
    targets : (B, T) int
        The sorted rows.
    """
    inputs = rng.integers(vocab_size, size=(batch, length))
    return inputs, np.sort(inputs, axis=1)


def recall_the_first(batch, length, vocab_size, rng):
    """Return random sequences and the first token of each: a memory test.

        y = x_0

    Parameters
    ----------
    batch : () int
        How many sequences (B).
    length : () int
        How many tokens in each (T), at least 1.
    vocab_size : () int
        How many different tokens (V).
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    inputs : (B, T) int
        Uniform draws from 0 to V - 1.
    targets : (B) int
        One token a sequence.
    """
    inputs = rng.integers(vocab_size, size=(batch, length))
    return inputs, inputs[:, 0].copy()


def histogram(batch, length, vocab_size, rng):
    """Return random sequences and, for each token, how often it occurs in its sequence.

        y_t = Σ_s [x_s = x_t]

    Parameters as for `copy`.

    Returns
    -------
    inputs : (B, T) int
        Uniform draws from 0 to V - 1.
    targets : (B, T) int
        Counts from 1 to T. The order of the tokens does not matter.
    """
    inputs = rng.integers(vocab_size, size=(batch, length))
    return inputs, (inputs[:, :, None] == inputs[:, None, :]).sum(axis=2)


def addition(batch, digits, rng):
    """Return sums such as 0 7 + 9 5 = and their answers such as 1 0 2, digit by digit.

    Parameters
    ----------
    batch : () int
        How many sums (B).
    digits : () int
        How many digits each number has (n), zeros in front included.
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    questions : (B, 2n+2) int
        Ids 0 to 9 are digits, 10 is "+", 11 is "=".
    answers : (B, n+1) int
        The digits of the sum, the highest first.
    """
    numbers = rng.integers(10, size=(batch, 2, digits))
    powers = 10 ** np.arange(digits, -1, -1)
    totals = (numbers.sum(axis=1) * powers[1:]).sum(axis=1)
    answers = totals[:, None] // powers % 10
    column = np.ones((batch, 1), dtype=int)
    return np.hstack([numbers[:, 0], ADD * column, numbers[:, 1], EQUALS * column]), answers


def induction(batch, length, vocab_size, shortest, longest, rng):
    """Return random sequences that repeat, their next tokens, and where these are predictable.

        x_t = x_{t-p}, with a period p drawn for each sequence

    Parameters
    ----------
    batch : () int
        How many sequences (B).
    length : () int
        How many tokens in each (T).
    vocab_size : () int
        How many different tokens (V).
    shortest : () int
        The smallest period, at least 1.
    longest : () int
        The largest period.
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    inputs : (B, T) int
        A random string of p tokens, again and again.
    targets : (B, T) int
        The token after each.
    known : (B, T) bool
        True where this token has been seen one period ago, and so the next one, too: t >= p.

    Raises
    ------
    ValueError
        If the periods are not in order.

    Notes
    -----
    At t = p - 1 the string is over for the first time, and nobody can know that it will begin again.
    """
    if not 1 <= shortest <= longest:
        raise ValueError(
            f"Periods go from {shortest} to {longest}: the first must be at least 1 and not the larger."
        )
    periods = rng.integers(shortest, longest + 1, size=(batch, 1))
    strings = rng.integers(vocab_size, size=(batch, longest))
    places = np.arange(length + 1) % periods
    tokens = np.take_along_axis(strings, places, axis=1)
    return tokens[:, :-1], tokens[:, 1:], np.arange(length) >= periods
