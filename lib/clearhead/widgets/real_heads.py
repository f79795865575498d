"""The heads of a trained model on a few sentences: all of them at once for two tokens, then one of them."""

import base64
import functools

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import number, quoted

from .figure import Figure, source


class RealHeads(Figure):
    """Where the heads of all-MiniLM-L6-v2 attend, in sentences that differ in a few words.

    Parameters
    ----------
    sentence : int
        Which of the sentences of `clearhead.pretrained.sentences_with_attention`.
    layer, head : int
        Which head is opened, counted from 0.
    asks, seen : int
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
    asks = traitlets.Int(15, min=0).tag(sync=True)
    seen = traitlets.Int(2, min=0).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**_extract(), **traits)
        S, T = len(self.tokens), len(self.tokens[0])
        most = {"sentence": S, "layer": self.layers, "head": self.heads, "asks": T, "seen": T}
        for name, size in most.items():
            if getattr(self, name) >= size:
                raise ValueError(f"{name} is {getattr(self, name)}; give a number below {size}.")

    @staticmethod
    def samples(rng):
        S, layers, heads, T = (int(size) for size in rng.permutation([2, 3, 4, 5]))
        codes = base64.b64encode(rng.integers(251, size=S * layers * heads * T * T, dtype=np.uint8).tobytes())
        sizes = {"codes": codes.decode("ascii"), "layers": layers, "heads": heads, "length": T}
        most = {"sentence": S, "layer": layers, "head": heads, "asks": T, "seen": T}
        return sizes | {name: int(rng.integers(size)) for name, size in most.items()}

    @staticmethod
    def compute(codes, layers, heads, length, sentence, layer, head, asks, seen):
        """Return the weights of one head, those of one pair in all heads, and what other words look at."""
        weights = np.frombuffer(base64.b64decode(codes), dtype=np.uint8) / 250
        weights = weights.reshape(-1, layers, heads, length, length)[sentence]
        A = weights[layer, head]
        others = [i for i in range(1, length - 1) if i != asks]
        average = A[others].mean(axis=0) if others else np.zeros(length)
        return {"A": A, "pair": weights[:, :, asks, seen], "others": average}

    def _found(self):
        place = {name: getattr(self, name) for name in ("sentence", "layer", "head", "asks", "seen")}
        return self.compute(self.codes, self.layers, self.heads, len(self.tokens[0]), **place)

    @property
    def words(self):
        """Return how much the chosen token looks at the other one, and how much all others do."""
        found, tokens = self._found(), self.tokens[self.sentence]
        row, weight = found["A"][self.asks], found["pair"][self.layer, self.head]
        text = (
            f"Layer {self.layer}, head {self.head}: {quoted(tokens[self.asks])} looks at "
            f"{quoted(tokens[self.seen])} with weight {number(weight)}, the other words with "
            f"{number(found['others'][self.seen])} on average."
        )
        if (top := int(row.argmax())) != self.seen:
            text += f" Its largest weight is on {quoted(tokens[top])}: {number(row[top])}."
        return text

    def pictures(self):
        """Return a map of all heads for the two tokens, and the weights of one head."""
        found, tokens = self._found(), self.tokens[self.sentence]
        pair = f"How much ‘{tokens[self.asks]}’ looks at ‘{tokens[self.seen]}’ in each head"
        layers, heads = [f"layer {i}" for i in range(self.layers)], [str(i) for i in range(self.heads)]
        opened = f"Layer {self.layer}, head {self.head}"
        return [
            attention_map(found["pair"], layers, heads, title=pair),
            attention_map(found["A"], tokens, tokens, title=opened),
        ]


@functools.cache
def _extract():
    """Return the sentences, their tokens and all weights in steps of 0.004, as base64."""
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
