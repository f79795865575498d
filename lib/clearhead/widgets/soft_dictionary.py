"""A figure on the soft dictionary: a query among keys in the plane, its weights, and the weighted value."""

import numpy as np
import traitlets

from clearhead.figures import bars, plane
from clearhead.figures.words import listed, number, quoted
from clearhead.maths.attention import soft_lookup

from .figure import Figure, Numbers, expect_shape, source

#: With this query the scores are (−0.52, −0.52, 1.56): a gap of ln 8, so weights 0.1, 0.1, 0.8.
KEYS = [[-0.5, 1.0], [-0.5, -1.0], [1.5, 0.0]]
VALUES = [[-1.0, -0.6], [0.1, 1.0], [1.0, -0.6]]
ORANGE = [float(np.log(8) / 2), 0.0]


class SoftDictionary(Figure):
    """A query that the reader drags among keys, its weights, and the weighted sum of the values.

    Parameters
    ----------
    K : (S, 2) float
        One key per row.
    V : (S, 2) float
        One value per row.
    q : (2) float
        The query.
    temperature : () float
        The temperature by which the scores are divided.
    key_names, value_names : list of str
        The names of the keys and of the values.
    query_name : str
        The name of the query.
    """

    what_to_see = (
        "Drag the query: the better it matches a key, the more of that key's value is in the answer."
    )
    _esm = source("soft_dictionary.js")
    key_names = traitlets.List(traitlets.Unicode(), ["apple", "banana", "lemon"]).tag(sync=True)
    value_names = traitlets.List(traitlets.Unicode(), ["pomme", "banane", "citron"]).tag(sync=True)
    query_name = traitlets.Unicode("orange").tag(sync=True)
    K = Numbers(KEYS).tag(sync=True)
    V = Numbers(VALUES).tag(sync=True)
    q = Numbers(ORANGE).tag(sync=True)
    temperature = traitlets.Float(1.0, min=0.05).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        S = len(self.key_names)
        expect_shape("K", self.K, (S, 2), "one key with two entries for each name")
        expect_shape("V", self.V, (S, 2), "one value with two entries for each name")
        expect_shape("q", self.q, (2,), "a query in the plane of the keys")
        if len(self.value_names) != S:
            raise ValueError(
                f"There are {S} key names and {len(self.value_names)} value names: give one value each."
            )

    @staticmethod
    def samples(rng):
        S = int(rng.integers(2, 6))
        K, V = rng.normal(size=(2, S, 2))
        return {"q": 3 * rng.normal(size=2), "K": K, "V": V, "temperature": float(rng.uniform(0.05, 4))}

    @staticmethod
    def compute(q, K, V, temperature):
        """Return the scores, the weights, and the weighted sum of the values."""
        q, K, V = (np.asarray(array, dtype=float) for array in (q, K, V))
        mixed, weights = soft_lookup(q, K, V, temperature)
        return {"scores": K @ q, "weights": weights, "mixed": mixed}

    @property
    def words(self):
        """Return sentences on the weights of the keys, and on the answer."""
        found = self._computed()
        weights = [number(weight) for weight in found["weights"]]
        looks = listed(f"{quoted(name)} {w}" for name, w in zip(self.key_names, weights, strict=True))
        mix = " + ".join(f"{w} {name}" for name, w in zip(self.value_names, weights, strict=True))
        x, y = (number(part) for part in found["mixed"])
        answer = f"The answer is {mix} (rounded), the point ({x}, {y})."
        return f"{quoted(self.query_name)} looks at {looks}. {answer}"

    def pictures(self):
        """Return the keys with the query, the weights, and the values with their weighted sum."""
        found = self._computed()
        S = len(self.key_names)
        asked = plane([*self.K, self.q], [*self.key_names, self.query_name], ["key"] * S + ["query"])
        weights = bars(self.key_names, found["weights"], title="Weights of the values in the answer")
        mixed = [*self.V, found["mixed"]], [*self.value_names, "answer"]
        return [asked, weights, plane(*mixed, ["value"] * S + ["weight"], arrows=False)]
