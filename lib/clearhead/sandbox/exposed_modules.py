"""The modules of the library that a sandbox shows: those that a sheet needs, and those that they import."""

import ast
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

PACKAGE = "clearhead"


def module_files(names):
    """Return a dict from name to file for these modules and all modules of the library that they import."""
    found, waiting = {}, list(names)
    while waiting:
        if (name := waiting.pop()) not in found:
            found[name] = find_spec(name).origin
            waiting += [other for other in imports(name) if other.partition(".")[0] == PACKAGE]
    return found


@cache
def imports(name):
    """Return the names of the modules that a module imports, including submodules imported from packages."""
    spec, found = find_spec(name), []
    for node in ast.walk(ast.parse(Path(spec.origin).read_bytes())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), spec.parent)
            inner = [f"{source}.{alias.name}" for alias in node.names] if source.startswith(PACKAGE) else []
            inside = [each for each in inner if _is_module(each)]
            found += inside if len(inside) == len(node.names) else [*inside, source]
    return tuple(found)


def _is_module(name):
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is a module, and not a package
        return False
