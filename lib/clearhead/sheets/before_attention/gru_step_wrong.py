"""More wrong answers of 03.gru_step."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.layers import sigmoid


def _ending(ending):
    """Return a GRU step with its own last lines, from the parts of the token and of the memory."""
    return lambda x, h, W, U, b, d: ending(*np.split(x @ W + b, 3), *np.split(h @ U + d, 3), h)


def _step(r, z, proposal, h):
    return (1 - sigmoid(z)) * np.tanh(proposal) + sigmoid(z) * h


MORE = (
    Mistake(
        "gates_without_the_memory",
        _ending(lambda r, z, n, r_h, z_h, n_h, h: _step(r, z, n + sigmoid(r) * n_h, h)),
        "Your gates are made from the token alone. The memory enters them, too: add h @ U and its bias.",
    ),
    Mistake(
        "gates_without_the_token",
        _ending(lambda r_x, z_x, n, r, z, n_h, h: _step(r, z, n + sigmoid(r) * n_h, h)),
        "Your gates are made from the memory alone. The token enters them, too: add x @ W and its bias.",
    ),
    Mistake(
        "proposal_without_the_token",
        _ending(lambda r, z, n, r_h, z_h, n_h, h: _step(r, z + z_h, sigmoid(r + r_h) * n_h, h)),
        "The token does not enter your proposal n. Add its part, x @ W and its bias, outside r.",
    ),
    Mistake(
        "proposal_without_the_memory",
        _ending(lambda r, z, n, r_h, z_h, n_h, h: _step(r, z + z_h, n, h)),
        "The memory does not enter your proposal n. Add its part, h @ U and its bias, times r.",
    ),
    Mistake(
        "new_not_shared",
        _ending(lambda r, z, n, r_h, z_h, n_h, h: np.tanh(n + sigmoid(r + r_h) * n_h) + sigmoid(z + z_h) * h),
        "You add the whole proposal. Old and new must share: (1 - z) * n + z * h.",
    ),
    Mistake(
        "old_not_shared",
        _ending(
            lambda r, z, n, r_h, z_h, n_h, h: (1 - sigmoid(z + z_h)) * np.tanh(n + sigmoid(r + r_h) * n_h) + h
        ),
        "You keep the whole old memory. Old and new must share: (1 - z) * n + z * h.",
    ),
)
