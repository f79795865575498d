"""Adapters, which call a user's function with the arguments of an entry point.

An adapter converts masks to the function's convention, arranges the axes of arrays in the function's layout,
converts arrays to the function's library and dtype, and names the arguments as the function does. Afterwards
it selects the result and arranges its axes in our layout.
"""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from ..errors import UserError
from . import layout as layouts

KINDS = ("numpy", "torch", "jax", "list")
DTYPES = ("float64", "float32")
#: Logits below this value count as minus infinity, because no case of an entry point contains such logits.
LOWEST = -9000.0
#: The conventions for masks, each with a function that makes such a mask from ours (True: allowed).
MASKS = {
    "allowed": lambda mask: mask,
    "blocked": lambda mask: ~mask,
    "additive": lambda mask: np.where(mask, 0.0, -np.inf),
    "integers": lambda mask: mask.astype(np.int64),
}


class DoesNotFit(Exception):
    """The error about a case that the layout of an adapter cannot express, such as a batch of batches."""


@dataclass(frozen=True)
class Adapter:
    """A function with the mapping from the arguments of an entry point to its own, made by `adapt`."""

    function: Callable
    arguments: Mapping | None = None
    arrays: str = "numpy"
    device: object = None
    dtypes: tuple = DTYPES
    mask: object = "allowed"
    layout: Mapping = field(default_factory=dict)
    result: object = None
    equal: tuple = ()

    def answer(self, entry, dtype, notes=None):
        """Return a function that has the signature of an entry point and calls the adapted function.

        Parameters
        ----------
        entry : EntryPoint
        dtype : str
            The dtype of the arrays of floats.
        notes : set, optional
            A set to which remarks are added that are no mistakes: that the function changes its arguments,
            or that it returns a large negative number for minus infinity.
        """
        signature = entry.signature

        def answer(*given, **named):
            bound = signature.bind(*given, **named)
            bound.apply_defaults()
            return self._call(entry, bound.arguments, dtype, set() if notes is None else notes)

        answer.__name__ = answer.__qualname__ = entry.name
        answer.__signature__ = signature
        return answer

    def fits(self, entry, arguments):
        """Return True if the function can be called with the arguments of a case."""
        unmasked = self._without_masks(entry)
        if any(name in unmasked and not np.all(value) for name, value in arguments.items()):
            return False
        try:
            for name, value in arguments.items():
                self._laid_out(entry, name, value)
        except DoesNotFit:
            return False
        return True

    def _call(self, entry, ours, dtype, notes):
        """Return the function's result for the arguments of an entry point, as NumPy arrays in its layout."""
        sizes, theirs = {}, {}
        for name, value in ours.items():
            axes = entry.axes(name)
            if axes is not None and np.ndim(value) == len(axes):
                sizes |= dict(zip(axes, np.shape(value), strict=True))
            theirs[name] = self._converted(self._laid_out(entry, name, value), dtype)
        before = {name: _as_numpy(value) for name, value in theirs.items()}
        unmasked = self._without_masks(entry)
        positional, named = self._named({name: v for name, v in theirs.items() if name not in unmasked})
        output = _as_numpy(_selected(self.function(*positional, **named), self.result))
        for name, value in theirs.items():
            if isinstance(before[name], np.ndarray) and not np.array_equal(
                before[name], _as_numpy(value), equal_nan=before[name].dtype.kind == "f"
            ):
                notes.add(f"It changes its argument `{name}` in place.")
        if entry.removes_logits:
            output = _with_infinity(output, notes)
        if "result" in self.layout:
            return layouts.to_ours(output, entry.result_axes, self.layout["result"], sizes)
        return output

    def _without_masks(self, entry):
        """Return the set of names of those masks of an entry point that the function does not take."""
        masks = {name for name in entry.signature.parameters if entry.is_mask(name)}
        if self.arguments is not None:
            return masks - set(_spoken_of(self.arguments))
        try:
            known = inspect.signature(self.function)
            known.bind(*entry.signature.parameters)
        except TypeError:
            fewer = [name for name in entry.signature.parameters if name not in masks]
            try:
                known.bind(*fewer)
            except TypeError:
                return set()
            return masks
        except ValueError:
            return set()
        return set()

    def _laid_out(self, entry, name, value):
        """Return an argument in the layout of the function, with a mask in the function's convention."""
        if entry.is_mask(name) and isinstance(value, np.ndarray):
            value = (self.mask if callable(self.mask) else MASKS[self.mask])(value)
        if name in self.layout:
            axes = entry.axes(name)
            if axes is None or np.ndim(value) != len(axes):
                raise DoesNotFit(name)
            value = layouts.to_theirs(value, axes, self.layout[name])
        return value

    def _converted(self, value, dtype):
        """Return a copy of an argument with its arrays converted to those of the function's library."""
        if isinstance(value, dict):
            return {key: self._converted(item, dtype) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._converted(item, dtype) for item in value)
        if not isinstance(value, np.ndarray):
            return value
        array = np.array(value, dtype=dtype if value.dtype.kind == "f" else None)
        if self.arrays == "torch":
            import torch

            return torch.from_numpy(array).to(self.device or "cpu")
        if self.arrays == "jax":
            import jax

            return jax.device_put(array, self.device)
        return array.tolist() if self.arrays == "list" else array

    def _named(self, theirs):
        """Return the positional arguments and the keyword arguments for a call of the function."""
        if self.arguments is not None:
            return (), {name: _value(what, theirs) for name, what in self.arguments.items()}
        try:
            known = inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return tuple(theirs.values()), {}
        byname = [p.name for p in known.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        if set(theirs) <= set(byname):
            return (), theirs
        return tuple(theirs.values()), {}


def adapt(
    function,
    arguments=None,
    *,
    arrays="numpy",
    device=None,
    dtypes=None,
    mask="allowed",
    layout=None,
    result=None,
    equal=(),
):
    """Return an Adapter, which says how a function is called with the arguments of an entry point.

    Parameters
    ----------
    function : callable
    arguments : dict, optional
        The values of the function's parameters, by the names of these parameters: the name of one of our
        arguments, as a string, or a function whose parameters are some of our arguments, or any other
        constant. If it is left out, our arguments are passed by name if the function has parameters with all
        of our names, and in our order otherwise. `clearhead verify --list` shows names and order.
    arrays : str
        The arrays with which the function computes: "numpy", "torch", "jax" or "list" (nested lists of
        numbers).
    device : optional
        The device of the tensors, for "torch" and "jax"; by default the CPU.
    dtypes : tuple of str, optional
        Which of "float64" and "float32" are tried; by default both, and for JAX only "float32".
    mask : str or callable
        The values of the function's masks: "allowed" (True where a query may attend), "blocked" (True where
        it may not), "additive" (0 and minus infinity), "integers" (1 and 0), or a function of our mask.
    layout : dict, optional
        The order of axes that the function uses for our arguments and for "result", such as
        {"Q": "1 H T d", "result": "1 T (H d)"}; see `clearhead.verify.layout`.
    result : int, str or callable, optional
        Which part of the returned value is the result: an index, a key or attribute, or a function of it.
    equal : str, optional
        The names of axes that must have the same size, such as "d e" for a kernel whose values must have the
        dimension of its keys.

    Raises
    ------
    UserError
        If an argument has none of the values above.
    """
    if not callable(function):
        raise UserError(f"adapt needs a function, and got {type(function).__name__} {function!r:.60}.")
    if arrays not in KINDS:
        raise UserError(f"arrays={arrays!r} is not one of {', '.join(KINDS)}.")
    if not callable(mask) and mask not in MASKS:
        raise UserError(f"mask={mask!r} is neither a function nor one of {', '.join(MASKS)}.")
    dtypes = dtypes or (("float32",) if arrays == "jax" else DTYPES)
    dtypes = (dtypes,) if isinstance(dtypes, str) else tuple(dtypes)
    if unknown := [each for each in dtypes if each not in DTYPES]:
        raise UserError(f"dtypes contains {unknown[0]!r}, which is not one of {', '.join(DTYPES)}.")
    for text in (layout or {}).values():
        layouts.parse(text)
    equal = tuple(equal.split()) if isinstance(equal, str) else tuple(equal)
    return Adapter(function, arguments, arrays, device, dtypes, mask, dict(layout or {}), result, equal)


def _with_infinity(output, notes):
    """Return logits with minus infinity in place of large negative numbers."""
    if not (isinstance(output, np.ndarray) and output.dtype.kind == "f"):
        return output
    low = np.isfinite(output) & (output < LOWEST)
    if low.any():
        notes.add(f"Removed tokens get the logit {output[low].max():.3g} instead of minus infinity.")
    return np.where(low, np.asarray(-np.inf, output.dtype), output)


def _spoken_of(arguments):
    """Yield the names of the entry point's arguments to which a dict of arguments refers."""
    for what in arguments.values():
        if isinstance(what, str):
            yield what
        elif callable(what):
            try:
                yield from inspect.signature(what).parameters
            except (TypeError, ValueError):
                continue


def _value(what, theirs):
    """Return the value of one parameter of the function."""
    if isinstance(what, str) and what in theirs:
        return theirs[what]
    if callable(what):
        return what(*(theirs[name] for name in inspect.signature(what).parameters))
    return what


def _selected(output, which):
    """Return the part of a function's output that is the result."""
    if which is None:
        return output
    if callable(which):
        return which(output)
    if isinstance(which, str) and not isinstance(output, Mapping):
        return getattr(output, which)
    return output[which]


def _as_numpy(value):
    """Return a value in which all arrays of other libraries are converted to NumPy arrays."""
    if isinstance(value, dict):
        return {key: _as_numpy(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_numpy(item) for item in value]
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = value.float() if value.dtype in (torch.bfloat16, torch.float16) else value
        return value.numpy().copy()
    if isinstance(value, np.ndarray):
        return value.copy()
    return np.asarray(value) if hasattr(value, "__array__") else value


def near_misses(names, known):
    """Return sentences about functions whose names are similar to those of entry points.

    Parameters
    ----------
    names : dict
        What an adapter file defines.
    known : dict
        The entry points by their names.
    """
    said = []
    for name, value in names.items():
        close = get_close_matches(name, known, 1, 0.8)
        if close and name not in known and close[0] not in names and callable(value):
            said.append(f"{name!r} is not an entry point and was not tried. Did you mean {close[0]!r}?")
    return said


def read(path, known):
    """Run an adapter file, and return a dict from the entry points that it names to Adapters.

    Parameters
    ----------
    path : str or Path
        A Python file, which is run. Its dict `defaults`, if any, holds keyword arguments of `adapt` for every
        function that the file names without `adapt`.
    known : dict
        The entry points by their names.

    Raises
    ------
    UserError
        If the file cannot be run, names no entry point, or adapts a name that is not an entry point.
    """
    return from_names(path, run(path), known)


def from_names(path, names, known):
    """Return a dict from entry points to Adapters, given the names that an adapter file defines."""
    path = Path(path)
    defaults = names.get("defaults", {})
    found = {}
    for name, value in names.items():
        if name in known and isinstance(value, Adapter):
            found[name] = value
        elif name in known and callable(value):
            found[name] = adapt(value, **defaults)
        elif isinstance(value, Adapter):
            close = get_close_matches(name, known, 1, 0.5)
            near = f" Did you mean {close[0]!r}?" if close else ""
            raise UserError(
                f"{path.name}: {name!r} is not an entry point.{near} `clearhead verify --list` shows all."
            )
    if not found:
        raise UserError(
            f"{path.name} names no entry point: write, for example, `softmax = my_module.softmax`. "
            "`clearhead verify --list` shows all."
        )
    for name, adapter in found.items():
        _require_known_names(path, known[name], adapter)
    return {name: found[name] for name in known if name in found}


def _require_known_names(path, entry, adapter):
    """Raise UserError if an adapter uses an argument or axis that its entry point does not have."""
    ours = list(entry.signature.parameters)
    functions = {name: what for name, what in (adapter.arguments or {}).items() if callable(what)}
    spoken = [*(name for name in adapter.layout if name != "result"), *_spoken_of(functions)]
    if unknown := [name for name in spoken if name not in ours]:
        raise UserError(
            f"{path.name}: {entry.name} has no argument {unknown[0]!r}; its arguments are {', '.join(ours)}."
        )
    axes = {axis for each in entry.inputs for axis in each.axes or ()}
    if unknown := [axis for axis in adapter.equal if axis not in axes]:
        known = " ".join(sorted(axes)) or "none"
        raise UserError(f"{path.name}: {entry.name} has no axis {unknown[0]!r}; its axes are {known}.")
    for name, theirs in adapter.layout.items():
        axes = entry.result_axes if name == "result" else entry.axes(name)
        if axes is None or sorted(axes) != sorted(layouts.names(layouts.parse(theirs))):
            has = f"has the axes ({', '.join(axes)})" if axes is not None else "is not an array"
            raise UserError(
                f"{path.name}: {entry.name}: {name} {has}, and cannot have the layout {theirs!r}."
            )


def run(path):
    """Run a Python file and return a dict of the names that it defines, or raise UserError if it fails."""
    path = Path(path).resolve()
    if not path.is_file():
        raise UserError(f"There is no file {path}.")
    spec = importlib.util.spec_from_file_location(f"adapter_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickle look there
    before = list(sys.path)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        steps = reversed(traceback.extract_tb(error.__traceback__))
        line = next((step.lineno for step in steps if step.filename == str(path)), None)
        where = f", line {line}" if line else ""
        raise UserError(f"{path.name}{where} ends with {type(error).__name__}: {error}") from error
    finally:
        sys.path[:] = before
    return vars(module)
