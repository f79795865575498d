"""13.add_cls_and_pos: The class token, and places."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths.vision import add_class_token

from .add_cls_and_pos_wrong import MORE
from .shared import fronted


def _into_an_empty_array(x, cls, positions):
    y = np.empty((*x.shape[:-2], x.shape[-2] + 1, x.shape[-1]))
    y[..., 0, :], y[..., 1:, :] = cls, x
    return y + positions


def _token_cases(rng):
    B, N, D = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    x, cls, positions = rng.normal(size=(N, D)), rng.normal(size=D), rng.normal(size=(N + 1, D))
    batch = rng.normal(size=(B, N, D))
    return [
        Case(
            "two patches, by hand",
            (np.array([[1.0, 2], [3, 4]]), np.array([5.0, 6]), np.array([[0.1, 0], [0.2, 0], [0.3, 0]])),
            "First the class token, then the patches; then one row of positions to each of the three.",
            expected=np.array([[5.1, 6.0], [1.2, 2.0], [3.3, 4.0]]),
        ),
        Case("one image", (x, cls, positions), "Which row of positions meets which token?"),
        Case("a batch of images", (batch, cls, positions), "Every image gets the same class token."),
        Case("no positions", (batch[1:], cls, 0 * positions), "Only the class token is new then."),
        Case("one patch", (x[:1], cls, positions[:2]), "One patch makes two tokens."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.add_cls_and_pos",
    title="The class token, and places",
    reference=add_class_token,
    cases=_token_cases,
    hints=(
        "Two steps: put one token in front, then add the table of places to all of them.",
        "np.concatenate along axis -2. For a batch, the class token must first be repeated for each image.",
        "first = np.broadcast_to(cls, (*x.shape[:-2], 1, x.shape[-1])); "
        "return np.concatenate([first, x], axis=-2) + positions",
    ),
    mistakes=(
        Mistake(
            "class_token_last",
            lambda x, cls, positions: np.concatenate([x, fronted(x, cls)[..., :1, :]], axis=-2) + positions,
            "You put the class token at the end. It stands in front, and row 0 of the positions is for it.",
        ),
        Mistake(
            "class_token_without_place",
            lambda x, cls, positions: fronted(x + positions[1:], cls),
            "The class token got no position. It has a place, too: row 0.",
        ),
        Mistake(
            "places_shifted",
            lambda x, cls, positions: fronted(x + positions[:-1], cls + positions[-1]),
            "The positions are shifted: row 0 belongs to the class token, row 1 to the first patch.",
        ),
        Mistake(
            "class_token_added_to_all",
            lambda x, cls, positions: x + cls + positions[1:],
            "You added the class token to every patch. It is one more token, in a row of its own.",
        ),
        Mistake(
            "first_patch_overwritten",
            lambda x, cls, positions: fronted(x[..., 1:, :], cls) + positions[:-1],
            "You wrote the class token over the first patch. There must be one token more than before.",
        ),
        Mistake(
            "positions_forgotten",
            lambda x, cls, positions: fronted(x, cls),
            "The positions are missing: without them the model reads a bag of patches.",
        ),
        Mistake(
            "positions_beside",
            lambda x, cls, positions: np.concatenate(
                [fronted(x, cls), np.broadcast_to(positions, (*x.shape[:-2], *positions.shape))], axis=-1
            ),
            "You wrote the positions beside the tokens, so the width doubled. They are added.",
        ),
        Mistake(
            "class_token_forgotten",
            lambda x, cls, positions: x + positions[1:],
            "The class token is missing in front.",
        ),
        Mistake(
            "zeros_for_the_class_token",
            lambda x, cls, positions: add_class_token(x, 0 * cls, positions),
            "You put zeros in front. The class token is `cls`, which is learned.",
        ),
        Mistake(
            "mean_for_the_class_token",
            lambda x, c, positions: np.concatenate([x.mean(axis=-2, keepdims=True), x], axis=-2) + positions,
            "You put the mean of the patches in front. The class token is `cls`, which is learned.",
        ),
        Mistake(
            "places_subtracted",
            lambda x, cls, positions: add_class_token(x, cls, -positions),
            "You subtracted the places. Add them.",
        ),
        Mistake(
            "places_multiplied",
            lambda x, cls, positions: add_class_token(x, cls, 0 * positions) * positions,
            "You multiplied by the places. Add them.",
        ),
        Mistake(
            "last_place_first",
            lambda x, cls, positions: add_class_token(x, cls, positions[::-1]),
            "The places stand from back to front. The class token has the first one.",
        ),
        *MORE,
    ),
    alternatives=(
        _into_an_empty_array,
        lambda x, cls, positions: fronted(x + positions[1:], cls + positions[0]),
    ),
    stars=1,
    minutes=10,
)  # fmt: skip
