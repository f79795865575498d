"""The two norms. The twin of `clearhead.maths.norms`."""

from torch.nn import functional as F

from clearhead.maths.shapes import check_per_column


def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return each row brought to mean 0 and variance 1, then stretched and shifted column by column.

    The twin of `clearhead.maths.norms.layer_norm`.
    """
    check_per_column(x, gain=gain, bias=bias)
    return F.layer_norm(x, x.shape[-1:], gain, bias, epsilon)


def rms_norm(x, gain, epsilon=1e-5):
    """Return each row divided by its root mean square, then stretched column by column.

    The twin of `clearhead.maths.norms.rms_norm`.
    """
    check_per_column(x, gain=gain)
    return F.rms_norm(x, x.shape[-1:], gain, epsilon)
