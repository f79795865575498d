"""How wrong is a model? Losses are means, in nats: one number, 0 at best."""

import numpy as np

from clearhead.contracts import checked
from clearhead.targets import IGNORE

from .softmax import log_softmax
from .vectors import unit_vectors


@checked
def cross_entropy(logits, targets, ignore=IGNORE):
    """Return the mean surprise at the true answers: minus the logarithm of the probability of each.

        loss = -(1/n) Σ_t log softmax(logits_t)[target_t]

    Parameters
    ----------
    logits : (..., T, V) float
        Scores before the softmax.
    targets : (..., T) int from 0 to V-1 or ignore, no broadcasting
        The true answers, from 0 to V - 1.
    ignore : () int, optional
        A target with this value is not counted: padding, for example.

    Returns
    -------
    loss : () float
        In nats. Even odds on V words give ln V. Where every target is ignored, 0.

    References
    ----------
    Shannon (1948), "A mathematical theory of communication", section 6.
    """
    counts = targets != ignore
    answers = np.where(counts, targets, 0)[..., None]  # (..., T, 1)
    surprise = -np.take_along_axis(log_softmax(logits), answers, axis=-1)[..., 0]  # (..., T)
    return np.where(counts, surprise, 0).sum() / max(int(counts.sum()), 1)


@checked
def perplexity(logits, targets, ignore=IGNORE):
    """Return among how many equally likely words the model seems to hesitate.

        perplexity = exp(cross_entropy)

    Parameters as for `cross_entropy`.

    Returns
    -------
    words : () float
        1 for a model that knows, V for one that guesses among V words.

    References
    ----------
    Jelinek et al. (1977), "Perplexity: a measure of the difficulty of speech recognition tasks".
    """
    return np.exp(cross_entropy(logits, targets, ignore))


@checked
def info_nce(x, y, temperature=0.07):
    """Return how badly pairs find each other: row i of x should be most like row i of y, and the reverse.

        S = x̂ ŷᵀ / temperature,   loss = (cross_entropy(S, 0...B-1) + cross_entropy(Sᵀ, 0...B-1)) / 2

    Parameters
    ----------
    x : (B, D) float
        One row a thing, such as the vector of an image. Only its direction counts; a row of zeros has none,
        and is equally like everything: its cosines are 0.
    y : (B, D) float
        The partner of each row of x, such as the vector of its caption.
    temperature : () float above 0, optional
        How sharply likeness is judged.

    Returns
    -------
    loss : () float
        In nats; ln B where no partner can be told from the others.

    References
    ----------
    Radford et al. (2021), "Learning transferable visual models from natural language supervision", figure 3;
    van den Oord et al. (2018), "Representation learning with contrastive predictive coding", eq. 4.
    """
    similarity, partners = unit_vectors(x) @ unit_vectors(y).T / temperature, np.arange(len(x))
    return (cross_entropy(similarity, partners) + cross_entropy(similarity.T, partners)) / 2
