"""Relations of the numbers of a result to the expected ones: a function, a factor, a term or a size.

A number is written as one would write it by hand (1/3, √2), and numbers that differ from case to case as
sizes of the arguments, their square roots or their ratios. A clause about a result that is one number begins
with "your result", one about the entries of an array with "every entry".
"""

import re
from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations

import numpy as np

from ..comparing import all_close
from .positions import by_position, by_row_order, by_row_transform, by_shape, by_size, in_which_equal

FUNCTIONS = {  # the description of a number to whose expected value the function was applied
    "the negative of the expected one": np.negative,
    "the square of the expected one": np.square,
    "the square root of the expected one": np.sqrt,
    "the reciprocal of the expected one": np.reciprocal,
    "1 minus the expected one": lambda x: 1 - x,
    "the exponential of the expected one": np.exp,
    "the logarithm of the expected one": np.log,
    "the absolute value of the expected one": np.abs,
    "the expected one rounded down": np.floor,
    "the expected one rounded to an integer": np.round,
    "max(x, 0), where x is the expected one": lambda x: np.maximum(x, 0),
    "min(x, 1), where x is the expected one": lambda x: np.minimum(x, 1),
    "the arccosine of the expected one": np.arccos,
    "the sigmoid of the expected one": lambda x: 1 / (1 + np.exp(-x)),
    "the tanh of the expected one": np.tanh,
}
#: Functions that saturate at 1, so that an agreement far from 0 proves little.
FLAT = tuple(FUNCTIONS[f"the {name} of the expected one"] for name in ("sigmoid", "tanh"))
BACK = {  # the description of the function that must still be applied to a number
    "if you squared it": np.square,
    "if you took its square root": np.sqrt,
    "if you took its exponential": np.exp,
    "if you took its logarithm": np.log,
    "if you took its absolute value": np.abs,
    "if you rounded it down": np.floor,
    "if you rounded it up": np.ceil,
    "if you rounded it to an integer": np.round,
    "if you replaced negative values by 0": lambda x: np.maximum(x, 0),
    "if you replaced values above 1 by 1": lambda x: np.minimum(x, 1),
}
#: Well-known numbers, each with its formula and the two quantities of which it is the factor, if any.
KNOWN = {
    1 / np.log(2): ("1 / ln 2", "log2 and the natural logarithm"),
    np.log(2): ("ln 2", "log2 and the natural logarithm"),
    1 / np.log(10): ("1 / ln 10", "log10 and the natural logarithm"),
    np.log(10): ("ln 10", "log10 and the natural logarithm"),
    180 / np.pi: ("180 / π", "degrees and radians"),
    np.pi / 180: ("π / 180", "degrees and radians"),
    2 * np.pi: ("2 π", ""),
    np.pi: ("π", ""),
    1 / np.pi: ("1 / π", ""),
    0.5 / np.pi: ("1 / (2 π)", ""),
}
TIMES = {"-1": "the negative of", "2": "twice", "1/2": "half"}
POWERS = {1: "{}", -1: "1 / {}", 0.5: "√({})", -0.5: "1 / √({})", 2: "{}**2"}
TOTALS = {
    "{}.sum()": np.sum,
    "{}.mean()": np.mean,
    "np.linalg.norm({})": np.linalg.norm,
    "{}.max()": np.max,
}
ORDINALS = ("first", "second", "third", "fourth")


def relation(pairs, sizes, arguments, tolerance):
    """Return a clause that relates the results to the expected ones in all pairs (got, wanted), or "".

    `sizes` has a dict for each pair, name -> number; `arguments` a dict for each pair, name -> array.
    """
    if all(got.shape == want.shape == () for got, want in pairs):
        pairs = [(got[None], want[None]) for got, want in pairs]
        arguments = [{name: x[None] for name, x in each.items()} for each in arguments]
    if all(got.shape == want.shape for got, want in pairs):
        if all(got.size > 1 and not got.any() for got, _ in pairs):
            return "all your entries are 0"
        found = _by_arguments(pairs, arguments, tolerance)
        if found or _different(pairs) < 2:
            return found
        found = _by_number(pairs, sizes, tolerance, _different(pairs) < 3)
        if not found and all(all_close(got, 1.0 - want, tolerance) for got, want in pairs):
            return f"{_subject(pairs)} is 1 minus the expected one"
        if not found and _different(pairs) == 2 and all(want.size > 11 for _, want in pairs):
            return by_position(pairs, tolerance)  # such as a table of 0 and 1
        if found or _different(pairs) < 3:
            return found
        explainers = (_by_function, by_position, by_row_order, by_row_transform)
        found = next(filter(None, (explainer(pairs, tolerance) for explainer in explainers)), "")
    else:
        found = by_shape(pairs, tolerance) or by_size(pairs, sizes)
    if found or not all(want.size > 3 for _, want in pairs):
        return found
    if same_numbers(pairs, tolerance):
        return "your result has the right entries, but at the wrong positions"
    return ""


