"""A first-order Markov chain of words, of any size, whose entropy is known."""

import numpy as np


def zipf_chain(vocab_size, power, rng):
    """Return a transition matrix in which every row follows Zipf's law, with the ranks in another order.

        P_vw ∝ rank_v(w)^(-power)

    Parameters
    ----------
    vocab_size : int
        V.
    power : float
        1 is Zipf's own; larger is easier to guess.
    rng : numpy.random.Generator
        Where the orders come from.

    Returns
    -------
    P : (V, V) float
        Row v: the probabilities of the words after v.
    """
    shares = np.arange(1, vocab_size + 1) ** -float(power)
    return np.stack([rng.permutation(shares) for _ in range(vocab_size)]) / shares.sum()


def chain_entropy(P):
    """Return the entropy of a chain in nats per word, and the stationary probability of each word.

        H = -Σ_v π_v Σ_w P_vw ln P_vw,   π = π P

    Parameters
    ----------
    P : (V, V) float
        All above 0.

    Returns
    -------
    entropy : float
    often : (V,) float

    References
    ----------
    Shannon (1948), "A mathematical theory of communication", section 7.
    """
    often = np.full(len(P), 1 / len(P))
    for _ in range(1000):
        often = often @ P
    return float(-(often[:, None] * P * np.log(P)).sum()), often


def sample_chains(P, batch, length, rng):
    """Return random texts sampled from a chain.

    Parameters
    ----------
    P : (V, V) float
    batch, length : int
        How many, and how long.
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    ids : (batch, length) int
        The first word is drawn as often as it comes.
    """
    cuts, often = P.cumsum(axis=1), chain_entropy(P)[1]
    ids = np.empty((batch, length), dtype=np.int64)
    ids[:, 0] = rng.choice(len(P), size=batch, p=often / often.sum())
    for t in range(1, length):
        ids[:, t] = (rng.random(batch)[:, None] > cuts[ids[:, t - 1]]).sum(axis=1).clip(max=len(P) - 1)
    return ids
