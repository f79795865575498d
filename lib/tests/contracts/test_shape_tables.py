"""The shapes that a docstring promises are the shapes that the function returns."""

import gc
import inspect
import io
import re
import weakref
from unittest import mock

import docutils.core
import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from clearhead import contracts
from clearhead.contracts import tables
from clearhead.contracts.tables import section, shape, table
from support.discovery import FUNCTIONS, MATHS
from support.shape_tables import SIZES, Maker, call, each, examples

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
def test_docstring_says_how_to_give_the_mask_of_a_batch(function):
    """A mask (B, S) has the shape of a mask (T, S) if B = T, so that no contract can refuse it."""
    told = " ".join(inspect.getdoc(function).split())
    for name, heads in re.findall(r"(\w*mask) : \(\.\.\., (H, )?T, [ST]\) bool, optional", told):
        assert f"as `mask[:, None, {'None, ' * bool(heads)}:]`" in told
        assert name == "mask" or f"and `{name}` in the same way" in told


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
    assert inspect.getsource(function).startswith(("@checked\ndef ", "@checked\n@in_float32\ndef "))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_axis_that_is_wrong_is_refused_with_both_shapes(function):
    for name, axis, given, arguments in spoiled(function):
        with pytest.raises(ValueError) as raised:
            call(function, arguments)
        said = str(raised.value)
        told = re.findall(r"(?:is|has shape) (\([\d, ]*\)|\d+)", said)
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
            with pytest.raises(ValueError, match=r"y has shape \(4, 4\) and x has shape \(2, 3\)"):
                keeper(np.ones((2, 3)), np.ones((4, 4)))


def with_rows(*rows):
    """Return a function of one argument, x or parameters, whose table has these rows."""
    name = rows[0].split(" :")[0]
    space = {}
    exec(f"def function({re.split('[ :]', name)[0]}):\n    return 0", space)
    lines = "\n".join(row.replace("- ", "    - ") if row.startswith("- ") else row for row in rows)
    space["function"].__doc__ = f"Return 0.\n\nParameters\n----------\n{lines}\n"
    return space["function"]


@pytest.mark.parametrize(
    "rows",
    [
        ["x : (..., V) int from 0 to Q-1"],
        ["x : (..., V) int from 0 to V-"],
        ["x : (..., V) int from 0 up to V-1"],
        ["x : (..., V) int from 0 to V²"],
        ["x : (..., V) int below V"],
        ["x : (..., V) int from 0 to V-1 or missing"],
        ["x : (..., V) float, no broadcast"],
        ["x : (..., V) float, called U"],
        ["x : (..., V) float, S from 1"],
        ["x : (..., V) float, S/2 whole"],
        ["x : (..., V W) float"],
        ["x : (..., T, ...) float"],
        ["x : (..., T) bool from 0"],
        ["x : (..., T) floats"],
        ["x : (..., T) str"],
        ["x : () float, array or list"],
        ["x : () float D from 1"],
        ["x : () int from 0 to 2·"],
        ["x : list of floats"],
        ["x : dict of str to float"],
        ["x: (..., T) float"],
        ["y : (..., T) float"],
        ["parameters : dict", "- weight : (D, F) float above 0"],
        ["parameters : dict", "- weight: (D, F) float"],
        ["parameters : dict", "- weight : (D, F) float, called W"],
    ],
)
def test_an_unread_clause_is_an_error_at_import(rows):
    function = with_rows(*rows)
    if rows[0].startswith("y"):
        function = with_rows("x" + rows[0][1:])
        function.__doc__ = function.__doc__.replace("x :", "y :")
    with pytest.raises(ValueError, match=r"table of .*function: .*(row|line|rows)"):
        contracts.checked(function)


@pytest.mark.parametrize(
    ("row", "good", "bad"),
    [
        ("x : (..., V) int from 0 to V - 1", [0, 2, 1], [0, 3, 1]),
        ("x : (..., V) int from 0 to (V - 1)/2", [0, 1, 1], [0, 2, 1]),
        ("x : (..., V) float from -1 to 1", [-1.0, 1.0], [-1.1, 0.0]),
        ("x : (..., V) float from -inf to 0.5", [-np.inf, 0.5], [0.0, 0.6]),
        ("x : (..., V) float above -V to V", [-1.0, 2.0], [-2.0, 0.0]),
        ("x : (..., V) float, V from 2", [1.0, 2.0], [1.0]),
        ("x : (..., V) float, V from 2 to 2·2-1", [1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]),
        ("x : () float above 0.5 to 1", 0.6, 0.5),
        ("x : () int from -2 to -1", -2, 0),
        ("x : function", len, 3),
        ("x : function, optional", None, 3),
        ("x : bool", True, 1),
        ("x : numpy.random.Generator", np.random.default_rng(0), 0),
        ("x : (float, float)", (0.9, 0.99), 0.9),
        ("x : sequence of whole numbers", [1, 2], [1.5]),
        ("x : (..., T) float", np.ones(3), np.array(["a"])),
        ("x : (..., T) float", np.ones(3), np.ones(3) * 1j),
    ],
)
def test_every_clause_is_enforced(row, good, bad):
    take = contracts.checked(with_rows(row))
    good, bad = (np.asarray(x) if isinstance(x, list) and "sequence" not in row else x for x in (good, bad))
    assert take(good) == 0
    with pytest.raises((ValueError, TypeError), match=r"^x "):
        take(bad)


