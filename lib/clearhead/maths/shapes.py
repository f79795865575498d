"""One clear sentence for an argument that does not fit; the twins in `clearhead.nets` ask here too."""

import math
from numbers import Integral

import numpy as np

from .sentences import kind


def check_rows(**arrays):
    """Raise where an argument is not an array of rows, (..., rows, columns)."""
    for name, array in arrays.items():
        if not hasattr(array, "shape"):
            raise TypeError(f"{name} must be an array, got {type(array).__name__}: make one of it first.")
        if len(array.shape) < 2:
            raise ValueError(
                f"{name} must have rows and columns, got shape {tuple(array.shape)}: "
                f"for one single row write {name}[None, :]."
            )


def check_broadcast(words, *shapes):
    """Raise where the axes in front of the last two do not fit together."""
    try:
        np.broadcast_shapes(*(tuple(shape)[:-2] for shape in shapes))
    except ValueError:
        every = ", ".join(str(tuple(shape)) for shape in shapes)
        raise ValueError(
            f"The leading axes of {words} must be equal or 1, got {every}: only the last two may differ."
        ) from None


def check_attention_shapes(Q, K, V, mask=None):
    """Raise where Q (..., T, d), K (..., S, d), V (..., S, e) and mask (..., T, S) do not fit together."""
    check_rows(Q=Q, K=K, V=V)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(
            f"Queries and keys must have the same width, got Q {tuple(Q.shape)} and K {tuple(K.shape)}: "
            "their last axes are multiplied."
        )
    if Q.shape[-1] == 0:
        raise ValueError(f"Queries and keys need at least one column, got Q {tuple(Q.shape)}.")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(
            f"Each key needs one value, got K {tuple(K.shape)} and V {tuple(V.shape)}: "
            "give them the same number of rows."
        )
    check_broadcast("Q, K and V", Q.shape, K.shape, V.shape)
    if mask is not None:
        check_mask(mask, Q.shape, K.shape)


def check_self(Q, K, V):
    """Raise where Q, K and V do not fit together, or do not come from the same T tokens."""
    check_attention_shapes(Q, K, V)
    if Q.shape[-2] != K.shape[-2]:
        raise ValueError(
            f"Where each token sees its past, there are as many keys as queries, got Q {tuple(Q.shape)} and "
            f"K {tuple(K.shape)}."
        )


def check_mask(mask, query_shape, key_shape):
    """Raise where a mask is not boolean, or does not broadcast to (..., T, S)."""
    if not hasattr(mask, "dtype") or kind(mask) != "bool":
        got = kind(mask) if hasattr(mask, "dtype") else type(mask).__name__
        raise TypeError(
            f"mask must be boolean: True = may look; got {got}. For ones and zeros write mask == 1."
        )
    scores = (*np.broadcast_shapes(query_shape[:-2], key_shape[:-2]), query_shape[-2], key_shape[-2])
    try:
        fits = np.broadcast_shapes(tuple(mask.shape), scores)[-2:] == scores[-2:]
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask must broadcast to the scores, one row a query and one column a key: "
            f"got mask {tuple(mask.shape)} for scores {tuple(scores)}."
        )


def check_projections(x, **weights):
    """Raise where the tokens x (..., T, D) do not fit weight matrices (D, anything)."""
    check_rows(x=x)
    for name, weight in weights.items():
        if len(weight.shape) != 2 or weight.shape[0] != x.shape[-1]:
            raise ValueError(
                f"{name} needs one row for each of the {x.shape[-1]} columns of x, "
                f"got {name} {tuple(weight.shape)} and x {tuple(x.shape)}."
            )


