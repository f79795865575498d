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


def setup(app):
    """Replace each function by one that remembers."""
    for owner, name in REPEATED:
        if not hasattr(getattr(owner, name), "is_kept"):
            setattr(owner, name, once(getattr(owner, name)))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
