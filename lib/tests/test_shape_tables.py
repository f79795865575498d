"""The shapes that a docstring promises are the shapes that the function returns."""

import inspect
import io
import re
from unittest import mock

import docutils.core
import numpy as np
import pytest

from clearhead import contracts
from clearhead.contracts import tables
from clearhead.contracts.tables import section, shape, table
from discovery import FUNCTIONS, MATHS
from shape_tables import SIZES, Maker, call, each, examples

KIND = {"float": "f", "int": "i", "bool": "b"}


def read_only(array):
    array.flags.writeable = False
    return array


def assert_shapes_are_true(function, leading=(2, 10), **sizes):
    """Call a function on arguments made from its table, and compare what comes back with its table."""
    results = call(function, each(read_only, examples(function, leading=leading, sizes=sizes)))
    promised = table(function, "Returns")
    assert promised, f"{function.__name__} promises nothing: write a Returns section"
    for result, row in zip(results, promised, strict=True):
        assert row.dtype or not row.type.startswith("("), f"cannot read the shape of {row.name}: {row.type}"
        if row.dtype:
            assert np.shape(result) == shape(row.axes, SIZES | sizes, leading), row.name
            assert np.asarray(result).dtype.kind == KIND[row.dtype], row.name
        elif row.borrowed:
            assert each(np.shape, result) == each(np.shape, Maker(sizes, leading).example(row)), row.name


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_argument_stands_in_the_table(function):
    assert [row.name for row in table(function, "Parameters")] == list(inspect.signature(function).parameters)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_first_line_says_what_comes_back(function):
    assert inspect.getdoc(function).startswith(("Return ", "Return, "))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_shapes_are_true_and_arguments_are_left_alone(function):
    """The arrays given are read-only, so a function that writes into its arguments raises."""
    assert_shapes_are_true(function)


@pytest.mark.parametrize("leading", [(), (3,)])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_shapes_are_true_for_one_text_and_for_some(function, leading):
    assert_shapes_are_true(function, leading)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_the_code_raises_stands_in_the_docstring(function):
    if "raise " in inspect.getsource(function) or hasattr(function, "__wrapped__"):
        assert section(function, "Raises"), f"{function.__name__} can raise: write a Raises section"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_docstrings_are_read_without_complaint(function):
    """By Sphinx, for the reference pages: a line "H." or a type "(d) float" would become a numbered list."""
    napoleon = pytest.importorskip("sphinx.ext.napoleon")
    complaints = io.StringIO()
    read = str(napoleon.NumpyDocstring(inspect.getdoc(function), napoleon.Config()))
    how = {"warning_stream": complaints, "report_level": 1}
    docutils.core.publish_doctree(read, settings_overrides=how)
    said = complaints.getvalue().splitlines()
    assert not [line for line in said if "/1" not in line or "list start" in line]


def test_the_tests_see_every_module():
    assert {"layers", "attention", "masks", "gradients"} <= set(MATHS)
    assert len(FUNCTIONS) > 20


# The checker itself can fail: each of these is wrong in one way.


def swapped(Q, K):
    """Return the scores, with the axes of the table swapped.

    Parameters
    ----------
    Q : (..., T, d) float
    K : (..., S, d) float

    Returns
    -------
    scores : (..., S, T) float
    """
    return Q @ K.mT


def unpromised(x):
    """Return something else than promised: whole numbers.

    Parameters
    ----------
    x : (..., T) float

    Returns
    -------
    y : (..., T) int
    """
    return x


def writes_into_its_argument(x):
    """Return x, after spoiling it.

    Parameters
    ----------
    x : (..., T) float

    Returns
    -------
    x : (..., T) float
    """
    x -= 1
    return x


def entries(parameters):
    """Return the product of the entries of a dict.

    Parameters
    ----------
    parameters : dict
        - weight : (D, F) float
        - bias : (F) float

    Returns
    -------
    y : (D, F) float
    """
    return parameters["weight"] * parameters["bias"]


