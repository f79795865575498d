"""Cases of 13.vit_forward."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text
from clearhead.maths import vision

from .drivers import twice


def _random(rng, shapes):
    if isinstance(shapes, tuple):
        return rng.normal(size=shapes)
    return {name: _random(rng, each) for name, each in shapes.items()}


def _model(rng, N, inside, D, V, layers):
    """Return random parameters of a small vision transformer."""
    norm, square = {"gain": (D,), "bias": (D,)}, {"weight": (D, D), "bias": (D,)}
    block = {
        "attention_norm": norm,
        "attention": {part: square for part in ("query", "key", "value", "output")},
        "feed_forward_norm": norm,
        "feed_forward": {
            "up": {"weight": (D, D + 1), "bias": (D + 1,)},
            "down": {"weight": (D + 1, D), "bias": (D,)},
        },
    }
    outside = {
        "patches": {"weight": (inside, D), "bias": (D,)},
        "cls": (D,),
        "positions": (N + 1, D),
        "norm": norm,
    }
    parameters = _random(rng, outside | {"head": {"weight": (D, V), "bias": (V,)}})
    return parameters | {"blocks": [_random(rng, block) for _ in range(layers)]}


def _given(rng, P, grid, channels, H, layers, d=6):
    """Return an image, a model, P and H, a permutation of the patches, and the permuted image."""
    (r, c), D, V = grid, d * H, 4 * layers + int(rng.integers(4))
    image, order = rng.normal(size=(r * P, c * P, channels)), rng.permutation(r * c)
    moved = vision.unpatchify(vision.patchify(image, P)[order], r * P, c * P, P)
    return image, _model(rng, r * c, P * P * channels, D, V, layers), P, H, order, moved


def _with_large_keys(rng, parameters):
    """Return the parameters with a key bias that adds the same large number to all scores of a query."""
    block = parameters["blocks"][0]
    key = block["attention"]["key"]
    large = key | {"bias": key["bias"] + 3000 * rng.normal(size=len(key["bias"]))}
    return parameters | {"blocks": [block | {"attention": block["attention"] | {"key": large}}]}


def cases(rng):
    P, other = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    image, deep, _, H, order, moved = _given(rng, P, (2, 3), 1, 2, 2)
    same = (
        "patches in another order, with their positions moved along, give the same logits",
        lambda out, *given: np.allclose(out["logits"], out["moved"], atol=1e-6),
    )
    one_score_each = (
        "there is one logit for each class",
        lambda out, image, given, *_: np.shape(out["logits"]) == np.shape(given["head"]["bias"]),
    )
    look = (
        "There are no blocks here. The steps are the patches, their embedding, the class token, "
        "the positions, the last norm and the head."
    )
    first = deep | {"blocks": deep["blocks"][:1]}
    bare, black, both = deep | {"blocks": []}, 0 * image, (one_score_each, same)
    return [
        Case("no blocks", (image, bare, P, H, order, moved), look, properties=both),
        Case(
            "only block 0",
            (image, first, P, H, order, moved),
            "With a block, the result depends on the patches: how they are cut, embedded and placed, "
            "and what the block reads.",
            properties=both,
        ),
        Case(
            "two blocks",
            (image, deep, P, H, order, moved),
            "The second block reads the output of the first one.",
            properties=both,
        ),
        Case(
            "three blocks and several channels",
            _given(rng, other, (5, 7), 5, 3, 3, d=2),
            "The patches, heads, blocks and channels differ from those of the other cases, so take "
            "every size from the arguments.",
            properties=both,
        ),
        Case(
            "a black image",
            (black, deep, P, H, order, black),
            "All pixels are 0, so the embedding of each patch is the bias.",
            properties=both,
        ),
        Case(
            "scores in the thousands",
            (image, _with_large_keys(rng, first), P, H, order, moved),
            "The exponential of a score in the thousands overflows, so the softmax must subtract the "
            "largest score first.",
            properties=both,
        ),
    ]


EXERCISE = exercise_from_text(
    __file__,
    cases,
    driver=twice,
    given={
        "order": "once more with the patches of the image, and their positions, in another order",
        "moved": "",
    },
    returns={
        "logits": "the logits that you return",
        "moved": "the logits for patches that moved together with their positions",
    },
)
