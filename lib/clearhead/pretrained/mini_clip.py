"""A small CLIP of handwritten digits and the letters of their names, with its recorded embeddings."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

EXTRACT = Path(__file__).with_name("mini_clip.npz")
NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
#: Id 0 is padding, and id 1 precedes every name.
LETTERS = ("", "^", *sorted(set("".join(NAMES))))
SIZES = dict(d_model=32, num_heads=2, num_layers=1)


def spell(names):
    """Return the letters of names as ids, padded to six positions.

    Parameters
    ----------
    names : list of str
        B names of five letters at most.

    Returns
    -------
    ids : (B, 6) int
        A start, the letters, and zeros.
    """
    return np.array(
        [[LETTERS.index(letter) for letter in f"^{name}"] + [0] * (5 - len(name)) for name in names]
    )


@dataclass(frozen=True)
class MiniClip:
    """The embeddings of digits outside the training set, and of the ten names, by a trained mini-CLIP.

    Attributes
    ----------
    images : (B, 8, 8) int
        Grey values from 0 to 16.
    labels : (B,) int
        The digit of each image.
    x : (B, D) float
        The vector of each image, D = 32.
    y : (10, D) float
        The vector of each name.
    temperature : float
        The learned temperature, by which similarities are divided.
    """

    images: np.ndarray
    labels: np.ndarray
    x: np.ndarray
    y: np.ndarray
    temperature: float


def mini_clip():
    """Return 397 test digits and the ten names, with their embeddings by a small trained model.

    Returns
    -------
    found : MiniClip
        Vectors of length 1, rounded to float16.
    """
    with np.load(EXTRACT) as file:
        x, y = (file[name].astype(np.float64) for name in "xy")
        return MiniClip(file["images"], file["labels"].astype(int), x, y, float(file["temperature"]))
