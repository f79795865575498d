"""Parameters, names and lines of code, which are read from functions and errors without calling anything."""

import ast
import inspect
import linecache
import os
import sys
import sysconfig
import textwrap

_PACKAGE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
_LIBRARIES += tuple(path for path in sys.path if path.endswith("-packages"))  # a sandbox has them elsewhere


def parameter_names(exercise):
    """Return the names of the arguments in the cases of an exercise, from its driver or reference."""
    names = list(inspect.signature(exercise.driver or exercise.reference).parameters.values())
    if exercise.driver and names[-1].kind is names[-1].VAR_POSITIONAL:  # the driver passes all of them on
        names = [None, *inspect.signature(exercise.reference).parameters.values()]
    return [each.name for each in (names[1:] if exercise.driver else names)]


def renamed_arguments(exercise):
    """Return the names of the driver's arguments that students do not know, see `Exercise.given`."""
    words = " ".join(exercise.given.values())
    return tuple(name for name in exercise.given if f"`{name}`" not in words)


def takes_arguments(exercise, answer):
    """Return True if the answer accepts the arguments of the exercise, or if this cannot be known.

    It cannot be known if there is a driver, which may call the answer with other arguments than its own.
    """
    if exercise.driver is not None:
        return True
    try:
        inspect.signature(answer).bind(*parameter_names(exercise))
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def returned_names(answer):
    """Return the names in the `return` of a function that returns several values, such as ("Z", "A").

    The entry for a value that is not a plain name is "". The tuple is empty if the source cannot be read, if
    a single value is returned, or if two `return` statements return different numbers of values.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(answer))))
    except (OSError, TypeError, SyntaxError, ValueError):
        return ()
    if not (tree.body and isinstance(tree.body[0], ast.FunctionDef)):
        return ()
    returned = [node.value for node in _own_statements(tree.body[0]) if isinstance(node, ast.Return)]
    if not returned or not all(isinstance(value, ast.Tuple) for value in returned):
        return ()
    if len({len(value.elts) for value in returned}) > 1:
        return ()
    return tuple(part.id if isinstance(part, ast.Name) else "" for part in returned[-1].elts)


def _own_statements(function):
    """Yield the nodes of a function, without those of the functions and classes inside it."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def student_line(error):
    """Return "line 3: ..." for the deepest line of the student's own code in a traceback, or ""."""
    found, step = "", error.__traceback__
    while step is not None:
        path, number = step.tb_frame.f_code.co_filename, step.tb_lineno
        if not path.startswith((_PACKAGE, "<frozen", "<__array", *_LIBRARIES)):
            text = linecache.getline(path, number).strip()
            found = f"line {number}: {text}" if text else f"line {number}"
        step = step.tb_next
    return found[:300]
