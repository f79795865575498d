"""Attention before its name: a mean with weights from distances. The twin of `clearhead.maths.kernels`."""

from clearhead.maths.kernels import check_measurements
from clearhead.nets.activations import softmax


def nadaraya_watson(x, X, Y, bandwidth):
    """Return, for each place, the mean of the measurements, weighted by how near each one was taken.

        y = Σ_j a_j Y_j,   a = softmax over j of -‖x - X_j‖² / (2 bandwidth²)

    The twin of `clearhead.maths.kernels.nadaraya_watson`.
    """
    check_measurements(x, X, Y, bandwidth)
    squared = ((x[..., None, :] - X) ** 2).sum(-1)
    return softmax(-squared / (2 * bandwidth**2)) @ Y
