"""13.vit_params: Count ViT to the last parameter."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake
from clearhead.maths import counting
from clearhead.maths.architectures import ViTConfig

from .vit_params_wrong import MORE


def vit_params(config):
    """Return how many parameters a vision transformer has, by its sizes."""
    return counting.parameters(
        ViTConfig(
            config["d_model"], 1, config["num_layers"], config["patch_size"], config["image_size"],
            config["channels"], config["num_classes"],
        )
    )  # fmt: skip


def _parts(config):
    """Return the number of parameters of each part."""
    D, P, c, V = (config[name] for name in ("d_model", "patch_size", "channels", "num_classes"))
    N = (config["image_size"] // P) ** 2
    return {
        "patches": P * P * c * D,
        "patches bias": D,
        "cls": D,
        "positions": (N + 1) * D,
        "attention": 4 * D * D,
        "attention biases": 4 * D,
        "feed forward": 8 * D * D,
        "feed forward biases": 5 * D,
        "norms": 4 * D,
        "last norm": 2 * D,
        "head": D * V,
        "head bias": V,
    }


INSIDE = ("attention", "attention biases", "feed forward", "feed forward biases", "norms")


def _counted(change=lambda parts, config: {}):
    """Return an answer that counts, with some parts changed."""

    def answer(config):
        parts = _parts(config)
        parts |= change(parts, config)
        return int(sum(n * (config["num_layers"] if name in INSIDE else 1) for name, n in parts.items()))

    return answer


def _without(*names):
    return _counted(lambda parts, config: dict.fromkeys(names, 0))


def _config_cases(rng):
    names = ("image_size", "patch_size", "channels", "num_classes", "d_model", "num_layers")
    base, large, huge = (
        (224, 16, 3, 1000, 768, 12),
        (224, 16, 3, 1000, 1024, 24),
        (224, 14, 3, 1000, 1280, 32),
    )
    P, side, c = (int(n) for n in rng.permutation(np.arange(3, 9))[:3])
    some = (P * side, P, c, int(rng.integers(11, 50)), int(rng.integers(9, 40)), int(rng.integers(2, 7)))
    size = lambda values: dict(zip(names, values, strict=True))  # noqa: E731
    return [
        Case("our digits model", (size((8, 2, 1, 10, 12, 2)),),
             "Embedding 60, class token 12, 17 places 204, each block 1,884, last norm 24, head 130.",
             expected=4198),
        Case("ViT-B/16", (size(base),), "86,567,656 in all.", expected=86_567_656),
        Case("ViT-L/16", (size(large),), "304,326,632 in all.", expected=304_326_632),
        Case("ViT-H/14", (size(huge),), "632,045,800 in all.", expected=632_045_800),
        Case("random sizes", (size(some),), "Go through the parts one by one, and write down each shape."),
    ]  # fmt: skip


EXERCISE = Exercise(
    id="13.vit_params",
    title="Count ViT to the last parameter",
    reference=vit_params,
    cases=_config_cases,
    hints=(
        "Write down each part and the shape of each array in it: embedding, class token, places, blocks, "
        "norm, head.",
        "A block has 12 D² + 13 D. There is one place more than there are patches.",
        "(P²cD + D) + D + (N + 1)D + L(12D² + 13D) + 2D + (DV + V), with N = (image // P)².",
    ),
    mistakes=(
        Mistake(
            "one_vector_missing",
            _without("cls"),
            "You have D too few. The class token counts D, and so do its place, the bias of the patches, and "
            "the gain or the bias of the last norm.",
        ),
        Mistake(
            "last_norm_or_class_token_and_place",
            _without("last norm"),
            "You have 2 D too few. The norm after the last block counts that, and so do the class token and "
            "its place.",
        ),
        Mistake(
            "biases_forgotten",
            _without("patches bias", "attention biases", "feed forward biases", "head bias"),
            "You counted the weights of the linear maps, and not their biases.",
        ),
        Mistake(
            "four_d_a_block_missing",
            _without("attention biases"),
            "Each block lacks 4 D. Three things count that: the biases of the four maps of attention, the "
            "bias of the way up, and the two norms.",
        ),
        Mistake(
            "norms_forgotten",
            _without("norms", "last norm"),
            "The norms are missing: each has a gain and a bias, two in each block and one after the last.",
        ),
        Mistake(
            "channels_forgotten",
            _counted(lambda parts, config: {"patches": parts["patches"] // config["channels"]}),
            "A patch has P · P · c numbers: the channels are missing in the embedding.",
        ),
        Mistake(
            "positions_forgotten", _without("positions"), "The places are learned: (N + 1) D more parameters."
        ),
        Mistake("head_forgotten", _without("head", "head bias"), "The head is missing: D V + V."),
        Mistake(
            "grid_of_patch_size",
            _counted(
                lambda parts, config: {"positions": (config["patch_size"] ** 2 + 1) * config["d_model"]}
            ),
            "You took the patch size for the grid. At 224 pixels, patches of 16 make a grid of 14 × 14.",
        ),
        Mistake(
            "two_d_a_block_missing",
            lambda config: vit_params(config) - 2 * config["d_model"] * config["num_layers"],
            "Each block lacks 2 D. One of its two norms counts that, and so do the biases of both.",
        ),
        Mistake(
            "biases_of_feed_forward_forgotten",
            lambda config: vit_params(config) - 5 * config["d_model"] * config["num_layers"],
            "Each block lacks 5 D. So much count the biases of the feed-forward part: four times the width "
            "going up and once coming down.",
        ),
        Mistake(
            "bias_of_the_head_forgotten",
            lambda config: vit_params(config) - config["num_classes"],
            "The head has a bias for each class.",
        ),
        Mistake(
            "one_vector_too_many",
            lambda config: vit_params(config) + config["d_model"],
            "That is d_model too many: one vector more than there is, such as a second class token.",
        ),
        Mistake(
            "a_place_for_each_pixel",
            lambda config: (
                vit_params(config)
                + config["d_model"]
                * (config["image_size"] ** 2 - (config["image_size"] // config["patch_size"]) ** 2)
            ),
            "You counted a place for each pixel. Each patch has one, and the class token.",
        ),
        *MORE,
    ),
    alternatives=(_counted(),),
    stars=2,
    minutes=15,
)
