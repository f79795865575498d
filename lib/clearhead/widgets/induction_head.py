"""A figure on induction heads: a net of two layers learns to copy, at twenty checkpoints of its training."""

from base64 import b64encode

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import number, quoted
from clearhead.maths.circuits import prefix_matching_score, previous_token_score
from clearhead.maths.heads import multi_head_attention
from clearhead.maths.layers import linear
from clearhead.maths.masks import causal_mask
from clearhead.maths.softmax import softmax
from clearhead.pretrained.induction import LETTERS, SIZES, checkpoints, shapes, unpacked

from .figure import Figure, source

HEADS = [
    f"layer {layer}, head {head}"
    for layer in range(SIZES["num_layers"])
    for head in range(SIZES["num_heads"])
]


class InductionHead(Figure):
    """A string of letters from a to p, the attention of each head, and the letters that the net predicts.

    Parameters
    ----------
    text : str
        Up to 24 letters from a to p; other characters are ignored.
    moment : () int
        The index of the checkpoint of the training, from 0 to 19.
    position : () int
        The letter whose attention is shown, counted from 0.
    codes, scales : str
        All weights of all checkpoints in base64: int8, and float32 for each tensor, as `pretrained.induction`
        keeps them.
    tensors : list
        The name and shape of each tensor, in the order of the codes.
    steps, accuracy, loss : list
        Measured at each checkpoint on 400 new strings.
    """

    what_to_see = (
        "Type letters that repeat: the induction head attends to the letter that followed the same "
        "letter earlier, and copies it."
    )
    _esm = source("induction_head.js")
    text = traitlets.Unicode("goldfinchgoldfin").tag(sync=True)
    moment = traitlets.Int(19, min=0).tag(sync=True)
    position = traitlets.Int(12, min=0).tag(sync=True)
    num_heads = traitlets.Int(SIZES["num_heads"]).tag(sync=True)
    longest = traitlets.Int(SIZES["context_length"]).tag(sync=True)
    letters = traitlets.Unicode(LETTERS).tag(sync=True)
    tensors = traitlets.List([[name, *shape] for name, shape in shapes().items()]).tag(sync=True)
    codes = traitlets.Unicode().tag(sync=True)
    scales = traitlets.Unicode().tag(sync=True)
    steps = traitlets.List().tag(sync=True)
    accuracy = traitlets.List().tag(sync=True)
    loss = traitlets.List().tag(sync=True)

    def __init__(self, **traits):
        found = checkpoints()
        self._codes, self._scales = found["codes"], found["scales"]
        given = {name: found[name].tolist() for name in ("steps", "accuracy", "loss")}
        weights = {name: b64encode(found[name].tobytes()).decode("ascii") for name in ("codes", "scales")}
        super().__init__(**(weights | given | traits))

    @staticmethod
    def samples(rng):
        V, S, H, d = (int(size) for size in rng.permutation([3, 4, 5, 6]))
        D, T = H * d, int(rng.integers(1, S + 1))
        blocks = [
            {part: {"weight": rng.normal(size=(D, D)) / 4} for part in ("query", "key", "value", "output")}
            for _ in range(2)
        ]
        tables = {"tokens": rng.normal(size=(V, D)), "positions": rng.normal(size=(S, D)), "blocks": blocks}
        parameters = tables | {"unembed": {"weight": rng.normal(size=(D, V))}}
        return {"parameters": parameters, "ids": rng.integers(V, size=T), "num_heads": H}

    @staticmethod
    def compute(parameters, ids, num_heads):
        """Return logits, probabilities, the attention maps of all heads, and the scores of the heads."""
        ids = np.asarray(ids, dtype=int)
        x = np.asarray(parameters["tokens"])[ids] + np.asarray(parameters["positions"])[: len(ids)]
        mask, maps = causal_mask(len(ids)), []
        for block in parameters["blocks"]:
            arrays = {name: {"weight": np.asarray(part["weight"])} for name, part in block.items()}
            Z, A = multi_head_attention(x, x, arrays, num_heads, mask)
            x, maps = x + Z, [*maps, *A]
        logits = linear(x, np.asarray(parameters["unembed"]["weight"]))
        A = np.stack(maps)
        return {
            "logits": logits,
            "probabilities": softmax(logits),
            "maps": A,
            "previous": previous_token_score(A) if len(ids) > 1 else np.zeros(len(A)),
            "induction": prefix_matching_score(A, ids),
        }

    @property
    def ids(self):
        """Return the ids of the letters that the net reads."""
        return [LETTERS.index(letter) for letter in self.text.lower() if letter in LETTERS][: self.longest]

    def _computed(self):
        parameters = unpacked(self._codes[self.moment], self._scales[self.moment])
        return self.compute(parameters, self.ids or [0], self.num_heads)

    @property
    def words(self):
        """Return sentences on the prediction, on the best heads, and on the accuracy at this checkpoint."""
        found, ids = self._computed(), self.ids or [0]
        t = min(self.position, len(ids) - 1)
        prediction, half = int(found["probabilities"][t].argmax()), len(HEADS) // 2
        before, match = int(found["previous"][:half].argmax()), half + int(found["induction"][half:].argmax())
        looks = int(found["maps"][match][t].argmax())
        right = number(100 * self.accuracy[self.moment], 0)
        return (
            f"After {self.steps[self.moment]} training steps, the accuracy on new strings is {right} %. "
            f"At letter {t + 1}, {quoted(LETTERS[ids[t]])}, the net predicts "
            f"{quoted(LETTERS[prediction])}, {number(found['probabilities'][t, prediction])}. "
            f"Best previous-token head: {HEADS[before]}, {number(found['previous'][before])}. "
            f"Best induction head: {HEADS[match]}, {number(found['induction'][match])}; "
            f"here it attends most to letter {looks + 1}, {quoted(LETTERS[ids[looks]])}."
        )

    def pictures(self):
        """Return the attention maps of the best previous-token head and of the best induction head."""
        found, half = self._computed(), len(HEADS) // 2
        letters = [LETTERS[i] for i in self.ids or [0]]
        best = {
            "previous token": int(found["previous"][:half].argmax()),
            "induction": half + int(found["induction"][half:].argmax()),
        }
        return [
            attention_map(found["maps"][h], letters, letters, f"{HEADS[h]}: {name}")
            for name, h in best.items()
        ]
