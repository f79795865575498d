"""A figure on the division of scores by √d_k: the weights of random queries with and without it."""

import numpy as np
import traitlets

from clearhead.figures import attention_map, curves
from clearhead.figures.words import number
from clearhead.maths.softmax import softmax

from .figure import Figure, source

SIZES = tuple(2**power for power in range(2, 11))
SHOWN = 8


def normals(seed, count):
    """Return standard normal numbers that depend only on the seed, as in the JavaScript of the page."""
    u = _uniform(seed, 2 * count).reshape(count, 2)
    return np.sqrt(-2 * np.log(u[:, 0])) * np.cos(2 * np.pi * u[:, 1])


def _uniform(seed, count):
    step = np.arange(1, count + 1, dtype=np.uint32) * np.uint32(0x6D2B79F5)
    a = step + np.uint32(seed)
    t = (a ^ (a >> 15)) * (a | 1)
    t = (t + (t ^ (t >> 7)) * (t | 61)) ^ t
    return ((t ^ (t >> 14)) + 0.5) / 2**32


class Scaling(Figure):
    """Attention weights of random queries over random keys, for a d_k that the reader chooses.

    Parameters
    ----------
    d_k : () int
        The dimension of a query and a key: a power of 2 from 4 to 1024.
    scaled : () bool
        Whether the scores are divided by √d_k.
    num_queries, num_keys : () int
        The numbers of queries and of keys.
    seed : () int
        The seed of the random numbers.
    """

    what_to_see = (
        "Without the division by √d_k, the attention weights become nearly one-hot as d_k grows: try both."
    )
    _esm = source("scaling.js")
    d_k = traitlets.Int(256).tag(sync=True)
    scaled = traitlets.Bool(False).tag(sync=True)
    num_queries = traitlets.Int(64, min=SHOWN).tag(sync=True)
    num_keys = traitlets.Int(11, min=2).tag(sync=True)
    seed = traitlets.Int(5).tag(sync=True)

    @traitlets.validate("d_k")
    def _power_of_two(self, proposal):
        if proposal["value"] not in SIZES:
            raise traitlets.TraitError(f"d_k is {proposal['value']}; the figure knows {SIZES}.")
        return proposal["value"]

    @staticmethod
    def samples(rng):
        sizes = {"num_queries": int(rng.integers(8, 20)), "num_keys": int(rng.integers(2, 14))}
        return {
            "d_k": int(2 ** rng.integers(2, 11)),
            "scaled": bool(rng.integers(2)),
            "seed": int(rng.integers(999)),
            **sizes,
        }

    @staticmethod
    def compute(d_k, scaled, num_queries, num_keys, seed):
        """Return the weights for d_k, and the mean largest weight and mean entropy for every size."""
        rows = num_queries + num_keys
        drawn = normals(seed, rows * SIZES[-1]).reshape(rows, SIZES[-1])
        largest, entropy = [], []
        for size in SIZES:
            scores = drawn[:num_queries, :size] @ drawn[num_queries:, :size].T
            A = softmax(scores / np.sqrt(size) if scaled else scores)
            largest.append(A.max(axis=1).mean())
            entropy.append(-(A * np.log(np.maximum(A, 1e-300))).sum(axis=1).mean())
            if size == d_k:
                weights = A
        return {"weights": weights, "largest": np.array(largest), "entropy": np.array(entropy)}

    @property
    def words(self):
        """Return a sentence on the largest weight and on the entropy of the weights."""
        found, at = self._computed(), SIZES.index(self.d_k)
        how = "divided by √d_k" if self.scaled else "not scaled"
        sharp, flat = (number(found[name][at]) for name in ("largest", "entropy"))
        return (
            f"d_k = {self.d_k}, scores {how}: the largest of {self.num_keys} weights is {sharp} on average; "
            f"the entropy is {flat} of at most {number(np.log(self.num_keys))}."
        )

    def pictures(self):
        """Return the weights of the first queries, and the largest weight for every d_k, scaled or not."""
        both = [self._computed(scaled=scaled)["largest"] for scaled in (False, True)]
        names = [f"q{i + 1}" for i in range(SHOWN)], [f"k{j + 1}" for j in range(self.num_keys)]
        A = self._computed()["weights"][:SHOWN]
        sharp = curves(SIZES, both, ["not scaled", "divided by √d_k"], "d_k", "largest weight", xscale="log2")
        return [attention_map(A, *names), sharp]
