"""A figure of noise that becomes a digit, step by step, with the weights of the exact denoiser."""

from itertools import pairwise

import numpy as np
import traitlets

from clearhead.figures import bars, image_grid
from clearhead.figures.words import number
from clearhead.maths.diffusion import euler_step, optimal_denoiser
from clearhead.pretrained.digits_vit import digit_examples

from .figure import Figure, Numbers, source
from .scaling import normals

HIGHEST, LOWEST, STEPS = 10, 0.02, 60


class NoiseToDigit(Figure):
    """An image between noise and a digit, the denoised image, and the weights of the known images.

    Parameters
    ----------
    images : (S, 8, 8) float
        The images that the denoiser knows: ink in sixteenths, from 0 to 16.
    labels : list
        The digits that their writers meant (S).
    step : () int
        The number of steps that were made, from 0 (noise) to 60.
    seed : () int
        The seed of the noise.
    """

    what_to_see = (
        "Move the slider: noise becomes a digit, and the weights show which of the twelve images explain it."
    )
    _esm = source("noise_to_digit.js")
    images = Numbers().tag(sync=True)
    labels = traitlets.List().tag(sync=True)
    step = traitlets.Int(12, min=0, max=STEPS).tag(sync=True)
    seed = traitlets.Int(4).tag(sync=True)

    def __init__(self, **traits):
        images, labels = digit_examples()
        super().__init__(**{"images": np.rint(16 * images), "labels": labels.tolist()} | traits)
        if len(self.images) != len(self.labels):
            raise ValueError(f"There are {len(self.images)} images and {len(self.labels)} labels.")

    @staticmethod
    def samples(rng):
        return {
            "images": rng.integers(17, size=(5, 8, 8)).astype(float),
            "step": int(rng.integers(STEPS + 1)),
            "seed": int(rng.integers(999)),
        }

    @staticmethod
    def compute(images, step, seed):
        """Return the noise level, the current image, the denoised image, the weights, and the distances."""
        keys = np.asarray(images, dtype=float).reshape(-1, 64) / 8 - 1
        levels = np.append(np.geomspace(HIGHEST, LOWEST, STEPS), 0)
        x = HIGHEST * normals(seed, 64)
        for sigma, after in pairwise(levels[: step + 1].tolist()):
            x = euler_step(x, optimal_denoiser(x, keys, sigma)[0], sigma, after)
        denoised, weights = optimal_denoiser(x, keys, float(max(levels[step], LOWEST)))
        return {
            "sigma": float(levels[step]),
            "x": x,
            "denoised": denoised,
            "weights": weights,
            "distances": np.sqrt(((keys - x) ** 2).sum(-1)),
        }

    @property
    def words(self):
        """Return sentences on the noise level, on the largest weight, and on the nearest image."""
        found = self._computed()
        best, nearest = int(np.argmax(found["weights"])), int(np.argmin(found["distances"]))
        return (
            f"Step {self.step} of {STEPS}, noise level {number(found['sigma'])}. "
            f"Image {best + 1}, a {self.labels[best]}, has the largest weight: "
            f"{number(found['weights'][best])}. "
            f"The nearest image is image {nearest + 1}, "
            f"at a distance of {number(found['distances'][nearest])}."
        )

    def pictures(self):
        """Return the current image beside the denoised one, and the weights as bars."""
        found = self._computed()
        now = found["x"] / max(1, found["sigma"])
        both = (np.stack([now, found["denoised"]]).reshape(1, 2, 8, 8) + 1) / 2
        title = f"After {self.step} of {STEPS} steps, this is the image and what the denoiser makes of it."
        names = [f"{n + 1}: a {label}" for n, label in enumerate(self.labels)]
        shown = "These are the weights of the images that the denoiser knows."
        return [
            image_grid(both, [f"σ = {number(found['sigma'])}"], ["noisy", "denoised"], title=title),
            bars(names, found["weights"], title=shown),
        ]
