"""Interactive figures, each of which has a JavaScript file and a Python class of the same name.

`Analogy` is in analogy.py, next to analogy.js, and is imported when it is first used.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

_FILES = {
    found.name.title().replace("_", ""): found.name
    for found in iter_modules(__path__)
    if Path(__path__[0], f"{found.name}.js").exists()
}
__all__ = sorted(_FILES)


def __getattr__(name):
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_FILES[name]}", __name__), name)


def __dir__():
    return [*__all__, *globals()]
