"""Say numbers by the sizes of the arguments, and how nearly right numbers are."""

import numpy as np

from .factors import product

TOTALS = {"sum": np.sum, "mean": np.mean, "length (norm)": np.linalg.norm, "largest number": np.max}
PLACES = ("first", "second", "third", "fourth")


def sizes_of(names, arguments):
    """Return the sizes of the arguments in words: "the size of axis 0 of X", "the sum of X", "n"."""
    found = {}
    for name, value in zip(names, arguments, strict=False):
        if type(value) in (int, float):
            found[name] = value
        if isinstance(value, dict):
            found |= {key: size for key, size in value.items() if type(size) in (int, float)}
        for axis, size in enumerate(getattr(value, "shape", ())):
            found[f"the size of axis {axis} of {name}"] = size
    for name, value in zip(names, arguments, strict=False):
        if isinstance(value, np.ndarray) and value.size > 1 and value.dtype.kind in "iuf":
            found |= {f"the {noun} of {name}": float(fold(value)) for noun, fold in TOTALS.items()}
    return found


def sizes_told(pairs, sizes):
    """Return the words for whole numbers, one alone or a shape, that are other sizes than those expected."""
    series = [(np.asarray(got), np.asarray(want)) for got, want in pairs]
    shape = series[0][1].shape
    if len(shape) > 1 or series[0][1].size > 4 or any(one.shape != shape for pair in series for one in pair):
        return ""
    if any(one.dtype.kind not in "iu" for pair in series for one in pair):
        return ""
    for place in range(series[0][1].size):
        got, want = (np.array([pair[which].flat[place] for pair in series], float) for which in (0, 1))
        if (got == want).all():
            continue
        yours, right = (product(numbers, sizes) for numbers in (got, want))
        if shape and yours and right:
            return f"your {PLACES[place]} number is {yours}; expected: {right}"
        if not shape and yours:
            return f"what came back is {yours}" + (f"; expected: {right}" if right else "")
    return ""


def nearly(pairs):
    """Return the words for numbers that are all right to three digits or so, and no further."""
    if any(got.shape != want.shape or not np.isfinite(want).all() for got, want in pairs):
        return ""
    if any(want.dtype.kind in "iub" for _, want in pairs):
        return ""
    off = [np.abs(got - want).max() / max(np.abs(want).max(), 1e-300) for got, want in pairs]
    if not all(part < 0.005 for part in off):
        return ""
    digits = int(-np.log10(max(off)))
    said = f"beside the largest of them, the numbers are right to about {digits} digits, and no further"
    short = any(got.dtype == np.float32 for got, _ in pairs)  # which is near 0 or not as it comes
    less = not short and all((np.abs(got) < np.abs(want))[want != 0].all() for got, want in pairs)
    return (
        f"{said}: each is a little too near to 0, as where a small number is added to a divisor"
        if less
        else said
    )
