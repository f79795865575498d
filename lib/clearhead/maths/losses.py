"""Losses, which are means in nats, and the power law with a floor by which they fall."""

import numpy as np

from clearhead.contracts import checked, in_float32
from clearhead.targets import IGNORE

from .softmax import log_softmax
from .vectors import unit_vectors


@checked
@in_float32
def cross_entropy(logits, targets, ignore=IGNORE):
    """Return the mean surprisal of the targets: minus the logarithm of the predicted probability of each.

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
@in_float32
def multi_token_loss(logits, ids):
    """Return the cross-entropy of each head of a model that predicts several tokens at once.

        loss_h = mean over t of -log softmax(logits_th)[ids_{t+1+h}]

    Head h = 0 predicts the next token, head 1 the one after it, and so on. Each head is averaged over the
    positions for which its target is in the text.

    Parameters
    ----------
    logits : (..., T, H, V) float
        The logits of H heads at each position.
    ids : (..., T) int from 0 to V-1, no broadcasting
        The text.

    Returns
    -------
    loss : (H,) float
        In nats, one entry for each head: 0 for a head whose target is never in the text.

    References
    ----------
    Gloeckle et al. (2024), "Better & faster large language models via multi-token prediction", section 2,
    which trains on the sum of these losses.
    """
    T, H = logits.shape[-3:-1]
    seen = [logits[..., : max(T - 1 - h, 0), h, :] for h in range(H)]
    return np.array([cross_entropy(seen[h], ids[..., 1 + h :]) for h in range(H)])


@checked
@in_float32
def perplexity(logits, targets, ignore=IGNORE):
    """Return the perplexity: the number of equally likely tokens that would give the same loss.

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
@in_float32
def info_nce(x, y, temperature=0.07):
    """Return the InfoNCE loss: row i of x should be most similar to row i of y, and the reverse.

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


@checked
@in_float32
def power_law(sizes, losses, floor=0.0):
    """Return the coefficient and the exponent of the power law that best fits the losses minus a floor.

        loss ≈ floor + A / sizeᵅ,   a straight line:   ln(loss - floor) ≈ ln A - α ln size

    Parameters
    ----------
    sizes : (S,) float above 0, S from 2
        Of the models, of their data, or of the work; not all the same.
    losses : (S,) float above 0
        All above the floor.
    floor : () float, optional
        The loss E that no size can beat. Where the source is known, its entropy.

    Returns
    -------
    coefficient : () float
        A.
    exponent : () float
        α.

    Raises
    ------
    ValueError
        If there are fewer than two sizes, or a loss is not above the floor: it has no logarithm. Or if types
        and shapes do not fit.

    References
    ----------
    Hoffmann et al. (2022), "Training compute-optimal large language models", eq. 2, one of its two
    terms.
    """
    if np.min(losses) <= floor:
        raise ValueError(f"The smallest loss, {np.min(losses):.4g}, is not above the floor, {floor:.4g}.")
    x, y = np.log(sizes), np.log(np.asarray(losses) - floor)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / np.square(x - x.mean()).sum()
    return np.exp(y.mean() - slope * x.mean()), -slope


@checked
@in_float32
def fit_irreducible_loss(sizes, losses, candidates=400):
    """Return the irreducible loss for which the rest best fits a power law, if the entropy is unknown.

        floor = argmin over E of Σ (ln(loss - E) - ln A + α ln size)²,   A and α from `power_law`

    Parameters
    ----------
    sizes : (S,) float above 0, S from 2
    losses : (S,) float above 0
    candidates : () int from 2, optional
        How many floors are tried between 0 and the smallest loss.

    Returns
    -------
    floor : () float

    Raises
    ------
    ValueError
        If there are fewer than two sizes, or types and shapes do not fit.

    References
    ----------
    Hoffmann et al. (2022), section 3.3; Besiroglu et al. (2024), "Chinchilla scaling: a replication attempt",
    on how uncertain such a fit is.
    """
    floors = np.linspace(0, np.min(losses), candidates, endpoint=False)
    misses = []
    for floor in floors:
        coefficient, exponent = power_law(sizes, losses, floor)
        line = np.log(coefficient) - exponent * np.log(sizes)
        misses.append(np.square(np.log(np.asarray(losses) - floor) - line).sum())
    return floors[np.argmin(misses)]
