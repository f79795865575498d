"""More wrong answers of 17.round_to_bits."""

import numpy as np

from clearhead.checks.exercise import Mistake


def _rounded(values=lambda bits: 2.0**bits, nearest=np.round, back=lambda low, step, k: low + step * k):
    """Return round_to_bits, in which each of these parts can be replaced by a wrong one."""

    def answer(x, bits):
        low, high = x.min(axis=1, keepdims=True), x.max(axis=1, keepdims=True)
        step = (high - low) / max(values(bits) - 1, 1)
        return back(low, step, nearest((x - low) / np.where(step > 0, step, 1)))

    return answer


def _multiples(x, bits):
    step = (x.max(axis=1, keepdims=True) - x.min(axis=1, keepdims=True)) / (2**bits - 1)
    return np.where(step > 0, step * np.round(x / np.where(step > 0, step, 1)), x)


def _from_zero(x, bits):
    step = x.max(axis=1, keepdims=True) / (2**bits - 1)
    return step * np.round(x / step)


def _middles(x, bits):
    low, high = x.min(axis=1, keepdims=True), x.max(axis=1, keepdims=True)
    part = (high - low) / 2**bits
    number = np.clip(np.floor((x - low) / np.where(part > 0, part, 1)), 0, 2**bits - 1)
    return np.where(part > 0, low + part * (number + 0.5), x)


def _unit(x, bits):
    low, high = x.min(axis=1, keepdims=True), x.max(axis=1, keepdims=True)
    return np.round((x - low) / np.where(high > low, high - low, 1) * (2**bits - 1)) / (2**bits - 1)


def _same_on_both_sides(x, bits):
    size = np.abs(x).max(axis=1, keepdims=True)
    step = 2 * size / (2**bits - 1)
    return np.where(step > 0, step * np.round((x + size) / np.where(step > 0, step, 1)) - size, x)


def _multiples_of_the_largest_size(x, bits):
    step = np.abs(x).max(axis=1, keepdims=True) / max(2 ** (bits - 1) - 1, 1)
    return step * np.round(x / np.where(step > 0, step, 1))


def _from_the_mean(x, bits):
    mean, step = x.mean(axis=1, keepdims=True), np.ptp(x, axis=1, keepdims=True) / (2**bits - 1)
    return mean + step * np.round((x - mean) / np.where(step > 0, step, 1))


def _step_of_the_first_row(x, bits):
    low, step = x.min(axis=1, keepdims=True), np.ptp(x[0]) / (2**bits - 1)
    return low + step * np.round((x - low) / (step or 1))


MORE = (
    Mistake(
        "rounded_up",
        _rounded(nearest=np.ceil),
        "You always rounded up. Take the nearest value: np.round.",
    ),
    Mistake(
        "not_rounded",
        _rounded(nearest=lambda k: k),
        "Your numbers are as they were. Count in steps from the smallest of the row, and round the count.",
    ),
    Mistake(
        "codes_came_back",
        _rounded(back=lambda low, step, k: k),
        "You returned how many steps each number is from the smallest. Go back: the smallest, plus the step "
        "times that.",
    ),
    Mistake(
        "smallest_not_added",
        _rounded(back=lambda low, step, k: step * k),
        "Your values begin at 0. They begin at the smallest number of the row: add it at the end.",
    ),
    Mistake(
        "multiples_of_the_step",
        _multiples,
        "You rounded to multiples of the step. The values begin at the smallest number of the row: subtract "
        "it first, and add it at the end.",
    ),
    Mistake(
        "as_many_values_as_bits",
        _rounded(values=lambda bits: bits),
        "With b bits there are 2^b values, not b.",
    ),
    Mistake(
        "twice_as_many_values_as_bits",
        _rounded(values=lambda bits: 2 * bits),
        "You took 2 b values. Each bit doubles their number: 2^b, written 2**bits.",
    ),
    Mistake(
        "equal_numbers_became_zero",
        _rounded(back=lambda low, step, k: np.where(step > 0, low + step * k, 0)),
        "A row of equal numbers became 0. It stays as it is: its smallest number is all that is left.",
    ),
    Mistake(
        "steps_counted_from_zero",
        _from_zero,
        "Your steps are the largest number over 2^b - 1, counted from 0. Values begin at the row's smallest.",
    ),
    Mistake(
        "middles_of_intervals",
        _middles,
        "Your values are the middles of 2^b parts. Here both ends are values themselves, with 2^b - 1 steps "
        "between them.",
    ),
    Mistake(
        "binary_places",
        lambda x, bits: np.round(x * 2.0**bits) / 2.0**bits,
        "You kept b binary places. Each row has 2^b values, from its smallest number to its largest.",
    ),
    Mistake(
        "one_step_too_few",
        _rounded(values=lambda bits: 2**bits - 1),
        "You have 2^b - 2 steps, or 2^b - 1 values. 2^b values have 2^b - 1 steps between them.",
    ),
    Mistake(
        "from_0_to_1",
        _unit,
        "Your values go from 0 to 1. Go back to the row, from its smallest number to its largest.",
    ),
    Mistake(
        "decimal_places",
        lambda x, bits: np.round(x, bits),
        "You kept b decimal places. Each row has 2^b values, from its smallest to its largest number.",
    ),
    Mistake(
        "same_range_on_both_sides",
        _same_on_both_sides,
        "Your range is the same on both sides of 0: from minus the largest size to plus it. Here it "
        "goes from the smallest number of the row to the largest.",
    ),
    Mistake(
        "multiples_of_the_largest_size",
        _multiples_of_the_largest_size,
        "Your values are multiples of the largest size over 2^(b-1) - 1, with 0 among them: rounding "
        "with a sign. Here they go from the smallest number of the row to the largest.",
    ),
    Mistake(
        "down_not_nearest",
        _rounded(nearest=lambda k: np.floor(k + 1e-9)),
        "You went down to the value below. Take the nearest: np.round.",
    ),
    Mistake(
        "up_not_nearest",
        _rounded(nearest=lambda k: np.ceil(k - 1e-9)),
        "You went up to the value above. Take the nearest: np.round.",
    ),
    Mistake(
        "two_values_too_many",
        _rounded(lambda bits: 2.0**bits + 2),
        "You have 2^b + 1 steps. 2^b values have 2^b - 1 steps between them.",
    ),
    Mistake(
        "one_bit_for_the_sign",
        _rounded(lambda bits: 2.0 ** (bits - 1)),
        "You used half of the values, as if one bit were a sign. b bits have 2^b values here.",
    ),
    Mistake(
        "codes_in_eight_bits",
        _rounded(nearest=lambda k: np.round(k).astype(int) % 256),
        "Your counts of steps stand in eight bits (np.uint8), and begin again after 255. With more bits they "
        "are larger: leave them as floats.",
    ),
    Mistake(
        "a_square_of_bits",
        _rounded(lambda bits: bits**2),
        "You took b^2 values. b bits have 2^b, written 2**bits.",
    ),
    Mistake(
        "largest_value_left_out",
        lambda x, bits: _rounded(nearest=lambda k: np.minimum(np.round(k), max(2**bits - 2, 0)))(x, bits),
        "The largest value is missing in yours, so 2^b - 1 are left. np.arange leaves out its end.",
    ),
    Mistake(
        "from_the_mean",
        _from_the_mean,
        "You counted the steps from the mean of the row. Count them from its smallest number.",
    ),
    Mistake(
        "step_of_the_first_row",
        _step_of_the_first_row,
        "You took the step of the first row for all. Each row has its own.",
    ),
)
