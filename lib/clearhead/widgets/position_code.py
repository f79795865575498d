"""A figure on positional encodings: the similarity of one position to the others, for three encodings."""

import numpy as np
import traitlets

from clearhead.figures import curves
from clearhead.figures.words import number
from clearhead.maths.positions import apply_rotary, rotary_angles, sinusoidal

from .figure import Figure, Numbers, expect_shape, source

NAMES = ("Sine and cosine", "One frequency per column, a common mistake", "Rotary")
FARTHEST = 15
QUERY = [1.0, 0.2, 0.8, 0.5, 0.9, -0.3, 0.7, 0.4]
KEY = [0.8, 0.6, 1.0, 0.1, 0.6, 0.5, 0.9, -0.2]


def one_frequency_per_column(length, d_model):
    """Return an encoding with a common mistake, in which each column has its own frequency."""
    angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(d_model) / d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))


class PositionCode(Figure):
    """A positional encoding as a table, with the dot products of one position and all positions.

    Parameters
    ----------
    view : () int
        0: sine and cosine. 1: the same, but each column has its own frequency. 2: rotary.
    position : () int
        The position whose dot products are shown; in view 2, that of the query.
    offset : () int
        The distance from the position to the second one, or to that of the key.
    length : () int
        The number of positions.
    d_model : () int
        The dimension of the encoding in views 0 and 1, an even number.
    q, k : (d) float
        The query and the key of view 2, each with d = 8 entries: four pairs.
    """

    what_to_see = "Choose a position, and see how similar its encoding is to that of every other position."
    _esm = source("position_code.js")
    view = traitlets.Int(0, min=0, max=2).tag(sync=True)
    position = traitlets.Int(7, min=0).tag(sync=True)
    offset = traitlets.Int(5, min=0, max=FARTHEST).tag(sync=True)
    length = traitlets.Int(40, min=FARTHEST + 2, max=60).tag(sync=True)
    d_model = traitlets.Int(16, min=2, max=18).tag(sync=True)
    q = Numbers(QUERY).tag(sync=True)
    k = Numbers(KEY).tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        expect_shape("q", self.q, (8,), "four pairs of numbers")
        expect_shape("k", self.k, (8,), "four pairs of numbers")
        if self.position + FARTHEST >= self.length:
            raise ValueError(
                f"position is {self.position}, but of {self.length} positions the figure can choose "
                f"0 to {self.length - 1 - FARTHEST}: the others are shown after it."
            )

    @traitlets.validate("d_model")
    def _even(self, proposal):
        if proposal["value"] % 2:
            raise traitlets.TraitError(
                f"d_model is {proposal['value']}, but columns come in pairs: make it even."
            )
        return proposal["value"]

    @staticmethod
    def samples(rng):
        length = int(rng.integers(20, 40))
        places = {
            "position": int(rng.integers(length - 15)),
            "offset": int(rng.integers(16)),
            "length": length,
        }
        q, k = rng.normal(size=(2, 8))
        return {
            "view": int(rng.integers(3)),
            "d_model": int(2 * rng.integers(1, 9)),
            "q": q,
            "k": k,
            **places,
        }

    @staticmethod
    def compute(view, position, offset, length, d_model, q, k):
        """Return the encoding (or the rotated keys), the chosen query vector, and its dot products."""
        if view == 2:
            angles = rotary_angles(length, len(q))
            query_vectors, code = (
                apply_rotary(np.tile(x, (length, 1)).astype(float), angles) for x in (q, k)
            )
        else:
            query_vectors = code = (one_frequency_per_column if view else sinusoidal)(length, d_model)
        return {
            "code": code,
            "query_vectors": query_vectors[position],
            "similarity": code @ query_vectors[position],
            "same_offset": (query_vectors[: length - offset] * code[offset:]).sum(axis=1),
        }

    @property
    def words(self):
        """Return sentences on the similarity of the two positions, and of all pairs at the same distance."""
        found, other = self._computed(), self.position + self.offset
        value, near = number(found["similarity"][other]), found["same_offset"]
        least, most = number(near.min()), number(near.max())
        pairs = f"Over all pairs {self.offset} apart, it ranges from {least} to {most}."
        name, query_vector = NAMES[self.view], found["query_vectors"]
        if self.view < 2:
            return (
                f"{name}: the encodings of positions {self.position} and {other} have "
                f"the dot product {value}. {pairs} "
                f"The squared norm of encoding {self.position} is {number(query_vector @ query_vector)}."
            )
        (a, b), (c, d) = query_vector[:2], found["code"][other][:2]
        angle = number(np.degrees(np.arctan2(a * d - b * c, a * c + b * d)), 0)
        return (
            f"{name}: a query at position {self.position} and a key at position {other} have the score "
            f"{value}. {pairs} The angle from the first hand of the query to that of the key is {angle}°."
        )

    def pictures(self):
        """Return the dot products of the chosen position with all, for the encoding and for the mistake."""
        both = [self._computed(view=view)["similarity"] for view in (0, 1)]
        title = f"Dot product with the encoding of position {self.position}"
        return [curves(range(self.length), both, NAMES[:2], "position", "dot product", title=title)]
