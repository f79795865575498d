"""The two norms. The twin of `clearhead.maths.norms`."""

from torch.nn import functional as F

from .contracts import checked


@checked
def layer_norm(x, gain, bias, epsilon=1e-5):
    """Return each row brought to mean 0 and variance 1, then stretched and shifted column by column.

    The twin of `clearhead.maths.norms.layer_norm`.
    """
    return F.layer_norm(x, x.shape[-1:], gain, bias, epsilon)


@checked
def rms_norm(x, gain, epsilon=1e-5):
    """Return each row divided by its root mean square, then stretched column by column.

    The twin of `clearhead.maths.norms.rms_norm`.
    """
    return F.rms_norm(x, x.shape[-1:], gain, epsilon)
