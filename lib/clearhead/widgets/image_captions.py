"""A figure on images and captions: cosines, their softmax over rows or columns, and the loss."""

import numpy as np
import traitlets

from clearhead.figures import attention_map
from clearhead.figures.words import number, quoted
from clearhead.maths.losses import cross_entropy, info_nce
from clearhead.maths.softmax import softmax
from clearhead.maths.vectors import unit_vectors
from clearhead.maths.vision import retrieve

from .figure import Figure, expect_shape, source

BATCHES = ("six digits", "a repeated caption", "misclassified images")


def _trained():
    """Return images, names and vectors of three batches of test digits from the trained mini-CLIP."""
    from clearhead.pretrained.mini_clip import NAMES, mini_clip

    clip = mini_clip()
    found = retrieve(clip.x, clip.y)
    fine = {digit: np.flatnonzero((clip.labels == digit) & (found == digit)) for digit in range(10)}
    wrong = np.flatnonzero(found != clip.labels)
    _, first = np.unique(clip.labels[wrong], return_index=True)
    twice = [fine[3][0], fine[3][1], *(fine[digit][1] for digit in (8, 5, 1, 9))]
    batches = [[fine[digit][0] for digit in (0, 1, 3, 4, 6, 7)], twice, wrong[np.sort(first)][:6]]
    labels = [clip.labels[batch] for batch in batches]
    return {
        "images": [clip.images[batch].reshape(6, 64).tolist() for batch in batches],
        "names": [[NAMES[digit] for digit in batch] for batch in labels],
        "x": [np.round(clip.x[batch], 4).tolist() for batch in batches],
        "y": [np.round(clip.y[batch], 4).tolist() for batch in labels],
    }


class ImageCaptions(Figure):
    """The similarities, the probabilities and the InfoNCE loss of a batch of images and captions.

    Parameters
    ----------
    batch : () int
        The index of the batch that is shown.
    temperature : () float
        The temperature by which the cosines are divided.
    columns : () int
        0: each image chooses a caption (rows sum to 1). 1: each caption chooses an image (columns do).
    wrong : () int
        0, or the number of an image, from 1, that gets the caption of the next one.
    images : list of (B, 64) int
        Grey values of the images in each batch.
    names : list of list of str
        Their captions.
    x, y : list of (B, D) float
        The vectors of images and captions.
    """

    what_to_see = (
        "Every image should be most similar to its own caption: see what the temperature and a wrong "
        "caption do to the loss."
    )
    _esm = source("image_captions.js")
    batches = traitlets.List(traitlets.Unicode(), list(BATCHES)).tag(sync=True)
    images = traitlets.List().tag(sync=True)
    names = traitlets.List().tag(sync=True)
    x = traitlets.List().tag(sync=True)
    y = traitlets.List().tag(sync=True)
    batch = traitlets.Int(1, min=0).tag(sync=True)
    temperature = traitlets.Float(0.07, min=0.001).tag(sync=True)
    columns = traitlets.Int(0, min=0, max=1).tag(sync=True)
    wrong = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(self, **traits):
        if not {"images", "names", "x", "y"} & set(traits):
            traits |= _trained()
        super().__init__(**traits)
        for names, x, y in zip(self.names, self.x, self.y, strict=True):
            expect_shape("x", x, (len(names), None), "one vector for each image")
            expect_shape("y", y, np.shape(x), "one vector for each caption, of the same dimension")

    @staticmethod
    def samples(rng):
        B, D = (int(size) for size in rng.permutation(np.arange(2, 9))[:2])
        x, y = rng.normal(size=(2, B, D))
        y[rng.integers(B)] *= rng.integers(2)  # sometimes zeros: they have no direction
        turns = {"columns": int(rng.integers(2)), "wrong": int(rng.integers(B + 1))}
        return {"x": x, "y": y, "temperature": float(10 ** rng.uniform(-2, 0.6)), **turns}

    @staticmethod
    def compute(x, y, temperature, columns, wrong):
        """Return cosines, probabilities, the loss, its two halves, and which images find their captions."""
        x, y = np.asarray(x, dtype=float), np.array(y, dtype=float)
        if wrong:
            y[wrong - 1] = y[wrong % len(y)]
        cosines, partners = unit_vectors(x) @ unit_vectors(y).T, np.arange(len(x))
        logits = cosines / temperature
        weights = softmax(logits.T).T if columns else softmax(logits)
        return {
            "cosines": cosines,
            "weights": weights,
            "loss": info_nce(x, y, temperature),
            "halves": [cross_entropy(logits, partners), cross_entropy(logits.T, partners)],
            "found": (np.diag(cosines) > cosines.max(axis=1) - 1e-9).astype(int),
        }

    def _computed(self):
        x, y = self.x[self.batch], self.y[self.batch]
        return self.compute(x, y, self.temperature, self.columns, self.wrong)

    def _captions(self):
        """Return the captions that are shown, including the wrong one if there is one."""
        names = list(self.names[self.batch])
        if self.wrong:
            names[self.wrong - 1] = names[self.wrong % len(names)]
        return names

    @property
    def words(self):
        """Return sentences on how many images find their captions, on the loss, and on the loss of chance."""
        found, names = self._computed(), self._captions()
        B, (rows, columns) = len(names), found["halves"]
        text = (
            f"{found['found'].sum()} of {B} images are most similar to their own caption. "
            f"At T = {number(self.temperature)} the loss is {number(found['loss'])}: "
            f"{number(rows)} along rows, {number(columns)} along columns. "
            f"Chance is ln {B} = {number(np.log(B))}."
        )
        counts = [names.count(name) for name in set(names)]
        if max(counts) > 1:
            least = sum(count * np.log(count) for count in counts) / B
            text += f" A caption occurs more than once here, so no model gets below {number(least)}."
        if self.wrong:
            text += f" Image {self.wrong} has the wrong caption {quoted(names[self.wrong - 1])}."
        return text

    def pictures(self):
        """Return the probabilities as a map of images and captions."""
        names = [f"{n} {name}" for n, name in enumerate(self.names[self.batch], 1)]
        return [
            attention_map(self._computed()["weights"], names, self._captions(), title="Images and captions")
        ]