def test_an_entry_that_is_missing_is_named():
    linear = MATHS["transformer"].feed_forward
    with pytest.raises(ValueError, match=r'parameters\["down"\]\["weight"\] is missing'):
        linear(np.ones((2, 3)), {"up": {"weight": np.ones((3, 4))}, "down": {}})
    assert linear(
        np.ones((2, 3)), {"up": {"weight": np.ones((3, 4))}, "down": {"weight": np.ones((4, 3))}}
    ).shape == (2, 3)


# A verdict that is kept is the verdict of a fresh process.


def product(ids, x, mask=None, t=1.0, ignore=-100):
    """Return 0.

    Parameters
    ----------
    ids : (..., T) int from 0 to D - 1 or ignore, array or list
    x : (..., T, D) float, array or list, no broadcasting
    mask : (..., T, T) bool, optional
    t : () float above 0
    ignore : () int
    """
    return 0


LISTS = st.one_of(
    st.lists(st.integers(-2, 3), min_size=2, max_size=2),
    st.lists(st.sampled_from([0.0, 1.0, True, 1j, "a", None]), min_size=1, max_size=3),
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=2), min_size=2, max_size=2),
)
ARRAYS = st.builds(
    lambda shape, kind: np.ones(shape, kind),
    st.sampled_from([(2,), (2, 3), (2, 2), (1, 2), (2, 2, 3), (0, 2)]),
    st.sampled_from([bool, np.uint8, np.int64, np.float16, np.float64, complex, object, "U1"]),
)
CALLS = st.tuples(
    st.one_of(LISTS, ARRAYS),
    st.one_of(LISTS, ARRAYS, st.just([[1.0, 2.0, 3.0], [4, 5, 6]])),
    st.one_of(st.none(), ARRAYS, LISTS),
    st.sampled_from([1.0, 1, True, 0.0, np.float32(1), np.array(1.0), np.array(-1.0), "1", None]),
    st.sampled_from([-100, 0, np.int64(1), 1.0, True, np.array(2)]),
)


def verdict(function, call):
    try:
        return function(*call)
    except (TypeError, ValueError) as error:
        return type(error), str(error)


@drawn(st.lists(CALLS, min_size=1, max_size=8), st.data())
def test_a_kept_verdict_is_that_of_a_fresh_process(calls, data):
    used = contracts.checked(product)
    for one in data.draw(st.permutations(calls + calls)):
        assert verdict(used, one) == verdict(contracts.checked(product), one)


def test_a_kept_verdict_keeps_no_array_alive():
    table = np.ones((5, 2))
    alive = weakref.ref(table)
    MATHS["layers"].embed(np.array([1, 2]), table)
    del table
    gc.collect()
    assert alive() is None


# A mask is compared from the right.

HEADS = dict(query={"weight": np.eye(4)}, key={"weight": np.eye(4)}, value={"weight": np.eye(4)},
             output={"weight": np.eye(4)})  # fmt: skip


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_a_mask_with_one_axis_too_few_is_refused(batch):
    """Whatever the sizes: (B, T, S) of a batch is no mask for the heads, where there are as many."""
    attend, x, T = MATHS["heads"].multi_head_attention, np.ones((batch, 3, 4)), 3
    causal = np.tri(T, dtype=bool)
    for axes in [(T,), (T, T), (batch, 1, T, T), (1, 1, T, T), (1, 2, T, T), (batch, 2, T, T)]:
        assert attend(x, x, HEADS, 2, causal & np.ones(axes, dtype=bool))[0].shape == x.shape
    for axes in [(batch, T, T), (batch, 1, T), (1, T, T), (2, T, T), ()]:
        with pytest.raises(ValueError, match=r"needs \(S,\), \(T, S\) or all 4 axes \(..., H, T, S\)"):
            attend(x, x, HEADS, 2, np.ones(axes, dtype=bool))


def test_a_mask_for_each_head_of_one_text():
    attend, x = MATHS["heads"].multi_head_attention, np.ones((3, 4))
    assert attend(x, x, HEADS, 2, np.ones((2, 3, 3), dtype=bool))[0].shape == (3, 4)


def test_without_docstrings_nothing_is_checked():
    def bare(x):
        return x

    assert contracts.checked(bare) is bare
