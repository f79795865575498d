"""13.vit_forward: The whole model."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import vision
from clearhead.maths.layers import layer_norm, linear
from clearhead.maths.models import vision_transformer
from clearhead.maths.transformer import encoder_block

from .drivers import twice
from .shared import fronted
from .vit_forward_wrong import MORE


def vit_forward(image, parameters, P, num_heads):
    """Return the scores (V,) of all classes for an image (R, C, c)."""
    return vision_transformer(image, parameters, num_heads, P)


def _in_steps(
    start=None, blocks=lambda blocks: blocks, read=lambda x: x[0], last=layer_norm, finish=None, heads=None
):
    """Return a forward pass in which one step can be another."""

    def answer(image, parameters, P, num_heads):
        x = vision.patchify(image, P) @ parameters["patches"]["weight"] + parameters["patches"]["bias"]
        x = (start or vision.add_class_token)(x, parameters["cls"], parameters["positions"])
        for block in blocks(parameters["blocks"]):
            x = encoder_block(x, block, heads or num_heads)
        logits = linear(last(read(x), **parameters["norm"]), **parameters["head"])
        return logits if finish is None else finish(logits, parameters)

    return answer


def _unnormed(x, gain, bias):
    return x


def _softmax(logits, parameters):
    raised = np.exp(logits - logits.max())
    return raised / raised.sum()


def _random(rng, shapes):
    if isinstance(shapes, tuple):
        return rng.normal(size=shapes)
    return {name: _random(rng, each) for name, each in shapes.items()}


def _model(rng, N, inside, D, V, layers):
    """Return random weights of a small vision transformer."""
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
    """Return an image, a model, P and H, an order of the patches, and the image in that order."""
    (r, c), D, V = grid, d * H, 4 * layers + int(rng.integers(4))
    image, order = rng.normal(size=(r * P, c * P, channels)), rng.permutation(r * c)
    moved = vision.unpatchify(vision.patchify(image, P)[order], r * P, c * P, P)
    return image, _model(rng, r * c, P * P * channels, D, V, layers), P, H, order, moved


def _with_large_keys(rng, parameters):
    """Return the parameters with a bias of the keys that adds a large number to all scores of a query."""
    block = parameters["blocks"][0]
    key = block["attention"]["key"]
    large = key | {"bias": key["bias"] + 3000 * rng.normal(size=len(key["bias"]))}
    return parameters | {"blocks": [block | {"attention": block["attention"] | {"key": large}}]}


def _forward_cases(rng):
    P, other = (int(n) for n in rng.permutation([2, 3, 4])[:2])
    image, deep, _, H, order, moved = _given(rng, P, (2, 3), 1, 2, 2)
    same = (
        "patches in another order, their places moved along, give the same scores",
        lambda out, *given: np.allclose(out["logits"], out["moved"], atol=1e-6),
    )
    one_score_each = (
        "there is one score for each class",
        lambda out, image, given, *_: np.shape(out["logits"]) == np.shape(given["head"]["bias"]),
    )
    look = "Patches, embedding, class token and places, norm, head: is each of them there, in order?"
    first = deep | {"blocks": deep["blocks"][:1]}
    bare, black, both = deep | {"blocks": []}, 0 * image, (one_score_each, same)
    return [
        Case("no block", (image, bare, P, H, order, moved), look, properties=both),
        Case("block 0 alone", (image, first, P, H, order, moved), "Now the patches count: are they cut "
             "and placed right, and what does the block get?", properties=both),
        Case("two blocks", (image, deep, P, H, order, moved), "Block 0 is right: does x go through every "
             "block, in order?", properties=both),
        Case("three blocks, with channels", _given(rng, other, (5, 7), 5, 3, 3, d=2),
             "Other patches, more heads, more blocks, and channels: does your answer read each of them "
             "from what it is given?", properties=both),
        Case("a black image", (black, deep, P, H, order, black), "All pixels are 0: the embedding of each "
             "patch is its bias.", properties=both),
        Case("scores in the thousands", (image, _with_large_keys(rng, first), P, H, order, moved),
             "e to the 1,000 is too large for a float: the softmax must subtract the largest score first.",
             properties=both),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.vit_forward",
    title="The whole model",
    reference=vit_forward,
    cases=_forward_cases,
    hints=(
        "Six steps: patches, linear map, class token and places, blocks, norm, head.",
        "After the blocks, take row 0: x[0] is the class token. Norm it, then the head.",
        "x = add_cls_and_pos(linear(patchify(image, P), **parameters['patches']), parameters['cls'], "
        "parameters['positions']); then the blocks; linear(layer_norm(x[0], **...), **parameters['head']).",
    ),
    mistakes=(
        Mistake(
            "positions_forgotten",
            _in_steps(start=lambda x, cls, positions: fronted(x, cls)),
            "The positions are missing: the model does not know where a patch stands.",
        ),
        Mistake(
            "mean_of_tokens",
            _in_steps(read=lambda x: x.mean(axis=0)),
            "You averaged all tokens at the end. This model reads the class token alone.",
        ),
        Mistake(
            "last_token_read",
            _in_steps(read=lambda x: x[-1]),
            "You read the last token, which is a patch. The class token is row 0.",
        ),
        Mistake(
            "last_norm_forgotten",
            _in_steps(last=_unnormed),
            "The norm after the last block is missing. Pre-norm blocks leave the stream as large as it grew.",
        ),
        Mistake(
            "norm_without_gain",
            _in_steps(last=lambda x, gain, bias: layer_norm(x, np.ones_like(gain), np.zeros_like(bias))),
            "The last norm has a gain and a bias of its own: give it parameters['norm'].",
        ),
        Mistake(
            "head_without_bias",
            _in_steps(finish=lambda logits, parameters: logits - parameters["head"]["bias"]),
            "The bias of the head is missing: linear takes weight and bias.",
        ),
        Mistake(
            "first_block_only",
            _in_steps(blocks=lambda blocks: blocks[:1]),
            "Only the first block ran. Run all of parameters['blocks'], one after the other.",
        ),
        Mistake(
            "one_head",
            _in_steps(heads=1),
            "Each block ran with one head. Give encoder_block the number of heads: num_heads.",
        ),
        Mistake(
            "blocks_in_reverse",
            _in_steps(blocks=lambda blocks: blocks[::-1]),
            "The blocks ran in reverse order.",
        ),
        Mistake(
            "softmax_returned",
            _in_steps(finish=_softmax),
            "You returned probabilities. The scores are asked for, before the softmax.",
        ),
        Mistake(
            "scores_of_all_tokens",
            _in_steps(read=lambda x: x),
            "You scored every token. Read the class token alone: x[0].",
        ),
        Mistake(
            "blocks_run_twice",
            _in_steps(blocks=lambda blocks: [*blocks, *blocks]),
            "Every block ran twice. Once is enough.",
        ),
        Mistake(
            "first_patch_read",
            _in_steps(read=lambda x: x[1]),
            "You read the first patch. The class token stands in front of it: x[0].",
        ),
        Mistake(
            "class_returned",
            _in_steps(finish=lambda logits, parameters: int(logits.argmax())),
            "You returned the class. Return the scores of all classes.",
        ),
        *MORE,
    ),
    alternatives=(_in_steps(), _in_steps(start=lambda x, cls, positions: fronted(x, cls) + positions)),
    stars=2,
    minutes=25,
    driver=twice,
    returns={
        "logits": "the logits that you return",
        "moved": "the logits for patches that moved together with their positions",
    },
    given="the image once as it is, and once with its patches moved",
)  # fmt: skip
