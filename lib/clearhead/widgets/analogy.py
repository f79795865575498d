"""A figure on analogies: the step from one word vector to another, added to the vector of a third word."""

import functools

import numpy as np
import traitlets

from clearhead.figures import bars, plane
from clearhead.figures.words import listed, number, quoted
from clearhead.maths.embeddings import nearest

from .figure import Figure, Numbers, expect_shape, source

COMMON_WORDS = (
    "man woman king queen kings queens prince princess boy girl girls men women father mother dad mom son "
    "daughter brother sister uncle aunt cousin grandfather grandmother actor actress germany german berlin "
    "france french paris japan japanese tokyo italy italian rome spain spanish madrid egypt cairo greece "
    "greek athens portugal lisbon china beijing england london walk walking swim swimming run running runner "
    "eat eating big bigger biggest small smaller smallest good better bad worse tower towers building "
    "skyscraper castle throne apple fruit iphone banana cup coffee tea"
)
LABELS = COMMON_WORDS.split()
EXAMPLES = (
    "man king woman, man uncle woman, germany berlin japan, germany berlin egypt, walk walking swim, "
    "big bigger small, good better bad, man father woman"
)


class Analogy(Figure):
    """The step from word a to word b, added to word c, in the plane through the vectors of a, b and c.

    Parameters
    ----------
    labels : list of str
        The words.
    E : (V, D) float
        One vector per word; its length does not matter.
    a, b, c : int
        The ids of three of the words.
    exclude : bool
        Exclude a, b and c from the answers.
    examples : list of list of int
        The ids a, b and c that the button "Another example" shows in turn.
    """

    what_to_see = (
        "The step from one word to another is a vector: carry it to a third word, and see which word "
        "lies nearest to its end."
    )
    _esm = source("analogy.js")
    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    E = Numbers().tag(sync=True)
    a = traitlets.Int(0, min=0).tag(sync=True)
    b = traitlets.Int(2, min=0).tag(sync=True)
    c = traitlets.Int(1, min=0).tag(sync=True)
    exclude = traitlets.Bool(True).tag(sync=True)
    examples = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)

    def __init__(self, **traits):
        if "labels" not in traits and "E" not in traits:
            traits = {"labels": LABELS, "E": _real_vectors(), "examples": _ids(EXAMPLES)} | traits
        super().__init__(**traits)
        V = len(self.labels)
        expect_shape("E", self.E, (V, None), "one vector for each label")
        if max(self.a, self.b, self.c) >= V:
            raise ValueError(f"a, b and c are {self.a}, {self.b} and {self.c}; give ids below {V}.")
        self.examples = self.examples or [[self.a, self.b, self.c], [self.b, self.a, self.c]]

    @staticmethod
    def samples(rng):
        V, D = (int(size) for size in rng.permutation(np.arange(4, 12))[:2])
        a, b, c = (int(i) for i in rng.integers(V, size=3))  # sometimes twice the same word
        return {"E": rng.normal(size=(V, D)), "a": a, "b": b, "c": c, "exclude": bool(rng.integers(2))}

    @staticmethod
    def compute(E, a, b, c, exclude):
        """Return the cosines with b - a + c, the words by nearness, and all words projected on the plane."""
        E = np.asarray(E, dtype=float)
        rows = E / np.linalg.norm(E, axis=1, keepdims=True)
        target = rows[b] - rows[a] + rows[c]
        plane = _directions(rows[b] - rows[a], rows[c] - rows[a]).T
        return {
            "cosines": rows @ target / (np.linalg.norm(target) or 1),
            "order": nearest(rows, target, (a, b, c) if exclude else ()),
            "points": rows @ plane,
            "target": target @ plane,
        }

    @property
    def words(self):
        """Return a sentence on the words that are nearest to b - a + c."""
        found, labels = self._computed(), self.labels
        top = [f"{quoted(labels[i])} ({number(found['cosines'][i])})" for i in found["order"][:3]]
        rule = "with these three words excluded" if self.exclude else "with no word excluded"
        asked = f"{labels[self.b]} − {labels[self.a]} + {labels[self.c]}, {rule}"
        return f"{asked}: the nearest of {len(labels)} words is {top[0]}, followed by {listed(top[1:])}."

    def pictures(self):
        """Return the four words of the analogy in the plane, and the largest cosines as bars."""
        found, top = self._computed(), self._computed()["order"][:6]
        shown = list(dict.fromkeys([self.a, self.b, self.c, int(top[0])]))
        points = [*found["points"][shown], found["target"]]
        names = [*(self.labels[i] for i in shown), "b − a + c"]
        kinds = ["plain"] * (len(shown) - 1) + ["value", "query"]
        middle = np.mean([*found["points"][[self.a, self.b, self.c]], found["target"]], axis=0)
        drawn = plane(np.array(points) - middle, names, kinds, arrows=False)
        return [
            drawn,
            bars(
                [self.labels[i] for i in top], found["cosines"][top], title="Cosine with the end of the arrow"
            ),
        ]


def _directions(first, second):
    """Return two orthonormal rows that span the plane of two steps; axes replace zero or parallel steps."""
    found = []
    for candidate in (first, second, *np.eye(len(first))[:3]):
        rest = candidate - sum((candidate @ d) * d for d in found)
        if len(found) < 2 and rest @ rest > 1e-6:
            found.append(rest / np.linalg.norm(rest))
    return np.array(found)


@functools.cache
def _real_vectors():
    """Return the vectors of LABELS, rotated into as many dimensions as there are labels.

    The rotation leaves all cosines unchanged.
    """
    from clearhead.pretrained import word_vectors

    words, E = word_vectors()
    rows = E[[words.index(label) for label in LABELS]].astype(float)
    left, strengths, _ = np.linalg.svd(rows, full_matrices=False)
    return np.round(left * strengths, 3).tolist()


def _ids(examples):
    """Return the ids of the words in each example of a string such as "man king woman, walk walking swim"."""
    return [[LABELS.index(word) for word in example.split()] for example in examples.split(",")]
