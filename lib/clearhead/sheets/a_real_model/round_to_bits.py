"""17.round_to_bits: What few bits can say."""

import numpy as np

from clearhead.checks.exercise import Case, Exercise, Mistake

from .round_to_bits_wrong import MORE


def round_to_bits(x, bits):
    """Return the rows of x (N, c), each number at the nearest of 2^bits values of its row."""
    low, high = x.min(axis=1, keepdims=True), x.max(axis=1, keepdims=True)
    step = (high - low) / (2**bits - 1)
    return low + step * np.round((x - low) / np.where(step > 0, step, 1))


def _cases(rng):
    N, c = (int(n) for n in rng.permutation(np.arange(4, 9))[:2])
    x = rng.normal(size=(N, c)) * np.arange(1, N + 1)[:, None]
    return [
        Case(
            "two bits, by hand",
            (np.array([[0.0, 1.1, 1.9, 6.0, 4.6]]), 2),
            "From 0 to 6 in four values: 0, 2, 4, 6. The step is 6 / 3, not 6 / 4.",
            expected=np.array([[0.0, 2, 2, 6, 4]]),
        ),
        Case("three bits", (x, 3), "Each row has its own smallest value and its own step."),
        Case("ten bits", (x + 5, 10), "Nearly the numbers themselves: there are 1024 values."),
        Case(
            "one bit",
            (rng.normal(size=(c, N)), 1),
            "Two values a row are left: its smallest and its largest.",
        ),
        Case(
            "a row of equal numbers",
            (np.stack([np.full(c, 0.7), x[0]]), 2),
            "The step is 0 there, so do not divide by it: the number itself is left.",
        ),
    ]


def _with(levels=lambda bits: 2**bits - 1, nearest=np.round, axis=1, guarded=True):
    def answer(x, bits):
        low, high = x.min(axis=axis, keepdims=True), x.max(axis=axis, keepdims=True)
        step = (high - low) / levels(bits)
        return low + step * nearest((x - low) / (np.where(step > 0, step, 1) if guarded else step))

    return answer


def _around_zero(x, bits):
    step = np.abs(x).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 0.5)
    return step * np.round(x / step)


def _xor(steps):
    """Return round_to_bits with steps(bits) steps."""

    def answer(x, bits):
        low, high = x.min(axis=1, keepdims=True), x.max(axis=1, keepdims=True)
        with np.errstate(all="ignore"):
            step = (high - low) / np.float64(steps(bits))
            return low + step * np.round((x - low) / np.where(step == 0, 1, step))

    return answer


def _of_grid(grid, far=np.abs):
    """Return round_to_bits by a list of all values, and a measure of how far they are."""

    def answer(x, bits):
        grids = [grid(row.min(), row.max(), 2**bits) for row in x]
        return np.stack([g[far(row[:, None] - g).argmin(1)] for row, g in zip(x, grids, strict=True)])

    return answer


EXERCISE = Exercise(
    id="17.round_to_bits",
    title="What few bits can say",
    reference=round_to_bits,
    cases=_cases,
    hints=(
        "How many steps are there between the smallest and the largest of 2^bits values?",
        "One less than there are values. Count each number in steps from the smallest, and round the count.",
        "step = (high - low) / (2**bits - 1); low + step * np.round((x - low) / step), where step is not 0",
    ),
    mistakes=(
        Mistake(
            "one_step_too_many",
            _with(lambda bits: 2**bits),
            "You have 2^bits steps from the smallest to the largest. Between 2^bits values there are "
            "2^bits - 1.",
        ),
        Mistake(
            "rounded_down",
            _with(nearest=np.floor),
            "You always rounded down. Take the nearest value: np.round.",
        ),
        Mistake(
            "one_scale_for_all",
            _with(axis=None),
            "You took the smallest and largest of the whole array. Each row is a block with its own two.",
        ),
        Mistake(
            "columns_not_rows",
            _with(axis=0),
            "You took the smallest and largest of each column. A block is a row.",
        ),
        Mistake(
            "around_zero",
            _around_zero,
            "Your values lie around zero. Here they go from the smallest number of the row to the largest.",
        ),
        Mistake(
            "divides_by_zero",
            _with(guarded=False),
            "In a row of equal numbers the step is 0, and 0 / 0 is not a number. Then nothing needs "
            "rounding.",
        ),
        Mistake(
            "exclusive_or",
            _xor(lambda bits: 2 ^ (bits - 1)),
            "2 ^ bits is no power in Python, but the exclusive or of the bits. Write 2**bits.",
        ),
        Mistake(
            "exclusive_or_in_brackets",
            _xor(lambda bits: (2 ^ bits) - 1),
            "2 ^ bits is no power in Python, but the exclusive or of the bits. Write 2**bits.",
        ),
        Mistake(
            "largest_value_of_a_range",
            _of_grid(lambda low, high, n: np.linspace(low, high, n, endpoint=False)),
            "Your values end one step before the largest number of the row. It is one of them.",
        ),
        Mistake(
            "difference_with_its_sign",
            _of_grid(np.linspace, lambda far: far),
            "You took the smallest difference with its sign, so always the largest value. Take its size: "
            "np.abs.",
        ),
        *MORE,
    ),
    alternatives=(
        lambda x, bits: np.stack(
            [
                grid[np.abs(row[:, None] - grid).argmin(axis=1)]
                for row in x
                for grid in [np.linspace(row.min(), row.max(), 2**bits)]
            ]
        ),
    ),
    stars=2,
    minutes=15,
)