def by_form(pairs, sizes, tolerance):
    """Return the clause about values at other positions or in another shape, or "" if they are too few."""
    if not all(want.size > 5 for _, want in pairs):
        return ""
    if all(got.shape == want.shape for got, want in pairs):
        return by_position(pairs, tolerance) or by_row_order(pairs, tolerance)
    return by_shape(pairs, tolerance) or by_size(pairs, sizes)


def _different(pairs):
    """Return the number of different expected values, because one or two values may agree by chance."""
    flat = np.concatenate([want.ravel() for _, want in pairs]).astype(float)
    return len(np.unique(np.round(flat, 9)))


def _subject(pairs):
    """Return the subject of a clause: "your result" for single numbers, and "every entry" for arrays."""
    return "your result" if all(want.size == 1 for _, want in pairs) else "every entry"


def _by_function(pairs, tolerance):
    """Return the clause about a function that was applied to each number, or that is missing."""
    if any(np.isnan(got).any() for got, _ in pairs):
        return ""  # many functions give NaN
    with np.errstate(all="ignore"):
        for words, f in FUNCTIONS.items():
            made = [(got, f(want * 1.0), want) for got, want in pairs]
            if all(all_close(got, x, tolerance) for got, x, _ in made) and _tells(f, made, tolerance):
                return f"{_subject(pairs)} is {words}"
        for words, f in BACK.items():
            if all(all_close(f(got * 1.0), want, tolerance) for got, want in pairs):
                return f"{_subject(pairs)} would be right {words}"
    return ""


def _tells(f, made, tolerance):
    """Return True if the results of a function are distinctive: not only 0, not infinite, not saturated."""
    if f in FLAT and all((np.abs(x) > 0.999).all() for _, x, _ in made):
        return False
    some = all((np.abs(x) > tolerance).any() for _, x, _ in made)
    return some and not any((np.isinf(x) & np.isfinite(want)).any() for _, x, want in made)


def _by_number(pairs, sizes, tolerance, few):
    """Return the clause about one factor or term that all numbers share.

    With `few` different numbers, only an integer factor or the reciprocal of one counts, because others may
    agree by chance.
    """
    with np.errstate(all="ignore"):
        factors = [_constant(got / want, np.abs(want) > tolerance, tolerance) for got, want in pairs]
        terms = [_constant(got - 1.0 * want, np.isfinite(want), tolerance) for got, want in pairs]
    flat = all((np.abs(got) <= tolerance)[np.abs(want) <= tolerance].all() for got, want in pairs)
    subject = _subject(pairs)
    if few:
        return _whole_factor(factors, subject) if None not in factors and flat else ""
    factor_text = _factor_in_words(factors, sizes, pairs) if None not in factors and flat else ""
    if factor_text:
        return factor_text
    if None not in terms:
        known = as_size(np.abs(terms), sizes) if len({term > 0 for term in terms}) == 1 else ""
        comparison = "larger" if terms[0] > 0 else "smaller"
        if np.ptp(terms) < 1e-6 * abs(terms[0]):
            return f"{subject} is {comparison} than expected by {format_number(abs(terms[0]))}"
        return f"{subject} is {comparison} than expected by {as_code(known)}" if known else ""
    return ""


def _whole_factor(factors, subject):
    """Return the clause about a factor that is an integer or the reciprocal of one, or ""."""
    factor = factors[0]
    is_integer = any(abs(x - round(x)) < 1e-6 and round(x) for x in (factor, 1 / factor if factor else 0.5))
    same = np.ptp(factors) <= 1e-6 * abs(factor)
    return f"{subject} is {_times(factor)}" if is_integer and same else ""


def _times(factor):
    """Return "3 times the expected one", with the meaning of a well-known factor such as π / 180."""
    factor_text = format_number(factor)
    between = next((why for known, (words, why) in KNOWN.items() if factor_text in (words, f"-{words}")), "")
    words = f"{TIMES.get(factor_text, f'{factor_text} times')} the expected one"
    return f"{words}, which is the factor between {between}" if between else words


def _constant(numbers, counts, tolerance):
    """Return the number at all positions where `counts` is True, or None if they hold different numbers."""
    kept = numbers[counts & np.isfinite(numbers)]
    if not kept.size or kept.size < counts.sum():
        return None
    middle = float(np.median(kept))
    return middle if np.allclose(kept, middle, rtol=10 * tolerance, atol=10 * tolerance) else None


