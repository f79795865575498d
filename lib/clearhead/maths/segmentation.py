"""Where to divide a text that has no spaces: boundaries where the next symbol is hard to predict."""

import numpy as np

from clearhead.contracts import checked


@checked
def next_byte_entropies(ids, order):
    """Return, for each position of a text, the entropy of the byte there, given the bytes before it.

        H_t = Σ_v p_v ln(1 / p_v),   p_v = count(the context followed by v) / count(the context)

    The context of position t is the `order` bytes before it, and the counts are those of the text itself.

    Parameters
    ----------
    ids : (T,) int from 0
        The bytes, letters or other symbols of the text, as integers.
    order : () int from 1
        The number of symbols in the context.

    Returns
    -------
    entropies : (T,) float
        In nats, at least 0. The first `order` positions have no complete context, and get 0.

    References
    ----------
    Shannon (1948), "A mathematical theory of communication", section 7. Pagnoni et al. (2024), "Byte latent
    transformer: patches scale better than tokens", section 2.3, compute p with a small transformer.
    """
    if len(ids) <= order:
        return np.zeros(len(ids))
    windows = np.lib.stride_tricks.sliding_window_view(ids, order + 1)  # (T - order, order + 1)
    contexts, which = np.unique(windows[:, :-1], axis=0, return_inverse=True)
    counts = np.zeros((len(contexts), ids.max() + 1))
    np.add.at(counts, (which.ravel(), windows[:, -1]), 1)
    p = counts / counts.sum(axis=1, keepdims=True)
    entropies = (p * np.log(1 / np.where(p > 0, p, 1))).sum(axis=1)
    return np.concatenate([np.zeros(order), entropies[which.ravel()]])


@checked
def patch_starts(entropies, threshold):
    """Return where a new patch begins: where the next byte is uncertain, and at the beginning of the text.

        start_t = (t = 0) or (H_t > threshold)

    Parameters
    ----------
    entropies : (T,) float
        The entropy of the byte at each position, given the bytes before it.
    threshold : () float
        In the unit of the entropies. The lower it is, the shorter are the patches.

    Returns
    -------
    starts : (T,) bool

    References
    ----------
    Pagnoni et al. (2024), "Byte latent transformer: patches scale better than tokens", section 2.3, the
    global constraint.
    """
    starts = entropies > threshold
    starts[:1] = True
    return starts


@checked
def boundary_f1(found, true):
    """Return the F1 score of boundaries: the harmonic mean of their precision and their recall.

        F1 = 2 · #(found and true) / (#found + #true)

    Parameters
    ----------
    found : (T,) bool
        Whether a piece begins at each position, as a method says.
    true : (T,) bool
        Whether a piece really begins there.

    Returns
    -------
    score : () float
        From 0 to 1, where 1 means that all boundaries and no others were found. The first position, at
        which every text begins a piece, does not count. Without any other boundary the score is 0.

    References
    ----------
    Van Rijsbergen (1979), "Information retrieval", chapter 7: one minus his E, for equal weights.
    """
    found, true = found[1:], true[1:]
    return 2 * (found & true).sum() / max(int(found.sum() + true.sum()), 1)
