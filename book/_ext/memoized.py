"""Let Sphinx and its extensions do once what they do thousands of times in a build with the same result."""

import functools

from pybtex import plugin
from sphinx.highlighting import PygmentsBridge
from sphinx.search.en import SearchEnglish


def once(function):
    """Return a function that keeps its results by the words of its arguments; the first may be an object."""
    known = {}

    @functools.wraps(function)
    def kept(owner, *arguments, **named):
        key = (owner if isinstance(owner, str) else id(owner), *arguments, repr(sorted(named.items())))
        if key not in known:
            known[key] = function(owner, *arguments, **named)
        return known[key]

    kept.is_kept = True
    return kept


#: The styles of a block of code, the stem of a word, and the plugin behind a citation.
REPEATED = (
    (PygmentsBridge, "get_formatter"),
    (SearchEnglish, "stem"),
    (plugin, "_load_entry_point"),
)


def memoize():
    """Replace each repeated function by one that remembers."""
    for owner, name in REPEATED:
        if not hasattr(getattr(owner, name), "is_kept"):
            setattr(owner, name, once(getattr(owner, name)))


def declare_parallel(app, config):
    """Say of extensions of Jupyter Book which do not say so whether they let pages be read side by side.

    `sphinx_multitoc_numbering` numbers sections when all pages have been read, in the main process, and
    `sphinx_jupyterbook_latex` changes nothing but the page that is being read.
    """
    for name in ("sphinx_multitoc_numbering", "sphinx_jupyterbook_latex"):
        if name in app.extensions:
            app.extensions[name].parallel_read_safe = True
