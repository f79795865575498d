"""What the room of a sheet shows of the library: whole modules, named one by one, and what they import."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec, resolve_name

PACKAGE = "clearhead"


def modules(names):
    """Return triples (module, package, source) of these modules and of all that they import from here.

    Each stands after the modules that it imports.
    """
    needs, waiting = {}, list(names)
    while waiting:
        if (name := waiting.pop()) not in needs:
            needs[name] = {m for m in _read(name)[2] if m.partition(".")[0] == PACKAGE}
            waiting += needs[name]
    return [(name, *_read(name)[:2]) for name in TopologicalSorter(needs).static_order()]


def packages(shown):
    """Return the packages, outside this one, that the modules import at their top."""
    found = (name for _, package, source in shown for name in _imported(ast.parse(source).body, package))
    return sorted({name.partition(".")[0] for name in found} - {PACKAGE})


@cache
def _read(name):
    """Return a module's package, its source, and the modules that it imports, wherever in it."""
    spec = find_spec(name)
    source = spec.loader.get_source(name)
    return spec.parent, source, tuple(_imported(ast.walk(ast.parse(source)), spec.parent))


def _imported(nodes, package):
    """Yield the modules that import statements name; `from clearhead.maths import vision` names vision."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            inner = [f"{source}.{alias.name}" for alias in node.names] if source.startswith(PACKAGE) else []
            inside = [name for name in inner if _is_module(name)]
            yield from inside
            if len(inside) < len(node.names):
                yield source


def _is_module(name):
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # what it stands in is a module, not a package
        return False
