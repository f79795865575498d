"""A power law with a floor, fitted to losses."""

import numpy as np

from clearhead.contracts import checked


@checked
def power_law(sizes, losses, floor=0.0):
    """Return the coefficient and the exponent of the power law that is nearest to what lies above a floor.

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
def fitted_floor(sizes, losses, candidates=400):
    """Return the floor for which losses lie nearest to a power law, where the entropy is not known.

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
