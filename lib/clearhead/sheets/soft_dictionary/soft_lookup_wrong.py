"""The wrong answers of 04.soft_lookup."""

import numpy as np

from clearhead.checks.exercise import Mistake
from clearhead.maths.softmax import softmax

from .shared import naive_softmax


def look_up(scores, V):
    """Return the pair (z, a) for given scores."""
    a = softmax(scores)
    return a @ V, a


def with_weights(a, V):
    """Return the pair (z, a) for given weights."""
    return a @ V, a


def shifted_late(scores):
    """Return weights whose maximum was subtracted after the exponential, which is too late."""
    positive = np.exp(scores) - np.exp(scores).max()
    return positive / positive.sum()


def one_hot_best(scores):
    """Return weight 1 for the largest score, 0 for all others."""
    return np.eye(len(scores))[np.argmax(scores)]


def hard_where_large(scores):
    """Return softmax, but weight 1 for the largest score where any score is above 300."""
    return one_hot_best(scores) if np.abs(scores).max() > 300 else softmax(scores)


def cut_at_700(scores):
    """Return the softmax of scores that were cut off so that e^score stays finite."""
    return naive_softmax(np.clip(scores, -700, 700))


def one_for_nan(scores):
    """Return the softmax that overflows, with 1 in place of every NaN."""
    return np.nan_to_num(naive_softmax(scores), nan=1.0)


def shifted_by_size(scores):
    """Return weights after the largest size |score| was subtracted: nothing is left of negative scores."""
    return naive_softmax(scores - np.abs(scores).max())


def shifted_where_large(scores):
    """Return softmax where a score is above 700, and e^score as it is elsewhere."""
    return softmax(scores) if scores.max() > 700 else naive_softmax(scores)


def _shares(scores):
    """Return e to the scores, divided by the sum, whatever their size."""
    return np.exp(scores) / np.exp(scores).sum()


def _scores_in_float32(q, K, V, temperature):
    q, K, temperature = (np.asarray(each, dtype=np.float32) for each in (q, K, temperature))
    return look_up(K @ q / temperature, V)


