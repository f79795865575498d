"""Where a token stands: a vector for each position is added. The twin of `clearhead.maths.positions`."""

import torch

from .contracts import checked


@checked
def frequencies(d_model, base=10000.0, device=None):
    """Return how fast each pair of columns turns, in radians a token.

    The twin of `clearhead.maths.positions.frequencies`, always in float64.
    """
    return base ** (-torch.arange(0, d_model, 2, dtype=torch.float64, device=device) / d_model)


@checked
def sinusoidal(length, d_model, device=None):
    """Return one vector for each position: pairs of columns are the hands of clocks, from fast to slow.

    The twin of `clearhead.maths.positions.sinusoidal`, always in float64: bring it to the precision of the
    tokens before adding.
    """
    angles = torch.arange(length, device=device)[:, None] * frequencies(d_model, device=device)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(length, d_model)


@checked
def learned_positions(length, table):
    """Return the first rows of a table of positions that training has filled.

    The twin of `clearhead.maths.positions.learned_positions`.
    """
    return table[:length]
