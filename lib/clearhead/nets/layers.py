"""The layers that treat each token alone. The twin of `clearhead.maths.layers`."""

from torch.nn import functional as F

from .contracts import checked


@checked
def embed(ids, table):
    """Return, for each id, its row of the table. The twin of `clearhead.maths.layers.embed`."""
    return F.embedding(ids, table)


@checked
def linear(x, weight, bias=None):
    """Return x weight + bias, with the weight as (D, F). The twin of `clearhead.maths.layers.linear`."""
    return x @ weight if bias is None else x @ weight + bias
