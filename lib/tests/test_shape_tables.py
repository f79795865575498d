"""The shapes that a docstring promises are the shapes that the function returns."""

import inspect
import io

import docutils.core
import numpy as np
import pytest

from house import FUNCTIONS, MATHS
from clearhead.maths.tables import section, shape, table
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
    if "raise " in inspect.getsource(function) or "check_" in inspect.getsource(function):
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
    assert {"activations", "attention", "masks", "gradients"} <= set(MATHS)
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
