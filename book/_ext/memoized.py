"""Cache functions of Sphinx and its extensions that give the same result thousands of times in a build."""

import functools

from pybtex import plugin
from sphinx.highlighting import PygmentsBridge
from sphinx.search.en import SearchEnglish


def cached(function):
    """Return a function that caches its results; a first argument that is no string counts by identity."""
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


#: The styles of a block of code, the stem of a word, and the plugin behind a citation.
REPEATED = (
    (PygmentsBridge, "get_formatter"),
    (SearchEnglish, "stem"),
    (plugin, "_load_entry_point"),
)


def memoize():
    """Replace each repeatedly called function with a cached version."""
    for owner, name in REPEATED:
        if not hasattr(getattr(owner, name), "is_kept"):
            setattr(owner, name, cached(getattr(owner, name)))


def declare_parallel(app, config):
    """Say of an extension of Jupyter Book, which does not say so itself, that pages may be read in parallel.

    `sphinx_multitoc_numbering` numbers sections when all pages have been read, in the main process.
    """
    if "sphinx_multitoc_numbering" in app.extensions:
        app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True
