"""A figure on one row of attention: its scores, scaled scores, weights, and the weighted sum of values."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import listed, number, quoted
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.masks import causal_mask

from .figure import Figure, Numbers, expect_shape, source

Q = [[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0], [2.0, 0.0, 1.0, 1.0]]
K = [[0.0, 1.0, 1.0, 0.0], [2.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 2.0]]
V = [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, 1.0]]


class AttentionRow(Figure):
    """An attention matrix, and every number that leads from the query of one row to its new vector.

    Parameters
    ----------
    tokens : list of str
        A name for each row.
    Q, K : (T, d) float
        Queries and keys, one row per token.
    V : (T, e) float
        Values, one row per token.
    row : () int
        The token whose row is opened: its query is compared with all keys.
    causal : () bool
        A token attends only to itself and to earlier tokens.
    step : () int
        The last step that is shown: 0 compare, 1 scale, 2 weigh, 3 mix.
    """

    what_to_see = (
        "Choose the token that asks, and follow its row in four steps, from scores to weights to its "
        "new vector."
    )
    _esm = source("attention_row.js")
    tokens = traitlets.List(traitlets.Unicode(), ["To", "date", "the", "cleverest"]).tag(sync=True)
    Q = Numbers(Q).tag(sync=True)
    K = Numbers(K).tag(sync=True)
    V = Numbers(V).tag(sync=True)
    row = traitlets.Int(3, min=0).tag(sync=True)
    causal = traitlets.Bool(False).tag(sync=True)
    step = traitlets.Int(3, min=0, max=3).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        T, d = len(self.tokens), np.shape(self.K)[-1]
        expect_shape("Q", self.Q, (T, d), f"one query for each token, as long as the keys ({d} entries)")
        expect_shape("K", self.K, (T, d), "one key for each token")
        expect_shape("V", self.V, (T, None), "one value for each token")
        if self.row >= T:
            raise ValueError(f"row is {self.row}, but there are {T} tokens: choose 0 to {T - 1}.")

    @staticmethod
    def samples(rng):
        T, d, e = (int(size) for size in rng.integers(2, 7, size=3))
        Q, K, V = rng.normal(size=(T, d)), rng.normal(size=(T, d)), rng.normal(size=(T, e))
        return {"Q": Q, "K": K, "V": V, "causal": bool(rng.integers(2))}

    @staticmethod
    def compute(Q, K, V, causal):
        """Return scores, scaled scores (−inf where a token may not attend), weights and new vectors."""
        Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
        mask = causal_mask(len(Q)) if causal else None
        Z, A = scaled_dot_product_attention(Q, K, V, mask)
        scores = Q @ K.T
        scaled = scores / np.sqrt(K.shape[-1])
        if causal:
            scaled = np.where(mask, scaled, -np.inf)
        return {"scores": scores, "scaled": scaled, "weights": A, "Z": Z}

    @property
    def words(self):
        """Return a sentence on the result of this step for the chosen token, such as its weights."""
        found, name = self._computed(), quoted(self.tokens[self.row])

        def each(table):
            pairs = zip(self.tokens, found[table][self.row], strict=True)
            return listed(f"{quoted(token)} {number(value)}" for token, value in pairs)

        z = ", ".join(number(part) for part in found["Z"][self.row])
        return (
            f"Compare: the dot products of the query of {name} with the keys are {each('scores')}.",
            f"Scale: divided by the square root of {np.shape(self.K)[-1]}, they are {each('scaled')}.",
            f"Weigh: the softmax turns them into the weights {each('weights')}, which sum to 1.",
            f"{name} looks at {each('weights')}. Its new vector is ({z}).",
        )[self.step]

    def pictures(self):
        """Return the attention matrix as a picture, in a list."""
        return [attention_map(self._computed()["weights"], self.tokens, self.tokens)]