def _factor_in_words(factors, sizes, pairs):
    """Return the clause about the factors of the cases: one number, a size, or a few examples."""
    if np.ptp(factors) <= 1e-6 * abs(factors[0]):
        factor = format_number(factors[0])
        return f"{_subject(pairs)} is {_times(factors[0])}" if factor not in ("0", "1") else ""
    known = as_size(np.array(factors), sizes)
    if known:
        if known.startswith("1 / "):
            return f"{_subject(pairs)} is the expected one divided by {as_code(known.removeprefix('1 / '))}"
        times = f"({known})" if re.search(" [-+/] ", known) and "√" not in known else as_code(known)
        return f"{_subject(pairs)} is {times} times the expected one"
    if np.abs(factors).min() < 1e-6:
        return ""
    if all(want.size > 1 for _, want in pairs) and sum(want.size for _, want in pairs) > 5:
        listed = list(dict.fromkeys(format_number(factor) for factor in factors))[:3]
        several = f"{', '.join(listed[:-1])} and {listed[-1]}" if len(listed) > 1 else listed[0]
        return (
            f"every entry is the expected one times a factor that depends only on the case, such as {several}"
        )
    return ""


def _by_arguments(pairs, arguments, tolerance):
    """Return the clause about an argument that was returned, added or multiplied, or is missing."""
    each = " entry by entry" if any(want.size > 1 for _, want in pairs) else ""
    for name in arguments[0]:
        given = [case.get(name) for case in arguments]
        if any(np.shape(x) != got.shape for x, (got, _) in zip(given, pairs, strict=True)):
            continue
        triples = [(got, want, x) for (got, want), x in zip(pairs, given, strict=True)]
        if any(x.dtype.kind not in "iuf" or not x.any() for x in given):
            continue
        if all(x.size == 1 and x == given[0] for x in given):  # one number in all cases tells nothing
            continue
        if all(all_close(got, x, tolerance) for got, _, x in triples):
            return f"your result is `{name}`, unchanged"
        if all(all_close(got - x, want, tolerance) for got, want, x in triples):
            return f"your result is the expected one plus `{name}`"
        if all(all_close(got + x, want, tolerance) for got, want, x in triples):
            return f"your result would be right if you added `{name}` to it"
        if any((x == 0).any() or x.size < 2 for x in given):
            continue
        if all(all_close(got, want * x, tolerance) for got, want, x in triples):
            return f"your result is the expected one multiplied{each} by `{name}`"
        if all(all_close(got * x, want, tolerance) for got, want, x in triples):
            return f"your result is the expected one divided{each} by `{name}`"
    return ""


def same_numbers(pairs, tolerance):
    """Return True if the two arrays of each pair hold the same numbers in any order."""
    return all(
        got.size == want.size and all_close(np.sort(got, axis=None), np.sort(want, axis=None), tolerance)
        for got, want in pairs
    )


def sizes_of(names, arguments):
    """Return the sizes of the arguments by their Python expressions: "X.shape[0]", "X.sum()", "n"."""
    found = {}
    for name, value in zip(names, arguments, strict=False):
        if type(value) in (int, float):
            found[name] = value
        if isinstance(value, dict):
            found |= {key: size for key, size in value.items() if type(size) in (int, float)}
        for axis, size in enumerate(getattr(value, "shape", ())):
            found[f"{name}.shape[{axis}]"] = size
    for name, value in zip(names, arguments, strict=False):
        if isinstance(value, np.ndarray) and value.size > 1 and value.dtype.kind in "iuf":
            found |= {words.format(name): float(fold(value)) for words, fold in TOTALS.items()}
    return found


def other_sizes(pairs, sizes):
    """Return the clause about an integer or a shape that has other sizes than expected."""
    series = [(np.asarray(got), np.asarray(want)) for got, want in pairs]
    shape = series[0][1].shape
    if len(shape) > 1 or series[0][1].size > 4 or any(one.shape != shape for pair in series for one in pair):
        return ""
    if any(one.dtype.kind not in "iu" for pair in series for one in pair):
        return ""
    for index in range(series[0][1].size):
        got, want = (np.array([pair[which].flat[index] for pair in series], float) for which in (0, 1))
        if (got == want).all():
            continue
        yours, right = (product(numbers, sizes) for numbers in (got, want))
        if shape and yours and right:
            said = f"the {ORDINALS[index]} number of your result is {as_code(yours)}"
            return f"{said}, but {as_code(right)} is expected{in_which_equal(got == want)}"
        if not shape and yours:
            expected = f", but {as_code(right)} is expected" if right else ""
            return f"your result is {as_code(yours)}{expected}"
    return ""


