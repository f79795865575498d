"""More wrong answers of 09.masked_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _weighed(Q, K, V, mask, root=np.sqrt):
    """Return masked attention with a scale of its own."""
    return softmax(np.where(mask, Q @ K.T / root(Q.shape[1]), -np.inf)) @ V


MORE = (
    Mistake(
        "no_scale",
        lambda Q, K, V, mask: softmax(np.where(mask, Q @ K.T, -np.inf)) @ V,
        "The mask is right, but the scale is missing: divide the scores by the square root of d.",
    ),
    Mistake(
        "always_causal",
        lambda Q, K, V, mask: _weighed(Q, K, V, np.tri(len(Q), len(K), dtype=bool)),
        "You always take the causal mask. Use the one that is given.",
    ),
    Mistake(
        "divided_by_d",
        lambda Q, K, V, mask: _weighed(Q, K, V, mask, lambda d: d),
        "You divided by d. Divide by its square root.",
    ),
    Mistake(
        "softmax_over_queries",
        lambda Q, K, V, mask: softmax(np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf).T).T @ V,
        "Your softmax runs down the columns. Each row, a query, shares out its attention.",
    ),
    Mistake(
        "weights_returned_as_well",
        lambda Q, K, V, mask: (_weighed(Q, K, V, mask), mask),
        "You returned two things. Return the outputs alone.",
    ),
    Mistake(
        "hidden_values_set_to_zero",
        lambda Q, K, V, mask: softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ (V * mask.any(axis=0)[:, None]),
        "You set values to zero that nobody may see. Their weights are still shared out: mask the"
        " scores, before the softmax.",
    ),
)
