"""A figure on the heads of a trained model: all of them for two tokens, and one of them for all tokens."""

import base64
import functools

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import number, quoted

from .figure import Figure, source


class RealHeads(Figure):
    """The attention of the heads of all-MiniLM-L6-v2 in sentences that differ in a few words.

    Parameters
    ----------
    sentence : int
        The index of the sentence in `clearhead.pretrained.sentences_with_attention`.
    layer, head : int
        The layer and the head that are shown in full, counted from 0.
    query, key : int
        Two positions in the sentence: the token that attends, and the token that it attends to.
    """

    what_to_see = (
        "Choose two words: each cell shows how strongly one head of a trained model attends from the "
        "first word to the second."
    )
    _esm = source("real_heads.js")
    sentences = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tokens = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    codes = traitlets.Unicode().tag(sync=True)
    layers = traitlets.Int(min=1).tag(sync=True)
    heads = traitlets.Int(min=1).tag(sync=True)
    sentence = traitlets.Int(0, min=0).tag(sync=True)
    layer = traitlets.Int(5, min=0).tag(sync=True)
    head = traitlets.Int(2, min=0).tag(sync=True)
    query = traitlets.Int(15, min=0).tag(sync=True)
    key = traitlets.Int(2, min=0).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**_extract(), **traits)
        S, T = len(self.tokens), len(self.tokens[0])
        limits = {"sentence": S, "layer": self.layers, "head": self.heads, "query": T, "key": T}
        for name, size in limits.items():
            if getattr(self, name) >= size:
                raise ValueError(f"{name} is {getattr(self, name)}; give a number below {size}.")

    @staticmethod
    def samples(rng):
        S, layers, heads, T = (int(size) for size in rng.permutation([2, 3, 4, 5]))
        codes = base64.b64encode(rng.integers(251, size=S * layers * heads * T * T, dtype=np.uint8).tobytes())
        sizes = {"codes": codes.decode("ascii"), "layers": layers, "heads": heads, "length": T}
        limits = {"sentence": S, "layer": layers, "head": heads, "query": T, "key": T}
        return sizes | {name: int(rng.integers(size)) for name, size in limits.items()}

    @staticmethod
    def compute(codes, layers, heads, length, sentence, layer, head, query, key):
        """Return the weights of one head, of one pair in all heads, and the other words' mean weights."""
        weights = np.frombuffer(base64.b64decode(codes), dtype=np.uint8) / 250
        weights = weights.reshape(-1, layers, heads, length, length)[sentence]
        A = weights[layer, head]
        others = [i for i in range(1, length - 1) if i != query]
        average = A[others].mean(axis=0) if others else np.zeros(length)
        return {"A": A, "pair": weights[:, :, query, key], "others": average}

    def _computed(self):
        place = {name: getattr(self, name) for name in ("sentence", "layer", "head", "query", "key")}
        return self.compute(self.codes, self.layers, self.heads, len(self.tokens[0]), **place)

    @property
    def words(self):
        """Return sentences on the weight between the two chosen tokens, and on that of the other words."""
        found, tokens = self._computed(), self.tokens[self.sentence]
        row, weight = found["A"][self.query], found["pair"][self.layer, self.head]
        text = (
            f"Layer {self.layer}, head {self.head}: {quoted(tokens[self.query])} looks at "
            f"{quoted(tokens[self.key])} with weight {number(weight)}, the other words with "
            f"{number(found['others'][self.key])} on average."
        )
        if (top := int(row.argmax())) != self.key:
            text += f" Its largest weight is on {quoted(tokens[top])}: {number(row[top])}."
        return text

    def pictures(self):
        """Return a map of all heads for the two tokens, and the weights of one head for all tokens."""
        found, tokens = self._computed(), self.tokens[self.sentence]
        pair = f"How much ‘{tokens[self.query]}’ looks at ‘{tokens[self.key]}’ in each head"
        layers, heads = [f"layer {i}" for i in range(self.layers)], [str(i) for i in range(self.heads)]
        opened = f"Layer {self.layer}, head {self.head}"
        return [
            attention_map(found["pair"], layers, heads, title=pair),
            attention_map(found["A"], tokens, tokens, title=opened),
        ]


@functools.cache
def _extract():
    """Return the sentences, their tokens, and all weights in steps of 0.004, encoded in base64."""
    from clearhead.pretrained import sentences_with_attention

    found = sentences_with_attention()
    steps = np.round(250 * np.stack([each.A for each in found])).astype(np.uint8)
    return {
        "sentences": [each.sentence for each in found],
        "tokens": [each.tokens for each in found],
        "codes": base64.b64encode(steps.tobytes()).decode("ascii"),
        "layers": steps.shape[1],
        "heads": steps.shape[2],
    }
