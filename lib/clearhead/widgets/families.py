"""A figure on encoders and decoders: which token may attend to which, by which attention and weights."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import listed, number, quoted
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax

from .figure import Figure, Numbers, expect_shape, source

SOURCE, TARGET = "the red house is small", "<start> la casa roja es pequeña"
READING = [[1, 0, 2, 0, 0], [0, 1, 2, 0, 0], [1, 2, 1, 0, 1], [0, 0, 1, 1, 1], [0, 0, 2, 1, 1]]
WRITING = [
    [1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 1, 2, 0, 0, 0], [0, 0, 2, 1, 0, 0], [0, 0, 2, 0, 1, 0],
    [1, 0, 1, 0, 0, 2],
]  # fmt: skip
CROSSING = [
    [3, 0, 1, 0, 0], [0, 1, 3, 0, 0], [0, 3, 1, 0, 0], [0, 0, 0, 3, 0], [0, 0, 1, 0, 3], [0, 0, 0, 1, 1],
]  # fmt: skip
NAMES = ("Encoder-only", "Decoder-only", "Encoder and decoder")


class Families(Figure):
    """Two texts in an encoder, a decoder, or both, and the tokens to which one chosen token attends.

    Parameters
    ----------
    source, target : list of str
        The text that is read (S tokens), and the one that is written (T tokens, shifted right).
    reading : (S, S) float
        Scores within the source.
    writing : (T, T) float
        Scores within the target; scores above the diagonal are hidden.
    crossing : (T, S) float
        Scores from target to source.
    family : () int
        0: encoder-only, with the source. 1: decoder-only, with the target. 2: both.
    chosen : () int
        The token that reads: source first, then target. The nearest replaces one that the family lacks.
    note : str
        A sentence on the origin of the scores.
    """

    what_to_see = (
        "Choose a token in an encoder, in a decoder or in both together, and see which tokens it can read."
    )
    _esm = source("families.js")
    source = traitlets.List(traitlets.Unicode(), SOURCE.split()).tag(sync=True)
    target = traitlets.List(traitlets.Unicode(), TARGET.split()).tag(sync=True)
    reading = Numbers(READING).tag(sync=True)
    writing = Numbers(WRITING).tag(sync=True)
    crossing = Numbers(CROSSING).tag(sync=True)
    family = traitlets.Int(2, min=0, max=2).tag(sync=True)
    chosen = traitlets.Int(7, min=0).tag(sync=True)
    note = traitlets.Unicode("The scores were chosen by hand.").tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        S, T = len(self.source), len(self.target)
        for name, shape in (("reading", (S, S)), ("writing", (T, T)), ("crossing", (T, S))):
            expect_shape(name, getattr(self, name), shape, f"{S} source and {T} target tokens")

    @staticmethod
    def samples(rng):
        S, T = (int(size) for size in rng.permutation(np.arange(2, 8))[:2])
        reading, writing, crossing = (2 * rng.normal(size=size) for size in ((S, S), (T, T), (T, S)))
        return {"family": int(rng.integers(3)), "reading": reading, "writing": writing, "crossing": crossing}

    @staticmethod
    def compute(family, reading, writing, crossing):
        """Return which token may attend to which, and the weights, for the tokens that the family has."""
        reading, writing, crossing = (np.asarray(scores) for scores in (reading, writing, crossing))
        T, S = crossing.shape
        never, past = np.zeros((S, T), dtype=bool), causal_mask(T)
        allowed = np.block([[np.ones((S, S), dtype=bool), never], [np.ones((T, S), dtype=bool), past]])
        self_attention = softmax(np.where(past, writing, -np.inf))
        weights = np.block([[softmax(reading), 0.0 * never], [softmax(crossing), self_attention]])
        visible = (slice(0, S), slice(S, None), slice(None))[family]
        return {"allowed": allowed[visible, visible], "weights": weights[visible, visible]}

    def _shown(self):
        """Return this family's tokens, the index of its first token, and that of the chosen one in it."""
        S, tokens = len(self.source), [*self.source, *self.target]
        first, end = ((0, S), (S, len(tokens)), (0, len(tokens)))[self.family]
        return tokens[first:end], first, min(max(self.chosen, first), end - 1) - first

    @property
    def words(self):
        """Return sentences on the tokens to which the chosen one attends, and on those hidden from it."""
        found, (tokens, first, at) = self._computed(), self._shown()
        row, allowed_row, S = found["weights"][at], found["allowed"][at], len(self.source) - first

        def looks(places):
            return listed([f"{quoted(tokens[i])} {number(row[i])}" for i in places if allowed_row[i]])

        hidden = [quoted(token) for token, allowed in zip(tokens, allowed_row, strict=True) if not allowed]
        begin, everywhere = f"{NAMES[self.family]}: {quoted(tokens[at])} reads", range(len(tokens))
        if self.family == 2 and at >= S:
            text = f"{begin} both texts. In the target: {looks(range(S, len(tokens)))}. "
            text += f"In the source, by cross-attention: {looks(range(S))}."
        else:
            text = f"{begin} {looks(everywhere)}."
        return f"{text} Hidden from it: {listed(hidden) if hidden else 'nothing'}."

    def pictures(self):
        """Return the attention weights of all tokens of this family."""
        tokens = self._shown()[0]
        return [attention_map(self._computed()["weights"], tokens, tokens, title=NAMES[self.family])]
