"""A figure on splitting and merging heads: the path of each entry of a token, and how a bug changes it."""

import numpy as np
import traitlets

from clearhead.figures.words import number
from clearhead.maths.attention import scaled_dot_product_attention
from clearhead.maths.heads import merge_heads, split_heads

from .figure import Figure, Numbers, expect_shape, source

#: The two heads of chapter 6, side by side.
Q = [[0.0, 1, 0, 1], [2, 0, 2, 0], [0, 2, 0, 2], [1, 2, 3, 0]]
K = [[1.0, 0, 0, 0], [0, 2, 0, 0], [2, 0, 2, 0], [-2, 1, 0, 2]]
V = [[1.0, 0, 1, 1], [0, 2, 0, 2], [2, 0, 2, 0], [2, 1, 0, 1]]
STEPS, RIGHT, SPLIT_WRONG, MERGE_WRONG = 5, 0, 1, 2


class HeadSplit(Figure):
    """An array of values that is split into heads, attended to and merged, step by step.

    Parameters
    ----------
    tokens : list of str
        A name for each row.
    Q, K, V : (T, D) float
        Queries, keys and values of all heads side by side.
    num_heads : () int
        The number of heads, which must divide D.
    step : () int
        0: one row per token. 1: view. 2: transpose. 3: attend. 4: merge.
    bug : () int
        0: correct. 1: the split omits the transpose. 2: the merge omits the transpose.
    """

    what_to_see = (
        "Follow each entry of the value matrix as it is split into heads, attended to and merged again."
    )
    _esm = source("head_split.js")
    tokens = traitlets.List(traitlets.Unicode(), ["To", "date", "the", "cleverest"]).tag(sync=True)
    Q = Numbers(Q).tag(sync=True)
    K = Numbers(K).tag(sync=True)
    V = Numbers(V).tag(sync=True)
    num_heads = traitlets.Int(2, min=1).tag(sync=True)
    step = traitlets.Int(0, min=0, max=STEPS - 1).tag(sync=True)
    bug = traitlets.Int(RIGHT, min=RIGHT, max=MERGE_WRONG).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        T, D = len(self.tokens), np.shape(self.V)[-1]
        for name in ("Q", "K", "V"):
            expect_shape(name, getattr(self, name), (T, D), "one row per token, all heads side by side")

    @traitlets.validate("num_heads")
    def _divides(self, proposal):
        D = np.shape(self.V)[-1]
        if D % proposal["value"]:
            raise traitlets.TraitError(f"{proposal['value']} heads cannot share {D} columns equally.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        H, d, T = (int(size) for size in rng.permutation([2, 3, 4, 5])[:3])
        Q, K, V = rng.normal(size=(3, T, H * d))
        return {"Q": Q, "K": K, "V": V, "num_heads": H, "bug": int(rng.integers(3))}

    @staticmethod
    def compute(Q, K, V, num_heads, bug):
        """Return the values and outputs of each head, its weights, the merged rows, and their tokens."""
        Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
        T, D = V.shape
        split = _split_by_reshape if bug == SPLIT_WRONG else split_heads
        merge = _merge_by_reshape if bug == MERGE_WRONG else merge_heads
        owner = merge(split(np.repeat(np.arange(T), D).reshape(T, D), num_heads))
        Q, K, V = (split(array, num_heads) for array in (Q, K, V))
        Z, A = scaled_dot_product_attention(Q, K, V)
        moved = int((owner != np.arange(T)[:, None]).sum())
        return {"split": V, "weights": A, "mixed": Z, "merged": merge(Z), "owner": owner, "moved": moved}

    @property
    def words(self):
        """Return a sentence on the step and its shape, and on entries in the row of another token."""
        (T, D), H = np.shape(self.V), self.num_heads
        heads, tokens, moved = f"({H}, {T}, {D // H})", f"({T}, {D})", self._computed()["moved"]
        lost = self.bug != RIGHT and self.step >= (2 if self.bug == SPLIT_WRONG else STEPS - 1)
        strays = f"All {T * D} entries are in the row of their own token."
        if lost and moved:
            strays = f"{moved} of {T * D} entries are in the row of another token."
        pieces = "1 piece" if H == 1 else f"{H} pieces"
        reshaped = "No transpose, only a reshape" if self.bug == SPLIT_WRONG else "Transpose"
        merged = "Merge: transpose back, then reshape"
        steps = (
            f"Values, one row per token, shape {tokens}.",
            f"View: each row is cut into {pieces}, shape ({T}, {H}, {D // H}).",
            f"{reshaped}: one block per head, shape {heads}.",
            f"Attend: each head mixes its own rows, shape {heads}.",
            f"{'Merge with only a reshape' if self.bug == MERGE_WRONG else merged}, shape {tokens}.",
        )
        return f"{steps[self.step]} {strays}"

    @property
    def fallback(self):
        """Return HTML with each head's values and the merged rows as tables, followed by `words`."""
        found = self._computed()
        names = [f"head {head}" for head in range(self.num_heads)]
        head = "".join(f"<th scope='col'>{name}</th>" for name in ["token", *names, "merged"])
        rows = "".join(
            f"<tr><th scope='row'>{token}</th>"
            + "".join(f"<td>{_row(values[t])}</td>" for values in found["split"])
            + f"<td>{_row(found['merged'][t])}</td></tr>"
            for t, token in enumerate(self.tokens)
        )
        return self._still(f"<table><tr>{head}</tr>{rows}</table><p>{self.words}</p>")


def _row(numbers):
    return " ".join(number(each) for each in numbers)


def _split_by_reshape(x, num_heads):
    """Return what a split without the transpose gives: rows cut from the array in memory order."""
    return x.reshape(num_heads, len(x), -1)


def _merge_by_reshape(x):
    """Return what a merge without the transpose gives: rows cut from the heads in memory order."""
    return x.reshape(x.shape[1], -1)
