"""A figure on two attention patterns with one output: weights change, but their weighted sum does not."""

import numpy as np
import traitlets

from clearhead.figures import bars, plane
from clearhead.figures.words import listed, number

from .figure import Figure, Numbers, expect_shape, source

#: Four values at the corners of a square; shifting the weights along `change` leaves the output as it is.
VALUES = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
CHANGE = [1.0, -1.0, 1.0, -1.0]
LIFTED = 2


class TwoPatterns(Figure):
    """Attention weights that can be changed while the output of the attention stays the same.

    Parameters
    ----------
    tokens : list of str
        Four names.
    V : (S, 2) float
        Their values, S = 4.
    change : (S) float
        The direction in which the weights change, which sums to 0.
    slide : () float
        The size of the change, from -0.25 to 0.25. At 0, all weights are equal.
    lift : () float
        The distance by which the third value is moved outwards, so that the change affects the output.
    """

    what_to_see = (
        "Different attention weights can give exactly the same output: shift the weights, and then "
        "move one value."
    )
    _esm = source("two_patterns.js")
    tokens = traitlets.List(traitlets.Unicode(), ["red", "round", "left", "large"]).tag(sync=True)
    V = Numbers(VALUES).tag(sync=True)
    change = Numbers(CHANGE).tag(sync=True)
    slide = traitlets.Float(0.2, min=-0.25, max=0.25).tag(sync=True)
    lift = traitlets.Float(0.0, min=0, max=1).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        expect_shape("V", self.V, (len(self.tokens), 2), "one value in the plane for each token")
        expect_shape("change", self.change, (len(self.tokens),), "one number for each weight")

    @staticmethod
    def samples(rng):
        change = rng.normal(size=4)
        state = {"slide": float(rng.uniform(-0.25, 0.25)), "lift": float(rng.random())}
        return {"V": rng.normal(size=(4, 2)), "change": change - change.mean(), **state}

    @staticmethod
    def compute(V, change, slide, lift):
        """Return the weights, the output, and its distance from the output of equal weights."""
        V, change = np.array(V, dtype=float), np.asarray(change, dtype=float)
        V[LIFTED] += lift
        weights = 1 / len(V) + slide * change
        output = weights @ V
        return {"weights": weights, "output": output, "moved": np.linalg.norm(output - V.mean(axis=0))}

    @property
    def words(self):
        """Return sentences on the weights, on the output, and on whether the output has moved."""
        found = self._computed()
        weights = listed([f"{t} {number(w)}" for t, w in zip(self.tokens, found["weights"], strict=True)])
        place = ", ".join(number(each) for each in found["output"])
        moved = found["moved"]
        said = f"{number(moved)} away from" if moved > 5e-3 else "exactly where it is for"
        return f"The weights are {weights}. The output is ({place}), {said} four equal weights."

    def pictures(self):
        """Return the weights as bars, and the values with the output in the plane."""
        found = self._computed()
        points = np.vstack([np.array(self.V) + np.eye(4)[LIFTED, :, None] * self.lift, found["output"]])
        names = [*self.tokens, "output"]
        return [
            bars(self.tokens, found["weights"], title="Weights"),
            plane(points, names, ["value"] * 4 + ["weight"], arrows=False, title="Values and output"),
        ]
