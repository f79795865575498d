"""More wrong answers of 13.vit_forward."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths import vision
from clearhead.maths.layers import layer_norm, linear
from clearhead.maths.transformer import encoder_block

from .shared import fronted


def _read(x, parameters):
    return linear(layer_norm(x[0], **parameters["norm"]), **parameters["head"])


def _run(
    pixels=lambda image: image,
    bias=1,
    start=vision.add_class_token,
    first=lambda x, parameters: x,
    chosen=lambda blocks: blocks,
    each=lambda x, before, parameters: x,
    end=_read,
):
    """Return vit_forward, in which each of these parts can be replaced by a wrong one."""

    def answer(image, parameters, P, num_heads):
        patches = parameters["patches"]
        x = vision.patchify(pixels(image), P) @ patches["weight"] + bias * patches["bias"]
        x = first(start(x, parameters["cls"], parameters["positions"]), parameters)
        for block in chosen(parameters["blocks"]):
            x = each(encoder_block(x, block, num_heads), x, parameters)
        return end(x, parameters)

    return answer


def _normed(x, parameters):
    return layer_norm(x, **parameters["norm"])


def _of(vector):
    """Return an end that norms a vector of its own, and gives it to the head."""
    return lambda x, parameters: linear(_normed(vector(x), parameters), **parameters["head"])


def _mean_of_normed(x, parameters):
    return linear(_normed(x, parameters).mean(axis=0), **parameters["head"])


def _class_token_last(x, cls, positions):
    return fronted(x, cls)[[*range(1, len(x) + 1), 0]] + positions


def _normed_first(image, parameters, P, num_heads):
    x = linear(vision.patchify(image, P), **parameters["patches"])
    x = vision.add_class_token(x, parameters["cls"], parameters["positions"])
    for block in parameters["blocks"]:
        x = encoder_block(_normed(x, parameters), block, num_heads)
    return _read(x, parameters)


def _cut_by_a_reshape(image, parameters, P, num_heads):
    x = linear(image.reshape(-1, P * P * image.shape[2]), **parameters["patches"])
    x = vision.add_class_token(x, parameters["cls"], parameters["positions"])
    for block in parameters["blocks"]:
        x = encoder_block(x, block, num_heads)
    return _read(x, parameters)


MORE = (
    Mistake(
        "class_token_forgotten",
        _run(start=lambda x, cls, positions: x + positions[1:]),
        "The class token is missing in front: you read the first patch.",
    ),
    Mistake(
        "class_token_behind",
        _run(start=_class_token_last),
        "The class token stands behind the patches, and you read row 0. It stands in front.",
    ),
    Mistake(
        "patches_without_bias",
        _run(bias=0),
        "The bias of the patch embedding is missing: linear takes weight and bias.",
    ),
    Mistake(
        "mean_of_patches",
        _run(end=_of(lambda x: x[1:].mean(axis=0))),
        "You averaged the patches at the end. This model reads the class token alone: x[0].",
    ),
    Mistake(
        "mean_after_the_norm",
        _run(end=_mean_of_normed),
        "You normed all tokens and averaged them. This model reads the class token alone: x[0].",
    ),
    Mistake(
        "largest_over_tokens",
        _run(end=_of(lambda x: x.max(axis=0))),
        "You took the largest number of each column. This model reads the class token alone: x[0].",
    ),
    Mistake(
        "last_block_alone",
        _run(chosen=lambda blocks: blocks[-1:]),
        "Only the last block has an effect. Give each block what the one before it made.",
    ),
    Mistake(
        "no_block",
        _run(chosen=lambda blocks: []),
        'No block changed x. Write x = encoder_block(x, ...), in a loop over parameters["blocks"].',
    ),
    Mistake(
        "first_block_again_and_again",
        _run(chosen=lambda blocks: blocks[:1] * len(blocks)),
        "Every time the first block ran. Each block of the list runs once.",
    ),
    Mistake(
        "stream_added_again",
        _run(each=lambda x, before, parameters: before + x),
        "You added x to what a block returns. The residual stream is inside the block already.",
    ),
    Mistake(
        "places_after_each_block",
        _run(each=lambda x, before, parameters: x + parameters["positions"]),
        "You added the places again after each block. They are added once, before the first.",
    ),
    Mistake(
        "norm_before_the_blocks",
        _run(first=_normed, end=lambda x, parameters: linear(x[0], **parameters["head"])),
        'You normed before the first block. parameters["norm"] comes after the last.',
    ),
    Mistake(
        "norm_after_each_block",
        _run(each=lambda x, before, parameters: _normed(x, parameters)),
        'You normed after each block. parameters["norm"] comes once, after the last.',
    ),
    Mistake(
        "norm_twice",
        _run(end=lambda x, parameters: _read(_normed(x, parameters), parameters)),
        "You normed twice at the end. Once is enough.",
    ),
    Mistake(
        "image_standardized",
        _run(lambda image: (image - image.mean()) / (image.std() or 1)),
        "You standardized the image. The pixels stay as they are.",
    ),
    Mistake(
        "class_vector_returned",
        _run(end=lambda x, parameters: _normed(x[0], parameters)),
        "You returned the normed class token. One step is missing: the head.",
    ),
    Mistake(
        "class_token_without_place",
        _run(start=lambda x, cls, positions: np.vstack([cls, x + positions[1:]])),
        "The class token got no place. It has one, too: row 0 of the positions.",
    ),
    Mistake(
        "last_norm_before_each_block",
        _normed_first,
        "You normed x with the last norm before each block. A block has norms of its own: give it x as "
        "it is.",
    ),
    Mistake(
        "patches_cut_by_a_reshape",
        _cut_by_a_reshape,
        "You cut the image by a reshape alone: that gives strips, not squares. Use patchify.",
    ),
    Mistake(
        "patches_at_the_wrong_places",
        _run(start=lambda x, cls, positions: np.vstack([cls, x + positions[:-1]])),
        "The class token got no place, and the patches got rows 0 to N - 1. Row 0 is for the class token.",
    ),
    Mistake(
        "width_of_a_head_for_their_number",
        lambda image, parameters, P, num_heads: _run()(
            image, parameters, P, parameters["cls"].size // num_heads
        ),
        "You gave each block the width of a head. It takes how many heads there are: num_heads.",
    ),
    Mistake(
        "sum_of_tokens",
        _run(end=_of(lambda x: x.sum(axis=0))),
        "You added up all tokens at the end. This model reads the class token alone: x[0].",
    ),
)
