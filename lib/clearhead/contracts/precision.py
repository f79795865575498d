"""Half precision that is computed in single precision and rounded once, as in PyTorch's own kernels."""

import functools
from collections.abc import Mapping

import numpy as np

PLAIN = {int, float, bool, str}


def computed_in(single, halves, cast, skip=lambda: False):
    """Return a decorator for functions that compute half-precision arrays in single precision.

    Parameters
    ----------
    single : dtype
        Single precision.
    halves : set of dtype
        The dtypes in which sums are too inaccurate: in float16, 2,048 + 1 is 2,048, and the maximum 65,504.
    cast : function
        `cast(array, dtype)` returns the array in that precision.
    skip : function
        If it returns True, the function is called unchanged.

    Returns
    -------
    decorator : function
        Results in single precision are rounded to half precision, unless an argument was wider, so every
        dtype is the same as without the decorator.
    """

    def decorator(function):
        @functools.wraps(function)
        def in_single(*args, **kwargs):
            if not (holds(args, halves) or (kwargs and holds(kwargs.values(), halves))) or skip():
                return function(*args, **kwargs)
            kinds = dtypes((args, kwargs))
            args, kwargs = (changed(given, halves, lambda x: cast(x, single)) for given in (args, kwargs))
            results = function(*args, **kwargs)
            floats = [kind for kind in kinds if "float" in str(kind)]
            return changed(results, {single}, lambda x: cast(x, *floats)) if len(floats) == 1 else results

        return in_single

    return decorator


def holds(arguments, halves):
    """Return True if arguments contain an array of one of these dtypes, also inside dicts, lists and tuples.

    This runs at every call, so it examines only the first entry of a list of numbers.
    """
    for given in arguments:
        kind, inside = type(given), None
        if kind is np.ndarray:
            if given.dtype in halves:
                return True
        elif kind is dict:
            inside = given.values()
        elif kind is list or kind is tuple:
            inside = given if given and type(given[0]) not in PLAIN else None
        elif kind not in PLAIN and getattr(given, "dtype", None) in halves:
            return True
        if inside is not None and holds(inside, halves):
            return True
    return False


def dtypes(given):
    """Return the set of dtypes of all arrays in lists, tuples and dicts."""
    if hasattr(given, "dtype"):
        return {given.dtype}
    if isinstance(given, Mapping):
        given = given.values()
    elif not isinstance(given, list | tuple):
        return set()
    return set().union(*map(dtypes, given))


def changed(given, kinds, change):
    """Return the same data, in which `change` is applied to each array of one of these dtypes."""
    if hasattr(given, "dtype"):
        return change(given) if given.dtype in kinds else given
    if isinstance(given, Mapping):
        return {name: changed(each, kinds, change) for name, each in given.items()}
    if isinstance(given, list | tuple):
        return type(given)(changed(each, kinds, change) for each in given)
    return given


def _rounded(array, dtype):
    with np.errstate(over="ignore"):
        return array.astype(dtype)


in_float32 = computed_in(np.dtype(np.float32), {np.dtype(np.float16)}, _rounded)
