"""Replacements for packages that the page lacks, which say so or draw nothing."""

import ast
import builtins
import importlib.util
import symtable
import sys
import types
from pathlib import Path

import numpy as np

ABSENT = {"torch": "PyTorch", "sklearn": "scikit-learn", "matplotlib": "Matplotlib", "IPython": "IPython"}
OTHERS = ("scipy", "pandas", "threadpoolctl", "transformers", "ipywidgets", "anywidget", "sympy")
ABSENT |= {name: name for name in OTHERS}
LEFT_OUT = ("clearhead.nets", "clearhead.training", "clearhead.pretrained.convert")
LEFT_OUT += ("clearhead.pretrained.minilm", "clearhead.pretrained.live", "clearhead.pretrained.induction")
PICTURES = ("clearhead.widgets", "clearhead.figures", "matplotlib", "IPython")
#: The modules of `clearhead.figures` that the page has, as book/_ext/browser_runtime.py lists them.
FIGURES = ("style", "tables", "words")
#: What the cells have named so far.
variables = {"__name__": "__main__", "__builtins__": builtins}


class Recorded:
    """A replacement for drawing functions; the page shows the recorded picture instead."""

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return self

    def __call__(self, *arguments, **named):
        return self

    __getitem__ = __add__ = __iadd__ = __call__

    def __setitem__(self, key, value):
        """Accept any assignment."""


def pictures():
    """Return `clearhead.figures` for the page, in which tables work and pictures are recorded."""
    import clearhead

    package, folder = types.ModuleType("clearhead.figures"), Path(clearhead.__file__).with_name("figures")
    package.__path__ = [str(folder)]

    def named(name):
        if name in ("show", "show_product", "table"):
            return getattr(importlib.import_module("clearhead.figures.tables"), name)
        if name.startswith("__") or (folder / f"{name}.py").exists():  # a module: imported, then found
            raise AttributeError(name)
        return Recorded()

    package.__getattr__ = named
    return package


if importlib.util.find_spec("matplotlib") is None:
    sys.modules["clearhead.figures"] = pictures()


class Absent:
    """A replacement for a package that the page lacks, which raises an error on use."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise ModuleNotFoundError(self._name, name=self._name)

    __call__ = __mro_entries__ = __getitem__ = __iter__ = __enter__ = lambda self, *_, **named: self.missing


def without_unavailable(tree):
    """Return a cell without its imports of absent packages, whose names are bound to replacements.

    A cell that imports also goes without its lines that use them, such as a seed for PyTorch.
    """
    statements, imports = [], any(isinstance(part, ast.Import | ast.ImportFrom) for part in tree.body)
    for statement in tree.body:
        names = absent_names(statement)
        variables.update({name: stand_in(package) for name, package in names.items()})
        if imports and uses_absent(statement):
            variables.update({name: Absent("torch") for name in names_bound_by(statement)})
        elif not names:
            statements.append(statement)
    tree.body = statements
    return tree


def names_bound_by(statement):
    """Return the names that a statement makes, not those inside its functions."""
    top = symtable.symtable(ast.unparse(statement), "cell", "exec")
    found = {name.get_name() for name in top.get_symbols() if name.is_assigned() or name.is_namespace()}
    return found - comprehension_names(statement)


def comprehension_names(statement):
    """Return the names that exist only inside a comprehension, which Python 3.12 counts as the cell's."""
    targets = (part.target for part in ast.walk(statement) if isinstance(part, ast.comprehension))
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def uses_absent(statement):
    """Return True if a statement, or a function in it, reads a name of an absent package."""
    tables = [symtable.symtable(ast.unparse(statement), "cell", "exec")]
    inner = comprehension_names(statement)
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for name in (each for each in table.get_symbols() if each.get_name() not in inner):
            own = name.is_global() or table.get_type() == "module"
            if own and name.is_referenced() and isinstance(variables.get(name.get_name()), Absent):
                return True
    return False


def stand_in(package):
    """Return the replacement for a package that the page lacks."""
    return Recorded() if package in PICTURES else Absent(package)


class Datasets(types.ModuleType):
    """A replacement for `sklearn.datasets`, with the two data sets of the book."""

    def load_digits(self, *, return_X_y=False):
        """Return 1,797 written digits of 8 × 8 pixels, from 0 to 16, and what they are."""
        return self._table("digits", return_X_y, lambda data: {"images": data.reshape(-1, 8, 8)})

    def load_wine(self, *, return_X_y=False):
        """Return 13 measurements of 178 wines, and their growers."""
        return self._table("wine", return_X_y, lambda data: {})

    def _table(self, name, return_X_y, extra):
        import clearhead

        rows = np.load(Path(clearhead.__file__).parents[1] / f"{name}.npy").astype(float)
        data, target = rows[:, :-1], rows[:, -1].astype(int)
        return (
            (data, target) if return_X_y else types.SimpleNamespace(data=data, target=target, **extra(data))
        )

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise ModuleNotFoundError("sklearn", name="sklearn")


if importlib.util.find_spec("sklearn") is None:
    sys.modules["sklearn"] = types.ModuleType("sklearn")
    sys.modules["sklearn"].datasets = sys.modules["sklearn.datasets"] = Datasets("sklearn.datasets")


def unavailable_package(module):
    """Return the package that the page lacks, "" if it has the module."""
    if module.startswith("sklearn.datasets.") and hasattr(Datasets, module.rpartition(".")[2]):
        return ""
    parts = module.split(".")
    if parts[:2] == ["clearhead", "figures"] and (len(parts) < 4 or parts[2] in FIGURES):
        return ""  # a name of the package itself, which `pictures` provides, or of a module that is there
    prefixes = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    return next((name for name in prefixes if name in ABSENT or name in PICTURES or name in LEFT_OUT), "")


def absent_names(statement):
    """Return the names that an import would take from absent packages, with the package of each."""
    if isinstance(statement, ast.ImportFrom) and not statement.level:
        found = {
            n.asname or n.name: unavailable_package(f"{statement.module}.{n.name}") for n in statement.names
        }
        return {name: package for name, package in found.items() if package}
    if isinstance(statement, ast.Import):
        found = {n.asname or n.name.split(".")[0]: unavailable_package(n.name) for n in statement.names}
        return {name: package for name, package in found.items() if package}
    return {}
