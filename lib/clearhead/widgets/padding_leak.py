"""A figure on attention to padding: keys of zeros have the score 0, which adds e⁰ = 1 to the softmax."""

import numpy as np
import traitlets

from clearhead.figures import bars
from clearhead.figures.words import number, quoted
from clearhead.maths.softmax import softmax

from .figure import Figure, Numbers, expect_shape, source


class PaddingLeak(Figure):
    """One query, some real keys, and a number of padding keys of zeros, which the reader changes.

    Parameters
    ----------
    tokens : list of str
        The real tokens (S).
    scores : (S,) float
        The scaled scores of one query with them.
    pads : () int
        The number of padding keys, from 0 to 60.
    masked : () bool
        Whether a padding mask hides them.
    """

    what_to_see = (
        "Without a mask, padding takes attention away from the words: add some padding, and then "
        "switch the mask on."
    )
    _esm = source("padding_leak.js")
    tokens = traitlets.List(traitlets.Unicode(), ["To", "date", "the", "cleverest"]).tag(sync=True)
    scores = Numbers([0.71, 2.83, 1.41, 0.0]).tag(sync=True)
    pads = traitlets.Int(12, min=0, max=60).tag(sync=True)
    masked = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        expect_shape("scores", self.scores, (len(self.tokens),), "one score for each token")

    @staticmethod
    def samples(rng):
        scores = 2 * rng.normal(size=int(rng.integers(1, 6)))
        return {"scores": scores, "pads": int(rng.integers(61)), "masked": bool(rng.integers(2))}

    @staticmethod
    def compute(scores, pads, masked):
        """Return the weights of the real tokens, and the sum of the weights of all padding tokens."""
        padding = np.full(pads, -np.inf if masked else 0.0)
        weights = softmax(np.concatenate([np.asarray(scores, dtype=float), padding]))
        return {"real": weights[: len(scores)], "leak": weights[len(scores) :].sum()}

    @property
    def words(self):
        """Return a sentence on the attention that goes to padding, and to the best real token."""
        found, top = self._computed(), int(np.argmax(self._computed()["real"]))
        how = "with a mask" if self.masked else "without a mask"
        many = "1 padding token takes" if self.pads == 1 else f"{self.pads} padding tokens take"
        kept = f"{quoted(self.tokens[top])} keeps {number(100 * found['real'][top], 0)} %"
        return f"{many} {number(100 * found['leak'], 0)} % of the attention, {how}. {kept}."

    def pictures(self):
        """Return the weights of the real tokens and of all padding as bars."""
        found = self._computed()
        return [bars([*self.tokens, "all padding"], [*found["real"], found["leak"]])]