@pytest.mark.parametrize("function", [swapped, unpromised])
def test_a_wrong_table_is_found(function):
    with pytest.raises(AssertionError):
        assert_shapes_are_true(function)


def test_a_function_that_writes_into_its_argument_is_found():
    with pytest.raises(ValueError, match="read-only"):
        assert_shapes_are_true(writes_into_its_argument)


def test_entries_of_a_dict_are_read():
    assert_shapes_are_true(entries)
    assert [row.name for row in table(entries, "Parameters")[0].rows] == ["weight", "bias"]


# The table is also the check: a call that does not fit it is refused, by name and with both shapes.


def spoiled(function):
    """Yield (name, axis, shape, arguments) for each axis of each array that can be made wrong, in dicts too.

    That is each axis whose letters all stand somewhere else, too.
    """
    rows = [
        (row.name, *inner.name.split("."), inner) if row.rows else (row.name, row)
        for row in table(function, "Parameters")
        for inner in row.rows or [row]
    ]
    told = [letter for *_, row in rows for axis in (row.axes or [row.letter]) for letter in letters(axis)]
    for *path, row in rows:
        for place, axis in enumerate(row.axes or ()):
            if letters(axis) and all(told.count(letter) > 1 for letter in letters(axis)):
                arguments = inside = examples(function)
                for part in path[:-1]:
                    inside = inside[part]
                given = inside.get(path[-1], Maker().example(row))
                inside[path[-1]] = np.repeat(given, 2, axis=place - len(row.axes))
                yield path[-1], axis, inside[path[-1]].shape, arguments


def letters(axis):
    return [] if axis in ("...", None) else tables.letters(tables.term(axis))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_with_shapes_in_its_table_is_checked(function):
    if not any(row.dtype for row in table(function, "Parameters")):
        return
    assert hasattr(function, "__wrapped__"), "write @checked above it"
    assert inspect.getsource(function).startswith("@checked\ndef ")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_axis_that_is_wrong_is_refused_with_both_shapes(function):
    for name, axis, given, arguments in spoiled(function):
        with pytest.raises(ValueError) as raised:
            call(function, arguments)
        said = str(raised.value)
        told = re.findall(r"is (\([\d, ]*\)|\d+)", said)
        assert re.search(rf"\b{name}\b", said), (axis, said)
        assert str(given) in said, (axis, said)
        assert len(told) >= 2 or " stands for " in said, (axis, said)


def test_most_axes_can_be_made_wrong():
    assert sum(len(list(spoiled(p.values[0]))) for p in FUNCTIONS) > 250


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_no_array_is_refused_by_name(function):
    for row in table(function, "Parameters"):
        if row.axes:
            with pytest.raises(TypeError, match=rf"\b{row.name} must be"):
                call(function, examples(function) | {row.name: "no array"})
        elif row.is_scalar:
            with pytest.raises(TypeError, match=rf"\b{row.name} must be"):
                call(function, examples(function) | {row.name: "no number"})


def test_a_verdict_is_remembered():
    def product(x, y):
        """Return the product.

        Parameters
        ----------
        x : (..., T, D) float
        y : (D, F) float
        """
        return x @ y

    keeper = contracts.checked(product)
    with mock.patch.object(contracts, "values_to_read", wraps=contracts.values_to_read) as reads:
        for rows in (2, 2, 5, 2, 5):
            assert keeper(np.ones((rows, 3)), np.ones((3, 4))).shape == (rows, 4)
        assert reads.call_count == 2
        for _ in range(2):
            with pytest.raises(ValueError, match=r"y is \(4, 4\) and x is \(2, 3\)"):
                keeper(np.ones((2, 3)), np.ones((4, 4)))


def test_without_docstrings_nothing_is_checked():
    def bare(x):
        return x

    assert contracts.checked(bare) is bare
