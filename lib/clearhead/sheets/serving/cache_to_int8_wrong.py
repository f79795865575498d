"""More wrong answers of 19.cache_to_int8."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _largest(K):
    return np.abs(K).max(axis=0)


def _by(scales, back=lambda codes, scales, K: (codes, scales)):
    """Return codes and scales by scales(K), and what back makes of them."""

    def answer(K):
        found = scales(K)
        codes = np.rint(K / np.where(found > 0, found, 1))
        return back(codes, found, K)

    return answer


def _right(K):
    return _largest(K) / 127


def _asymmetric(K):
    low = K.min(axis=0)
    step = np.ptp(K, axis=0) / 254
    return np.rint((K - low) / np.where(step > 0, step, 1)) - 127, step


MORE = (
    Mistake(
        "scale_of_1_for_zeros",
        _by(_right, lambda codes, scales, K: (codes, np.where(scales > 0, scales, 1))),
        "Your codes are right. But the scale of a column of zeros is 0 / 127 = 0: you return 1 there.",
    ),
    Mistake(
        "largest_for_the_scale",
        _by(_right, lambda codes, scales, K: (codes, scales * 127)),
        "You return the largest numbers. The scale is the largest number over 127.",
    ),
    Mistake(
        "never_over_127",
        _by(_largest),
        "You did not divide by 127, so the codes are -1, 0 and 1 alone.",
    ),
    Mistake(
        "shifted_to_the_smallest",
        _asymmetric,
        "You measure from the smallest number of a column. Here 0 stays 0: the scale is the largest number, "
        "without its sign, over 127.",
    ),
    Mistake(
        "keys_given_back",
        _by(_right, lambda codes, scales, K: (codes * scales, scales)),
        "You multiplied the codes by the scales again. Return the whole codes.",
    ),
    Mistake(
        "multiplied_by_the_scale",
        _by(_right, lambda codes, scales, K: (np.rint(K * scales), scales)),
        "You multiplied K by the scales. Divide: K ≈ codes · scales.",
    ),
    Mistake(
        "rounded_up",
        _by(_right, lambda codes, scales, K: (np.ceil(K / np.where(scales > 0, scales, 1)), scales)),
        "You round up. Round to the nearest.",
    ),
    Mistake(
        "signs_lost",
        _by(_right, lambda codes, scales, K: (np.abs(codes), scales)),
        "Your codes have lost their signs. Only the scale is made without signs.",
    ),
    Mistake(
        "rounded_before_dividing",
        _by(_right, lambda codes, scales, K: (np.rint(np.rint(K) / np.where(scales > 0, scales, 1)), scales)),
        "You rounded K before you divided it. Divide, then round.",
    ),
    Mistake(
        "scaled_by_the_length",
        _by(lambda K: np.sqrt((K**2).sum(axis=0)) / 127),
        "You took the length of the column. Take its largest number, without its sign.",
    ),
    Mistake(
        "scaled_by_the_spread",
        _by(lambda K: K.std(axis=0) / 127),
        "You took the spread of the column. Take its largest number, without its sign.",
    ),
    Mistake(
        "scaled_by_the_mean",
        _by(lambda K: np.abs(K).mean(axis=0) / 127),
        "You took the mean of the column, without signs. Take the largest.",
    ),
    Mistake(
        "scaled_by_the_sum",
        _by(lambda K: np.abs(K).sum(axis=0) / 127),
        "You took the sum of the column, without signs. Take the largest.",
    ),
    Mistake(
        "smallest_number",
        _by(lambda K: np.abs(K).min(axis=0) / 127),
        "You took the smallest number, without its sign. Take the largest.",
    ),
    Mistake(
        "largest_as_it_stands",
        _by(
            lambda K: K.max(axis=0) / 127,
            lambda codes, scales, K: (np.rint(K / np.where(scales == 0, 1, scales)), scales),
        ),
        "You took the largest number with its sign. Where a negative one is larger, codes leave the range: "
        "take np.abs first.",
    ),
    Mistake(
        "scales_first",
        _by(_right, lambda codes, scales, K: (scales, codes)),
        "Both are right, but they have changed places: return the codes, then the scales.",
    ),
    Mistake(
        "codes_without_a_sign",
        _by(_right, lambda codes, scales, K: (codes % 256, scales)),
        "Your codes go from 0 to 255, as numbers of type uint8 do. Codes below 0 keep their sign.",
    ),
    Mistake(
        "codes_turned",
        _by(_right, lambda codes, scales, K: (codes.T, scales)),
        "Your codes are turned: rows and columns are exchanged. Row t holds the codes of token t.",
    ),
    Mistake(
        "half_added_and_cut",
        _by(_right, lambda codes, scales, K: (np.trunc(K / np.where(scales > 0, scales, 1) + 0.5), scales)),
        "You added 0.5 and cut the fraction off. That rounds wrongly below 0: take np.rint.",
    ),
    Mistake(
        "scales_rounded",
        _by(lambda K: np.round(_right(K), 2)),
        "You rounded the scales to two decimals. Keep them as they are.",
    ),
    Mistake(
        "keys_cut_to_int8",
        _by(_right, lambda codes, scales, K: (np.trunc(K), scales)),
        "You cut K itself to whole numbers, without dividing by the scales. Divide first, then round.",
    ),
    Mistake(
        "scale_of_the_first_row",
        _by(lambda K: np.abs(K[0]) / 127),
        "You made the scales of the first row alone. Take the largest of each whole column.",
    ),
    Mistake(
        "squares_for_sizes",
        _by(lambda K: (K**2).max(axis=0) / 127),
        "You took the largest square. Take the largest number, without its sign.",
    ),
    Mistake(
        "smallest_without_its_sign",
        _by(lambda K: np.abs(K.min(axis=0)) / 127),
        "You took the smallest number of the column, then its size. Take the sizes first, then the largest.",
    ),
    Mistake(
        "one_scale_alone",
        lambda K: (np.rint(K / (np.abs(K).max() or 1) * 127), np.abs(K).max() / 127),
        "You return one scale for the whole table. Each column has its own: axis=0.",
    ),
)
