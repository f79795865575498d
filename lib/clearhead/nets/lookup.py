"""The soft dictionary. The twin of `clearhead.maths.lookup`."""

from .contracts import checked
from .softmax import at_temperature, softmax


@checked
def soft_lookup(q, K, V, temperature=1.0):
    """Return the mixture of the values whose keys are like the query, and the weights of the mixture.

        a = softmax(K q / temperature),   z = Σ_j a_j V_j

    The twin of `clearhead.maths.lookup.soft_lookup`.
    """
    a = softmax(at_temperature(K @ q, temperature))
    return a @ V, a


@checked
def nadaraya_watson(x, X, Y, bandwidth):
    """Return, for each place, the mean of the measurements, weighted by how near each one was taken.

        y = Σ_j a_j Y_j,   a = softmax over j of -‖x - X_j‖² / (2 bandwidth²)

    The twin of `clearhead.maths.lookup.nadaraya_watson`.
    """
    squared = ((x[..., None, :] - X) ** 2).sum(-1)
    return softmax(-squared / (2 * bandwidth**2)) @ Y
