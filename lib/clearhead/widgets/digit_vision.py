"""A figure in which a small vision transformer reads a drawn digit, at twenty checkpoints of its training."""

import base64

import numpy as np
import traitlets

from clearhead.figures import bars, curves
from clearhead.figures.words import number, quoted
from clearhead.maths.models import vision_transformer
from clearhead.maths.rollout import attention_rollout, encoder_attention
from clearhead.maths.softmax import softmax
from clearhead.maths.vision import add_class_token, patch_embed
from clearhead.pretrained.digits_vit import (
    FILE,
    NUM_HEADS,
    PATCH_SIZE,
    dequantised,
    digit_examples,
    digits_training,
)

from .figure import Figure, Numbers, expect_shape, source

ARRAYS, COUNT = 40, 4198


def packed():
    """Return the weights of all checkpoints as base64: integers of one byte, followed by their scales."""
    with np.load(FILE) as file:
        raw = file["codes"].tobytes() + file["scales"].astype("<f4").tobytes()
    return base64.b64encode(raw).decode("ascii")


def unpacked(weights, checkpoint):
    """Return the weights of one checkpoint from the base64 string of `packed`."""
    raw = base64.b64decode(weights)
    moments = len(raw) // (COUNT + 4 * ARRAYS)
    codes = np.frombuffer(raw, np.int8, moments * COUNT).reshape(moments, COUNT)
    scales = np.frombuffer(raw, "<f4", offset=codes.size).reshape(moments, ARRAYS)
    return dequantised(codes[checkpoint], scales[checkpoint])


class DigitVision(Figure):
    """A digit to draw, the digit that a vision transformer predicts, and where its class token attends.

    Parameters
    ----------
    image : (8, 8) float
        The reader's own drawing: ink from 0 to 1.
    preset : () int
        The example that is shown; -1 is the reader's own drawing.
    checkpoint : () int
        The checkpoint of the training, from 0 to 19.
    eraser : () bool
        Whether drawing erases ink instead of adding it.
    weights : str
        All weights of all checkpoints in base64, because pages and Jupyter transfer text.
    steps, losses, accuracies : list
        The number of steps, the loss and the test accuracy at each checkpoint.
    digits, labels : list
        Examples from the test set, ink in sixteenths.
    """

    what_to_see = (
        "Draw a digit: a small vision transformer reads it, and the maps show which patches its class "
        "token attends to."
    )
    _esm = source("digit_vision.js")
    image = Numbers().tag(sync=True)
    preset = traitlets.Int(3, min=-1).tag(sync=True)
    checkpoint = traitlets.Int(19, min=0).tag(sync=True)
    eraser = traitlets.Bool(False).tag(sync=True)
    weights = traitlets.Unicode().tag(sync=True)
    steps = traitlets.List().tag(sync=True)
    losses = traitlets.List().tag(sync=True)
    accuracies = traitlets.List().tag(sync=True)
    digits = traitlets.List().tag(sync=True)
    labels = traitlets.List().tag(sync=True)

    def __init__(self, **traits):
        steps, losses, accuracies = digits_training()
        images, labels = digit_examples()
        measured = {"losses": losses.round(4), "accuracies": accuracies.round(4)}
        shown = {"digits": (16 * images).astype(int), "labels": labels}
        lists = {name: each.tolist() for name, each in {"steps": steps, **measured, **shown}.items()}
        own = {"image": np.zeros((8, 8)), "preset": -1} if "image" in traits else {"image": np.zeros((8, 8))}
        super().__init__(**{"weights": packed(), **lists, **own, **traits})
        expect_shape("image", self.image, (8, 8), "one number for each pixel")
        if self.preset >= len(self.digits) or self.checkpoint >= len(self.steps):
            raise ValueError(
                f"preset {self.preset} and checkpoint {self.checkpoint}: there are {len(self.digits)} "
                f"examples and {len(self.steps)} checkpoints, counted from 0."
            )

    @staticmethod
    def samples(rng):
        return {"image": rng.random((8, 8)), "checkpoint": int(rng.integers(20)), "weights": packed()}

    @staticmethod
    def compute(image, checkpoint, weights):
        """Return logits, probabilities, the class token's attention per head, and its roll-out."""
        parameters, pixels = unpacked(weights, checkpoint), np.asarray(image, dtype=float)[..., None]
        patches = patch_embed(pixels, parameters["patches"], PATCH_SIZE)
        x = add_class_token(patches, parameters["cls"], parameters["positions"])
        A = encoder_attention(x, parameters["blocks"], NUM_HEADS)
        logits = vision_transformer(pixels, parameters, NUM_HEADS, PATCH_SIZE)
        return {
            "logits": logits,
            "probabilities": softmax(logits),
            "attention": A[..., 0, :],
            "rollout": attention_rollout(A)[0],
        }

    def _computed(self):
        drawn = self.preset < 0
        image = np.asarray(self.image) if drawn else np.asarray(self.digits[self.preset]) / 16
        return self.compute(image, self.checkpoint, self.weights)

    @property
    def words(self):
        """Return sentences on the accuracy at this checkpoint, on the prediction, and on the roll-out."""
        found = self._computed()
        p, seen = found["probabilities"], found["rollout"][1:]
        first, second = (f"{quoted(v)} ({number(p[v])})" for v in np.argsort(-p, kind="stable")[:2])
        patch = int(np.argmax(seen))
        own = "your drawing" if np.any(self.image) else "an empty canvas"
        what = own if self.preset < 0 else f"a handwritten {self.labels[self.preset]}"
        return (
            f"After {self.steps[self.checkpoint]} steps, the model classifies "
            f"{number(100 * self.accuracies[self.checkpoint], 0)} % of the test images correctly. "
            f"For {what} it predicts {first}, then {second}. Attention roll-out gives the largest weight to "
            f"patch {patch + 1} (row {patch // 4 + 1}, column {patch % 4 + 1}): {number(seen[patch])}."
        )

    def pictures(self):
        """Return the predicted probabilities as bars, and the curves of the training."""
        read = bars(list(range(10)), self._computed()["probabilities"], title="Prediction")
        both = [self.losses, self.accuracies]
        return [read, curves(self.steps, both, ["loss", "test accuracy"], "step", "loss, accuracy")]
