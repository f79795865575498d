"""The layers that treat each token alone. The twin of `clearhead.maths.layers`."""

from torch.nn import functional as F

from clearhead.maths.shapes import check_ids, check_linear


def embed(ids, table):
    """Return, for each id, its row of the table. The twin of `clearhead.maths.layers.embed`."""
    check_ids(ids, table)
    return F.embedding(ids, table)


def linear(x, weight, bias=None):
    """Return x weight + bias, with the weight as (D, F). The twin of `clearhead.maths.layers.linear`."""
    check_linear(x, weight, bias)
    return x @ weight if bias is None else x @ weight + bias
