"""Layouts of arrays, written as in `1 T (H d)`, and the conversion from one order of axes to another.

A name is an axis, `1` is an axis of size 1, `B` is a batch, and names in parentheses share one axis, in which
the index of the first name varies most slowly.
"""

import re

import numpy as np

from ..errors import UserError

_PART = re.compile(r"\(([^()]*)\)|(\w+)")
BATCH, SINGLE = "B", "1"


def parse(text):
    """Return the axes of a layout as a tuple of tuples of names, such as (("1",), ("T",), ("H", "d")).

    Raises
    ------
    UserError
        If the text is not a list of names, some of which may be in parentheses.
    """
    if not re.fullmatch(r"(\s*(\([\w\s]+\)|\w+)\s*)+", text):
        raise UserError(
            f"The layout {text!r} is not a list of axes: write names, 1 and B, such as '1 T (H d)'."
        )
    return tuple(tuple((group or name).split()) for group, name in _PART.findall(text))


def names(axes):
    """Return the names of all axes of a parsed layout that are neither a batch nor of size 1."""
    return [name for group in axes for name in group if name not in (BATCH, SINGLE)]


def to_theirs(array, ours, theirs):
    """Return an array with the axes `ours`, a tuple of names, in the layout `theirs`.

    A batch has two items: the array itself, and the same array with its rows shifted by one, so that a
    function that mixes the items of a batch gives a different result.
    """
    array = np.asarray(array)
    axes = parse(theirs)
    _require_same(ours, axes, theirs)
    sizes = dict(zip(ours, array.shape, strict=True))
    array = array.transpose([ours.index(name) for name in names(axes)])
    places = [place for place, group in enumerate(axes) if BATCH in group]
    shape = [
        int(np.prod([sizes[name] for name in group if name not in (BATCH, SINGLE)], dtype=int))
        for group in axes
    ]
    if not places:
        return array.reshape(shape)
    items = [array, np.roll(array, 1, axis=0) if array.ndim else array]
    shape.pop(places[0])
    return np.stack([item.reshape(shape) for item in items], axis=places[0])


def to_ours(array, ours, theirs, sizes):
    """Return an array in the layout `theirs`, or the first item of a batch, with its axes in our order.

    Parameters
    ----------
    array : array_like
    ours : tuple of str
    theirs : str
    sizes : dict
        The size of each axis that is known from the arguments; at most one axis of each group may be unknown.

    Raises
    ------
    ValueError
        If the shape of the array does not match the layout.
    """
    array = np.asarray(array)
    axes = parse(theirs)
    _require_same(ours, axes, theirs)
    if array.ndim != len(axes):
        raise ValueError(
            f"the result has shape {array.shape}, but its layout '{theirs}' has {len(axes)} axes"
        )
    places = [place for place, group in enumerate(axes) if BATCH in group]
    if places:
        array = np.take(array, 0, axis=places[0])
        axes = tuple(group for group in axes if BATCH not in group)
    shape = []
    for group, size in zip(axes, array.shape, strict=True):
        known = [sizes.get(name, -1) for name in group if name != SINGLE]
        if (known == [] and size != 1) or known.count(-1) > 1:
            raise ValueError(f"the result has shape {array.shape}, which the layout '{theirs}' does not fit")
        shape += known if len(known) > 1 else [size] * len(known)
    order = names(axes)
    return array.reshape(shape).transpose([order.index(name) for name in ours])


def _require_same(ours, axes, theirs):
    """Raise UserError unless a layout contains exactly the axes of the array."""
    if sorted(ours) != sorted(names(axes)):
        raise UserError(
            f"The layout '{theirs}' must contain the axes {' '.join(ours) or '(none)'}, each of them once."
        )
