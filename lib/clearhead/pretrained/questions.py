"""Coloured shapes on a small board, questions about them, and two trained models that answer them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

MODELS = Path(__file__).with_name("questions.npz")
SHAPES, COLOURS = ("disc", "frame", "cross"), ("red", "green", "blue")
ATTRIBUTES = ("shape", "colour", "place")
WORDS = (*ATTRIBUTES, *COLOURS, *SHAPES)
ANSWERS = (*SHAPES, *COLOURS, *(f"cell {n}" for n in range(9)))
#: The shapes as images of four by four pixels.
GLYPHS = np.array([
    [[0, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1], [0, 1, 1, 0]],
    [[1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 1, 1]],
    [[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]],
], dtype=np.float32)  # fmt: skip
SIZES = dict(vocab_size=9, num_patches=9, patch_width=48, num_answers=15, d_model=32)
NOISE = 0.1


@dataclass(frozen=True)
class Scenes:
    """Boards of nine cells with three objects, with one question about each.

    Attributes
    ----------
    patches : (B, 9, 48) float
        One row per cell: its 4 x 4 pixels with three channels, and a little noise.
    questions : (B, 2) int
        The attribute that is asked for, and the object, as ids in `WORDS`.
    answers : (B,) int
        The right answers: ids in `ANSWERS`.
    cells : (B, 3) int
        The cells of the three objects; the question is about the first one.
    objects : (B, 3, 2) int
        Their colours and shapes: ids in `COLOURS` and `SHAPES`.
    """

    patches: np.ndarray
    questions: np.ndarray
    answers: np.ndarray
    cells: np.ndarray
    objects: np.ndarray

    def words(self, board):
        """Return the description of a board, such as "A board with a red disc in row 1, column 2"."""
        seen = sorted(
            zip(self.cells[board], self.objects[board].tolist(), strict=True), key=lambda each: each[0]
        )
        said = (
            f"a {COLOURS[c]} {SHAPES[s]} in row {at // 3 + 1}, column {at % 3 + 1}" for at, (c, s) in seen
        )
        return f"A board with {', '.join(said)}"


def scenes(count, rng):
    """Return random boards and questions, with three objects of different colours and shapes.

    Parameters
    ----------
    count : int
        The number of boards, B.
    rng : numpy.random.Generator
        The source of the random numbers.

    Returns
    -------
    scenes : Scenes
        A question names an object by its colour or by its shape, but never by the attribute that it asks for.
    """
    colours, shapes, cells = (rng.permuted(np.tile(np.arange(n), (count, 1)), axis=1) for n in (3, 3, 9))
    cells, boards = cells[:, :3], np.arange(count)
    patches = rng.normal(scale=NOISE, size=(count, 9, 4, 4, 3))
    for one in range(3):
        paint = np.eye(3)[colours[:, one], None, None]
        patches[boards, cells[:, one]] += GLYPHS[shapes[:, one], ..., None] * paint
    asked = rng.integers(3, size=count)
    by_colour = np.where(asked == 2, rng.random(count) < 0.5, asked == 0)
    named = np.where(by_colour, 3 + colours[:, 0], 6 + shapes[:, 0])
    answers = np.choose(asked, [shapes[:, 0], 3 + colours[:, 0], 6 + cells[:, 0]])
    patches = patches.reshape(count, 9, 48).astype(np.float32)
    return Scenes(
        patches, np.stack([asked, named], axis=1), answers, cells, np.stack([colours, shapes], axis=2)
    )


def question_models():
    """Return two models of the same size, with different initial weights and different training boards.

    Returns
    -------
    models : dict
        Name -> parameters, for `clearhead.maths.vision.vqa_model`. `README.md` in this folder describes how
        the models were made and chosen.
    """
    with np.load(MODELS) as file:
        models = {}
        for key in file.files:
            model, *parts, name = key.split("/")
            inner = models.setdefault(model, {})
            for part in parts:
                inner = inner.setdefault(part, {})
            inner[name] = file[key].astype(np.float32)
    return models


def flat(parameters, prefix):
    """Return nested dicts of arrays as one dict, in which the keys of a path are joined by slashes."""
    found = {}
    for name, value in parameters.items():
        inner = flat(value, f"{prefix}/{name}") if isinstance(value, dict) else {f"{prefix}/{name}": value}
        found |= inner
    return found
