"""A figure on how far information travels from one token to another, in four kinds of layers."""

import numpy as np
import traitlets

from clearhead.figures import bars

from .figure import Figure, source

KINDS = ("fully connected", "convolution", "recurrent", "attention")


class PathLength(Figure):
    """The path from one token to another in one kind of layer, its length, and the layer's parameters.

    Parameters
    ----------
    kind : () int
        0 is fully connected, 1 a convolution, 2 recurrent, 3 attention.
    n : () int
        The number of tokens, 2 to 16.
    window : () int
        The number of tokens that a convolution reads, with its own position in the middle: 3, 5, 7 or 9.
    start, end : () int
        The token where the path begins and the position where it ends, counted from 1. Numbers above n
        mean the last token.
    width : () int
        The dimension D of a token. Biases are not counted.
    """

    what_to_see = (
        "See how many layers information must pass through on its way from one token to another in "
        "each kind of network."
    )
    _esm = source("path_length.js")
    kind = traitlets.Int(0, min=0, max=3).tag(sync=True)
    n = traitlets.Int(10, min=2, max=16).tag(sync=True)
    window = traitlets.Int(3, min=3, max=9).tag(sync=True)
    start = traitlets.Int(2, min=1, max=16).tag(sync=True)
    end = traitlets.Int(9, min=1, max=16).tag(sync=True)
    width = traitlets.Int(64, min=1, max=4096).tag(sync=True)

    @traitlets.validate("window")
    def _has_a_middle(self, proposal):
        if proposal["value"] % 2 == 0:
            raise traitlets.TraitError(
                f"window is {proposal['value']}, but a window with a middle has an odd size."
            )
        return proposal["value"]

    @staticmethod
    def samples(rng):
        ends = {"start": int(rng.integers(1, 17)), "end": int(rng.integers(1, 17))}
        sizes = {"n": int(rng.integers(2, 17)), "window": int(2 * rng.integers(1, 5) + 1)}
        return {"kind": int(rng.integers(4)), "width": int(rng.integers(1, 200)), **sizes, **ends}

    @staticmethod
    def compute(kind, n, window, start, end, width):
        """Return the path as (position, row) pairs, its length (0 if there is none), and the parameters."""
        start, end = min(start, n), min(end, n)
        away, reach = abs(end - start), (window - 1) // 2
        path = [[start, 0], [end, 1]]
        if kind == 1:
            rows = range(max(1, -(-away // reach)) + 1)
            path = [[start + int(np.sign(end - start)) * min(row * reach, away), row] for row in rows]
        elif kind == 2:
            path = [[start, 0], *([place, 1] for place in range(start, end + 1))] if end >= start else []
        parameters = width**2 * [n**2, window, 2, 4][kind]
        return {"path": path, "length": max(len(path) - 1, 0), "parameters": parameters}

    @property
    def words(self):
        """Return sentences on the length of the path, and on the parameters of a layer."""
        found = self._computed()
        way = f"from token {min(self.start, self.n)} to position {min(self.end, self.n)} of {self.n}"
        unit = "step" if self.kind == 2 else "layer"
        far = f"{found['length']} {unit}{'' if found['length'] == 1 else 's'}"
        name = ["Fully connected", f"Convolution, window {self.window}", "Recurrent", "Attention"][self.kind]
        sentence = f"{way} it takes {far}"
        if not found["length"]:
            sentence = f"there is no path {way}, because this layer reads from left to right"
        grows = " for any number of tokens" if self.kind else ", and more with every further token"
        size = f"A layer of width {self.width} has {found['parameters']:,} parameters{grows}."
        return f"{name}: {sentence}. {size}"

    def pictures(self):
        """Return the length of the path in all four kinds of layers as bars."""
        lengths = [self._computed(kind=kind)["length"] for kind in range(4)]
        return [
            bars(
                list(KINDS),
                lengths,
                title=f"Length of the path from token {self.start} to position {self.end}",
            )
        ]
