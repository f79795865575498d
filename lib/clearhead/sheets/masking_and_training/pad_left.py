"""Cases of 09.pad_left."""

import numpy as np

from clearhead.checks.exercise import Case
from clearhead.checks.from_text import exercise_from_text

from .shared import sizes


def _prompts(rng, lengths, low=1):
    return [[int(i) for i in rng.integers(low, 20, size=n)] for n in lengths]


def cases(rng):
    B, T = sizes(rng, 2)
    lengths = rng.permutation([T, *rng.integers(1, T, size=B - 1)])
    with_pad = _prompts(rng, [T + 1, T - 1, 2], low=3)
    with_pad[0][1] = with_pad[1][0] = with_pad[2][1] = 2
    every_prompt = (
        "each row is its padding, followed by its prompt",
        lambda found, prompts, pad: all(
            np.asarray(row)[-len(prompt) :].tolist() == prompt
            for row, prompt in zip(found[0], prompts, strict=True)
        ),
    )
    by_hand = (
        np.array([[5, 6, 7], [0, 0, 8]]),
        np.array([[True, True, True], [False, False, True]]),
        np.array([[0, 1, 2], [0, 0, 0]]),
    )
    return [
        Case(
            "prompts of three tokens and of one, by hand",
            ([[5, 6, 7], [8]], 0),
            "The second prompt has two columns of padding in front, and its only token has position 0.",
            expected=by_hand,
        ),
        Case(
            "random prompts",
            (_prompts(rng, lengths), 0),
            "Count the columns of padding of each prompt: T minus its length.",
            2,
            properties=(every_prompt,),
        ),
        Case(
            "prompts that contain the id of the padding",
            (with_pad, 2),
            "Whether a token is real depends on its column, and not on its id.",
        ),
        Case(
            "prompts of equal length",
            (_prompts(rng, [T + 2] * 3), 0),
            "Without padding, all tokens are real, and their positions are their columns.",
        ),
        Case(
            "a single prompt",
            (_prompts(rng, [T + 3]), 4),
            "A batch of one prompt has one row, without padding.",
        ),
    ]


EXERCISE = exercise_from_text(__file__, cases)
