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
        Case("our digits model", (size((8, 2, 1, 10, 12, 2)),),
             "Embedding 60, class token 12, 17 places 204, each block 1,884, last norm 24, head 130.",
             expected=4198),
        Case("ViT-B/16", (size(base),), "86,567,656 in all.", expected=86_567_656),
        Case("ViT-L/16", (size(large),), "304,326,632 in all.", expected=304_326_632),
        Case("ViT-H/14", (size(huge),), "632,045,800 in all.", expected=632_045_800),
        Case("random sizes", (size(some),), "Go through the parts one by one, and write down each shape."),
    ]  # fmt: skip


EXERCISE = exercise_from_text(__file__, cases)
