"""More wrong answers of 10.softmax_T."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax


def _greedy(z):
    best = z == z.max()
    return best / best.sum()


def _warm(warm):
    """Return an answer that is right at T = 0, and warm(z, T) otherwise."""
    return lambda z, T: _greedy(z) if T == 0 else warm(z, T)


def _cold(cold):
    """Return an answer that is cold(z) at T = 0, and right otherwise."""
    return lambda z, T: cold(z) if T == 0 else softmax(z / T)


MORE = (
    Mistake(
        "a_thousandth_added",
        lambda z, T: softmax(z / (T + 1e-3)),
        "You added a thousandth to T, which changes every temperature. Give T = 0 a line of its own.",
    ),
    Mistake(
        "a_millionth_for_zero",
        lambda z, T: softmax(z / max(T, 1e-6)),
        "Where T = 0 your temperature is a millionth, and two nearly equal logits share. Give T = 0 a line "
        "of its own: ask where z == z.max().",
    ),
    Mistake(
        "true_and_false_at_zero",
        _cold(lambda z: z == z.max()),
        "At T = 0 you say which logits are largest. Return probabilities: divide by how many they are.",
    ),
    Mistake(
        "token_returned_at_zero",
        _cold(lambda z: int(np.argmax(z))),
        "At T = 0 you return the token. Return probabilities: all for the largest logit.",
    ),
    Mistake(
        "logits_returned_at_zero",
        _cold(lambda z: np.where(z == z.max(), z, 0)),
        "At T = 0 you keep the largest logit itself. Its probability is 1, or a share of 1.",
    ),
    Mistake(
        "last_winner_of_two",
        _cold(lambda z: np.eye(len(z))[len(z) - 1 - np.argmax(z[::-1])]),
        "Two logits are equally large, and the last of them got everything. In the limit T → 0 they share.",
    ),
    Mistake(
        "never_divided",
        _warm(lambda z, T: np.exp((z - z.max()) / T)),
        "Above 0 your numbers do not sum to 1: divide them by their sum.",
    ),
    Mistake(
        "root_of_the_temperature",
        _warm(lambda z, T: softmax(z / np.sqrt(T))),
        "You divided by the root of T. Divide by T.",
    ),
    Mistake(
        "one_plus_the_temperature",
        lambda z, T: softmax(z / (1 + T)),
        "You divided by 1 + T. Divide by T, and give T = 0 a line of its own.",
    ),
    Mistake(
        "divided_only_below_one",
        _warm(lambda z, T: softmax(z / min(T, 1))),
        "Above 1 your temperature is not used. Divide by every T above 0.",
    ),
    Mistake(
        "e_to_the_temperature",
        lambda z, T: softmax(z / np.exp(T)),
        "You divided by e to the T. Divide by T, and give T = 0 a line of its own.",
    ),
    Mistake(
        "only_the_largest_divided",
        _warm(lambda z, T: softmax(np.where(z == z.max(), z / T, z))),
        "You divided the largest logit alone. Divide all of them.",
    ),
    Mistake(
        "sorted",
        lambda z, T: np.sort(_cold(_greedy)(z, T))[::-1],
        "You sorted the probabilities. Each token keeps its place.",
    ),
    Mistake(
        "nearly_equal_share",
        _cold(lambda z: (near := np.abs(z - z.max()) < 1e-7) / near.sum()),
        "At T = 0 two nearly equal logits share. Only equal ones do: ask where z == z.max(), with no "
        "rounding, no float32, no np.isclose, and no small number for T.",
    ),
    Mistake(
        "greedy_at_a_small_temperature",
        lambda z, T: _cold(_greedy)(z, T if T > 0.1 or z.min() == z.max() else 0),
        "At a small T you took the largest logit alone. Only T = 0 is greedy: ask whether T == 0.",
    ),
    Mistake(
        "smallest_taken_away",
        _warm(lambda z, T: softmax((z - z.min()) / T)),
        "You took the smallest logit away, or the mean: with one of -inf all become NaN. Take the largest "
        "away, or leave it to softmax.",
    ),
)
