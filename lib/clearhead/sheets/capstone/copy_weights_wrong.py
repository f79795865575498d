"""More wrong answers of 15.copy_weights."""

import numpy as np

from clearhead.checks.exercise import Mistake

TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")


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


def _where(turned):
    """Return an answer that transposes where turned(name, array)."""
    return lambda file, wanted: _strict(
        file, wanted, lambda name, array: array.T if turned(name, array) else array
    )


def _all_but(ending):
    return _where(lambda name, array: name.endswith(TRANSPOSED) and not name.endswith(ending))


def _lenient(file, wanted, fits):
    """Transpose, and take any shape of a tensor that fits(array, shape) as it lies in the file."""
    taken = [name for name in wanted if name in file and fits(file[name], wanted[name])]
    return _strict(file, wanted | {name: _turn(name, file[name]).shape for name in taken}, _turn)


def _forced(file, wanted):
    """Transpose, and then reshape to what is wanted."""
    return _strict(file, wanted, lambda name, array: _turn(name, array).reshape(wanted[name]))


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


MORE = (
    Mistake(
        "every_matrix_but_the_two_tables",
        _where(lambda name, array: array.ndim == 2 and name[:3] not in ("wte", "wpe")),
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
        _all_but("c_fc.weight"),
        "c_fc.weight is not transposed. All three kinds are.",
    ),
    Mistake(
        "all_that_begin_with_c",
        _where(lambda name, array: "c_" in name and array.ndim == 2),
        "You transpose every name with c_ in it. Only three endings mean a Conv1D.",
    ),
    Mistake(
        "missing_ends_in_a_key_error",
        _missing_by_key,
        "Where the file lacks a tensor, your answer ends with a KeyError. Look for missing names first, "
        "and raise a ValueError.",
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
        _where(lambda name, array: name in TRANSPOSED),
        "You compare whole names with the three endings. Names end with them: name.endswith(...).",
    ),
    Mistake(
        "sizes_compared",
        lambda file, wanted: _lenient(file, wanted, lambda array, shape: array.size == np.prod(shape)),
        "You compare how many numbers there are. The same count can stand in another shape: compare shapes.",
    ),
    Mistake(
        "attention_forgotten",
        _all_but("c_attn.weight"),
        "c_attn.weight is not transposed. All three kinds are.",
    ),
    Mistake(
        "projections_forgotten",
        _all_but("c_proj.weight"),
        "c_proj.weight is not transposed. All three kinds are.",
    ),
    Mistake(
        "endings_anywhere",
        _where(lambda name, array: any(each in name for each in TRANSPOSED)),
        "You look for the three endings anywhere in the name. c_fc.weight_g does not end so: name.endswith.",
    ),
    Mistake(
        "either_way_accepted",
        lambda file, wanted: _lenient(file, wanted, lambda array, shape: array.shape == tuple(shape)),
        "You accept the shape from before transposing as well. Transpose, then compare once.",
    ),
    Mistake(
        "forced_by_a_reshape",
        _forced,
        "You force the shape with reshape, which mixes rows or ends in an error of its own. Compare shapes, "
        "and raise a ValueError with the name.",
    ),
)
