"""The wrong answers of 15.copy_weights."""

import numpy as np

from clearhead.checks.exercise import Mistake

TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")


def _by_shape(file, wanted):
    """Transpose only where the shape does not fit as it is."""
    return _strict(file, wanted, lambda name, array: array if array.shape == tuple(wanted[name]) else array.T)


def _strict(file, wanted, turned, missing=True, extra=True, shapes=True):
    if missing and (lost := sorted(set(wanted) - set(file))):
        raise ValueError(lost[0])
    if extra and (more := sorted(set(file) - set(wanted))):
        raise ValueError(more[0])
    found = {name: turned(name, file[name]) for name in wanted if name in file}
    for name, array in found.items():
        if shapes and array.shape != tuple(wanted[name]):
            raise ValueError(name)
    return found


def _turn(name, array):
    return array.T if name.endswith(TRANSPOSED) else array


def _nameless(file, wanted):
    try:
        return _strict(file, wanted, _turn)
    except ValueError:
        raise ValueError("These weights do not fit.") from None


def _only_counted(file, wanted):
    if len(file) != len(wanted):
        raise ValueError(" ".join(sorted(set(file) ^ set(wanted))))
    return _strict({name: file[name] for name in wanted}, wanted, _turn)


def _in_order(file, wanted):
    if len(file) != len(wanted):
        return _strict(file, wanted, _turn)
    pairs = zip(wanted, file.items(), strict=True)
    return {ours: _turn(theirs, array) for ours, (theirs, array) in pairs}


def _checked_too_early(file, wanted):
    _strict(file, wanted, lambda name, array: array)
    return _strict(file, wanted, _turn)


def _asserting(file, wanted):
    try:
        return _strict(file, wanted, _turn)
    except ValueError as refusal:
        raise AssertionError(str(refusal)) from None


def _missing_by_key(file, wanted):
    _strict(file, wanted, _turn, missing=False, shapes=False)
    return _strict({name: file[name] for name in wanted}, wanted, _turn)


MISTAKES = (
    Mistake(
        "transposed_by_shape",
        _by_shape,
        "You transpose where the shape does not fit. A square Conv1D fits both ways, and stays wrong. "
        "Go by the name.",
    ),
    Mistake(
        "nothing_transposed",
        lambda file, wanted: _strict(file, wanted, lambda name, array: array),
        "Conv1D keeps (in, out), wanted is (out, in): transpose the tensors whose names end in "
        "c_attn.weight, c_proj.weight and c_fc.weight.",
    ),
    Mistake(
        "everything_transposed",
        lambda file, wanted: _strict(file, wanted, lambda name, array: array.T),
        "You transposed the tables of tokens and positions as well. Only Conv1D is stored as (in, out).",
    ),
    Mistake(
        "every_matrix_but_the_two_tables",
        lambda file, wanted: _strict(
            file,
            wanted,
            lambda name, array: array.T if array.ndim == 2 and name[:3] not in ("wte", "wpe") else array,
        ),
        "You transposed every matrix but wte and wpe. Others may stay as well, as lm_head does: go by "
        "the three endings.",
    ),
    Mistake(
        "reshaped",
        lambda file, wanted: _strict(
            file,
            wanted,
            lambda name, array: array.reshape(wanted[name]) if array.size == np.prod(wanted[name]) else array,
        ),
        "reshape keeps the order of the numbers, so every row becomes a mixture. Use .T for these tensors.",
    ),
    Mistake(
        "missing_is_no_error",
        lambda file, wanted: _strict(file, wanted, _turn, missing=False),
        "A tensor that the file lacks is left out in silence. The model would keep random numbers there.",
    ),
    Mistake(
        "extra_is_no_error",
        lambda file, wanted: _strict(file, wanted, _turn, extra=False),
        "A tensor that nobody wants is dropped in silence. Perhaps it belongs to a model of another size.",
    ),
    Mistake(
        "shape_not_checked",
        lambda file, wanted: _strict(file, wanted, _turn, shapes=False),
        "A tensor of another shape passes. Compare with tuple(wanted[name]) after transposing.",
    ),
    Mistake(
        "refusal_without_a_name",
        _nameless,
        "You refuse, but do not say which tensor. With 148 of them nobody will find it.",
    ),
    Mistake(
        "copied_in_order",
        _in_order,
        "You went by the order of the two dicts. Files keep their own order: go by the names.",
    ),
    Mistake(
        "only_counted",
        _only_counted,
        "You compared how many names there are. A renamed tensor leaves the count as it is: compare "
        "the names.",
    ),
    Mistake(
        "one_kind_forgotten",
        lambda file, wanted: _strict(
            file, wanted, lambda name, array: array if name.endswith("c_fc.weight") else _turn(name, array)
        ),
        "c_fc.weight is not transposed. All three kinds are.",
    ),
    Mistake(
        "all_that_begin_with_c",
        lambda file, wanted: _strict(
            file, wanted, lambda name, array: array.T if "c_" in name and array.ndim == 2 else array
        ),
        "You transpose every name with c_ in it. Only three endings mean a Conv1D.",
    ),
    Mistake(
        "missing_ends_in_a_key_error",
        _missing_by_key,
        "Where the file lacks a tensor, your answer ends with a KeyError. Look for missing names first, "
        "and raise "
        "a ValueError.",
    ),
    Mistake(
        "another_kind_of_error",
        _asserting,
        "You refuse with an AssertionError. A ValueError is asked for: raise ValueError(...).",
    ),
    Mistake(
        "shape_checked_before_turning",
        _checked_too_early,
        "You compare shapes before you transpose, so right files are refused. Transpose first.",
    ),
    Mistake(
        "whole_names_compared",
        lambda file, wanted: _strict(
            file, wanted, lambda name, array: array.T if name in TRANSPOSED else array
        ),
        "You compare whole names with the three endings. Names end with them: name.endswith(...).",
    ),
    Mistake(
        "sizes_compared",
        lambda file, wanted: _strict(
            file,
            {
                name: _turn(name, file[name]).shape
                if name in file and file[name].size == np.prod(shape)
                else shape
                for name, shape in wanted.items()
            },
            _turn,
        ),
        "You compare how many numbers there are. The same count can stand in another shape: compare shapes.",
    ),
    Mistake(
        "attention_forgotten",
        lambda file, wanted: _strict(
            file, wanted, lambda name, array: array if name.endswith("c_attn.weight") else _turn(name, array)
        ),
        "c_attn.weight is not transposed. All three kinds are.",
    ),
)
