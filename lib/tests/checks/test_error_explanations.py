"""An error that an answer raises is explained in terms of the student's own line, in every exercise."""

# ruff: noqa: E501 -- a table: one slip a line

import math

import numpy as np
import pytest
import torch

from clearhead.checks.error_explanations import explanation

X = np.arange(6.0).reshape(2, 3)
SQUARE, TALL = np.eye(3), np.ones((3, 2))
COUNTS = np.array([1, 2, 3])
T = torch.arange(6.0).reshape(2, 3)


def no_keepdims(x):
    """Subtract the mean of each row, which has lost its axis."""
    return x - x.mean(axis=-1)


def two_reductions(x):
    """Leave open which of two reductions is to blame."""
    y = x - x.max(axis=-1, keepdims=True)
    return np.exp(y) / np.exp(y).sum(axis=-1) + x.mean(axis=0)


def no_keepdims_in_torch(x):
    """The same slip in PyTorch."""
    return x - x.mean(dim=-1)


def in_place(c):
    """Write floats into an array of integers."""
    c *= 0.5
    return c


def in_place_of_rows(c):
    """Write floats into each row of an array of integers."""
    for row in c:
        row -= row.mean()
    return c


def in_place_in_torch(c):
    """Write floats into a tensor of integers."""
    c *= 0.5
    return c


def grows_in_place(x):
    """Enlarge an array in place."""
    y = x[0]
    y += x
    return y


def slice_too_short(x):
    """Assign a window of two rows to a slot for one number."""
    out = np.zeros((2, 1))
    out[0] = x[:2] @ np.ones((3, 1))
    return out


def attention(x):
    """Return two values."""
    return x, x.sum()


def not_unpacked(x):
    """Add what a function with two results returned."""
    return np.array([x, attention(x)])


def tuple_added(x):
    """Add a tuple to a number."""
    return 1.0 + attention(x)


def none_added(x):
    """Use what a method without a result returned."""
    words = [3, 1, 2]
    return words.sort() + x


def undefined(x):
    """Use a name that does not exist."""
    return x @ weihgt  # noqa: F821


def read_too_early(x):
    """Read a local name before it has a value."""
    if x.sum() > 1e9:
        total = 0
    return total


def grow_array(x):
    """Append to an array."""
    x.append(1)


def forever(x):
    """Call itself."""
    return forever(x)


