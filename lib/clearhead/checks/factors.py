"""Say a number as one would write it, and numbers as sizes of the arguments, their roots or their ratios."""

from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations

import numpy as np

KNOWN = {
    1 / np.log(2): "1 / ln 2, as of a logarithm to base 2",
    np.log(2): "ln 2, as of a logarithm to another base",
    1 / np.log(10): "1 / ln 10, as of a logarithm to base 10",
    180 / np.pi: "180 / π, as of degrees",
    np.pi / 180: "π / 180, as of degrees",
    2 * np.pi: "2 π",
    np.pi: "π",
    1 / np.pi: "1 / π",
    0.5 / np.pi: "1 / (2 π)",
}
POWERS = {1: "{}", -1: "1 / ({})", 0.5: "the root of {}", -0.5: "1 / root of {}", 2: "the square of {}"}


def named(numbers, sizes):
    """Return the words for numbers that are a size of the arguments, its root or its square, "" for none.

    Of three different ones or more, also for a product or a ratio of sizes, or a whole multiple of one.
    """
    if len(numbers) < 2:
        return ""
    for name, values in _known(sizes).items():
        for power, words in POWERS.items():
            if np.allclose(values**power, numbers, rtol=1e-5):
                return words.format(name)
    return product(numbers, sizes) or _ratio(numbers, sizes)


def _known(sizes):
    """Return the sizes that differ from case to case, as one array a name."""
    known = {name: np.array([each.get(name, np.nan) for each in sizes], dtype=float) for name in sizes[0]}
    return {name: x for name, x in known.items() if (x > 0).all() and np.ptp(x) > 0}


def _whole(numbers, sizes):
    """Return the whole sizes that differ from case to case; none where too few numbers are to be named."""
    if len(np.unique(np.round(numbers, 6))) < 3:
        return {}
    return {name: x for name, x in _known(sizes).items() if (x % 1 == 0).all()}


def product(numbers, sizes):
    """Return "3 · D · H" for numbers that are a product of sizes, times a small whole number."""
    known = _whole(numbers, sizes)
    for count in (1, 2, 3):
        for names in islice(combinations_with_replacement(known, count), 300):
            times = numbers / np.prod([known[name] for name in names], axis=0)
            whole = float(round(times[0]))
            if 0 < whole < 13 and np.allclose(times, whole, rtol=1e-9):
                return " · ".join([f"{whole:.0f}"] * (whole != 1) + list(names))
    return ""


def _ratio(numbers, sizes):
    """Return "the root of D / H" for numbers that are a size, or one more or less, divided by another."""
    known = _whole(numbers, sizes)
    parts = known | {f"({n} {s} 1)": x + k for s, k in (("-", -1), ("+", 1)) for n, x in known.items()}
    for power, words in ((1, "{} / {}"), (2, "the root of {} / {}")):
        for (above, x), (below, y) in permutations((parts | {"1": np.ones(len(numbers))}).items(), 2):
            if np.allclose(x, numbers**power * y, rtol=1e-6) and (y > 0).all():
                return words.format(above, below)
    return ""


def in_words(number):
    """Return a number as "1/3", "√2" or "0.6931"."""
    for value, words in KNOWN.items():
        if abs(abs(number) - value) < 1e-9 * value:
            return "-" * (number < 0) + words
    for value, sign in ((number, ""), (number * abs(number), "√")):
        fraction = Fraction(value).limit_denominator(300)
        if abs(fraction - value) < 1e-7 * max(1, abs(value)) and (fraction or not value):
            minus, text = "-" * (fraction < 0), str(abs(fraction))
            return f"{minus}{sign}({text})" if sign and "/" in text else f"{minus}{sign}{text}"
    return f"{number:.4g}"