MISTAKES = (
    Mistake(
        "scores_in_float32",
        _scores_in_float32,
        "You compute in float32, which keeps seven digits. The small gap of two large scores loses "
        "digits: stay with float64.",
    ),
    Mistake(
        "temperature_forgotten",
        lambda q, K, V, temperature: look_up(K @ q, V),
        "Your answer does not depend on the temperature. Divide the scores by it, before the softmax.",
    ),
    Mistake(
        "multiplied_by_temperature",
        lambda q, K, V, temperature: look_up(K @ q * temperature, V),
        "You multiplied the scores by the temperature, or raised the weights to it. Divide the scores by it.",
    ),
    Mistake(
        "temperature_after_softmax",
        lambda q, K, V, temperature: with_weights(softmax(K @ q) / temperature, V),
        "You divided the weights, so they sum to 1 at temperature 1 alone. Divide the scores, before the "
        "softmax.",
    ),
    Mistake(
        "overflows",
        lambda q, K, V, temperature: with_weights(naive_softmax(K @ q / temperature), V),
        "Right for scores near 0; `np.exp` overflows for large ones, and is 0 far below 0. Divide by the "
        "temperature first, then subtract the largest.",
    ),
    Mistake(
        "shifted_after_exponential",
        lambda q, K, V, temperature: with_weights(shifted_late(K @ q / temperature), V),
        "You subtracted the maximum after the exponential. Subtract the largest *score*, before it.",
    ),
    Mistake(
        "always_hard",
        lambda q, K, V, temperature: with_weights(one_hot_best(K @ q / temperature), V),
        "All your weight goes to the best key. Every value takes part, each with its weight.",
    ),
    Mistake(
        "hard_where_scores_are_large",
        lambda q, K, V, temperature: with_weights(hard_where_large(K @ q / temperature), V),
        "Where the scores are large, you give all the weight to the best key. Two large scores can "
        "lie close together: subtract the largest score, and take the softmax as always.",
    ),
    Mistake(
        "scores_cut_off",
        lambda q, K, V, temperature: with_weights(cut_at_700(K @ q / temperature), V),
        "You cut off scores far from 0, and their gaps are lost. Subtract the largest score from all "
        "of them: the gaps stay.",
    ),
    Mistake(
        "one_in_place_of_nan",
        lambda q, K, V, temperature: with_weights(one_for_nan(K @ q / temperature), V),
        "You put 1 where a weight is NaN. That hides the mistake. Prevent the NaN: subtract the "
        "largest score before the exponential.",
    ),
    Mistake(
        "shifted_by_the_largest_size",
        lambda q, K, V, temperature: with_weights(shifted_by_size(K @ q / temperature), V),
        "You subtracted the largest size, without its sign. Every e^score can then be 0, which gives 0 / 0. "
        "Subtract the largest score itself.",
    ),
    Mistake(
        "shifted_only_where_large",
        lambda q, K, V, temperature: with_weights(shifted_where_large(K @ q / temperature), V),
        "You subtract the largest score only where it is large. Where all scores are very negative, "
        "every e^score is 0: subtract it always.",
    ),
    Mistake(
        "temperature_kept_away_from_zero",
        lambda q, K, V, temperature: look_up(K @ q / max(temperature, 0.01), V),
        "Your temperature cannot fall below a limit. Divide the scores by the temperature itself: a tiny "
        "one makes a tiny gap count.",
    ),
    Mistake(
        "only_the_answer",
        lambda q, K, V, temperature: look_up(K @ q / temperature, V)[0],
        "The answer is right, but the weights are missing. Return two things: `z, a`.",
    ),
    Mistake(
        "scaled_by_sqrt_d",
        lambda q, K, V, temperature: look_up(K @ q / temperature / np.sqrt(len(q)), V),
        "You also divided by √d. That comes in chapter 5; here only the temperature divides the scores.",
    ),
    Mistake(
        "temperature_squared",
        lambda q, K, V, temperature: look_up(K @ q / temperature**2, V),
        "You divided by the temperature twice, or by its square. Once is enough.",
    ),
    Mistake(
        "weights_without_temperature",
        lambda q, K, V, temperature: (look_up(K @ q / temperature, V)[0], softmax(K @ q)),
        "The answer is right, but the weights that you return know no temperature.",
    ),
    Mistake(
        "returned_in_the_other_order",
        lambda q, K, V, temperature: look_up(K @ q / temperature, V)[::-1],
        "The right two things, in the other order: first the answer z, then the weights a.",
    ),
    Mistake(
        "minus_the_scores",
        lambda q, K, V, temperature: look_up(-K @ q / temperature, V),
        "Your scores have a minus sign: the worst key wins. A large score must give a large weight.",
    ),
    Mistake(
        "answer_divided_by_temperature",
        lambda q, K, V, temperature: (look_up(K @ q, V)[0] / temperature, look_up(K @ q, V)[1]),
        "You divided the answer by the temperature. Divide the scores, before the softmax.",
    ),
    Mistake(
        "shifted_by_the_mean",
        lambda q, K, V, temperature: with_weights(naive_softmax((K @ q - np.mean(K @ q)) / temperature), V),
        "You subtracted the mean of the scores. The largest one can still overflow: subtract the largest.",
    ),
    Mistake(
        "maximum_not_divided",
        lambda q, K, V, t: with_weights(_shares(K @ q / t - (K @ q).max()), V),
        "You subtracted the largest score, and did not divide it by the temperature. Divide all scores "
        "first, then subtract their largest.",
    ),
    Mistake(
        "smallest_subtracted",
        lambda q, K, V, t: with_weights(_shares(K @ q / t - (K @ q / t).min()), V),
        "You subtracted the smallest score, so the largest can still overflow. Subtract the largest.",
    ),
    Mistake(
        "divided_by_the_largest_score",
        lambda q, K, V, t: look_up(K @ q / np.abs(K @ q).max(), V),
        "You divided the scores by the largest size of them, which takes their size and the temperature "
        "away. Divide by the temperature, and subtract the largest score.",
    ),
)
