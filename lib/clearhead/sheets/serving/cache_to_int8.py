"""19.cache_to_int8: Keys in eight bits."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .cache_to_int8_wrong import MORE


def cache_to_int8(K):
    """Return int8 codes (T, d) from -127 to 127 and scales (d,), one for each column: K ≈ codes · scales."""
    scales = np.abs(K).max(axis=0) / 127
    return np.rint(K / np.where(scales > 0, scales, 1)).astype(np.int8), scales


def _with(scales=None, rounding=np.rint, levels=127):
    def answer(K):
        found = np.abs(K).max(axis=0) / levels if scales is None else scales(K)
        return rounding(K / np.where(found > 0, found, 1)), found

    return answer


def _by_columns(K):
    codes, scales = np.zeros(K.shape), np.zeros(K.shape[1])
    for column in range(K.shape[1]):
        largest = max(abs(number) for number in K[:, column])
        scales[column] = largest / 127
        for row in range(len(K)):
            codes[row, column] = round(K[row, column] / scales[column]) if largest else 0
    return codes.astype(np.int8), scales


def _near(answer, K):
    codes, scales = answer
    return bool(np.all(np.abs(codes * scales - K) <= np.abs(K).max(axis=0) / 254 * (1 + 1e-9)))


EXACT = np.array([33, 39, 45, 57, 65, 71, 79, 89]) / 4096  # steps: 127 of them, over 127, are exact


def _cases(rng):
    T, d = int(rng.integers(12, 20)), int(rng.integers(4, 9))
    K = rng.normal(size=(T, d))
    K = K / np.abs(K).max(axis=0) * (127 * rng.permutation(EXACT)[:d])  # the largest codes are whole
    outlier = K * np.where(np.arange(d) == d // 2, 60, 1)
    near = ("each number comes back within half a step of its own column", _near)
    bytes_each = (
        "a code takes one byte: the codes have the dtype int8",
        lambda out, K: out[0].dtype == np.int8,
    )
    zero = ("the scale of a column of zeros is exactly 0", lambda out, K: np.asarray(out[1])[-1] == 0)
    return [
        Case(
            "by hand",
            (np.array([[127.0, -31.75], [-63.6, 10.1]]),),
            "The first column has steps of 1, the second of 0.25. -63.6 is nearest to -64.",
            expected=(np.array([[127.0, -127], [-64, 40]]), np.array([1.0, 0.25])),
        ),
        Case(
            "random keys",
            (K,),
            "One scale a column: its largest number, without its sign, over 127.",
            properties=(near, bytes_each),
        ),
        Case(
            "a column of outliers",
            (outlier,),
            "The large column must not make the steps of the others large.",
            properties=(near,),
        ),
        Case(
            "a column of zeros",
            (np.hstack([K, np.zeros((T, 1))]),),
            "0 divided by 0 is no code: give 0.",
            properties=(near, zero),
        ),
        Case(
            "tiny keys",
            (1e-9 * K,),
            "Their steps are tiny as well: nothing is added to a scale, and no smallest scale is set.",
            properties=(near,),
        ),
        Case(
            "negative numbers are the largest", (-np.abs(K),), "Largest without the sign.", properties=(near,)
        ),
    ]


EXERCISE = Exercise(
    id="19.cache_to_int8",
    title="Keys in eight bits",
    reference=cache_to_int8,
    cases=_cases,
    hints=(
        "Which numbers share a scale? Those of one column: an outlier column then hurts nobody else.",
        "scales = np.abs(K).max(axis=0) / 127; the codes are K / scales, rounded. A column of zeros "
        "needs care.",
        "return np.rint(K / np.where(scales > 0, scales, 1)).astype(np.int8), scales",
    ),
    mistakes=(
        Mistake(
            "smallest_scale_set",
            lambda K: (np.rint(K / (s := np.maximum(np.abs(K).max(axis=0) / 127, 1e-8))).astype(np.int8), s),
            "You allow no scale below a fixed number such as 1e-8, or add it to each scale, so tiny keys all "
            "become 0. Guard only the division by 0.",
        ),
        Mistake(
            "one_scale_for_all",
            _with(scales=lambda K: np.full(K.shape[1], np.abs(K).max() / 127)),
            "You use one scale for the table. One column of large numbers then takes the steps from "
            "all others: one a column.",
        ),
        Mistake(
            "the_sign_forgotten",
            _with(scales=lambda K: np.maximum(K.max(axis=0), 1e-12) / 127),
            "You take the largest number with its sign. Where a negative one is larger, codes leave the "
            "range: use np.abs.",
        ),
        Mistake(
            "cut_not_rounded",
            _with(rounding=np.trunc),
            "You cut the fraction off. Round to the nearest.",
        ),
        Mistake(
            "rounded_down",
            _with(rounding=np.floor),
            "You round down. Round to the nearest.",
        ),
        Mistake(
            "too_many_levels",
            _with(levels=256),
            "Codes go from -127 to 127, so the largest number is 127 steps: divide by 127.",
        ),
        Mistake(
            "seven_bits",
            _with(levels=63),
            "You use half of the codes. The largest number, without its sign, is 127 steps: divide by 127.",
        ),
        Mistake(
            "codes_not_rounded",
            _with(rounding=lambda codes: codes),
            "The codes must be whole numbers: round them.",
        ),
        Mistake(
            "the_zero_column_divided",
            lambda K: (np.rint(K / (np.abs(K).max(axis=0) / 127)), np.abs(K).max(axis=0) / 127),
            "A column of zeros has the scale 0, and 0 / 0 is not a number. Give its codes as 0.",
        ),
        Mistake(
            "one_a_row",
            lambda K: (np.rint(K / np.where((s := np.abs(K).max(axis=1)) > 0, s / 127, 1)[:, None]), s / 127),
            "You use one scale for each token, a row. Here each column has its own: axis=0.",
        ),
        Mistake(
            "over_128", _with(levels=128), "You divide by 128. Codes run from -127 to 127: divide by 127."
        ),
        Mistake(
            "over_255",
            _with(levels=255),
            "You divide by 255. That is the whole range; without the sign there are 127 steps.",
        ),
        Mistake(
            "half_of_the_range",
            _with(scales=lambda K: np.ptp(K, axis=0) / 254),
            "You take the way from the smallest to the largest. Take the largest number without its sign.",
        ),
        Mistake(
            "upside_down",
            lambda K: (cache_to_int8(K)[0], 127 / np.maximum(np.abs(K).max(axis=0), 1e-300)),
            "Your scales are upside down: K is codes times scales.",
        ),
        *MORE,
    ),
    alternatives=(_by_columns,),
    stars=2,
    minutes=15,
)
