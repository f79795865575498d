"""Cases of 20.optimal_denoiser."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.sheets.ingredients import different_sizes


def _sums_to_1(out, x, images, sigma):
    return np.allclose(np.asarray(out[1]).sum(axis=-1), 1)


def _inside(out, x, images, sigma):
    denoised = np.asarray(out[0])
    lowest, highest = images.min(axis=0) - 1e-9, images.max(axis=0) + 1e-9
    return np.all((denoised >= lowest) & (denoised <= highest))


PROPERTIES = (
    ("the weights of each noisy image sum to 1", _sums_to_1),
    ("no pixel lies outside the range of the images", _inside),
)


def cases(rng):
    N, S, d = different_sizes(rng, 3, 3, 8)
    images = rng.normal(size=(S, d))
    x = rng.normal(size=(N, d))
    two, quarter = np.array([[-1.0], [1.0]]), 0.5 * np.log(3)
    return [
        Case(
            "one pixel, worked by hand",
            (np.array([[quarter], [0.0], [-quarter]]), two, 1.0),
            "For x = ln 3 / 2, the second image is three times as probable as the first.",
            expected=(np.array([[0.5], [0.0], [-0.5]]), np.array([[0.25, 0.75], [0.5, 0.5], [0.75, 0.25]])),
        ),
        Case(
            "one pixel with twice the noise, worked by hand",
            (np.array([[4 * quarter], [0.0]]), two, 2.0),
            "With σ = 2, it takes x = 2 ln 3 to make the second image three times as probable.",
            expected=(np.array([[0.5], [0.0]]), np.array([[0.25, 0.75], [0.5, 0.5]])),
        ),
        Case(
            "random images",
            (images[rng.integers(S, size=N)] + 0.8 * rng.normal(size=(N, d)), images, 0.8),
            "Each noisy image is compared with each image.",
            2,
            properties=PROPERTIES,
        ),
        Case(
            "strong noise",
            (rng.normal(size=(N + 1, d)), images, float(rng.uniform(1.5, 3))),
            "With strong noise, many images share the weight.",
            properties=PROPERTIES,
        ),
        Case(
            "hardly any noise",
            (images[:2] + 0.1 * rng.normal(size=(2, d)), images, 0.001),
            "The largest exponential of a row may still be 0 in floating point. Subtract the largest score "
            "first, as `softmax` does.",
            properties=PROPERTIES,
        ),
        Case(
            "far away from all images",
            (np.hstack([x, np.full((N, 1), 60.0)]), np.hstack([images, np.zeros((S, 1))]), 1.0),
            "All images are far away, at similar distances, so several of them share the weight although "
            "every exponential is 0. Subtract the largest score first.",
            properties=PROPERTIES,
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