def almost_right(pairs):
    """Return the clause about numbers that are all right to two digits or more, but not further."""
    if any(got.shape != want.shape or not np.isfinite(want).all() for got, want in pairs):
        return ""
    if any(want.dtype.kind in "iub" for _, want in pairs):
        return ""
    off = [np.abs(got - want).max() / max(np.abs(want).max(), 1e-300) for got, want in pairs]
    if not all(part < 0.005 for part in off):
        return ""
    digits = int(-np.log10(max(off)))
    single = all(want.size == 1 for _, want in pairs)
    sentence = f"your result is right only to about {digits} significant digits"
    sentence += "" if single else ", relative to its largest entry"
    short = any(got.dtype == np.float32 for got, _ in pairs)  # whose rounding goes either way
    less = not short and all((np.abs(got) < np.abs(want))[want != 0].all() for got, want in pairs)
    if not less:
        return sentence
    each = "it is" if single else "every entry is"
    return f"{sentence}; {each} slightly too close to 0, as if a small constant were added to a divisor"


def as_size(numbers, sizes):
    """Return a formula for numbers that are a size of the arguments, its root or its square, or "".

    For three or more different numbers, it may also be a product or a ratio of sizes, or a multiple of one.
    """
    if len(numbers) < 2:
        return ""
    for name, values in _varying_sizes(sizes).items():
        for power, words in POWERS.items():
            if np.allclose(values**power, numbers, rtol=1e-5):
                return (
                    words.format(name).replace(f"({name})", name)
                    if name.isidentifier()
                    else words.format(name)
                )
    return product(numbers, sizes) or _ratio(numbers, sizes)


def as_code(formula):
    """Return a formula in backticks if it is a simple Python expression, such as "X.shape[0]"."""
    return f"`{formula}`" if re.fullmatch(r"[A-Za-z_][\w.\[\]()]*(\*\*2)?", formula) else formula


def _varying_sizes(sizes):
    """Return the positive sizes that differ from case to case, as one array for each name."""
    known = {name: np.array([each.get(name, np.nan) for each in sizes], dtype=float) for name in sizes[0]}
    return {name: x for name, x in known.items() if (x > 0).all() and np.ptp(x) > 0}


def _whole_sizes(numbers, sizes):
    """Return the integer sizes that differ from case to case, or {} for fewer than three numbers."""
    if len(np.unique(np.round(numbers, 6))) < 3:
        return {}
    return {name: x for name, x in _varying_sizes(sizes).items() if (x % 1 == 0).all()}


def product(numbers, sizes):
    """Return a formula such as "3 · D · H" for numbers that are a small integer times sizes, or ""."""
    known = _whole_sizes(numbers, sizes)
    for count in (1, 2, 3):
        for names in islice(combinations_with_replacement(known, count), 300):
            times = numbers / np.prod([known[name] for name in names], axis=0)
            rounded = float(round(times[0]))
            if 0 < rounded < 13 and np.allclose(times, rounded, rtol=1e-9):
                return " · ".join([f"{rounded:.0f}"] * (rounded != 1) + list(names))
    return ""


def _ratio(numbers, sizes):
    """Return a formula such as "√(D / H)" for numbers that are a ratio of sizes or its root, or ""."""
    if (numbers < 0).all():
        ratio_text = _ratio(-numbers, sizes)
        return f"-{ratio_text}" if ratio_text else ""
    if (numbers < 0).any():
        return ""
    known = _whole_sizes(numbers, sizes)
    parts = known | {f"({n} {s} 1)": x + k for s, k in (("-", -1), ("+", 1)) for n, x in known.items()}
    for power in (1, 2):
        for (above, x), (below, y) in permutations((parts | {"1": np.ones(len(numbers))}).items(), 2):
            if np.allclose(x, numbers**power * y, rtol=1e-6) and (y > 0).all():
                ratio = f"{above} / {below}" if below != "1" else above.strip("()")
                return f"√({ratio})" if power == 2 else ratio
    return ""


def format_number(number):
    """Return a number in a short form, such as "1/3", "√2" or "0.6931"."""
    for value, (words, _) in KNOWN.items():
        if abs(abs(number) - value) < 1e-9 * value:
            return "-" * (number < 0) + words
    for value, sign in ((number, ""), (number * abs(number), "√")):
        fraction = Fraction(value).limit_denominator(300)
        if abs(fraction - value) < 1e-7 * max(1, abs(value)) and (fraction or not value):
            minus, text = "-" * (fraction < 0), str(abs(fraction))
            return f"{minus}{sign}({text})" if sign and "/" in text else f"{minus}{sign}{text}"
    return f"{number:.4g}"
