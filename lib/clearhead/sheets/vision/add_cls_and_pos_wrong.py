"""More wrong answers of 13.add_cls_and_pos."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _tokens(x, first, positions, places=lambda positions: positions):
    """Return the tokens behind a first one, with the places."""
    first = np.broadcast_to(first, (*x.shape[:-2], 1, x.shape[-1]))
    return np.concatenate([first, x], axis=-2) + places(positions)


def _mean_added(x, cls, positions):
    return _tokens(x, cls + x.mean(axis=-2, keepdims=True), positions)


def _first_image_alone(x, cls, positions):
    return _tokens(x[0] if x.ndim > 2 else x, cls, positions)


def _at_both_ends(x, cls, positions):
    last = np.broadcast_to(cls, (*x.shape[:-2], 1, x.shape[-1]))
    return np.concatenate([_tokens(x, cls, positions), last], axis=-2)


def _in_the_first_image(x, cls, positions):
    first = (np.arange(len(x)) == 0)[:, None, None]
    return _tokens(x, cls * first if x.ndim > 2 else cls, positions)


MORE = (
    Mistake(
        "places_for_the_class_token_alone",
        lambda x, cls, positions: _tokens(x, cls, positions, lambda p: p * (np.arange(len(p)) == 0)[:, None]),
        "Only the class token got its place. The patches have places, too: rows 1 to N.",
    ),
    Mistake(
        "patches_at_the_wrong_places",
        lambda x, cls, positions: _tokens(x + positions[:-1], cls, 0 * positions),
        "The class token got no place, and the patches got rows 0 to N - 1. Row 0 is for the class token.",
    ),
    Mistake(
        "mean_place_for_all",
        lambda x, cls, positions: _tokens(x, cls, positions, lambda p: p.mean(axis=0)),
        "All your tokens got the mean of the places. Each has its own row.",
    ),
    Mistake(
        "first_place_for_all",
        lambda x, cls, positions: _tokens(x, cls, positions, lambda p: p[0]),
        "All your tokens got the first place. Each has its own row.",
    ),
    Mistake(
        "places_twice",
        lambda x, cls, positions: _tokens(x, cls, 2 * positions),
        "You added the places twice.",
    ),
    Mistake(
        "class_token_twice",
        lambda x, cls, positions: _tokens(x, 2 * cls, positions),
        "The class token counts twice. Put it in front once.",
    ),
    Mistake(
        "patches_scaled",
        lambda x, cls, positions: _tokens(x * np.sqrt(x.shape[-1]), cls, positions),
        "You multiplied the patches by √D. That belongs to tables of words; patches stay as they are.",
    ),
    Mistake(
        "mean_added_to_the_class_token",
        _mean_added,
        "You added the mean of the patches to the class token. It is `cls` alone.",
    ),
    Mistake(
        "class_token_at_both_ends",
        lambda x, cls, positions: np.concatenate(
            [_tokens(x, cls, positions), _tokens(x, cls, 0 * positions)[..., :1, :]], axis=-2
        ),
        "The class token stands at both ends. It stands in front, once.",
    ),
    Mistake(
        "class_token_alone",
        lambda x, cls, positions: _tokens(x, cls, positions)[..., :1, :],
        "Only the class token came back. The patches follow it.",
    ),
    Mistake(
        "first_image_alone",
        _first_image_alone,
        "Of a batch only the first image came back. Join along axis -2, and keep the axes in front.",
    ),
    Mistake(
        "class_token_in_the_first_image_alone",
        lambda x, cls, positions: _tokens(
            x, cls * (np.arange(len(x)) == 0)[:, None, None] if x.ndim > 2 else cls, positions
        ),
        "Only the first image of a batch has its class token. Each image gets one.",
    ),
    Mistake(
        "joined_as_for_one_image",
        lambda x, cls, positions: np.vstack([cls[None], x]) + positions,
        "For one image it is right. In a batch the class token has too few axes: give it the shape "
        "(..., 1, D), and join along axis -2.",
    ),
    Mistake(
        "joined_along_the_first_axis",
        lambda x, cls, positions: np.concatenate([np.broadcast_to(cls, (1, *x.shape[1:])), x]) + positions,
        "For one image it is right. In a batch the first axis counts images: you added an image, not a "
        "token. Join along axis -2.",
    ),
    Mistake(
        "class_token_beside_each_patch",
        lambda x, cls, positions: np.concatenate([np.broadcast_to(cls, x.shape), x], axis=-1),
        "You wrote the class token beside each patch, so the width doubled. It is one more row: axis -2.",
    ),
    Mistake(
        "places_for_one_image_alone",
        lambda x, cls, positions: _tokens(x, cls, positions if x.ndim == 2 else 0 * positions),
        "A batch gets no places. They are added to each of its images.",
    ),
)