def check_ids(ids, table, name="ids"):
    """Raise where an id does not name a row of a table (V, D)."""
    if kind(ids).strip("u0123456789") != "int":
        raise TypeError(f"{name} must be whole numbers, got {kind(ids)}.")
    if math.prod(ids.shape) and not 0 <= int(ids.min()) <= int(ids.max()) < table.shape[0]:
        raise ValueError(
            f"{name} go from {int(ids.min())} to {int(ids.max())}, but the table has {table.shape[0]} rows: "
            f"give ids from 0 to {table.shape[0] - 1}."
        )


def check_linear(x, weight, bias=None):
    """Raise where x (..., D), weight (D, F) and bias (F) do not fit together."""
    if len(x.shape) < 1 or len(weight.shape) != 2 or x.shape[-1] != weight.shape[0]:
        raise ValueError(
            f"The weight needs one row for each column of x, got x {tuple(x.shape)} and weight "
            f"{tuple(weight.shape)}. A weight from torch.nn.Linear lies the other way round: take its .T."
        )
    if bias is not None and tuple(bias.shape) != (weight.shape[1],):
        raise ValueError(
            f"The bias needs one number for each column of the weight, got bias {tuple(bias.shape)} and "
            f"weight {tuple(weight.shape)}."
        )


def check_per_column(x, **vectors):
    """Raise where a gain or bias does not have one number for each column of x (..., D)."""
    for name, vector in vectors.items():
        if tuple(vector.shape) != tuple(x.shape[-1:]):
            raise ValueError(
                f"{name} needs one number for each column of x, got {name} {tuple(vector.shape)} "
                f"and x {tuple(x.shape)}."
            )


def check_targets(logits, targets, ignore):
    """Raise where targets (..., T) do not name one column for each row of logits (..., T, V)."""
    if tuple(logits.shape[:-1]) != tuple(targets.shape):
        raise ValueError(
            f"Each row of logits needs one target, got logits {tuple(logits.shape)} and targets "
            f"{tuple(targets.shape)}."
        )
    counted = targets[targets != ignore]
    if math.prod(counted.shape) and not 0 <= int(counted.min()) <= int(counted.max()) < logits.shape[-1]:
        raise ValueError(
            f"Targets must lie from 0 to {logits.shape[-1] - 1} (or be {ignore}, which is not counted), "
            f"got {int(counted.min())} to {int(counted.max())}."
        )


def check_pairs(x, y, temperature):
    """Raise where x and y are not two tables (B, D) of partners, or the temperature is not above 0."""
    if len(x.shape) != 2 or tuple(x.shape) != tuple(y.shape):
        raise ValueError(
            f"Partners stand in two tables of one shape (B, D), got {tuple(x.shape)} and {tuple(y.shape)}."
        )
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")


def check_repeated(gradient, shape):
    """Raise where an array of this shape cannot have been repeated to the shape of the gradient."""
    front = len(gradient.shape) - len(shape)
    sizes = zip(shape, gradient.shape[max(front, 0) :], strict=False)
    if front < 0 or any(size not in (1, many) for size, many in sizes):
        raise ValueError(
            f"A gradient {tuple(gradient.shape)} cannot belong to an array {tuple(shape)}: "
            "axes may only be added in front, or grow from 1."
        )


def check_whole(least, **numbers):
    """Raise where a number is not whole, or below the least that makes sense."""
    for name, number in numbers.items():
        if not isinstance(number, Integral) or isinstance(number, bool):
            raise TypeError(f"{name} must be a whole number, got {number!r}.")
        if number < least:
            raise ValueError(f"{name} must be at least {least}, got {number}.")


def check_divides(**numbers):
    """Raise where the second number does not divide the first: check_divides(d_model=6, num_heads=4)."""
    check_whole(1, **numbers)
    (whole, size), (part, count) = numbers.items()
    if size % count:
        raise ValueError(f"{whole} must be a multiple of {part}, got {whole} {size} and {part} {count}.")


def check_windows(length, width):
    """Raise where a window is wider than what it slides over."""
    if length < width:
        raise ValueError(f"A window of {width} does not fit into {length} tokens: pad the tokens first.")
