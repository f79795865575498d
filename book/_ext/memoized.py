"""Caches for functions of Sphinx and its extensions that a build calls thousands of times."""

import functools

from pybtex import plugin
from sphinx.highlighting import PygmentsBridge
from sphinx.search.en import SearchEnglish


def cached(function):
    """Return a function that caches its results.

    A first argument that is not a string is distinguished by its identity.
    """
    cache = {}

    @functools.wraps(function)
    def kept(owner, *arguments, **named):
        words = repr(sorted(named.items())) if named else ""
        key = (owner if isinstance(owner, str) else id(owner), *arguments, words)
        if key not in cache:
            cache[key] = function(owner, *arguments, **named)
        return cache[key]

    kept.is_kept = True
    return kept


#: The functions that find the formatter of a code block, the stem of a word, and the plugin of a citation.
REPEATED = (
    (PygmentsBridge, "get_formatter"),
    (SearchEnglish, "stem"),
    (plugin, "_load_entry_point"),
)


def memoize():
    """Replace each of the repeatedly called functions by a version that caches its results."""
    for owner, name in REPEATED:
        if not hasattr(getattr(owner, name), "is_kept"):
            setattr(owner, name, cached(getattr(owner, name)))


def declare_parallel(app, config):
    """Declare that an extension of Jupyter Book allows pages to be read in parallel.

    `sphinx_multitoc_numbering` numbers sections when all pages have been read, in the main process.
    """
    if "sphinx_multitoc_numbering" in app.extensions:
        app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
