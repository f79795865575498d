"""A figure on nearly orthogonal directions: the cosines of all pairs of vectors, in N dimensions."""

import numpy as np
import traitlets

from clearhead.figures import bars, histogram
from clearhead.figures.words import number
from clearhead.maths.embeddings import identity_plus_hadamard, pair_cosines, welch_bound

from .figure import Figure, source
from .scaling import normals

MOST = 512
BINS = 81  # odd, so that right angles fall into the middle of a bin
NEAR = (1, 5, 10, 20)


class NearOrthogonal(Figure):
    """The angles between all pairs of M directions in N dimensions, with 1/√N and the Welch bound.

    Parameters
    ----------
    dimensions : () int
        N, the dimension of a vector: a power of 2 from 2 to 512.
    vectors : () int
        M, the number of vectors, from 2 to 512.
    constructed : () int
        0: random directions. 1: the axes, and then the rows of a Hadamard matrix, at most 2N directions.
    seed : () int
        The seed of the random numbers.
    """

    what_to_see = (
        "The more dimensions there are, the closer random directions come to right angles: change N "
        "and M, and watch the angles."
    )
    _esm = source("near_orthogonal.js")
    dimensions = traitlets.Int(64, min=2, max=MOST).tag(sync=True)
    vectors = traitlets.Int(128, min=2, max=MOST).tag(sync=True)
    constructed = traitlets.Int(0, min=0, max=1).tag(sync=True)
    seed = traitlets.Int(2).tag(sync=True)

    @traitlets.validate("dimensions")
    def _power_of_two(self, proposal):
        if proposal["value"] & (proposal["value"] - 1):
            raise traitlets.TraitError(f"dimensions is {proposal['value']}; the figure knows powers of 2.")
        return proposal["value"]

    @staticmethod
    def directions(dimensions, vectors, constructed, seed):
        """Return one vector per row; more random vectors or dimensions do not change earlier entries."""
        if constructed:
            return identity_plus_hadamard(dimensions)[:vectors]
        return normals(seed, MOST * MOST).reshape(MOST, MOST)[:vectors, :dimensions]

    @staticmethod
    def samples(rng):
        sizes = {"dimensions": int(2 ** rng.integers(1, 10)), "vectors": int(rng.integers(2, 300))}
        return {"constructed": int(rng.integers(2)), "seed": int(rng.integers(999)), **sizes}

    @staticmethod
    def compute(dimensions, vectors, constructed, seed):
        """Return the histogram of the cosines, their root mean square, and the worst pair with its bound."""
        X = NearOrthogonal.directions(dimensions, vectors, constructed, seed)
        cosines = pair_cosines(X)
        places = np.floor((cosines + 1) / 2 * BINS).astype(int).clip(0, BINS - 1)
        largest, least = min(np.abs(cosines).max(), 1), welch_bound(len(X), dimensions)
        off = np.degrees(np.arcsin(np.minimum(np.abs(cosines), 1)))
        return {
            "used": len(X),
            "counts": np.bincount(places, minlength=BINS),
            "spread": np.sqrt(np.mean(cosines**2)),
            "expected": 1 / np.sqrt(dimensions),
            "largest": largest,
            "off": np.degrees(np.arcsin(largest)),
            "welch": least,
            "least_off": np.degrees(np.arcsin(least)),
            "near": np.array([np.mean(off <= degrees + 1e-6) for degrees in NEAR]),
        }

    @property
    def words(self):
        """Return sentences on the cosines, the worst pair, and how many directions can be orthogonal."""
        found, N = self._computed(), self.dimensions
        M, pairs = found["used"], found["used"] * (found["used"] - 1) // 2
        how = ("random", "constructed")[self.constructed]
        ends = " (there are no more of this kind)" if self.vectors > M else ""
        text = (
            f"{M} {how} directions{ends} in {N} dimensions, {pairs:,} pair{'s' * (pairs > 1)}: "
            f"the root mean square of the cosines is {number(found['spread'])}, and 1/√N is "
            f"{number(found['expected'])}. The largest absolute cosine is {number(found['largest'])}, "
            f"an angle {number(found['off'], 1)}° off 90°. "
        )
        if M <= N:
            they = "Both" if M == 2 else f"All {M}"
            room = f"because {N} dimensions have {N} orthogonal directions."
            return text + f"{they} could be orthogonal, {room}"
        must = f"among {M}, at least one pair is {number(found['least_off'], 1)}° off or more."
        return text + f"At most {N} directions can be orthogonal; {must}"

    def pictures(self):
        """Return the histogram of the cosines, and the fractions of pairs near a right angle."""
        cosines = pair_cosines(self.directions(self.dimensions, self.vectors, self.constructed, self.seed))
        near = self._computed()["near"]
        title = f"All pairs in {self.dimensions} dimensions"
        names = [f"within {degrees}°" for degrees in NEAR]
        return [
            histogram(cosines, "cosine", title=title),
            bars(names, near, "Fraction of pairs near a right angle"),
        ]