EXPLAINED = {
    "keepdims forgotten": (no_keepdims, X, "`x.mean(axis=-1)` drops the axis", "keepdims=True", "(2, 1) fits"),
    "keepdims forgotten, two reductions": (two_reductions, X, "If one is a mean, sum or maximum", "(2, 1)"),
    "keepdims forgotten, PyTorch": (no_keepdims_in_torch, T, "cannot be broadcast together"),
    "shapes of two arrays": (lambda x: x - np.ones((4, 3)), X, "(2, 3) and (4, 3) cannot be broadcast together"),
    "shapes of two tensors": (lambda x: x + x.T[:, :2].T[:, :2], T, "cannot be broadcast together"),
    "stacked": (
        lambda x: np.ones((4, 1, 2)) @ np.ones((6, 2, 1)), X,
        "you multiplied (4, 1, 2) by (6, 2, 1), but the sizes before the last two axes",
    ),
    "second operand to transpose": (
        lambda x: x @ x, X,
        "you multiplied (2, 3) by (2, 3), but the inner sizes 3 and 2 differ. With the second one transposed",
    ),
    "first operand to transpose": (lambda x: TALL @ SQUARE, X, "With the first one transposed"),
    "inner sizes": (
        lambda x: x @ T.numpy()[:1, :2], X, "inner sizes of a product with @ differ, 3 and 1", "last but one",
    ),
    "np.dot": (lambda x: np.dot(x, x), X, "you multiplied (2, 3) by (2, 3)"),
    "a vector by a matrix": (lambda x: COUNTS @ x, X, "you multiplied (3,) by (2, 3), but the inner sizes 3 and 2"),
    "product of tensors": (lambda x: x @ x, T, "you multiplied (2, 3) by (2, 3)", "second one transposed"),
    "in place": (in_place, COUNTS, "`c *= ...` writes its result into the array itself", "`c = c * ...`"),
    "in place, rows": (in_place_of_rows, np.ones((2, 2), int), "`row -= ...`", "integers (int64)"),
    "in place, PyTorch": (in_place_in_torch, torch.tensor([1, 2]), "holds integers (torch.Long)", "`c = c * ...`"),
    "grows in place": (grows_in_place, X, "cannot enlarge the array on its left from (3,) to (2, 3)"),
    "slice too short": (slice_too_short, X, "right of = has the shape (2, 1)", "assigned has the shape (1,)"),
    "index beyond the end": (lambda x: x[2], X, "axis 0 has 2 entries, with the indices 0 to 1", "no index 2"),
    "index of a tensor": (lambda x: x[2], T, "axis 0 has 2 entries"),
    "index of an empty axis": (lambda x: x[:0][0], X, "axis 0 is empty"),
    "too many indices": (lambda x: COUNTS[0, 0], X, "the array has 1 axis, but you gave 2 indices"),
    "too many indices, PyTorch": (lambda x: x[0, 0, 0], T, "the tensor has 2 axes"),
    "reshape": (lambda x: x.reshape(4, 2), X, "there are 6 of them, and the shape (4, 2) has 8"),
    "reshape with -1": (lambda x: x.reshape(4, -1), X, "6 entries cannot be arranged in the shape (4, -1)"),
    "reshape, PyTorch": (lambda x: x.reshape(4, 2), T, "there are 6 of them, and the shape (4, 2) has 8"),
    "concatenate": (lambda x: np.concatenate([x, x.T]), X, "along axis 1 they have the sizes 3 and 2"),
    "no such axis": (lambda x: x.sum(axis=2), X, "there is no axis 2", "axes 0 to 1"),
    "tuple in an array": (not_unpacked, X, "parts of different shapes", "unpack it"),
    "tuple added": (tuple_added, X, "returns a tuple: unpack it"),
    "attribute of a tuple": (lambda x: attention(x).shape, X, "returns a tuple: unpack it"),
    "one value for two names": (lambda x: [a for a, b in [3.0]], X, "a single value, which cannot be unpacked"),
    "too many values": (lambda x: [one for one, two in [(1, 2, 3)]], X, "there are more values than names"),
    "too few values": (lambda x: [one for one, two in [(1,)]], X, "there are fewer values than names"),
    "float as a size": (lambda x: np.zeros((4 / 2, 3)), X, "`//` divides integers"),
    "float in range": (lambda x: range(6 / 2), X, "`//` divides integers"),
    "float in a slice": (lambda x: x[: 2 / 2], X, "`//` divides integers"),
    "float as an index": (lambda x: x[1.0], X, "an index must be an integer"),
    "truth of an array": (lambda x: 1 if x > 0 else 0, X, "a single True or False", "np.where"),
    "truth of a tensor": (lambda x: 1 if x > 0 else 0, T, "a single True or False"),
    "math on an array": (lambda x: math.exp(x), X, "Functions of `math` take one number"),
    "list with two indices": (lambda x: x.tolist()[0, 1], X, "a list, not an array"),
    "shape of a list": (lambda x: x.tolist().shape, X, "a list, not an array"),
    "list minus list": (lambda x: [1] - [2], X, "a list, not an array"),
    "append to an array": (grow_array, X, "an array cannot grow"),
    "None": (none_added, X, "a value is None here", "list.sort"),
    "brackets that call": (lambda x: x(0), X, "write an index in square brackets"),
    "brackets that index": (lambda x: np.exp[x], X, "this is a function"),
    "undefined name": (undefined, X, "`weihgt` does not exist"),
    "read too early": (read_too_early, X, "`total` is used before this function has given it a value"),
    "endless recursion": (forever, X, "calls itself again and again"),
    "division by zero": (lambda x: 1 / (len(x) - 2), X, "the divisor is 0"),
    "product of numbers": (lambda x: x.shape[0] @ 3, X, "one of its operands is a single number"),
    "product with a number": (lambda x: x @ x.sum(), X, "one of its operands is a single number"),
    "method of a number": (lambda x: len(x).sum(), X, "a single number and not an array, so it has no `.sum`"),
    "index of a number": (lambda x: x[0, 0][1], X, "a single number, from which no part"),
    "index of an int": (lambda x: len(x)[0], X, "a single number, from which no part"),
    "None for two names": (lambda x: [a for a, b in [None]], X, "a value is None here"),
    "a number for a loop": (lambda x: list(x.sum(keepdims=True)[0, 0, ...]), X, "cannot be unpacked or iterated"),
    "shape minus a number": (lambda x: x.shape - 1, X, "this is a tuple, not an array"),
    "index of an axis of size 1": (lambda x: x[:1][1], X, "axis 0 has only one entry, with the index 0"),
    "minus for booleans": (lambda x: -(x > 0), X, "`~mask`"),
    "difference of booleans": (lambda x: (x > 0) - (x > 1), X, "booleans cannot be subtracted"),
    "not of floats": (lambda x: ~x, X, "`~` inverts booleans, and it was given floats"),
    "comparison without brackets": (lambda x: (x > 0) & x * 1.0, X, "put each comparison in parentheses"),
    "power": (lambda x: x ^ 2, X, "`^` is not a power in Python: write `**`"),
    "power of a number": (lambda x: 1.5 ^ 2, X, "`^` is not a power in Python: write `**`"),
    "shape without brackets": (lambda x: np.zeros(3, 2), X, "a shape is one argument, a tuple in parentheses"),
    "rows of different lengths": (lambda x: np.array([[1], [1, 2]]), X, "parts of different shapes"),
    "transpose of a tensor": (lambda x: torch.ones(2, 3, 4).transpose(0, 2, 1), T, "swaps two axes"),
    "gradient in NumPy": (lambda x: torch.ones(2, requires_grad=True).numpy(), T, "`.detach()`"),
    "dtypes of tensors": (lambda x: x @ x.T.double(), T, "different dtypes"),
}  # fmt: skip


@pytest.mark.parametrize("slip", EXPLAINED)
def test_common_slip_is_explained(slip):
    answer, argument, *words = EXPLAINED[slip]
    with pytest.raises(Exception) as raised:
        answer(argument.copy() if isinstance(argument, np.ndarray) else argument.clone())
    said = explanation(raised.value)
    for each in words:
        assert each in said, said


@pytest.mark.parametrize("error", [ValueError("my own words"), KeyError("wte"), OSError(2, "no such file")])
def test_other_errors_keep_their_own_words(error):
    assert explanation(error) == ""


def test_error_without_a_traceback_is_explained_by_its_message():
    said = explanation(ValueError("operands could not be broadcast together with shapes (2,3) (2,) "))
    assert "(2, 3) and (2,) cannot be broadcast together" in said
    assert "keepdims=True gives it the shape (2, 1)" in said


@pytest.mark.parametrize("shapes", ["(2,3) (3,2) ", "(2,3) (4,) ", "(4,5) (2,3) ", "(2,3,4) (2,) "])
def test_keepdims_is_suggested_only_where_it_would_help(shapes):
    said = explanation(ValueError(f"operands could not be broadcast together with shapes {shapes}"))
    assert "cannot be broadcast together" in said
    assert "keepdims" not in said
