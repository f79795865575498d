"""More wrong answers of 09.masked_attention."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _weighed(Q, K, V, mask, root=np.sqrt):
    """Return masked attention with a scale of its own."""
    return softmax(np.where(mask, Q @ K.T / root(Q.shape[1]), -np.inf)) @ V


def _best_alone(Q, K, V, mask):
    best = np.where(mask, Q @ K.T, -np.inf).argmax(axis=1)
    return np.where(mask.any(axis=1, keepdims=True), V[best], 0)


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
        lambda Q, K, V, mask: (_weighed(Q, K, V, mask), _weighed(Q, K, np.eye(len(K)), mask)),
        "You returned two things. Return the outputs alone.",
    ),
    Mistake(
        "hidden_values_set_to_zero",
        lambda Q, K, V, mask: softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ (V * mask.any(axis=0)[:, None]),
        "You set values to zero that nobody may see. Their weights are still shared out: mask the"
        " scores, before the softmax.",
    ),
    Mistake(
        "multiplied_by_the_root",
        lambda Q, K, V, mask: _weighed(Q, K, V, mask, lambda d: 1 / np.sqrt(d)),
        "You multiplied the scores by √d. Divide by it.",
    ),
    Mistake(
        "scaled_after_softmax",
        lambda Q, K, V, mask: softmax(np.where(mask, Q @ K.T, -np.inf)) / np.sqrt(Q.shape[1]) @ V,
        "You scaled after the softmax. Divide the scores, before it.",
    ),
    Mistake(
        "scaled_by_number_of_queries",
        lambda Q, K, V, mask: _weighed(Q, K, V, mask, lambda d: np.sqrt(len(Q))),
        "You took the root of the number of queries. A score adds up d terms: √d, Q.shape[-1].",
    ),
    Mistake(
        "best_value_alone",
        _best_alone,
        "Each row is the best value that it may see. Softmax lets the others share.",
    ),
    Mistake(
        "all_weights_equal",
        lambda Q, K, V, mask: mask / np.maximum(mask.sum(axis=1, keepdims=True), 1) @ V,
        "Each row is the plain mean of what it may see. Weigh: compare queries with keys.",
    ),
    Mistake(
        "allowed_scores_lowered",
        lambda Q, K, V, mask: softmax(Q @ K.T / np.sqrt(Q.shape[1]) - 1e9 * mask) @ V,
        "You lowered the scores that are allowed. True means may look: lower the others.",
    ),
    Mistake(
        "causal_as_well",
        lambda Q, K, V, mask: _weighed(Q, K, V, mask & np.tri(len(Q), len(K), dtype=bool)),
        "You hid the future as well. The mask alone says who may look where.",
    ),
    Mistake(
        "the_weights_themselves",
        lambda Q, K, V, mask: _weighed(Q, K, np.eye(len(K)), mask),
        "These are the right weights. One step is missing: mix the values with them.",
    ),
    Mistake(
        "scores_of_zero_hidden",
        lambda Q, K, V, mask: _weighed(Q, K, V, mask & (Q @ K.T != 0)),
        "You also hide keys whose score is 0, as where the mask is multiplied and zeros are then "
        "hidden. Ask the mask: np.where(mask, scores, -np.inf).",
    ),
)
