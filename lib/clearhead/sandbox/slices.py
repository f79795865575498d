"""Cut a slice out of modules: the source of a few names and of what they need, and of nothing else.

So a driver, or a function that a sheet imports, can run in the sandbox while the reference solutions that
stand beside it in the same module stay outside.
"""

import ast
import builtins
import inspect
import symtable
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import resolve_name
from types import ModuleType

PACKAGE = "clearhead"


class NotCut(ValueError):
    """Raised when a name cannot be cut out; its message is one sentence."""


@cache
def _statements(module):
    """Return the source of a module, and a dict from each name bound at its top to the statement."""
    source = inspect.getsource(import_module(module))
    bound = {}
    for statement in ast.parse(source).body:
        for name in _bound(statement):
            bound[name] = statement
    return source, bound


def _bound(statement):
    """Return the names that a statement at the top of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    return [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def cut(wanted):
    """Return a list of pairs (module, source) that define the wanted names, each module after what it needs.

    Parameters
    ----------
    wanted : dict
        From the name of a module to the names that are wanted of it.
    """
    kept, needs = {}, {}
    for module, names in wanted.items():
        for name in names:
            _keep(module, name, kept, needs)
    return [(module, _source(module, kept[module])) for module in TopologicalSorter(needs).static_order()]


def _keep(module, name, kept, needs):
    """Note that a module's name is needed, and all that it needs."""
    _, bound = _statements(module)
    if name not in bound:
        raise NotCut(f"{module} has no {name} at its top.")
    statement = bound[name]
    if name in kept.setdefault(module, {}).setdefault(statement, set()):
        return
    kept[module][statement].add(name)
    needs.setdefault(module, set())
    if isinstance(statement, ast.ImportFrom):
        package = import_module(module).__package__
        source = resolve_name("." * statement.level + (statement.module or ""), package)
        if source.partition(".")[0] == PACKAGE:
            alias = next(a for a in statement.names if (a.asname or a.name) == name)
            needs[module].add(source)
            _keep(source, alias.name, kept, needs)
    elif isinstance(statement, ast.Import) and statement.names[0].name.partition(".")[0] == PACKAGE:
        raise NotCut(f"{module} imports a whole module as {name}; only `from ... import ...` can be cut.")
    else:
        for other in sorted((_used(statement) & bound.keys()) - {name}):
            inner = _submodule(module, bound[other], other)
            for attribute in _attributes(statement, other) if inner else ():
                needs[module].add(inner)
                _keep(inner, attribute, kept, needs)
            if inner:
                kept[module].setdefault(bound[other], set()).add(other)
            else:
                _keep(module, other, kept, needs)


def _submodule(module, statement, name):
    """Return the module that a name stands for, as after `from clearhead.maths import vision`, else ""."""
    if not isinstance(statement, ast.ImportFrom):
        return ""
    source = resolve_name("." * statement.level + (statement.module or ""), import_module(module).__package__)
    original = next(a.name for a in statement.names if (a.asname or a.name) == name)
    inside = source.partition(".")[0] == PACKAGE and isinstance(
        getattr(import_module(source), original, None), ModuleType
    )
    return f"{source}.{original}" if inside else ""


def _attributes(statement, name):
    """Return the attributes that a statement takes from a name, as `patchify` of `vision.patchify`."""
    nodes = (n for n in ast.walk(statement) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
    return sorted({node.attr for node in nodes if node.value.id == name})


def _used(statement):
    """Return the names that a statement, and the functions in it, take from the top of the module."""
    tables, found = [symtable.symtable(ast.unparse(statement), "slice", "exec")], set()
    while tables:
        scope = tables.pop()
        tables += scope.get_children()
        symbols = scope.get_symbols()
        top = scope.get_type() == "module"
        found |= {s.get_name() for s in symbols if s.is_referenced() and (top or s.is_global())}
    return found


def _source(module, statements):
    """Return the source of the statements that are kept, in the order of the module."""
    source, _ = _statements(module)
    lines = source.splitlines()
    parts = []
    for statement in sorted(statements, key=lambda s: s.lineno):
        if isinstance(statement, ast.ImportFrom):
            names = [a for a in statement.names if (a.asname or a.name) in statements[statement]]
            full = resolve_name(
                "." * statement.level + (statement.module or ""), import_module(module).__package__
            )
            parts.append(ast.unparse(ast.ImportFrom(full, names, 0)))
            continue
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        parts.append("\n".join(lines[first - 1 : statement.end_lineno]))
    return "\n\n\n".join(parts) + "\n"


def home(function):
    """Return the module and the name under which a function stands at the top of its module."""
    name, module = function.__qualname__, function.__module__
    if not name.isidentifier() or getattr(import_module(module), name, None) is not function:
        raise NotCut(f"{module}.{name} is not a function at the top of its module.")
    return module, name


def needed_packages(sources):
    """Return the packages, outside this one, that the slices import at their top."""
    found = set()
    for _, source in sources:
        for node in ast.parse(source).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            found |= {name.partition(".")[0] for name in names}
    return sorted(found - {PACKAGE} - set(dir(builtins)))
