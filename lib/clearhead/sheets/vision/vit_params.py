"""Cases of 13.vit_params."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text


def cases(rng):
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
        Case("the book's model of digits", (size((8, 2, 1, 10, 12, 2)),),
             "The embedding has 60 parameters, the class token 12, the 17 positions 204, each block "
             "1,884, the last norm 24 and the head 130.",
             expected=4198),
        Case("ViT-B/16", (size(base),), "ViT-B/16 has 86,567,656 parameters.", expected=86_567_656),
        Case("ViT-L/16", (size(large),), "ViT-L/16 has 304,326,632 parameters.", expected=304_326_632),
        Case("ViT-H/14", (size(huge),), "ViT-H/14 has 632,045,800 parameters.", expected=632_045_800),
        Case("random sizes", (size(some),), "Go through the parts one by one, and write down each shape."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
